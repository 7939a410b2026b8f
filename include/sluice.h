/* sluice.h: the C interface of Sluice.
 *
 * Sluice tells an inference engine which tokens may come next, for every sequence at every decoding step, as a bit mask
 * over the vocabulary. The life of a constraint:
 *
 *     vocabulary ──► compiler ──► grammar ──► matcher          vocabulary and compiler: one per model
 *                    (kind, text)             accept, fill     grammar: one per constraint; matcher: one per sequence
 *
 * docs/c.md has a program in C, a server in C++, and a table of all statuses with what to do.
 *
 * Process rules
 *   loading    The library contains Go's runtime: loading it starts a few threads, and dlclose() does nothing. musl
 *              libc is not supported. Sluice reads no environment variable; Go's runtime reads GOMEMLIMIT, GOGC and
 *              GOMAXPROCS when the library is loaded.
 *   fork       Go's runtime does not survive fork(). In the child of a process that had loaded the library every call
 *              returns SLUICE_E_FORKED at once, unless its comment says that it works. Load the library after the fork,
 *              or load a copy of the file (another inode) in the child, and make the handles again.
 *   signals    Go's runtime installs handlers for SIGSEGV, SIGBUS, SIGFPE, SIGPIPE and SIGURG when the library is
 *              loaded, and forwards signals that are not its own to the handlers before it. Handlers that you install
 *              later need SA_ONSTACK.
 *   threads    Every function may be called from every thread. A matcher serves one thread at a time; a second one gets
 *              SLUICE_E_BUSY. All other objects may be shared. The first call of a new thread costs up to 0.2 ms, later
 *              calls less than 0.2 µs: use pools of threads.
 *
 * Conventions
 *   status     Every function that can fail returns a sluice_status. "returns" lists the statuses of each function,
 *              without SLUICE_E_FORKED (see fork) and SLUICE_E_INTERNAL. A function writes results only with SLUICE_OK,
 *              unless its comment says otherwise; a failed call leaves all objects as they were. Pointers to results
 *              may be NULL if they are "optional".
 *   errors     The last parameter is your sluice_error, or NULL. It is written on failure only.
 *   handles    Objects are typed numbers; 0 is never valid. A handle that is stale, freed or of another type returns
 *              SLUICE_E_HANDLE and never crashes. A handle keeps its sources alive: you may free a grammar
 *              while its matchers live. You may free a handle while another thread is inside a call on it.
 *   text       Pointer and length in bytes; NUL bytes are data. NULL with length 0 is the empty text.
 *   structs    Set the first member, struct_size, to sizeof the struct, zero the rest, and set the members you need.
 *              Structs grow only at their end, and 0 is the default of every added member. A newer library takes the
 *              members that your struct lacks for 0 and writes no more than struct_size bytes. An older library refuses
 *              members that it does not know unless they are 0. A struct_size below the struct's first version, or
 *              inside a member, returns SLUICE_E_ARGUMENT; a sluice_error below its first version is not written.
 *   memory     All buffers are yours, and the library borrows them for the call. A failed allocation inside the library
 *              ends the process (SIGABRT) without a status. Leave 1 GiB for compilations beside the memory of your
 *              objects; docs/operations.md has the numbers.
 *
 * since: the version of the library in which a symbol appeared. Compiles as C99 and as C++11 or newer. */
#ifndef SLUICE_H
#define SLUICE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------- version and ABI ---- */

/* The version of this header and of the ABI that it describes. The ABI number is also in the name libsluice.so.1. It
 * changes only if a program compiled against an older header could break. Within one number functions, status codes,
 * flags and members at the end of structs may be added; existing ones keep value, type and meaning. */
#define SLUICE_VERSION "0.1.0"
#define SLUICE_ABI_VERSION 1

/* sluice_version: the version of the loaded library, as SLUICE_VERSION.
 * ownership  static text, never freed.
 * threads    any, also in a forked child.      since 0.1 */
const char *sluice_version(void);

/* sluice_abi_version: the ABI of the loaded library; compare it with SLUICE_ABI_VERSION.
 * threads    any, also in a forked child.      since 0.1 */
uint32_t sluice_abi_version(void);

/* ----------------------------------------------------------------------------------------------- status codes ---- */

/* sluice_status: the result of a call. Values never change; new ones may be added. docs/c.md explains each. */
typedef int32_t sluice_status;
enum {
  SLUICE_OK = 0,
  SLUICE_E_ARGUMENT = 1,      /* a parameter of the call is wrong */
  SLUICE_E_HANDLE = 2,        /* a handle is stale, freed or of another type */
  SLUICE_E_BUSY = 3,          /* another thread is using the matcher; call again when that call is over */
  SLUICE_E_SYNTAX = 4,        /* the constraint's text, or a vocabulary file, is malformed */
  SLUICE_E_INVALID = 5,       /* well-formed, but not a valid constraint (a negative minLength, an unknown rule) */
  SLUICE_E_UNSUPPORTED = 6,   /* valid, but cannot be enforced exactly */
  SLUICE_E_UNSATISFIABLE = 7, /* no output can satisfy the constraint */
  SLUICE_E_LIMIT = 8,         /* a budget was spent */
  SLUICE_E_IO = 9,            /* a file could not be read, or a descriptor not be written to */
  SLUICE_E_INTERNAL = 10,     /* a bug in Sluice; handles stay valid, stderr has the stack: please report it */
  SLUICE_E_REJECTED = 11,     /* the constraint does not allow a token or a byte: an answer, not a failure */
  SLUICE_E_FORKED = 12,       /* the library was loaded before fork() and cannot be used in this child */
  SLUICE_E_UNAVAILABLE = 13,  /* this machine lacks a driver, a device or an instruction set */
  SLUICE_E_DEVICE = 14,       /* the driver of a device failed; the message has its name for the error */
  SLUICE_E_UNFINISHED = 15,   /* the work takes longer than the call may; nothing has changed */
  SLUICE_E_CANCELLED = 16     /* the job was cancelled before it was done */
};

/* sluice_status_name: a code's stable lower-case name ("ok", "argument", …, "forked"), "unknown" for other numbers.
 * ownership  static text, never freed.
 * threads    any, also in a forked child.      since 0.1 */
const char *sluice_status_name(sluice_status status);

/* sluice_error: why a call failed, copied into your memory.
 * Texts are UTF-8 and end with NUL. A text that is longer than its buffer is cut at a character's border; *_length is
 * the length of the whole text. message is complete: place, rule, remedy
 * ("json_schema:/properties/age/multipleOf: must be positive (near `-3`)"). The other members are its parts, for
 * programs. A message may end in advice for the calling program ("; or set the option lenient …"); a server cuts off
 * the last advice_length bytes before it shows the message to a client.
 * cost       about 2 KiB; keep one per thread and reuse it.      since 0.1 */
typedef struct sluice_error {
  uint32_t struct_size; /* sizeof(sluice_error), set by the caller */
  sluice_status code;   /* the status that the call returned */
  uint32_t has_pointer; /* 1: the place is `pointer` (JSON); 0: it is line, column, offset, if line > 0 */
  uint32_t line;        /* from 1; 0: no place in text */
  uint32_t column;      /* from 1, in code points */
  uint32_t pointer_length;
  uint64_t offset; /* in bytes, from 0 */
  uint32_t source_length;
  uint32_t keyword_length;
  uint32_t fragment_length;
  uint32_t message_length;
  char source[64];    /* the input: "json_schema", "regex", "vocabulary", or the call */
  char keyword[128];  /* the keyword or construct at fault, "" if none */
  char fragment[256]; /* the offending text, shortened */
  char pointer[512];  /* JSON pointer (RFC 6901); "" with has_pointer = 1 is the whole document */
  char message[1024];
  uint32_t advice_length; /* of the advice with which the message ends, 0: there is none */
  uint32_t reserved;
} sluice_error;

/* ------------------------------------------------------------------------------------------------- vocabulary ---- */

/* sluice_vocabulary: the bytes of each token id, special tokens, end tokens, padded size. Immutable. Load it once per
 * model and share it between compilers and threads. */
typedef uint64_t sluice_vocabulary;

/* Bits of a token's flags. */
enum {
  SLUICE_TOKEN_SPECIAL = 1, /* a control signal; its bytes are its name, and it is never text */
  SLUICE_TOKEN_ADDED = 2,   /* text that was added to the tokenizer as one token ("<tool_call>") */
  SLUICE_TOKEN_END = 4      /* an end token; written by sluice_vocabulary_token, ignored in a config */
};

/* sluice_vocabulary_config: a vocabulary in memory. The bytes of token i are bytes[offsets[i]] up to
 * bytes[offsets[i+1]]. A token without bytes is never text.
 * since 0.1 */
typedef struct sluice_vocabulary_config {
  uint32_t struct_size;
  uint32_t n_tokens;
  const uint8_t *bytes;       /* exact bytes, decoded from the spelling of the tokenizer's file */
  const uint64_t *offsets;    /* n_tokens + 1, ascending */
  const uint8_t *flags;       /* n_tokens of SLUICE_TOKEN_*; optional */
  const uint32_t *end_tokens; /* all ids that end an output; NULL: tokens with well-known names ("</s>", …) */
  size_t n_end_tokens;
  uint32_t padded_size; /* width of the engine's logits, at most 4,194,304; 0: n_tokens. Bits beyond n_tokens are 0
                           unless the row allows every token; ids beyond the width are left out */
  uint32_t reserved;
} sluice_vocabulary_config;

/* sluice_vocabulary_new: makes a vocabulary from memory.
 * returns    SLUICE_OK; SLUICE_E_ARGUMENT (offsets that descend, ids out of range); SLUICE_E_LIMIT (a token of
 *            more than 16 KiB, or more than 16 MiB of all tokens).
 * ownership  config is copied; free vocabulary with sluice_vocabulary_free.
 * threads    any.
 * cost       below a second for 262,144 tokens.      since 0.1 */
sluice_status sluice_vocabulary_new(const sluice_vocabulary_config *config, sluice_vocabulary *vocabulary,
                                    sluice_error *error);

/* The format of a tokenizer's file. */
enum {
  SLUICE_FORMAT_AUTO = 0,           /* detected from the content */
  SLUICE_FORMAT_TOKENIZER_JSON = 1, /* Hugging Face tokenizers: tokenizer.json */
  SLUICE_FORMAT_TIKTOKEN = 2,       /* base64 rank lines */
  SLUICE_FORMAT_SENTENCEPIECE = 3,  /* tokenizer.model */
  SLUICE_FORMAT_TEKKEN = 4,         /* mistral-common: tekken.json */
  SLUICE_FORMAT_SLUICE = 5          /* sluice_compiler_save (sluice/saved.h) */
};

/* sluice_vocabulary_options: corrections of a tokenizer's file, and a part of it to keep.      since 0.1 */
typedef struct sluice_vocabulary_options {
  uint32_t struct_size;
  uint32_t padded_size;       /* as in sluice_vocabulary_config; 0: the number of ids in the file */
  const uint32_t *end_tokens; /* as in sluice_vocabulary_config */
  size_t n_end_tokens;
  uint64_t keep_tokenizer; /* 1: also read how the tokenizer cuts text, for sluice/drafts.h; 20 MB for 128,000 ids */
} sluice_vocabulary_options;

/* sluice_vocabulary_from_file: reads a tokenizer's file of any format, gzipped or not.
 * path       the name of a regular file; pipes and devices return SLUICE_E_IO.
 * options    optional.
 * returns    SLUICE_OK; SLUICE_E_ARGUMENT; SLUICE_E_IO; SLUICE_E_SYNTAX, SLUICE_E_INVALID (with a place);
 *            SLUICE_E_UNSUPPORTED (a tokenizer whose tokens have no fixed bytes); SLUICE_E_LIMIT (more than 128 MiB in
 *            the file, unpacked or not, 16 KiB in a token or 16 MiB in all tokens).
 * ownership  free vocabulary with sluice_vocabulary_free.
 * threads    any.
 * cost       0.1 s of CPU for 128,000 tokens.      since 0.1 */
sluice_status sluice_vocabulary_from_file(const char *path, size_t path_length,
                                          const sluice_vocabulary_options *options, sluice_vocabulary *vocabulary,
                                          sluice_error *error);

/* sluice_vocabulary_from_data: reads the content of a tokenizer's file.
 * format     SLUICE_FORMAT_*; each but SLUICE_FORMAT_SLUICE unpacks gzip.
 * options    optional.
 * returns    SLUICE_OK; SLUICE_E_ARGUMENT; SLUICE_E_SYNTAX, SLUICE_E_INVALID (with a place); SLUICE_E_UNSUPPORTED;
 *            SLUICE_E_LIMIT, as sluice_vocabulary_from_file.
 * ownership  data is copied; free vocabulary with sluice_vocabulary_free.
 * threads    any.      since 0.1 */
sluice_status sluice_vocabulary_from_data(uint32_t format, const uint8_t *data, size_t length,
                                          const sluice_vocabulary_options *options, sluice_vocabulary *vocabulary,
                                          sluice_error *error);

/* sluice_vocabulary_info: writes the sizes of a vocabulary, and its hash.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT.
 * threads    any.      since 0.1 */
typedef struct sluice_vocabulary_facts {
  uint32_t struct_size;
  uint32_t size;        /* the largest id + 1 */
  uint32_t padded_size; /* ≥ size */
  uint32_t mask_words;  /* words of a mask's row: ceil(padded_size / 32) */
  uint32_t n_end_tokens;
  uint32_t n_special_tokens;
  uint32_t max_token_length; /* in bytes */
  uint32_t reserved;
  uint8_t hash[32]; /* equal for equal vocabularies, across processes and versions of one ABI */
} sluice_vocabulary_facts;
sluice_status sluice_vocabulary_info(sluice_vocabulary vocabulary, sluice_vocabulary_facts *facts, sluice_error *error);

/* sluice_vocabulary_token: writes the bytes and the flags of a token.
 * bytes      your buffer of capacity bytes; longer tokens are cut. May be NULL with capacity 0.
 * length     optional; the length of the whole token, 0 for an id without bytes.
 * flags      optional; SLUICE_TOKEN_*.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT (id not below size).
 * threads    any.      since 0.1 */
sluice_status sluice_vocabulary_token(sluice_vocabulary vocabulary, uint32_t id, uint8_t *bytes, size_t capacity,
                                      size_t *length, uint32_t *flags, sluice_error *error);

/* sluice_vocabulary_token_id: finds the special or added token with a name ("<|eot_id|>").
 * id         written with SLUICE_OK.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT (no token has this name).
 * threads    any.      since 0.1 */
sluice_status sluice_vocabulary_token_id(sluice_vocabulary vocabulary, const char *text, size_t length, uint32_t *id,
                                         sluice_error *error);

/* sluice_vocabulary_end_tokens: writes the end tokens in ascending order.
 * ids        your buffer of capacity ids; further ids are left out. May be NULL with capacity 0.
 * count      optional; the number of end tokens.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT.
 * threads    any.      since 0.1 */
sluice_status sluice_vocabulary_end_tokens(sluice_vocabulary vocabulary, uint32_t *ids, size_t capacity, size_t *count,
                                           sluice_error *error);

/* sluice_vocabulary_free: frees the handle. Compilers made from it keep working.
 * returns    SLUICE_OK; SLUICE_E_HANDLE (freed before).
 * threads    any.      since 0.1 */
sluice_status sluice_vocabulary_free(sluice_vocabulary vocabulary);

/* --------------------------------------------------------------------------------------------------- compiler ---- */

/* sluice_compiler: compiles constraints for one vocabulary. Its grammars share the vocabulary and a bounded cache,
 * which changes no answer. Any number of threads may use it at once. */
typedef uint64_t sluice_compiler;

/* sluice_compiler_new: makes a compiler for a vocabulary.
 * options    a JSON object, or NULL with length 0 for the defaults; an unknown member returns SLUICE_E_ARGUMENT. They
 *            bound memory, and the work of each call as if nothing were cached: work beyond a budget returns
 *            SLUICE_E_LIMIT, on every machine. Masks do not depend on them. Times are typical.
 *              "cache_bytes"     number    size of the cache of grammars (sluice/jobs.h) in bytes: 16 MiB; 0: no cache
 *              "shared_bytes"    number    by how many bytes a grammar's terminals may grow before they are built anew
 *              "grammar_states"  number    parser states that a grammar keeps; beyond it states that no matcher is in
 *                                          are dropped
 *              "warm_bytes"      number    length in bytes of the sample output along which a background thread
 *                                          precomputes masks after a compilation: 256; 0: none. It takes 0.3 ms, and
 *                                          needs several threads and a "mask_budget" that is not lowered
 *              "mask_budget"     number    steps of a mask: 7,000,000 (70 ms); and of the text that one call accepts:
 *                                          5,500,000 if this is not given
 *              "search_budget"   number    steps of exploring the conditions on one text: 6,000,000 (0.15 s)
 *              "transition_budget" number  items of the parser after one byte: 590,000
 *              "compile_budget"  number    steps of a compilation with its first mask: 32,000,000 (a second)
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT; SLUICE_E_LIMIT (too many compilers).
 * ownership  free it with sluice_compiler_free; it keeps the vocabulary alive.
 * threads    any.
 * cost       builds a trie of the tokens and the token sets of common JSON: 0.3 s of CPU for 128,000 tokens.
 *            since 0.1 */
sluice_status sluice_compiler_new(sluice_vocabulary vocabulary, const char *options, size_t options_length,
                                  sluice_compiler *compiler, sluice_error *error);

/* sluice_compiler_free: frees the handle. Its grammars keep working.
 * returns    SLUICE_OK; SLUICE_E_HANDLE.
 * threads    any.      since 0.1 */
sluice_status sluice_compiler_free(sluice_compiler compiler);

/* ---------------------------------------------------------------------------------------------------- grammar ---- */

/* sluice_grammar: one compiled constraint. Any number of matchers and threads may share it. It computes states and
 * masks on first use and keeps them within bounds. */
typedef uint64_t sluice_grammar;

/* The kind of a constraint: the language that its text is written in. sluice/requests.h adds SLUICE_KIND_REQUEST. */
enum {
  SLUICE_KIND_JSON_SCHEMA = 1,
  SLUICE_KIND_REGEX = 2,
  SLUICE_KIND_EBNF = 3, /* GBNF and its superset */
  SLUICE_KIND_LARK = 4, /* LLGuidance's dialect */
  SLUICE_KIND_STRUCTURAL_TAG = 5,
  SLUICE_KIND_CHOICE = 6,      /* a JSON list of strings, or one a line */
  SLUICE_KIND_JSON_OBJECT = 7, /* any JSON object; the text is ignored */
  SLUICE_KIND_ANY_JSON = 8,    /* any JSON value; the text is ignored */
  SLUICE_KIND_GRAMMAR = 10     /* EBNF if a ::= stands outside its comments, else Lark: vLLM's rule */
};

/* sluice_capabilities: writes a table of the constraints that this library enforces, as one JSON object. Its members
 * (more may be added):
 *   "build"                  the "version" of the library, its "commit" ("unknown" without git) and its "go" release
 *   "kinds", "options"       of sluice_grammar_compile, each with its "support" and a "sentence"
 *   "dialects", "keywords", "formats"       of JSON Schema
 *   "regex", "ebnf", "lark", "structural_tag"       constructs of these kinds
 * Entries of the last six have "name", "support", "sentence" and "example"; if it applies "dialects", and "except" with
 * "refused": an unsupported part of the construct with an example. "support" is "exact", "narrower", "wider" or
 * "ignored" (compiling adds a note), or "unsupported" (compiling fails).
 * text       your buffer of capacity bytes; a longer text is cut. No NUL is added. May be NULL with capacity 0.
 * length     optional; the length of the whole text.
 * returns    SLUICE_OK; SLUICE_E_ARGUMENT.
 * threads    any.
 * cost       below a millisecond; every call writes the same text.      since 0.1 */
sluice_status sluice_capabilities(char *text, size_t capacity, size_t *length, sluice_error *error);

/* sluice_grammar_compile: compiles a constraint.
 * kind       SLUICE_KIND_*.
 * spec       the constraint's text, UTF-8.
 * options    a JSON object, or NULL with length 0 for the defaults. A member that is unknown, or means nothing for the
 *            kind, returns SLUICE_E_ARGUMENT. docs/options.md explains each member; the default comes first:
 *              "special_tokens"  "tokens" | "text"    the places that allow special tokens: only their names in the
 *                                                     grammar, or also the text of their names. Lark and
 *                                                     structural tags have the default "text"
 *              "start_rule"      "root" | name        EBNF, Lark (default "start"): the start rule
 *              "lines"           false | true         choices: one string on each line instead of a JSON list; empty
 *                                                     lines are skipped
 *              "any_order"       false | true         JSON: properties in any order, each declared one once
 *              "closed"          false | true         schemas: forbid keys and items that the schema does not declare
 *              "lenient"         false | true         unsupported keywords become notes instead of errors
 *              "compact"         false | true         JSON: no whitespace between tokens
 *              "max_whitespace"  none | number        JSON: any whitespace between tokens, up to so many characters.
 *                                                     none: the whitespace that serializers write
 *              "whitespace_pattern"  none | regex     JSON: the whitespace between tokens
 *              "separators"      none | [", ", ": "]  JSON: exactly these between elements and after keys, and no other
 *                                                     whitespace
 *              "indent"          none | number | text JSON: each element on its own line, indented by so many spaces or
 *                                                     by the text. Of these five options set one; separators and indent
 *                                                     go together
 *              "number_forms"    "integer" | "all"    JSON: "all": integers may also be written 1.0, 1e2 and 100e-2
 *              "ascii_only"      false | true         JSON: strings in ASCII, everything else escaped
 *              "escapes"         "written" | "any"    schemas: escapes in declared keys, enum and const
 *              "dialect"         "2020-12" | "2019-09" | "draft-07" | "draft-06" | "draft-04": without $schema
 *              "documents"       {uri: schema, …}     further schema documents that $ref may name
 *              "grammars"        {name: …}            Lark, tags: what @name refers to: {"lark_grammar": …} or …
 *              "format"          "assertion" | "annotation"
 * grammar    written with SLUICE_OK.
 * returns    SLUICE_OK; SLUICE_E_SYNTAX, SLUICE_E_INVALID, SLUICE_E_UNSUPPORTED, SLUICE_E_UNSATISFIABLE (with a place);
 *            SLUICE_E_LIMIT (a budget was spent; the same on every machine); SLUICE_E_ARGUMENT; SLUICE_E_HANDLE.
 * ownership  free it with sluice_grammar_free; it keeps the compiler's vocabulary and caches alive.
 * threads    any; compilations run side by side.
 * cost       tens of microseconds for a small schema; masks are computed on first use.      since 0.1 */
sluice_status sluice_grammar_compile(sluice_compiler compiler, uint32_t kind, const char *spec, size_t spec_length,
                                     const char *options, size_t options_length, sluice_grammar *grammar,
                                     sluice_error *error);

/* sluice_grammar_info: writes the memory and the work of a grammar so far.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT.
 * threads    any.      since 0.1 */
typedef struct sluice_grammar_facts {
  uint32_t struct_size;
  uint32_t n_notes;      /* see sluice_grammar_note */
  uint64_t states;       /* parser states made so far */
  uint64_t bytes;        /* memory of this grammar alone, approximately */
  uint64_t compile_ns;   /* time of the compilation, in nanoseconds */
  uint64_t kind;         /* SLUICE_KIND_*; of a GRAMMAR it is EBNF or LARK; for requests see sluice/requests.h */
  uint64_t compile_work; /* steps of the compilation, in the unit of "compile_budget" */
} sluice_grammar_facts;
sluice_status sluice_grammar_info(sluice_grammar grammar, sluice_grammar_facts *facts, sluice_error *error);

/* The direction in which a constraint as enforced differs from the constraint as written. */
enum {
  SLUICE_EFFECT_NARROWER = 1, /* outputs that the constraint allows are rejected */
  SLUICE_EFFECT_WIDER = 2,    /* outputs that the constraint forbids are accepted */
  SLUICE_EFFECT_IGNORED = 3,  /* an annotation or an unknown keyword has no effect */
  SLUICE_EFFECT_DEAD_END = 4  /* exact, but a prefix may be accepted that nothing completes */
};

/* sluice_note: one difference between a constraint as written and as enforced. Texts as in sluice_error.
 * since 0.1 */
typedef struct sluice_note {
  uint32_t struct_size;
  uint32_t effect; /* SLUICE_EFFECT_* */
  uint32_t pointer_length;
  uint32_t keyword_length;
  uint32_t text_length;
  uint32_t reserved;
  char keyword[128];
  char pointer[512]; /* JSON pointer into the constraint */
  char text[1024];   /* one sentence */
} sluice_note;

/* sluice_grammar_note: writes note number index of a grammar, from 0. sluice_grammar_facts.n_notes is their number; 0:
 * the constraint is enforced exactly as written.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT (index not below n_notes).
 * threads    any.      since 0.1 */
sluice_status sluice_grammar_note(sluice_grammar grammar, uint32_t index, sluice_note *note, sluice_error *error);

/* sluice_grammar_free: frees the handle. Its matchers keep working.
 * returns    SLUICE_OK; SLUICE_E_HANDLE.
 * threads    any.      since 0.1 */
sluice_status sluice_grammar_free(sluice_grammar grammar);

/* ---------------------------------------------------------------------------------------------------- matcher ---- */

/* sluice_matcher: one sequence that is generated under a grammar. One thread at a time; a few hundred bytes. */
typedef uint64_t sluice_matcher;

/* Bits of sluice_matcher_options.flags; sluice/captures.h has another one. By default tokens after the end are accepted
 * and ignored (each is a step for rollback), and masks after the end allow only the end tokens. */
enum {
  SLUICE_REJECT_AFTER_END = 1,     /* further tokens return SLUICE_E_REJECTED */
  SLUICE_ALL_ALLOWED_AFTER_END = 2 /* rows allow every token */
};

/* sluice_matcher_options: the options of one sequence.
 * since 0.1 */
typedef struct sluice_matcher_options {
  uint32_t struct_size;
  uint32_t flags;
  const uint32_t *stop_tokens; /* the tokens that end this sequence; NULL: the vocabulary's end tokens, else 0 of them:
                                  none. Never text: allowed if the output may end, or if the grammar names them here */
  size_t n_stop_tokens;
  const struct sluice_reasoning *reasoning; /* optional; see sluice/reasoning.h */
} sluice_matcher_options;

/* sluice_matcher_new: makes a matcher at the start of a grammar.
 * options    optional.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT; SLUICE_E_LIMIT (too many matchers).
 * ownership  options is copied; free the matcher with sluice_matcher_free. It keeps the grammar alive.
 * threads    any.      since 0.1 */
sluice_status sluice_matcher_new(sluice_grammar grammar, const sluice_matcher_options *options, sluice_matcher *matcher,
                                 sluice_error *error);

/* sluice_matcher_fork: copies a matcher with its history for rollback. From then on both are independent.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT; SLUICE_E_BUSY; SLUICE_E_LIMIT (too many matchers).
 * ownership  free the copy with sluice_matcher_free.
 * threads    one at a time per matcher, in this call and all below that take a matcher.
 * cost       constant, for any length of the output.      since 0.1 */
sluice_status sluice_matcher_fork(sluice_matcher matcher, sluice_matcher *fork, sluice_error *error);

/* sluice_matcher_reset: moves the matcher to the start of the grammar and drops its history.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_BUSY.      since 0.1 */
sluice_status sluice_matcher_reset(sluice_matcher matcher, sluice_error *error);

/* sluice_matcher_free: frees the handle.
 * returns    SLUICE_OK; SLUICE_E_HANDLE (freed before).
 * threads    any.      since 0.1 */
sluice_status sluice_matcher_free(sluice_matcher matcher);

/* sluice_matcher_accept: moves over sampled tokens. It stops at the first token that is not allowed and leaves the
 * matcher before it.
 * ids        n of them. Ids that are no tokens are rejected; after the end, only those below 0 or ≥ padded_size.
 * accepted   optional; the number of accepted tokens. Written with SLUICE_OK, _REJECTED and _LIMIT.
 * returns    SLUICE_OK (all n); SLUICE_E_REJECTED (an answer: error is not written); SLUICE_E_HANDLE;
 *            SLUICE_E_ARGUMENT; SLUICE_E_BUSY; SLUICE_E_LIMIT (a budget was spent on the token that stopped it, or on
 *            those before it: in that case a call that begins with this token continues).
 * cost       no allocation after warm-up.      since 0.1 */
sluice_status sluice_matcher_accept(sluice_matcher matcher, const int32_t *ids, size_t n, size_t *accepted,
                                    sluice_error *error);

/* sluice_matcher_accept_token: sluice_matcher_accept for one token, with fewer parameters.
 * returns    SLUICE_OK; SLUICE_E_REJECTED; SLUICE_E_HANDLE; SLUICE_E_BUSY; SLUICE_E_LIMIT.      since 0.1 */
sluice_status sluice_matcher_accept_token(sluice_matcher matcher, int32_t id);

/* sluice_matcher_accept_bytes: moves over a text, in any tokens: all of it, or the matcher does not move. It is one
 * step for sluice_matcher_rollback.
 * returns    SLUICE_OK; SLUICE_E_REJECTED; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT; SLUICE_E_BUSY; SLUICE_E_LIMIT (with the
 *            place in the text that was reached: accept the text in pieces).      since 0.1 */
sluice_status sluice_matcher_accept_bytes(sluice_matcher matcher, const uint8_t *bytes, size_t n, sluice_error *error);

/* sluice_matcher_validate: tests tokens without moving the matcher.
 * valid      optional; the number of tokens that sluice_matcher_accept would accept.
 * returns    SLUICE_OK (all n); SLUICE_E_REJECTED (fewer); SLUICE_E_HANDLE; SLUICE_E_ARGUMENT; SLUICE_E_BUSY;
 *            SLUICE_E_LIMIT.      since 0.1 */
sluice_status sluice_matcher_validate(sluice_matcher matcher, const int32_t *ids, size_t n, size_t *valid,
                                      sluice_error *error);

/* sluice_matcher_rollback: takes back the last n steps. A step is a token (end tokens and ignored tokens after the end
 * count), or a text of sluice_matcher_accept_bytes.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT (n is more than sluice_matcher_length); SLUICE_E_BUSY.
 *            since 0.1 */
sluice_status sluice_matcher_rollback(sluice_matcher matcher, size_t n, sluice_error *error);

/* sluice_matcher_fill: writes the set of tokens that may come next.
 * row        your buffer of words words; bit i%32 of word i/32 is token i, 1: allowed. SLUICE_OK overwrites all of it:
 *            bits and words beyond padded_size become 0. Any other status leaves it untouched.
 * words      at least sluice_vocabulary_facts.mask_words.
 * constrained  optional; 0: every token with a text and every end token is allowed, so apply nothing; else 1.
 * returns    SLUICE_OK (at least one bit is set); SLUICE_E_HANDLE; SLUICE_E_ARGUMENT (words too small); SLUICE_E_BUSY;
 *            SLUICE_E_UNSATISFIABLE (no token of the vocabulary continues, and the output may not end);
 *            SLUICE_E_LIMIT (a budget was spent).
 * cost       no allocation after warm-up; below 1 µs for a state whose mask is cached.      since 0.1 */
sluice_status sluice_matcher_fill(sluice_matcher matcher, uint32_t *row, size_t words, uint32_t *constrained,
                                  sluice_error *error);

/* Bits of a matcher's state. */
enum {
  SLUICE_STATE_COMPLETED = 1,  /* the output may end here, or has ended */
  SLUICE_STATE_TERMINATED = 2, /* the output has ended: an end token was accepted, or it has stopped */
  SLUICE_STATE_STOPPED = 4     /* the output has stopped at a stop string; see sluice/stops.h */
};

/* sluice_matcher_state: tells whether the output may end here and whether it has ended.
 * state      SLUICE_STATE_* after the last finished call. This call never waits for another thread.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT.
 * threads    any.      since 0.1 */
sluice_status sluice_matcher_state(sluice_matcher matcher, uint32_t *state, sluice_error *error);

/* sluice_matcher_finished: tells whether the output has ended, or may end here and nothing can follow but the end. An
 * engine may then end the sequence without sampling another token.
 * finished   1 or 0.
 * patience   in microseconds, as in "calls that may take long" below.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT; SLUICE_E_BUSY; SLUICE_E_LIMIT (as sluice_matcher_fill);
 *            SLUICE_E_UNFINISHED.
 * cost       as sluice_matcher_fill if the output may end, else none.      since 0.1 */
sluice_status sluice_matcher_finished(sluice_matcher matcher, uint32_t *finished, uint32_t patience,
                                      sluice_error *error);

/* sluice_matcher_length: writes the number of steps that sluice_matcher_rollback can take back.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT.
 * threads    any.      since 0.1 */
sluice_status sluice_matcher_length(sluice_matcher matcher, size_t *length, sluice_error *error);

/* sluice_matcher_forced_bytes: writes the text that every output continues with from here.
 * bytes      your buffer of capacity bytes; a longer text is cut. May be NULL with capacity 0.
 * length     the length of the text, at most 4,096: accept it and call again for more. 0: there is a choice, or the
 *            output may end.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT; SLUICE_E_BUSY.      since 0.1 */
sluice_status sluice_matcher_forced_bytes(sluice_matcher matcher, uint8_t *bytes, size_t capacity, size_t *length,
                                          sluice_error *error);

/* sluice_mask_key: identifies a row, so that a copy made earlier (on a device, see sluice/cuda.h) can be used again.
 * Equal keys mean equal rows for the life of the process. Equal rows may have different keys. Both members 0: no key.
 * since 0.1 */
typedef struct sluice_mask_key {
  uint64_t low;
  uint64_t high;
} sluice_mask_key;

/* sluice_matcher_mask_key: writes the key of the row that sluice_matcher_fill would write.
 * key        no key after the end, and if the row depends on the matcher's own stop tokens.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT; SLUICE_E_BUSY; SLUICE_E_UNSATISFIABLE; SLUICE_E_LIMIT, as
 *            sluice_matcher_fill.
 * cost       as sluice_matcher_fill without writing the row.      since 0.1 */
sluice_status sluice_matcher_mask_key(sluice_matcher matcher, sluice_mask_key *key, sluice_error *error);

/* ------------------------------------------------------------------------------------ calls that may take long ---- */

/* Most calls find a cached mask or a transition that was taken before. Others may take long, while the caller holds a
 * lock or must watch for signals. For such callers each of these calls has a twin that returns SLUICE_E_UNFINISHED when
 * its time is up: nothing has changed and nothing was written, but work done so far is cached, and the same call made
 * again continues. All other statuses are as without patience.
 *   patience   the microseconds that a call may work. 0: it does no work, takes no lock, and returns at once.
 *              UINT32_MAX: as long as it takes. It is checked between steps of the work, so a call may exceed it by one
 *              step. No answer depends on it. */

/* sluice_matcher_try_fill and the one after it: their calls with a patience of 0 and without error.
 * returns    as the call without try_; SLUICE_E_UNFINISHED.      since 0.1 */
sluice_status sluice_matcher_try_fill(sluice_matcher matcher, uint32_t *row, size_t words, uint32_t *constrained);
sluice_status sluice_matcher_try_accept_token(sluice_matcher matcher, int32_t id);

/* sluice_matcher_try_accept and the three after it: their calls with a patience.
 * returns    as the call without try_; SLUICE_E_UNFINISHED (no token was accepted).      since 0.1 */
sluice_status sluice_matcher_try_accept(sluice_matcher matcher, const int32_t *ids, size_t n, size_t *accepted,
                                        uint32_t patience, sluice_error *error);
sluice_status sluice_matcher_try_validate(sluice_matcher matcher, const int32_t *ids, size_t n, size_t *valid,
                                          uint32_t patience, sluice_error *error);
sluice_status sluice_matcher_try_accept_bytes(sluice_matcher matcher, const uint8_t *bytes, size_t n, uint32_t patience,
                                              sluice_error *error);
sluice_status sluice_matcher_try_forced_bytes(sluice_matcher matcher, uint8_t *bytes, size_t capacity, size_t *length,
                                              uint32_t patience, sluice_error *error);

#ifdef __cplusplus
}
#endif
#include "sluice/batch.h"
#include "sluice/captures.h"
#include "sluice/check.h"
#include "sluice/combine.h"
#include "sluice/cuda.h"
#include "sluice/drafts.h"
#include "sluice/ending.h"
#include "sluice/events.h"
#include "sluice/jobs.h"
#include "sluice/kernels.h"
#include "sluice/reasoning.h"
#include "sluice/requests.h"
#include "sluice/saved.h"
#include "sluice/stats.h"
#include "sluice/stops.h"
#endif /* SLUICE_H */
