/* sluice.h: the C interface of Sluice, and the only contract between the library and its callers.
 *
 * Sluice answers one question for an inference engine, for every sequence at every decoding step: which tokens may
 * come next? The answer is a bit mask over the vocabulary. The life of a constraint:
 *
 *     vocabulary ──► compiler ──► grammar ──► matcher          vocabulary and compiler: one per model
 *                    (kind, text)             accept, fill     grammar: one per constraint; matcher: one per sequence
 *
 * Process rules
 *   loading    The library is written in Go and brings Go's runtime: a few threads start when it is loaded, dlclose()
 *              does nothing, musl libc is not supported. Nothing is read from the environment by Sluice itself.
 *   fork       The runtime does not survive fork(). In a child of a process that had loaded the library every call
 *              that takes or makes a handle returns SLUICE_E_FORKED at once; none hangs. Either load the library after
 *              the fork, or load a second copy of the file in the child (under another inode: a memfd, a copied file)
 *              and make the handles again from their specs.
 *   signals    Go's runtime takes SIGSEGV, SIGBUS, SIGFPE, SIGPIPE, SIGURG when the library is loaded and passes on to
 *              the handlers that were there what is not its own. Handlers installed later need SA_ONSTACK.
 *   threads    Every function may be called from every thread. One matcher serves one thread at a time; a second
 *              thread gets SLUICE_E_BUSY. All other objects may be shared freely. The first call of a new thread costs
 *              up to 0.2 ms, later ones less than 0.2 µs: use pools of threads.
 *
 * Conventions
 *   status     Every function that can fail returns a sluice_status: SLUICE_OK or the code of what went wrong.
 *              "returns" lists those of each call; SLUICE_E_FORKED (see fork) and SLUICE_E_INTERNAL go without saying.
 *              Results come through pointers; those to results that a caller does not want may be NULL where it says
 *              "optional". On failure results are not written unless it says otherwise, and objects are as they were.
 *   errors     The last parameter is a sluice_error of the caller, or NULL. It is written on failure only.
 *   handles    Typed numbers, not pointers; 0 is never one. A handle that is stale, freed twice or of another type is
 *              SLUICE_E_HANDLE, never a crash. Handles keep alive what they were made from: a grammar may be freed
 *              while its matchers live. Freeing while another thread is inside a call on the same handle is safe.
 *   text       Pointer and length in bytes; NUL bytes are data. NULL with length 0 is the empty text.
 *   structs    The first member is struct_size: sizeof the struct as the caller was compiled. Zero the rest and set
 *   what
 *              is needed. Structs grow at their end alone, and 0 is the default of every member that is added. So a
 *              library newer than the caller takes what members the caller's struct lacks for 0, and writes no more
 *              than struct_size bytes; one that is older refuses members that it does not know, unless they are zero.
 *              A struct_size below that of the struct's first version, or inside a member, is SLUICE_E_ARGUMENT.
 *   memory     All buffers belong to the caller and are borrowed for the call; the library hands out none of its own.
 *              When an allocation of the library's fails, Go's runtime ends the process (SIGABRT): no call returns a
 *              status for it. Leave 1 GiB for compilations beside what the objects hold; docs/operations.md says more.
 *              Go's runtime reads GOMEMLIMIT, GOGC and GOMAXPROCS from the environment when the library is loaded.
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

/* The version of this header, and the ABI it describes. The ABI number is also the number in libsluice.so.1; it
 * changes only when a program compiled against an older header could break. Within one number functions, status codes,
 * flags and members at the end of structs may be added; what is there keeps its value, its type and its meaning. */
#define SLUICE_VERSION "0.1.0"
#define SLUICE_ABI_VERSION 1

/* sluice_version: the version of the loaded library, as SLUICE_VERSION.
 * ownership  static text, never freed.
 * threads    any, also in a forked child.      since 0.1 */
const char *sluice_version(void);

/* sluice_abi_version: the ABI of the loaded library; a caller compares it with SLUICE_ABI_VERSION.
 * threads    any, also in a forked child.      since 0.1 */
uint32_t sluice_abi_version(void);

/* ----------------------------------------------------------------------------------------------- status codes ---- */

/* sluice_status: what became of a call. Values are pinned for ever; new ones may be added. */
typedef int32_t sluice_status;
enum {
  SLUICE_OK = 0,
  SLUICE_E_ARGUMENT = 1,      /* a parameter of the call is wrong */
  SLUICE_E_HANDLE = 2,        /* a handle is stale, freed or of another type */
  SLUICE_E_BUSY = 3,          /* the matcher is in use on another thread; ask again when that call is over */
  SLUICE_E_SYNTAX = 4,        /* the constraint's text, or a vocabulary file, is malformed */
  SLUICE_E_INVALID = 5,       /* well-formed, but not a valid constraint (a negative minLength, an unknown rule) */
  SLUICE_E_UNSUPPORTED = 6,   /* valid, but without an exact meaning here */
  SLUICE_E_UNSATISFIABLE = 7, /* no output can satisfy the constraint */
  SLUICE_E_LIMIT = 8,         /* a budget was spent */
  SLUICE_E_IO = 9,            /* a file could not be read */
  SLUICE_E_INTERNAL = 10,     /* a bug in Sluice; the handle stays valid, stderr has the stack: please report it */
  SLUICE_E_REJECTED = 11,     /* tokens or bytes that the constraint does not allow: an answer more than a failure */
  SLUICE_E_FORKED = 12,       /* the library was loaded before fork() and can't be used in this child */
  SLUICE_E_UNAVAILABLE = 13,  /* this machine has not got what the call needs: a driver, a device, an instruction set */
  SLUICE_E_DEVICE = 14,       /* the driver of a device refused or failed; the message has its name for the error */
  SLUICE_E_UNFINISHED = 15,   /* the work takes longer than the caller wants to wait; nothing has changed */
  SLUICE_E_CANCELLED = 16     /* the job was cancelled before it was done */
};

/* sluice_status_name: a code's stable lower-case name ("ok", "argument", …, "forked"), "unknown" for other numbers.
 * ownership  static text, never freed.
 * threads    any, also in a forked child.      since 0.1 */
const char *sluice_status_name(sluice_status status);

/* sluice_error: why a call failed, copied into the caller's memory.
 * The texts are UTF-8, end with NUL and are cut at a character's border where they are longer than their buffer; each
 * *_length is the length of the whole text, and texts may contain NUL themselves. message is complete by itself: place,
 * rule, way out ("json_schema:/properties/age/multipleOf: must be positive, got -3"). The other members are its parts,
 * for programs. A message may end in an advice for the calling program ("; or set the option lenient …"): a server cuts
 * it off before it shows the message to a client.
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
  char source[64];    /* what was read: "json_schema", "regex", "vocabulary", or the call */
  char keyword[128];  /* the keyword or construct at fault, "" if none */
  char fragment[256]; /* the offending text, shortened */
  char pointer[512];  /* JSON pointer (RFC 6901); "" with has_pointer = 1 is the whole document */
  char message[1024];
  uint32_t advice_length; /* of the advice with which the message ends, 0: there is none */
  uint32_t reserved;
} sluice_error;

/* ------------------------------------------------------------------------------------------------- vocabulary ---- */

/* sluice_vocabulary: token id → bytes, special tokens, end tokens, padded size. Immutable, shared by any number of
 * compilers and threads. One token trie is built per vocabulary: load it once per model. */
typedef uint64_t sluice_vocabulary;

/* Bits of a token's flags. */
enum {
  SLUICE_TOKEN_SPECIAL = 1, /* a control signal; its bytes are its name, which ordinary text does not produce */
  SLUICE_TOKEN_ADDED = 2,   /* ordinary text that happens to be one token outside the merges ("<tool_call>") */
  SLUICE_TOKEN_END = 4      /* one of the end tokens; reported, not read: end tokens are given as a list */
};

/* sluice_vocabulary_config: a vocabulary in memory. Token i is bytes[offsets[i]] up to bytes[offsets[i+1]]; an empty
 * one is an id without bytes, which is never allowed.
 * since 0.1 */
typedef struct sluice_vocabulary_config {
  uint32_t struct_size;
  uint32_t n_tokens;
  const uint8_t *bytes;       /* exact bytes, decoded from whatever spelling the tokenizer's file uses */
  const uint64_t *offsets;    /* n_tokens + 1 of them, ascending */
  const uint8_t *flags;       /* n_tokens of SLUICE_TOKEN_*; optional */
  const uint32_t *end_tokens; /* all ids that end an output; NULL: found by their well-known names ("</s>", …) */
  size_t n_end_tokens;
  uint32_t padded_size; /* how wide the engine's logits are; 0: n_tokens. Beyond n_tokens bits are 0; if it is
                           smaller, the ids that no logit stands for are left out */
  uint32_t reserved;
} sluice_vocabulary_config;

/* sluice_vocabulary_new: a vocabulary from memory.
 * returns    SLUICE_OK; SLUICE_E_ARGUMENT (offsets that descend, ids out of range); SLUICE_E_LIMIT (a token of
 *            more than 16 KiB, or more than 16 MiB of all together).
 * ownership  everything is copied; vocabulary is freed with sluice_vocabulary_free.
 * threads    any.
 * cost       well under a second for 262,144 tokens.      since 0.1 */
sluice_status sluice_vocabulary_new(const sluice_vocabulary_config *config, sluice_vocabulary *vocabulary,
                                    sluice_error *error);

/* How a tokenizer's file is written. */
enum {
  SLUICE_FORMAT_AUTO = 0,           /* told from the content */
  SLUICE_FORMAT_TOKENIZER_JSON = 1, /* Hugging Face tokenizers: tokenizer.json */
  SLUICE_FORMAT_TIKTOKEN = 2,       /* base64 rank lines */
  SLUICE_FORMAT_SENTENCEPIECE = 3,  /* tokenizer.model */
  SLUICE_FORMAT_TEKKEN = 4          /* mistral-common: tekken.json */
};

/* sluice_vocabulary_options: what a tokenizer's file does not say, or says wrongly.
 * since 0.1 */
typedef struct sluice_vocabulary_options {
  uint32_t struct_size;
  uint32_t padded_size;       /* as in sluice_vocabulary_config; 0: the number of ids in the file */
  const uint32_t *end_tokens; /* as in sluice_vocabulary_config */
  size_t n_end_tokens;
} sluice_vocabulary_options;

/* sluice_vocabulary_from_file: a vocabulary from a tokenizer's file (of any format, also gzipped).
 * path       the name of a regular file; pipes and devices are SLUICE_E_IO.
 * options    optional.
 * returns    SLUICE_OK; SLUICE_E_ARGUMENT; SLUICE_E_IO; SLUICE_E_SYNTAX, SLUICE_E_INVALID (with a place);
 *            SLUICE_E_UNSUPPORTED; SLUICE_E_LIMIT (the file, unpacked or not, has more than 128 MiB, a token in it more
 *            than 16 KiB, or all tokens together more than 16 MiB).
 * threads    any.      since 0.1 */
sluice_status sluice_vocabulary_from_file(const char *path, size_t path_length,
                                          const sluice_vocabulary_options *options, sluice_vocabulary *vocabulary,
                                          sluice_error *error);

/* sluice_vocabulary_from_data: the same from the file's content.
 * format     SLUICE_FORMAT_*; gzip is unpacked with SLUICE_FORMAT_AUTO alone.
 * returns    SLUICE_OK; SLUICE_E_ARGUMENT; SLUICE_E_SYNTAX, SLUICE_E_INVALID (with a place); SLUICE_E_UNSUPPORTED;
 *            SLUICE_E_LIMIT.
 * threads    any.      since 0.1 */
sluice_status sluice_vocabulary_from_data(uint32_t format, const uint8_t *data, size_t length,
                                          const sluice_vocabulary_options *options, sluice_vocabulary *vocabulary,
                                          sluice_error *error);

/* sluice_vocabulary_info: the numbers of a vocabulary.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT.      since 0.1 */
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

/* sluice_vocabulary_token: the bytes and flags of one token.
 * bytes      the caller's, capacity bytes; as much as fits is written; may be NULL with capacity 0.
 * length     optional; the length of all the token's bytes, 0 for an id without bytes.
 * flags      optional; SLUICE_TOKEN_*.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT (id not below size).      since 0.1 */
sluice_status sluice_vocabulary_token(sluice_vocabulary vocabulary, uint32_t id, uint8_t *bytes, size_t capacity,
                                      size_t *length, uint32_t *flags, sluice_error *error);

/* sluice_vocabulary_token_id: the special or added token that is spelled so ("<|eot_id|>").
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT (there is none).      since 0.1 */
sluice_status sluice_vocabulary_token_id(sluice_vocabulary vocabulary, const char *text, size_t length, uint32_t *id,
                                         sluice_error *error);

/* sluice_vocabulary_end_tokens: the end tokens, ascending.
 * ids        the caller's, capacity ids; as many as fit are written; may be NULL with capacity 0.
 * count      optional; how many there are.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT.      since 0.1 */
sluice_status sluice_vocabulary_end_tokens(sluice_vocabulary vocabulary, uint32_t *ids, size_t capacity, size_t *count,
                                           sluice_error *error);

/* sluice_vocabulary_free: give the handle back.
 * returns    SLUICE_OK; SLUICE_E_HANDLE (freed before).      since 0.1 */
sluice_status sluice_vocabulary_free(sluice_vocabulary vocabulary);

/* --------------------------------------------------------------------------------------------------- compiler ---- */

/* sluice_compiler: compiles constraints for one vocabulary. Its grammars are independent of each other: they share the
 * vocabulary and a bounded cache, which changes no answer. Safe for any number of threads at once. */
typedef uint64_t sluice_compiler;

/* sluice_compiler_new: a compiler for a vocabulary.
 * options    a JSON object, or NULL with length 0 for the defaults; unknown members are SLUICE_E_ARGUMENT. They bound
 *            memory and what one thing may cost, counted as if nothing were known from before; beyond the latter it is
 *            SLUICE_E_LIMIT, for everybody and always. Masks do not depend on them:
 *              "cache_bytes"     number    what grammars may take that are kept for equal constraints (sluice/jobs.h),
 *                                          16 MiB; 0: none is kept
 *              "shared_bytes"    number    a grammar begins its terminals anew when they have grown by more than this
 *              "grammar_states"  number    a grammar drops the states that no matcher is in beyond this number
 *              "warm_bytes"      number    how long an output is made up for a grammar that was compiled, so that the masks
 *                                          along it are there before somebody needs them: 256; 0: none is. One thread
 *                                          of the process does so, where it may use more than one and "mask_budget" is
 *                                          not lowered, and takes a third of a millisecond for each
 *              "mask_budget"     number    steps of a mask, 5,200,000, some 50 ms; and of following what one call accepts:
 *                                          5,500,000 if this is not given
 *              "search_budget"   number    steps of a search through patterns on one text: 600,000, some 20 ms
 *              "transition_budget" number  items of the parser that one byte may lead to: 150,000
 *              "compile_budget"  number    steps of a compilation, first mask included: 32,000,000, about a second
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT; SLUICE_E_LIMIT (too many compilers).
 * ownership  freed with sluice_compiler_free; keeps the vocabulary alive.
 * cost       builds the token trie: about 0.1 s for 128,000 tokens.      since 0.1 */
sluice_status sluice_compiler_new(sluice_vocabulary vocabulary, const char *options, size_t options_length,
                                  sluice_compiler *compiler, sluice_error *error);

/* sluice_compiler_free: give the handle back. Grammars that it compiled stay usable.
 * returns    SLUICE_OK; SLUICE_E_HANDLE.      since 0.1 */
sluice_status sluice_compiler_free(sluice_compiler compiler);

/* ---------------------------------------------------------------------------------------------------- grammar ---- */

/* sluice_grammar: one compiled constraint. Immutable for its users (inside it grows on demand), shared by any number
 * of matchers and threads. */
typedef uint64_t sluice_grammar;

/* How a constraint's text is read; sluice/requests.h has one kind more. */
enum {
  SLUICE_KIND_JSON_SCHEMA = 1,
  SLUICE_KIND_REGEX = 2,
  SLUICE_KIND_EBNF = 3, /* GBNF and its superset */
  SLUICE_KIND_LARK = 4, /* LLGuidance's dialect */
  SLUICE_KIND_STRUCTURAL_TAG = 5,
  SLUICE_KIND_CHOICE = 6,      /* a JSON list of strings, or one a line */
  SLUICE_KIND_JSON_OBJECT = 7, /* any JSON object; the text is ignored */
  SLUICE_KIND_ANY_JSON = 8,    /* any JSON value; the text is ignored */
  SLUICE_KIND_GRAMMAR = 10     /* EBNF if a ::= stands outside of its comments, else Lark: vLLM's rule */
};

/* sluice_capabilities: what this library makes of constraints, as one JSON object, so that a program can ask before it
 * compiles. Members may be added; those that there are:
 *   "kinds", "options"       what sluice_grammar_compile takes, each with its "support" and a "sentence"
 *   "dialects", "keywords", "formats"       of JSON Schema
 *   "regex", "ebnf", "lark", "structural_tag"       constructs of these kinds
 * An entry of the last six has "name", "support", "sentence", "example", and where it applies "dialects", and "except"
 * with "refused": a part of it that is unsupported, with an example. "support" is "exact", "narrower", "wider" or
 * "ignored" (compiling gives a note), or "unsupported" (compiling is SLUICE_E_UNSUPPORTED).
 * text       the caller's, capacity bytes; as much as fits is written, without NUL; may be NULL with capacity 0.
 * length     optional; the length of the whole text.
 * returns    SLUICE_OK; SLUICE_E_ARGUMENT.
 * cost       under a millisecond; the text is the same at every call.      since 0.1 */
sluice_status sluice_capabilities(char *text, size_t capacity, size_t *length, sluice_error *error);

/* sluice_grammar_compile: a constraint becomes a grammar.
 * kind       SLUICE_KIND_*.
 * spec       the constraint's text, UTF-8.
 * options    a JSON object, or NULL with length 0 for the defaults. It is text so that options can be added without
 *            changing the ABI. An unknown member, or one that this kind of constraint does not know, is
 *            SLUICE_E_ARGUMENT: nothing is ignored. Members, each with its default first:
 *              "special_tokens"  "tokens" | "text"    where special tokens are allowed: only where the grammar names
 *                                                     the token, or also as the text that they spell. The default
 *                                                     for structural tags and Lark is "text"
 *              "start_rule"      "root" | name        EBNF, Lark (which begins with "start"): where to start
 *              "lines"           false | true         choices: one string a line, without the line's end, instead of
 *                                                     a JSON list; empty lines are no choices
 *              "any_order"       false | true         JSON: properties in any order, no declared one twice
 *              "closed"          false | true         schemas: what is not declared beside what is, is forbidden
 *              "lenient"         false | true         what is unsupported becomes a note (wider) instead of an error
 *              "compact"         false | true         JSON: no whitespace between tokens
 *              "max_whitespace"  none | number        JSON: any whitespace between tokens, up to so many characters. None:
 *                                                     what serializers write, see docs/options.md
 *              "whitespace_pattern"  none | regex     JSON: what may stand between tokens
 *              "separators"      none | [", ", ": "]  JSON: exactly these between elements and after keys, and no other
 *                                                     whitespace
 *              "indent"          none | number | text JSON: every element on a line of its own, indented by so many
 *                                                     spaces or by the text; of these five options at most one, but
 *                                                     separators and indent go together
 *              "number_forms"    "integer" | "all"    JSON: "all": integers may also be written 1.0, 1e2 and 100e-2
 *              "ascii_only"      false | true         JSON: strings in ASCII, everything else escaped
 *              "escapes"         "written" | "any"    schemas: escapes in declared keys, enum and const
 *              "dialect"         "2020-12" | "2019-09" | "draft-07" | "draft-06" | "draft-04": without $schema
 *              "documents"       {uri: schema, …}     further schema documents that $ref may name
 *              "grammars"        {name: …}             Lark, tags: what @name refers to: {"lark_grammar": …} or …
 *              "format"          "assertion" | "annotation"
 * returns    SLUICE_OK; SLUICE_E_SYNTAX, SLUICE_E_INVALID, SLUICE_E_UNSUPPORTED, SLUICE_E_UNSATISFIABLE (with a place);
 *            SLUICE_E_LIMIT (the constraint is beyond a budget; deterministic); SLUICE_E_ARGUMENT; SLUICE_E_HANDLE.
 * ownership  freed with sluice_grammar_free; keeps the compiler's shared state alive.
 * threads    any; compilations run side by side.
 * cost       tens of microseconds for a small schema; masks are computed when first asked for.      since 0.1 */
sluice_status sluice_grammar_compile(sluice_compiler compiler, uint32_t kind, const char *spec, size_t spec_length,
                                     const char *options, size_t options_length, sluice_grammar *grammar,
                                     sluice_error *error);

/* sluice_grammar_info: what a grammar cost so far.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT.      since 0.1 */
typedef struct sluice_grammar_facts {
  uint32_t struct_size;
  uint32_t n_notes;    /* see sluice_grammar_note */
  uint64_t states;     /* parser states made so far */
  uint64_t bytes;      /* memory held for this grammar alone, about */
  uint64_t compile_ns; /* how long compilation took */
  uint64_t kind;       /* SLUICE_KIND_*, that of a GRAMMAR is EBNF or LARK; for requests see sluice/requests.h */
} sluice_grammar_facts;
sluice_status sluice_grammar_info(sluice_grammar grammar, sluice_grammar_facts *facts, sluice_error *error);

/* How a constraint's meaning differs from what was written. */
enum {
  SLUICE_EFFECT_NARROWER = 1, /* less is accepted than was written */
  SLUICE_EFFECT_WIDER = 2,    /* more is accepted than was written */
  SLUICE_EFFECT_IGNORED = 3,  /* an annotation or unknown keyword had no effect */
  SLUICE_EFFECT_DEAD_END = 4  /* exact, but a prefix may be accepted that nothing completes */
};

/* sluice_note: one difference between what was written and what is enforced. Texts as in sluice_error.
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

/* sluice_grammar_note: note number index of a grammar; sluice_grammar_facts.n_notes says how many there are. None:
 * the constraint is enforced exactly as written.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT (index not below n_notes).      since 0.1 */
sluice_status sluice_grammar_note(sluice_grammar grammar, uint32_t index, sluice_note *note, sluice_error *error);

/* sluice_grammar_free: give the handle back. Its matchers stay usable.
 * returns    SLUICE_OK; SLUICE_E_HANDLE.      since 0.1 */
sluice_status sluice_grammar_free(sluice_grammar grammar);

/* ---------------------------------------------------------------------------------------------------- matcher ---- */

/* sluice_matcher: one sequence being generated under a grammar. One thread at a time; tiny. */
typedef uint64_t sluice_matcher;

/* Bits of sluice_matcher_options.flags: what happens after the end. By default further tokens are accepted and
 * ignored (they count for rollback), and rows allow the end tokens alone. */
enum {
  SLUICE_REJECT_AFTER_END = 1,     /* further tokens are SLUICE_E_REJECTED */
  SLUICE_ALL_ALLOWED_AFTER_END = 2 /* rows allow every token */
};

/* sluice_matcher_options: how one sequence differs from the vocabulary's defaults.
 * since 0.1 */
typedef struct sluice_matcher_options {
  uint32_t struct_size;
  uint32_t flags;
  const uint32_t *stop_tokens; /* the tokens that end this sequence; NULL: the vocabulary's end tokens. They are no text
                                  for this matcher: allowed where the output may end, and where the grammar names them */
  size_t n_stop_tokens;
  const struct sluice_reasoning *reasoning; /* optional; see sluice/reasoning.h */
} sluice_matcher_options;

/* sluice_matcher_new: a matcher at the start of a grammar.
 * options    optional.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT; SLUICE_E_LIMIT (too many matchers).
 * ownership  freed with sluice_matcher_free; keeps the grammar alive.      since 0.1 */
sluice_status sluice_matcher_new(sluice_grammar grammar, const sluice_matcher_options *options, sluice_matcher *matcher,
                                 sluice_error *error);

/* sluice_matcher_fork: a second matcher in the same state, history for rollback included; from then on independent.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT; SLUICE_E_BUSY; SLUICE_E_LIMIT (too many matchers).
 * ownership  freed with sluice_matcher_free.
 * cost       constant, whatever has been accepted.      since 0.1 */
sluice_status sluice_matcher_fork(sluice_matcher matcher, sluice_matcher *fork, sluice_error *error);

/* sluice_matcher_reset: back to the start of the grammar; nothing can be rolled back any more.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_BUSY.      since 0.1 */
sluice_status sluice_matcher_reset(sluice_matcher matcher, sluice_error *error);

/* sluice_matcher_free: give the handle back.
 * returns    SLUICE_OK; SLUICE_E_HANDLE (freed before).      since 0.1 */
sluice_status sluice_matcher_free(sluice_matcher matcher);

/* sluice_matcher_accept: move over tokens that were chosen.
 * ids        n of them. Ids below 0 or not in the vocabulary are rejected like any other.
 * accepted   optional, written with SLUICE_OK, _REJECTED and _LIMIT: how many were accepted. The first rejected id
 * stops
 *            it, leaves the matcher as it was before that id, and usable.
 * returns    SLUICE_OK (all n); SLUICE_E_REJECTED; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT; SLUICE_E_BUSY; SLUICE_E_LIMIT (a
 *            budget was spent on the id that stopped it, or on those before it: then a call that begins with it goes
 *            on). With SLUICE_E_REJECTED error is not written: it is an answer.
 * cost       no allocation after warm-up.      since 0.1 */
sluice_status sluice_matcher_accept(sluice_matcher matcher, const int32_t *ids, size_t n, size_t *accepted,
                                    sluice_error *error);

/* sluice_matcher_accept_token: the same for one token, for callers to whom a parameter matters.
 * returns    SLUICE_OK; SLUICE_E_REJECTED; SLUICE_E_HANDLE; SLUICE_E_BUSY; SLUICE_E_LIMIT.      since 0.1 */
sluice_status sluice_matcher_accept_token(sluice_matcher matcher, int32_t id);

/* sluice_matcher_accept_bytes: move over text, whatever tokens it is made of. All or nothing; one step for
 * sluice_matcher_rollback.
 * returns    SLUICE_OK; SLUICE_E_REJECTED; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT; SLUICE_E_BUSY; SLUICE_E_LIMIT (with the
 *            place in the text where a budget was spent: accept the text in pieces).      since 0.1 */
sluice_status sluice_matcher_accept_bytes(sluice_matcher matcher, const uint8_t *bytes, size_t n, sluice_error *error);

/* sluice_matcher_validate: what sluice_matcher_accept would do, without moving.
 * valid      optional: how many of the n tokens would be accepted, one after the other.
 * returns    SLUICE_OK (all n); SLUICE_E_REJECTED (fewer); SLUICE_E_HANDLE; SLUICE_E_ARGUMENT; SLUICE_E_BUSY;
 *            SLUICE_E_LIMIT.      since 0.1 */
sluice_status sluice_matcher_validate(sluice_matcher matcher, const int32_t *ids, size_t n, size_t *valid,
                                      sluice_error *error);

/* sluice_matcher_rollback: take back the last n accepted steps (tokens, end tokens, tokens ignored after the end,
 * one step for each sluice_matcher_accept_bytes).
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT (n is more than sluice_matcher_length; nothing changes);
 *            SLUICE_E_BUSY.      since 0.1 */
sluice_status sluice_matcher_rollback(sluice_matcher matcher, size_t n, sluice_error *error);

/* sluice_matcher_fill: write the set of tokens allowed next.
 * row        the caller's, words words; bit i of word i/32 (least significant first) is token i. Fully overwritten on
 *            SLUICE_OK: bits beyond the vocabulary are 0, and so are words beyond its mask_words.
 * words      at least sluice_vocabulary_facts.mask_words.
 * constrained  optional; 0: every token that has a text, and every end token, is allowed: apply nothing; else 1.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT (row too short); SLUICE_E_BUSY; SLUICE_E_UNSATISFIABLE (no
 *            token of the vocabulary can continue, and the output may not end); SLUICE_E_LIMIT (budget spent). A row
 *            without any bit is never returned with SLUICE_OK, and with anything else the row is untouched.
 * cost       no allocation after warm-up; below 1 µs when the state has been met before.      since 0.1 */
sluice_status sluice_matcher_fill(sluice_matcher matcher, uint32_t *row, size_t words, uint32_t *constrained,
                                  sluice_error *error);

/* Bits of a matcher's state. */
enum {
  SLUICE_STATE_COMPLETED = 1, /* the output may end here: what was accepted is a whole one */
  SLUICE_STATE_TERMINATED = 2 /* it has ended: an end token was accepted */
};

/* sluice_matcher_state: may the output end here, and has it ended? Two questions, one call.
 * state      SLUICE_STATE_*, as it was after the last call that is over: this one never waits for another thread's.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT.      since 0.1 */
sluice_status sluice_matcher_state(sluice_matcher matcher, uint32_t *state, sluice_error *error);

/* sluice_matcher_finished: has the output ended, or may it end and nothing but the end may follow? Then an engine may
 * end the sequence without another token.
 * finished   1 or 0.
 * patience   as in "calls that may take long" below.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT; SLUICE_E_BUSY; SLUICE_E_LIMIT (as sluice_matcher_fill);
 *            SLUICE_E_UNFINISHED.
 * cost       that of sluice_matcher_fill where the output may end, else none.      since 0.1 */
sluice_status sluice_matcher_finished(sluice_matcher matcher, uint32_t *finished, uint32_t patience,
                                      sluice_error *error);

/* sluice_matcher_length: how many steps can be rolled back, as sluice_matcher_state.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT.      since 0.1 */
sluice_status sluice_matcher_length(sluice_matcher matcher, size_t *length, sluice_error *error);

/* sluice_matcher_forced_bytes: the text about which the grammar leaves no choice from here.
 * bytes      the caller's, capacity bytes; as much as fits is written; may be NULL with capacity 0.
 * length     how long the forced text is; 0: there is a choice, or the output may end. It is 4,096 at most: what comes
 *            after that is told once it has been accepted.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT; SLUICE_E_BUSY.      since 0.1 */
sluice_status sluice_matcher_forced_bytes(sluice_matcher matcher, uint8_t *bytes, size_t capacity, size_t *length,
                                          sluice_error *error);

/* sluice_mask_key: the name of a row, so that what was made of it before (a copy on a device, see sluice/cuda.h) is
 * found without writing it again. Keys that are equal name rows that are equal, for the life of the process and
 * whatever was freed since; rows that are equal may have different keys. Both members 0: no key.
 * since 0.1 */
typedef struct sluice_mask_key {
  uint64_t low;
  uint64_t high;
} sluice_mask_key;

/* sluice_matcher_mask_key: the key of the row that sluice_matcher_fill would write.
 * key        none after the end, and where the row depends on stop tokens that are this matcher's own.
 * returns    SLUICE_OK; SLUICE_E_HANDLE; SLUICE_E_ARGUMENT; SLUICE_E_BUSY; SLUICE_E_UNSATISFIABLE; SLUICE_E_LIMIT, as
 *            sluice_matcher_fill.
 * cost       that of sluice_matcher_fill without writing the row.      since 0.1 */
sluice_status sluice_matcher_mask_key(sluice_matcher matcher, sluice_mask_key *key, sluice_error *error);

/* --------------------------------------------------------------------------------------- calls that may take long
 * ---- */

/* Most calls find what they need: a mask that was computed before, transitions that were taken before. Those that do
 * not may take long, and some callers hold a lock that others wait for, or must look after signals. For them each such
 * call has a twin that ends early with SLUICE_E_UNFINISHED: then nothing has changed and nothing was written, but the
 * work that was done is kept, and the same call made again goes on from there. A twin returns what its call does else.
 *   patience   how many microseconds the call may work: 0: it does no work at all, takes no lock, and answers at once
 *              or not; UINT32_MAX: as long as it takes. It is looked at between steps of the work, so a call may take
 *              one step more. What an answer is never depends on it. */

/* sluice_matcher_try_fill: sluice_matcher_fill with a patience of 0, for callers to whom a parameter matters.
 * returns    as the call without try_; SLUICE_E_UNFINISHED.      since 0.1 */
sluice_status sluice_matcher_try_fill(sluice_matcher matcher, uint32_t *row, size_t words, uint32_t *constrained);

/* sluice_matcher_try_accept_token: sluice_matcher_accept_token with a patience of 0.
 * returns    as the call without try_; SLUICE_E_UNFINISHED.      since 0.1 */
sluice_status sluice_matcher_try_accept_token(sluice_matcher matcher, int32_t id);

/* sluice_matcher_try_accept and the three after it: their calls with a patience.
 * returns    as the call without try_; SLUICE_E_UNFINISHED (no token was accepted, nothing is written).   since 0.1 */
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

/* Batches and drafts; captures; constraints of constraints; checks without a vocabulary; masks meet logits, on this
 * machine and on its devices; jobs and the cache of compiled grammars; reasoning; requests. */
#include "sluice/batch.h"
#include "sluice/captures.h"
#include "sluice/check.h"
#include "sluice/combine.h"
#include "sluice/cuda.h"
#include "sluice/jobs.h"
#include "sluice/kernels.h"
#include "sluice/reasoning.h"
#include "sluice/requests.h"
#endif /* SLUICE_H */
