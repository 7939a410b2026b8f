/* sluice/requests.h: the constraint in what an engine's user sends. Part of sluice.h, which includes it; its
 * conventions hold here.
 *
 * A request to a server says in one of many shapes what the output must look like. With SLUICE_KIND_REQUEST the library
 * reads it itself, so that every engine decides alike: sluice_grammar_compile, sluice_grammar_start and all that take
 * a kind take a whole request as its text, and compile what it asks for. These are read:
 *   OpenAI       "response_format", "format" in "text"
 *   Anthropic    "output_format", "format" in "output_config"
 *   vLLM         "json", "regex", "choice", "grammar", "json_object", "structural_tag", in "structured_outputs" or not;
 *                "guided_json", "guided_regex", "guided_choice", "guided_grammar"
 *   SGLang       "json_schema", "regex", "ebnf", "structural_tag", in "sampling_params" or not
 *   LLGuidance   "grammars": one, with "lark_grammar" or "json_schema"
 * Two of them in one request are SLUICE_E_INVALID, with a sentence that names both. A request with none of them
 * constrains nothing, which is an answer and not an error: it compiles to a grammar that allows everything, and
 * sluice_grammar_facts.kind is 0, so that the engine can do without a matcher. For other requests that member is the
 * kind of what was asked for. Places in errors and notes are those of the request. Options that mean nothing for the
 * kind that a request turns out to be have no effect. */
#include "../sluice.h" /* before the guard: it includes this file, in its place */

#ifndef SLUICE_REQUESTS_H
#define SLUICE_REQUESTS_H

#ifdef __cplusplus
extern "C" {
#endif

/* One more kind of constraint. since 0.1 */
enum { SLUICE_KIND_REQUEST = 9 };

#ifdef __cplusplus
}
#endif

#endif /* SLUICE_REQUESTS_H */
