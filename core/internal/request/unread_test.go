package request

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source"
)

// mark is a name that only the schema of these tests has.
const mark = "marked_property"

// wholes are requests, each with one % at a place for another member.
var wholes = []string{
	`{%}`,
	`{"messages": [], %}`,
	`{"settings": {%}}`,
	`{"text": {%}}`, `{"text": {"format": {"type": "text", %}}}`, `{"output_config": {%}}`,
	`{"response_format": {%}}`,
	`{"response_format": {"type": "text", %}}`, `{"response_format": {"type": "json_object", %}}`,
	`{"response_format": {"type": "json", %}}`, `{"response_format": {"type": "json_schema", %}}`,
	`{"response_format": {"type": "json_schema", "json_schema": {"name": "n", %}}}`,
	`{"response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": {}, %}}}`,
	`{"response_format": {"type": "regex", "pattern": "a", %}}`, `{"response_format": {"type": "ebnf", %}}`,
	`{"response_format": {"type": "lark", %}}`, `{"response_format": {"type": "choice", "choice": ["a"], %}}`,
	`{"response_format": {"type": "grammar", "syntax": "lark", "definition": "start: \"a\"", %}}`,
	`{"response_format": {"type": "grammar", "grammar": {"type": "regex", "value": "a", %}}}`,
	`{"response_format": {"type": "grammar", "grammar": {"type": "regex", "value": "a"}, %}}`,
	`{"grammars": [{"name": "a", %}]}`,
	`{"guided_decoding_guide_type": "json", %}`, `{"guided_decoding": {"guide_type": "json", %}}`,
	`{"guided_decoding": {"guide_type": "json_schema", %}}`,
	`{"generationConfig": {"responseMimeType": "text/plain", %}}`,
	`{"generationConfig": {"responseMimeType": "application/json", %}}`,
	`{"tools": [{"type": "function", "function": {"name": "f", %}}]}`,
	`{"tools": [{"type": "function", "name": "f", %}]}`, `{"tools": [{"name": "f", "input_schema": {}, %}]}`,
	`{"tools": [{"type": "function", "function": {"name": "f", "parameters": {}}, %}]}`,
	`{"tools": [{"type": "custom", "custom": {"name": "f", %}}]}`,
	`{"tools": [{"type": "custom", "name": "f", "format": {"type": "text", %}}]}`,
	`{"tools": [{"type": "web_search", "name": "f", %}]}`,
}

// A schema under each name that means one somewhere, at each place, constrains the output or is an error with its
// place.
func TestNothingConstrainsLessInSilence(t *testing.T) {
	requests := slices.Clone(wholes)
	for _, name := range slices.Concat(nests, places) {
		requests = append(requests, `{"`+name+`": {%}}`, `{"sampling_params": {"`+name+`": {%}}}`)
	}
	names := append(slices.Clone(constraintNames), "inputSchema", "json-schema", "jsonSchema", "guidedJson",
		"responseSchema", "responseJsonSchema", "responseFormat", "response-format", "structuredOutputs", "outputFormat",
		"json_grammar", "my_schema", "format", "regexp", "choices", "json_schem", "guided_jsn", "respnse_format")
	for _, f := range slices.Concat(direct, formats) {
		names = append(names, f.name)
	}
	for _, fields := range formatTypes {
		for _, f := range fields {
			if f.name != "value" {
				names = append(names, f.name)
			}
		}
	}
	schema := `{"type": "object", "properties": {"` + mark + `": {"type": "integer"}}, "required": ["` + mark + `"]}`
	text, err := json.Marshal(schema)
	require.NoError(t, err)
	wrapped := `{"name": "n", "schema": ` + schema + `}`
	wrappedText, err := json.Marshal(wrapped)
	require.NoError(t, err)
	values := []string{schema, string(text), string(wrappedText), wrapped, `{"type": "json", "value": ` +
		schema + `}`, `{"type": "json_object", "schema": ` + schema + `}`, `{"json": ` + schema + `}`}
	read := 0
	for _, whole := range requests {
		for _, name := range names {
			for _, value := range values {
				if name == "format" && strings.HasPrefix(value, `"`) {
					continue // as a string it is a setting, but for Ollama
				}
				body := strings.Replace(whole, "%", fmt.Sprintf("%q: %s", name, value), 1)
				c, err := Read([]byte(body), &source.Options{Family: "hermes"}, nil)
				var e *diag.Error
				switch {
				case err == nil:
					require.True(t, marked(t, c), body)
					read++
				case !errors.As(err, &e) || !e.Place.HasPointer && e.Place.Line == 0:
					require.Fail(t, "an error without its place", "%s: %v", body, err)
				}
			}
		}
	}
	require.Greater(t, read, 100)
}

// marked reports whether a constraint enforces the schema of these tests, or is text that cannot be compiled.
func marked(t *testing.T, c *Constraint) bool {
	var document any
	switch c.Kind {
	case source.JSONSchema:
		require.NoError(t, json.Unmarshal(c.Spec, &document))
		members, _ := document.(map[string]any)
		if members["type"] == "json" || members["type"] == "json_object" {
			return true // there is no such type
		}
		return isMarked(document)
	case source.StructuralTag:
		require.NoError(t, json.Unmarshal(c.Spec, &document))
		members, _ := document.(map[string]any)
		return members["format"] == nil || holdsMarked(document)
	}
	return strings.Contains(string(c.Spec), mark)
}

// isMarked reports whether a schema declares the property.
func isMarked(schema any) bool {
	members, _ := schema.(map[string]any)
	properties, _ := members["properties"].(map[string]any)
	return properties[mark] != nil
}

// holdsMarked reports whether a format of a structural tag contains the schema.
func holdsMarked(format any) bool {
	switch v := format.(type) {
	case []any:
		return slices.ContainsFunc(v, holdsMarked)
	case map[string]any:
		for name, member := range v {
			if name == "json_schema" && isMarked(member) || holdsMarked(member) {
				return true
			}
		}
	}
	return false
}

// TestConstraintNames compares the list of names with the fields that are read.
func TestConstraintNames(t *testing.T) {
	for _, f := range slices.Concat(direct, formats) {
		if f.name != "format" {
			require.Contains(t, constraintNames, f.name)
		}
	}
	for _, name := range slices.Concat(nests, geminiNames, schemaFields[1:]) {
		require.Contains(t, constraintNames, strings.Join(wordsOf(name), "_"))
	}
	for typed, fields := range formatTypes {
		require.True(t, strings.Contains(formatNames, typed), typed)
		for _, f := range fields {
			if f.name != "value" {
				require.Contains(t, constraintNames, f.name)
			}
		}
	}
}

// TestOtherFieldsArePassedOver reads fields that only look like constraints.
func TestOtherFieldsArePassedOver(t *testing.T) {
	for _, body := range []string{
		`{"$schema": "http://example.com/schema", "guided_decoding_backend": "auto", "json_schema_name": "x"}`,
		`{"messages": [{"json_schema": {}}], "metadata": {"schema": {}}, "chat_template_kwargs": {"schema": {}}}`,
		`{"structured_output": false, "grammar_mode": 1, "response_schema": null, "regex": null, "text": "schema"}`,
		`{"logit_bias": {"1": 2}, "stream_options": {"include_usage": true}, "settings": {"schema": null}}`,
		`{"tools": [{"name": "f", "outputSchema": {"type": "object"}}], "tool_choice": "none"}`,
		`{"tools": [{"type": "image_generation", "output_format": "png"}], "tool_choice": "none"}`,
		`{"tools": [{"name": "f", "args": "", "properties": null}], "tool_choice": "none"}`,
		`{"stop_regex": ["a"], "sampling_params": {"stop_regex": "a"}, "regexp": true, "choices": 2, "mark": "x"}`,
		`{"grammar": "", "regex": "", "parameters": {"grammar": ""}, "regexp": "", "structured_outputs": null}`,
		`{"text": ["a", "b"], "options": ["c"], "parameters": 1}`,
		`{"text": {"verbosity": "low"}, "output_config": {"effort": "low"}, "options": {"num_ctx": 1}}`,
	} {
		c, err := Read([]byte(body), &source.Options{}, nil)
		require.NoError(t, err, body)
		require.Zero(t, c.Kind, body)
	}
}

// TestMistakenFields reads fields that constrain nothing, but whose author expects that they do.
func TestMistakenFields(t *testing.T) {
	const object, text = `{"type": "object"}`, `"{\"type\": \"object\"}"`
	for _, c := range []struct{ body, place, says string }{
		{`{"regexp": "a"}`, "/regexp", "did you mean regex?"},
		{`{"choices": ["a"]}`, "/choices", "did you mean choice?"},
		{`{"sampling_params": {"json_schem": ` + object + `}}`, "/sampling_params/json_schem", "did you mean json_schema?"},
		{`{"output_schema": ` + object + `}`, "/output_schema", "would not be enforced"},
		{`{"settings": {"outputSchema": ` + object + `}}`, "/settings/outputSchema", "would not be enforced"},
		{`{"tools": [{"name": "f", "params": ` + object + `}]}`, "/tools/0/params", "name the schema"},
		{`{"tools": [{"function": {"name": "f", "arguments": [1]}}]}`, "/tools/0/function/arguments", "name the schema"},
		{`{"json_schema": "{\"name\": \"n\", \"schema\": {}}"}`, "/json_schema", "at /schema: JSON Schema has no keyword"},
		{`{"guided_json": {"name": "n", "schema": ` + text + `}}`, "/guided_json/schema", "JSON Schema has no keyword"},
		{`{"tools": [{"name": "f", "input_schema": {"schema": ` + text + `}}]}`, "/tools/0/input_schema/schema", "no keyword"},
		{
			`{"response_format": {"type": "json_schema", "json_schema": {"schema": "{\"json\": {}}"}}}`,
			"/response_format/json_schema/schema", "at /json: JSON Schema has no keyword",
		},
		{`{"structured_outputs": true}`, "/structured_outputs", "must be an object"},
		{`{"response_format": {"type": "json_object", "strict": "true"}}`, "/response_format/strict", "must be true or false"},
		{`{"tools": [{"name": "f", "strict": "true"}]}`, "/tools/0/strict", "must be true or false"},
	} {
		_, err := Read([]byte(c.body), &source.Options{Family: "hermes"}, nil)
		var e *diag.Error
		require.ErrorAs(t, err, &e, c.body)
		require.Equal(t, c.place, e.Place.Pointer, c.body)
		require.Contains(t, e.Says(), c.says, c.body)
	}
}
