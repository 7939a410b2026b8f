/* sluice/check.h: constraints without a vocabulary, for front ends that take requests and leave compiling to others.
 * Part of sluice.h, which includes it; its conventions hold here. */
#include "../sluice.h" /* before the guard: it includes this file, in its place */

#ifndef SLUICE_CHECK_H
#define SLUICE_CHECK_H

#ifdef __cplusplus
extern "C" {
#endif

/* sluice_check: what sluice_grammar_compile says of a constraint as far as no vocabulary is needed, in a fraction of
 * the time: the same error, or the notes. What passes may still fail to compile: a token that the constraint names may
 * be missing (where no vocabulary is given), and its first mask may be beyond the budget. Budgets are those of a
 * compiler without options. A request is read as by sluice_request_read without a vocabulary.
 * kind, spec, options    as in sluice_grammar_compile.
 * vocabulary  0, or one in which special and added tokens that the constraint names are looked up; nothing else of it
 *            counts, so that one of these tokens alone will do.
 * budget     the most steps that the check may take, in the unit of the compiler's option compile_budget; 0: as many as
 *            a compilation. A front end that may not stop for long, as one on an event loop, sets it.
 * text       the caller's, capacity bytes; as much as fits is written, without NUL; may be NULL with capacity 0. A JSON
 *            list of the notes, each an object with the members "pointer", "keyword", "effect" ("narrower", "wider",
 *            "ignored" or "dead end") and "text".
 * length     optional; the length of the whole text.
 * returns    SLUICE_OK; SLUICE_E_SYNTAX, SLUICE_E_INVALID, SLUICE_E_UNSUPPORTED, SLUICE_E_UNSATISFIABLE (with a place);
 *            SLUICE_E_LIMIT; SLUICE_E_ARGUMENT; SLUICE_E_HANDLE; SLUICE_E_UNFINISHED (beyond the budget: compiling says
 *            the rest).
 * threads    any.
 * cost       up to what compiling may take, a second; 40 ms with a budget of 1,000,000. Nothing is kept. since 0.1 */
sluice_status sluice_check(uint32_t kind, const char *spec, size_t spec_length, const char *options,
                           size_t options_length, sluice_vocabulary vocabulary, uint64_t budget, char *text,
                           size_t capacity, size_t *length, sluice_error *error);

/* sluice_to_ebnf: a grammar as EBNF with one spelling for everything. Compiled, it accepts the same and tells the same
 * captures and temperatures. It begins with the rule "root" and holds what the option grammars has given: the options
 * start_rule and grammars do not go with it. In Lark special tokens may stand where the text does that they spell; in
 * EBNF only with the option special_tokens at "text". Names of rules stay as far as they can; comments do not.
 * kind       SLUICE_KIND_EBNF, SLUICE_KIND_LARK or SLUICE_KIND_GRAMMAR.
 * spec, options    as in sluice_grammar_compile. Tokens that are named need not be in any vocabulary.
 * text       the caller's, capacity bytes; as much as fits is written, without NUL; may be NULL with capacity 0.
 * length     optional; the length of the whole text.
 * returns    SLUICE_OK; SLUICE_E_SYNTAX, SLUICE_E_INVALID (with a place); SLUICE_E_UNSUPPORTED: what has no form in
 *            EBNF (& and ~ of Lark, %json, with their place); SLUICE_E_LIMIT; SLUICE_E_ARGUMENT.
 * threads    any.
 * cost       up to what reading a grammar may take, a second. Nothing is kept.      since 0.1 */
sluice_status sluice_to_ebnf(uint32_t kind, const char *spec, size_t spec_length, const char *options,
                             size_t options_length, char *text, size_t capacity, size_t *length, sluice_error *error);

#ifdef __cplusplus
}
#endif

#endif /* SLUICE_CHECK_H */
