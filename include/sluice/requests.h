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
 *   others       "responseSchema" and its kin of Gemini, "guided_decoding" of TensorRT-LLM, "format" of Ollama,
 *                "parameters" of Text Generation Inference; docs/requests.md has the whole list
 *   tools        "tools" of OpenAI, Anthropic and MCP, "tool_choice", "parallel_tool_calls"
 * Two of them in one request are SLUICE_E_INVALID, with a sentence that names both, and so is a field that names a
 * constraint where it is not read. A request with none of them
 * constrains nothing, which is an answer and not an error: it compiles to a grammar that allows everything, and
 * sluice_grammar_facts.kind is 0, so that the engine can do without a matcher. For other requests that member is the
 * kind of what was asked for. Places in errors and notes are those of the request. Options that mean nothing for the
 * kind that a request turns out to be have no effect.
 *
 * Models write calls and reasoning in many ways. The option "family" says how: its value is the name of a family that
 * the library knows, or the object that the file of another one holds (docs/families.md). The option "reasoning" says
 * whether the output has reasoning in it: "off", "on" (it comes first), "auto" (first, if at all). With tools the
 * option "family" must be set, but where tool_choice is none. */
#include "../sluice.h" /* before the guard: it includes this file, in its place */

#ifndef SLUICE_REQUESTS_H
#define SLUICE_REQUESTS_H

#ifdef __cplusplus
extern "C" {
#endif

/* One more kind of constraint. since 0.1 */
enum { SLUICE_KIND_REQUEST = 9 };

/* sluice_request_read: what a request asks for, without compiling it: for programs that hand it to another process.
 * options    as for sluice_grammar_compile, or NULL with length 0.
 * vocabulary  the one that the constraint is meant for; 0: none is known. Then the marks of a family are text in it
 *            even where they are special tokens, and nobody looks whether the vocabulary has what the family needs.
 * text       the caller's, capacity bytes; as much as fits is written, without NUL; may be NULL with capacity 0. One
 *            JSON object: "kind", the name of a kind, or null if the request asks for nothing; "spec" and "options",
 *            which sluice_grammar_compile takes; and the members that sluice_request_tools writes.
 * length     optional; the length of the whole text.
 * returns    SLUICE_OK; SLUICE_E_SYNTAX, SLUICE_E_INVALID, SLUICE_E_UNSUPPORTED (with a place in the request);
 *            SLUICE_E_LIMIT; SLUICE_E_ARGUMENT (options, among them an unknown family, and a vocabulary that has not
 *            what the family needs); SLUICE_E_HANDLE. Whether what is asked for is right, compiling tells.
 * threads    any.      since 0.1 */
sluice_status sluice_request_read(const char *request, size_t request_length, const char *options,
                                  size_t options_length, sluice_vocabulary vocabulary, char *text, size_t capacity,
                                  size_t *length, sluice_error *error);

/* sluice_request_tools: which tools a request lets be called, whatever shape it has.
 * text       as in sluice_request_read. One JSON object: "tools", the numbers of those that may be called, among the
 *            tools of the request; "tool_choice", "auto", "required" (at least one call), "named" (exactly one call, of
 *            the one tool) or "none"; "parallel", whether there may be more than one call.
 * length     optional; the length of the whole text.
 * returns    SLUICE_OK; SLUICE_E_SYNTAX, SLUICE_E_INVALID (with a place in the request); SLUICE_E_LIMIT;
 *            SLUICE_E_ARGUMENT.
 * threads    any.      since 0.1 */
sluice_status sluice_request_tools(const char *request, size_t request_length, char *text, size_t capacity,
                                   size_t *length, sluice_error *error);

/* sluice_families: the families of models that the library knows, as a JSON list of what their files hold, by name.
 * text       as in sluice_request_read.
 * length     optional; the length of the whole text.
 * returns    SLUICE_OK; SLUICE_E_ARGUMENT.
 * threads    any.      since 0.1 */
sluice_status sluice_families(char *text, size_t capacity, size_t *length, sluice_error *error);

#ifdef __cplusplus
}
#endif

#endif /* SLUICE_REQUESTS_H */
