package request

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
)

// An error names its place, quotes the wrong value and states a remedy.
func TestMessages(t *testing.T) {
	tools := func(choice string) string { return `{"tools": [{"name": "add"}], "tool_choice": ` + choice + `}` }
	for _, bad := range []struct{ body, says string }{
		{`[]`, `request: a request must be a JSON object, not an array`},
		{`{"regex": 5}`, "/regex: regex must be a string, not a number (near `5`)"},
		{`{"regex": "a", "choice": ["b"]}`, `an output has one constraint, so remove one`},
		{`{"choice": "a"}`, `/choice: choice must be a list of strings, not a string`},
		{`{"json_schema": [1]}`, `a JSON Schema must be an object, a boolean, or a string with one as JSON, not an array`},
		{`{"json_object": 1}`, `/json_object: json_object must be true or false, not a number`},
		{`{"structured_outputs": {"regx": "a"}}`, `structured outputs have no such field; did you mean regex?`},
		{`{"structured_outputs": {"lines": "a"}}`, `structured outputs have no such field; use one of backend, choice, `},
		{`{"response_format": {"type": "json_shema"}}`, `there is no response format of this type; did you mean json_schema?`},
		{`{"response_format": {"type": "xml"}}`, `there is no response format of this type; use one of text, json_object, `},
		{`{"response_format": {"type": "json_schema"}}`, `the field "json_schema" is missing here; add it`},
		{`{"response_format": {}}`, `/response_format: the field "type" is missing here; add it`},
		{`{"response_format": {"type": "json_schema", "json_schema": "{}"}}`, `json_schema must be an object with a schema, `},
		{`{"guided_decoding": {"guide_type": "regexp", "guide": "a"}}`, `no guide of this type; did you mean regex?`},
		{`{"generationConfig": {"responseMimeType": "text/html"}}`, `the MIME type of an output must be text/plain, `},
		{`{"generationConfig": {"responseMimeType": "text/x.enum"}}`, `needs a schema that lists the texts in enum; add `},
		{`{"grammars": []}`, `grammars must be a list with at least one grammar`},
		{`{"grammars": [{"name": "a"}]}`, `a grammar must have lark_grammar or json_schema; add one`},
		{`{"choice": [null], "tools": [{"name": "a"}]}`, `/choice: a choice must be a list of at least one string`},
		{
			`{"structural_tag": {"type": "structural_tag", "FORMAT": {"type": "any_text"}}, "tools": [{"name": "a"}]}`,
			`/structural_tag: with tools or reasoning, a structural tag must have a "format"`,
		},
		{`{"tools": [5]}`, `/tools/0: a tool must be an object, not a number`},
		{`{"tools": [{"name": "a"}, {"name": "a"}]}`, `/tools/1: another tool has the name "a", too; rename one`},
		{`{"tools": [{"name": "a b"}]}`, `/tools/0/name: the name of a tool must not contain spaces, control characters or`},
		{
			`{"tools": [{"name": "` + strings.Repeat("a", 257) + `"}]}`,
			`/tools/0/name: the name of a tool must have 1 to 256 bytes, not 257`,
		},
		{`{"tools": [{"name": "a", "parameters": 1}]}`, `parameters must be a JSON Schema, which is an object or a boolean, `},
		{`{"tools": [{"name": "a", "parameters": {"type": "string"}}]}`, `the arguments of a tool must be an object; write `},
		{tools(`"sometimes"`), `/tool_choice: tool_choice must be "none", "auto", "required", or an object that names a tool`},
		{tools(`5`), `or an object that names a tool, not a number`},
		{tools(`{"type": "tool", "name": "adds"}`), `the request has no tool of the name "adds"; use one of add`},
		{tools(`{"type": "web_search"}`), `without a name, "web_search" must be the type of exactly one tool, not of 0; add `},
		{tools(`{"type": "allowed_tools", "mode": "any", "tools": []}`), `must be "auto" or "required"`},
		{`{"tool_choice": "required"}`, `tool_choice requires a call, but the request has no tools; add them`},
		{`{"tools": [{"name": "add"}], "parallel_tool_calls": 1}`, `parallel_tool_calls must be true or false, not a number`},
	} {
		_, err := Read([]byte(bad.body), &source.Options{Family: "hermes"}, nil)
		require.ErrorContains(t, err, bad.says, bad.body)
	}
	_, err := Read([]byte(`{"tools": [{"name": "add"}]}`), &source.Options{}, nil)
	require.ErrorContains(t, err, "set the option family to one of arguments, ")
	_, err = Read([]byte(`{}`), &source.Options{Family: "hermes", Reasoning: "yes"}, nil)
	require.ErrorContains(t, err, `options:/reasoning: reasoning must be "off", "on" or "auto", not "yes"`)
	many := strings.Repeat("{},", limits.RequestTools)
	_, err = Read([]byte(`{"tools": [`+many+`{}]}`), &source.Options{}, nil)
	require.ErrorContains(t, err, "the list has 10001 tools, more than the limit of 10000; offer fewer")
}
