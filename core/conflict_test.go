package core_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// An error about a conflict names both sides as places in the given document. If the schema is a string in it, both are
// places in that schema.
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

// A string that no text satisfies because of a format has an error that names the format and the remedy.
func TestConflictOfAFormat(t *testing.T) {
	c := core.NewCompiler(smallVocabulary(), core.CompilerConfig{})
	const annotation = "set the option format to annotation"
	for says, schema := range map[string]string{
		`the format "time" (its times end`: `{"type": "string", "format": "time", "pattern": "^[0-9]{2}:[0-9]{2}$"}`,
		`the format "date-time" (its`:      `{"type": "string", "format": "date-time", "pattern": "T[0-9:]{8}$"}`,
		`the format "date" and the other`:  `{"type": "string", "format": "date", "maxLength": 5}`,
		`"date" and the format "uuid" and`: `{"type": "string", "format": "date", "allOf": [{"format": "uuid"}]}`,
	} {
		_, err := c.Compile(core.JSONSchema, []byte(schema), nil)
		require.ErrorContains(t, err, says, schema)
		require.ErrorContains(t, err, annotation, schema)
		require.Equal(t, core.CodeUnsatisfiable, core.AsError(err).Code)
		_, err = c.Compile(core.JSONSchema, []byte(schema), &core.Options{FormatIsNote: true})
		require.NoError(t, err, schema)
	}
	const other = `{"type": "string", "format": "date", "pattern": "^a$", "minLength": 2}`
	_, err := c.Compile(core.JSONSchema, []byte(other), nil)
	require.ErrorContains(t, err, "no text satisfies all keywords of this string")
	require.NotContains(t, err.Error(), annotation)
}
