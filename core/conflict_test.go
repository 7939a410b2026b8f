package core_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// An error about a conflict names both its sides as places of the document that was given, or, where the schema is a
// text in it, both as places of that schema.
func TestBothSidesOfAConflict(t *testing.T) {
	const schema = `{"type": "object", "properties": {"a": {"type": "integer", "minimum": 5, "maximum": 3}}, ` +
		`"required": ["a"]}`
	const a = "/properties/a"
	c := core.NewCompiler(smallVocabulary(), core.CompilerConfig{})
	for _, test := range []struct {
		kind               core.Kind
		spec, place, other string
	}{
		{core.JSONSchema, schema, "json_schema:" + a + "/", a},
		{
			core.StructuralTag,
			`{"type": "structural_tag", "format": {"type": "json_schema", "json_schema": ` + schema + `}}`,
			"structural_tag:/format/json_schema" + a + "/", "/format/json_schema" + a,
		},
		{
			core.Request,
			`{"response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": ` + schema + `}}}`,
			"request:/response_format/json_schema/schema" + a + "/", "/response_format/json_schema/schema" + a,
		},
		{
			core.Request, `{"structured_outputs": {"structural_tag": {"type": "structural_tag", "format": ` +
				`{"type": "json_schema", "json_schema": ` + schema + `}}}}`,
			"request:/structured_outputs/structural_tag/format/json_schema" + a + "/",
			"/structured_outputs/structural_tag/format/json_schema" + a,
		},
		{
			core.Request, `{"structured_outputs": {"json": ` + strconv.Quote(schema) + `}}`,
			"request:/structured_outputs/json: at " + a + "/", a,
		},
		{core.Lark, "start: %json " + schema, `lark:1:14: in the schema, at "` + a + "/", a},
	} {
		_, err := c.Compile(test.kind, []byte(test.spec), nil)
		require.ErrorContains(t, err, test.place+"minimum")
		require.ErrorContains(t, err, "; the other side of the conflict is "+strconv.Quote(test.other+"/maximum"))
	}
	tools := `{"tools": [{"type": "function", "function": {"name": "f", "parameters": ` + schema + `}}], ` +
		`"tool_choice": "required"}`
	_, err := c.Compile(core.Request, []byte(tools), &core.Options{Family: "hermes"})
	require.ErrorContains(t, err, "request:/tools/0/function/parameters"+a+"/minimum")
	require.ErrorContains(t, err, `is "/tools/0/function/parameters`+a+`/maximum"`)
}
