/* sluice/check.h: constraints without a vocabulary, for front ends that receive requests and leave compiling to another
 * process. Part of sluice.h, which includes it; its conventions hold here. */
#include "../sluice.h" /* before the guard: it includes this file, in its place */

#ifndef SLUICE_CHECK_H
#define SLUICE_CHECK_H

#ifdef __cplusplus
extern "C" {
#endif

/* sluice_check: reports what sluice_grammar_compile would, as far as no vocabulary is needed, in a fraction of the
 * time: the same error, or the notes. A constraint that passes may still fail to compile: the vocabulary may lack a
 * token that it names, and its first mask may exceed the budget. Budgets are as for a compiler without options.
 * Requests are read as by sluice_request_read without a vocabulary.
 * kind, spec, options    as in sluice_grammar_compile.
 * vocabulary  0, or one in which the names of special and added tokens are looked up. Nothing else of it matters, so it
 *            may hold these tokens alone.
 * budget     the most steps of the check, in the unit of the compiler's option compile_budget; 0: as many as a
 *            compilation. Set it on an event loop.
 * text       your buffer of capacity bytes; a longer text is cut. No NUL is added. May be NULL with capacity 0. It is a
 *            JSON list of the notes, each an object with the members "pointer", "keyword", "effect" ("narrower",
 *            "wider", "ignored" or "dead end") and "text".
 * length     optional; the length of the whole text.
 * returns    SLUICE_OK; SLUICE_E_SYNTAX, SLUICE_E_INVALID, SLUICE_E_UNSUPPORTED, SLUICE_E_UNSATISFIABLE (with a place);
 *            SLUICE_E_LIMIT; SLUICE_E_ARGUMENT; SLUICE_E_HANDLE; SLUICE_E_UNFINISHED (beyond budget: compile it to know
 *            the rest).
 * threads    any.
 * cost       at most the cost of compiling, a second; 40 ms with a budget of 1,000,000. Nothing is cached. since 0.1 */
sluice_status sluice_check(uint32_t kind, const char *spec, size_t spec_length, const char *options,
                           size_t options_length, sluice_vocabulary vocabulary, uint64_t budget, char *text,
                           size_t capacity, size_t *length, sluice_error *error);

/* sluice_to_ebnf: writes a grammar as EBNF in one canonical spelling. Compiled, it accepts the same outputs and has the
 * same captures and temperatures. It starts at the rule "root" and contains the grammars of the option grammars, so
 * compile it without the options start_rule and grammars. A grammar in Lark allows the text of special tokens; compile
 * its EBNF with the option special_tokens "text" to keep that. Rules keep their names if EBNF allows them.
 * kind       SLUICE_KIND_EBNF, SLUICE_KIND_LARK or SLUICE_KIND_GRAMMAR.
 * spec, options    as in sluice_grammar_compile. Tokens that the grammar names need not exist in any vocabulary.
 * text       your buffer of capacity bytes; a longer text is cut. No NUL is added. May be NULL with capacity 0.
 * length     optional; the length of the whole text.
 * returns    SLUICE_OK; SLUICE_E_SYNTAX, SLUICE_E_INVALID (with a place); SLUICE_E_UNSUPPORTED: a construct that EBNF
 *            cannot express (& and ~ of Lark, %json, with their place); SLUICE_E_LIMIT; SLUICE_E_ARGUMENT.
 * threads    any.
 * cost       at most the cost of reading a grammar, a second. Nothing is cached.      since 0.1 */
sluice_status sluice_to_ebnf(uint32_t kind, const char *spec, size_t spec_length, const char *options,
                             size_t options_length, char *text, size_t capacity, size_t *length, sluice_error *error);

#ifdef __cplusplus
}
#endif

#endif /* SLUICE_CHECK_H */
