package structag

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/rewrite"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// An error in a tool's schema is an error of the document, even if only lowering finds it.
func TestToolsThatCannotBeLowered(t *testing.T) {
	for _, c := range []struct {
		schema, pointer string
		code            diag.Code
	}{
		{`{"type":"number","multipleOf":1e-70}`, "/multipleOf", diag.Unsupported},
		{`{"type":"integer","multipleOf":99999999999999999989}`, "/multipleOf", diag.Unsupported},
		{
			`{"type":"integer","allOf":[{"multipleOf":9999999967},{"multipleOf":9999999929}]}`,
			"/allOf/1/multipleOf", diag.Unsupported,
		},
		{
			`{"type":"string","allOf":[{"pattern":"^[ab]*a[ab]{3}$"},{"pattern":"^[ab]*b[ab]{3}$"}]}`,
			"/allOf/1/pattern", diag.Unsatisfiable,
		},
		{`{"type":"string","pattern":"^[a-z]{5}$","maxLength":4}`, "/pattern", diag.Unsatisfiable},
		{`{"type":"string","pattern":"^(?:(?=a.{0,60}b)[ab]{1,3})*$"}`, "/pattern", diag.Unsupported},
	} {
		schema := `{"type":"object","properties":{"x":` + c.schema + `},"required":["x"]}`
		_, _, err := Compile(terminal.NewStore(), []byte(format(`{"type":"tag","begin":"<f>","end":"</f>",`+
			`"content":{"type":"json_schema","json_schema":`+schema+`}}`)), options())
		var e *diag.Error
		require.ErrorAs(t, err, &e, c.schema)
		require.Equal(t, c.code, e.Code, err)
		require.Equal(t, "/format/content/json_schema/properties/x"+c.pointer, e.Place.Pointer, err)
		_, _, direct := jsonschema.Compile(terminal.NewStore(), []byte(schema), options())
		var d *diag.Error
		require.ErrorAs(t, direct, &d)
		require.Equal(t, d.Message, e.Message)
	}
}

// Usual schemas of tools wait for their tag. Schemas that automata must judge do not.
func TestDoubtfulSchemas(t *testing.T) {
	for schema, doubtful := range map[string]bool{
		`{"type":"object","properties":{"a":{"type":"integer","minimum":0,"maximum":10},"b":{"enum":["x","y"]}},` +
			`"required":["a"]}`: false,
		`{"type":"array","items":{"type":"string","minLength":1,` +
			`"maxLength":80}}`: false,
		`{"type":"string","format":"date-time"}`: false,
		`{"anyOf":[{"type":"number"},` +
			`{"type":"null"}]}`: false,
		`{"type":"object","patternProperties":{"^x-":{}},` +
			`"additionalProperties":false}`: false,
		`{"type":"string","pattern":"^a+$"}`: true,
		`{"type":"string","format":"date",` +
			`"maxLength":30}`: true,
		`{"type":"number","multipleOf":0.5}`: true,
		`{"type":"integer","minimum":1e70}`:  true,
		`{"type":"object","propertyNames":{"pattern":"^a"},` +
			`"minProperties":1}`: true,
		`{"type":"string","maxLength":0,` +
			`"not":{"const":""}}`: true,
	} {
		_, g, _ := compile(t, format(`{"type":"json_schema","json_schema":`+schema+`}`))
		i := len(g.Rules) - 1
		for ; g.Rules[i].Lazy == nil; i-- {
		}
		require.Equal(t, doubtful, g.Rules[i].Doubtful, schema)
		require.Equal(t, "/format/json_schema", g.Rules[i].Part.Place().Place.Pointer)
	}
}

// Notes that lowering adds are notes of the document.
func TestNotesOfLowering(t *testing.T) {
	_, _, notes := compile(t, format(`{"type":"json_schema","json_schema":{"type":"number","multipleOf":0.3,`+
		`"minimum":1}}`))
	require.Len(t, notes, 1)
	require.Equal(t, diag.Narrower, notes[0].Effect)
	require.True(t, strings.HasPrefix(notes[0].Pointer, "/format/json_schema"))
	for _, style := range jsonschema.Styles() {
		schema := `{"type":"object","properties":{"at":{"type":"string","format":"date-time"}}}`
		_, _, notes = compile(t, format(`{"type":"tag","begin":"<a>","content":{"type":"json_schema","style":"`+style+
			`","json_schema":`+schema+`},"end":"</a>"}`))
		require.True(t, slices.ContainsFunc(notes, func(n diag.Note) bool {
			return strings.Contains(n.Text, "leap second")
		}), style)
	}
}

// A part that matches nothing is an error with its place, even beside alternatives. In a grammar only the compiler
// finds it, not lowering.
func TestPartsThatMatchNothing(t *testing.T) {
	or := func(part string) string {
		return format(`{"type":"or","elements":[{"type":"const_string","value":"a"},` + part + `]}`)
	}
	for _, c := range []struct{ part, pointer string }{
		{`{"type":"regex","pattern":"a(?=b)c"}`, "/format/elements/1/pattern"},
		{`{"type":"regex","pattern":"(?=[ab]*a[ab]{3}$)(?=[ab]*b[ab]{3}$)[ab]*"}`, "/format/elements/1/pattern"},
		{`{"type":"grammar","grammar":"root ::= \"x\" root"}`, "/format/elements/1/grammar"},
		{`{"type":"tag","begin":"<","content":{"type":"grammar","grammar":"root ::= x\nx ::= \"(\" x ` +
			`\")\""},"end":">"}`, "/format/elements/1/content/grammar"},
	} {
		st := terminal.NewStore()
		g, _, err := Compile(st, []byte(or(c.part)), options())
		if err == nil {
			_, _, err = rewrite.Run(st, g)
		}
		var e *diag.Error
		require.ErrorAs(t, err, &e, c.part)
		require.Equal(t, diag.Unsatisfiable, e.Code, err)
		require.Equal(t, c.pointer, e.Place.Pointer, err)
	}
}
