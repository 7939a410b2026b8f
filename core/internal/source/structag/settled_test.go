package structag

import (
	"fmt"
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

// A settled document is lowered without errors and notes, and all of it matches something. A document whose lowering
// may fail is not settled.
func TestSettledDocuments(t *testing.T) {
	const schema = `{"type":"json_schema","json_schema":{"type":"object","properties":{"a":{"type":"integer"}}}}`
	tags := func(more string) string {
		return `{"type":"triggered_tags","triggers":["<f="],"tags":[{"begin":"<f=a>","content":` + schema +
			`,"end":"</f>"},{"begin":"<f=b>","content":` + schema + `,"end":"</f>"}]` + more + `}`
	}
	text := func(more string) string { return `{"type":"any_text"` + more + `}` }
	tag := func(content, end string) string {
		return `{"type":"tag","begin":"<t>","content":` + content + `,"end":` + end + `}`
	}
	loop := func(kind, content string) string { return `{"type":"` + kind + `","content":` + content + `}` }
	or := func(n int) string {
		return `{"type":"or","elements":[` + strings.Repeat(tag(schema, `"."`)+",", n-1) + tag(schema, `"."`) + `]}`
	}
	long := func(n int) string { return tag(schema, `"`+strings.Repeat(".", n-len("<t>"))+`"`) }
	ends := func(n int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(`"</%d>"`, i))
		}
		return "[" + strings.Join(all, ",") + "]"
	}
	for document, settled := range map[string]bool{
		or(settledFormats/2 - 1): true, or(settledFormats / 2): false,
		long(settledBytes): true, long(settledBytes + 1): false,
		schema: true, tags(""): true, tags(`,"excludes":["<g"],"at_least_one":true`): true,
		loop("star", tags("")): true, loop("optional", loop("star", tags(""))): false,
		tag(text(""), `["</t>","</u>"]`):                                         true,
		tag(text(""), `["</t>","x</t>y"]`):                                       false,
		tag(text(`,"excludes":["</t>"]`), `"</t>"`):                              false,
		tag(text(""), ends(settledStrings)):                                      true,
		tag(text(""), ends(settledStrings+1)):                                    false,
		tag(tags(""), `"f="`):                                                    false,
		tag(`{"type":"or","elements":[`+text("")+`,`+schema+`]}`, `"<f=a></f>"`): true,
		text(`,"max_tokens":3`):                                                  false, text(`,"max_chars":3`): false,
		`{"type":"token","token":3}`: true, `{"type":"any_tokens","exclude_tokens":[3]}`: true,
		`{"type":"any_tokens","max_tokens":3}`: false,
		`{"type":"regex","pattern":"a"}`:       false, `{"type":"grammar","grammar":"root ::= \"a\""}`: false,
		`{"type":"json_schema","json_schema":{"type":"string","pattern":"^a+$"}}`:            false,
		`{"type":"tags_with_separator","separator":",","tags":[` + tag(schema, `"."`) + `]}`: true,
	} {
		d, err := Parse([]byte(format(document)), options())
		require.NoError(t, err, document)
		require.Equal(t, settled, d.Settled(), document)
		st := terminal.NewStore()
		g, notes, err := d.Lower(st, options())
		if !settled {
			continue
		}
		require.NoError(t, err, document)
		require.Equal(t, d.Notes, notes, document)
		_, _, err = rewrite.Run(st, g)
		require.NoError(t, err, document)
	}
}
