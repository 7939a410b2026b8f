/* sluice/requests.h: the constraint in the request of an engine's user. Part of sluice.h, which includes it; its
 * conventions hold here.
 *
 * A request to a server describes its output in one of many shapes. With SLUICE_KIND_REQUEST the library reads the
 * request itself, so that every engine decides alike: all functions that take a kind take a whole request as their
 * text. These fields are read:
 *   OpenAI       "response_format", "format" in "text"
 *   Anthropic    "output_format", "format" in "output_config"
 *   vLLM         "json", "regex", "choice", "grammar", "json_object", "structural_tag", in "structured_outputs" or not;
 *                "guided_json", "guided_regex", "guided_choice", "guided_grammar"
 *   SGLang       "json_schema", "regex", "ebnf", "structural_tag", in "sampling_params" or not
 *   LLGuidance   "grammars": a list of "lark_grammar" or "json_schema"
 *   others       "responseSchema" and its kin of Gemini, "guided_decoding" of TensorRT-LLM, "format" of Ollama,
 *                "parameters" of Text Generation Inference; docs/requests.md has the whole list
 *   tools        "tools" of OpenAI, Anthropic and MCP, "tool_choice", "parallel_tool_calls"
 * Two constraints in one request fail with SLUICE_E_INVALID and a sentence that names both; so does a field that names
 * a constraint in a place that does not read it. A request without a constraint compiles to a grammar that allows
 * everything, and sluice_grammar_facts.kind is 0, so an engine needs no matcher. For other requests that member is the
 * kind of the constraint. Errors and notes point into the request. Options that mean nothing for the kind of the
 * constraint have no effect.
 *
 * The option "family" says how the model writes calls and reasoning: the name of a family that the library knows, or
 * the content of a family's file (docs/families.md). A request with tools needs it, unless tool_choice is none. The
 * option "reasoning" says whether the output contains reasoning: "off", "on" (first), "auto" (first, if at all). */
#include "../sluice.h" /* before the guard: it includes this file, in its place */

#ifndef SLUICE_REQUESTS_H
#define SLUICE_REQUESTS_H

#ifdef __cplusplus
extern "C" {
#endif

/* The kind of a request. since 0.1 */
enum { SLUICE_KIND_REQUEST = 9 };

/* sluice_request_read: writes the constraint of a request without compiling it, for another process to compile.
 * options    as for sluice_grammar_compile, or NULL with length 0.
 * vocabulary  the one to compile for; 0: unknown. Then the marks of a family are text even if they are special tokens,
 *            and the tokens that the family needs are not checked.
 * text       your buffer of capacity bytes; a longer text is cut. No NUL is added. May be NULL with capacity 0. It is
 *            one JSON object: "kind", the name of a kind, or null if the request has none; "spec" and "options"
 *            for sluice_grammar_compile; and the members of sluice_request_tools.
 * length     optional; the length of the whole text.
 * returns    SLUICE_OK; SLUICE_E_SYNTAX, SLUICE_E_INVALID, SLUICE_E_UNSUPPORTED (with a place in the request);
 *            SLUICE_E_LIMIT; SLUICE_E_ARGUMENT (options, an unknown family, or a vocabulary without the tokens that the
 *            family needs); SLUICE_E_HANDLE. Errors of the constraint itself show when it is compiled.
 * threads    any.      since 0.1 */
sluice_status sluice_request_read(const char *request, size_t request_length, const char *options,
                                  size_t options_length, sluice_vocabulary vocabulary, char *text, size_t capacity,
                                  size_t *length, sluice_error *error);

/* sluice_request_tools: writes which tools a request in any shape allows to call.
 * text       as in sluice_request_read. One JSON object: "tools", the indices of the tools that may be called;
 *            "tool_choice", "auto", "required" (at least one call), "named" (exactly one call of this tool) or "none";
 *            "parallel", whether several calls are allowed.
 * length     optional; the length of the whole text.
 * returns    SLUICE_OK; SLUICE_E_SYNTAX, SLUICE_E_INVALID (with a place in the request); SLUICE_E_LIMIT;
 *            SLUICE_E_ARGUMENT.
 * threads    any.      since 0.1 */
sluice_status sluice_request_tools(const char *request, size_t request_length, char *text, size_t capacity,
                                   size_t *length, sluice_error *error);

/* sluice_families: writes the families of models that the library knows, as a JSON list of the contents of their files,
 * by name.
 * text       as in sluice_request_read.
 * length     optional; the length of the whole text.
 * returns    SLUICE_OK; SLUICE_E_ARGUMENT.
 * threads    any.      since 0.1 */
sluice_status sluice_families(char *text, size_t capacity, size_t *length, sluice_error *error);

/* sluice_family_of: the name of the family of a model, for the option "family".
 * model      the model's name as a hub, a server or a file has it, such as "Qwen/Qwen3-8B" or "qwen3:8b".
 * text       as in sluice_request_read.
 * length     optional; the length of the family's name.
 * returns    SLUICE_OK; SLUICE_E_ARGUMENT (no family is known for the model: the message names similar ones).
 * threads    any.      since 0.1 */
sluice_status sluice_family_of(const char *model, size_t model_length, char *text, size_t capacity, size_t *length,
                               sluice_error *error);

#ifdef __cplusplus
}
#endif

#endif /* SLUICE_REQUESTS_H */
