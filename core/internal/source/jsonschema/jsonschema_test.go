package jsonschema_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// runner compiles schemas and runs instances through the automaton.
type runner struct {
	st *terminal.Store
	a  *pushdown.Automaton
}

func (r *runner) accepts(text string) bool {
	return r.a.Accepts(r.a.StepBytes(r.a.Start(), []byte(text)))
}

// reach returns how many bytes of text are accepted.
func (r *runner) reach(text string) int {
	s := r.a.Start()
	for i := range len(text) {
		if s = r.a.Step(s, text[i]); s == pushdown.Dead {
			return i
		}
	}
	return len(text)
}

func compile(st *terminal.Store, schema string, o *source.Options) (*runner, []diag.Note, error) {
	g, notes, err := jsonschema.Compile(st, []byte(schema), o)
	if err != nil {
		return nil, nil, err
	}
	p, err := pushdown.NewProgram(st, g)
	if err != nil {
		return nil, nil, fmt.Errorf("linking: %w", err)
	}
	return &runner{st, pushdown.NewAutomaton(p)}, notes, nil
}

// hasWider says whether a note admits that more is accepted than was written.
func hasWider(notes []diag.Note) bool {
	return slices.ContainsFunc(notes, func(n diag.Note) bool { return n.Effect == diag.Wider })
}

// check compiles a schema and checks texts against it, separated by newlines.
func check(t *testing.T, schema string, yes, no []string) {
	t.Helper()
	checkWith(t, nil, schema, yes, no)
}

func checkWith(t *testing.T, o *source.Options, schema string, yes, no []string) {
	t.Helper()
	r, _, err := compile(terminal.NewStore(), schema, o)
	require.NoError(t, err, schema)
	for _, y := range yes {
		require.True(t, r.accepts(y), "%s\nshould accept %s", schema, y)
	}
	for _, n := range no {
		require.False(t, r.accepts(n), "%s\nshould reject %s", schema, n)
	}
}

// A note has the place of its keyword, wherever the type and the other keywords stand.
func TestNotesHaveThePlaceOfTheirKeyword(t *testing.T) {
	for schema, want := range map[string]diag.Note{
		`{"type":"string","format":"time","maxLength":20}`: {Pointer: "/format", Keyword: "format", Effect: diag.Narrower},
		`{"allOf":[{"type":"string"},{"minLength":1,"format":"date-time","pattern":"Z$"}]}`: {
			Pointer: "/allOf/1/format", Keyword: "format", Effect: diag.Narrower,
		},
		`{"minLength":5,"format":"idn-hostname","pattern":"^(?=.*a)(?=.*b)(?=.*c)(?=.*d)(?=.*e).*$"}`: {
			Pointer: "/format", Keyword: "format", Effect: diag.Wider,
		},
		`{"type":"number","minimum":0.5,"multipleOf":0.003}`: {
			Pointer: "/multipleOf", Keyword: "multipleOf", Effect: diag.Narrower,
		},
	} {
		_, notes, err := compile(terminal.NewStore(), schema, nil)
		require.NoError(t, err, schema)
		places := []diag.Note{}
		for _, n := range notes {
			n.Text = ""
			places = append(places, n)
		}
		require.Contains(t, places, want, schema)
	}
}

func TestScalars(t *testing.T) {
	check(t, `{"type":"string"}`, []string{`""`, `"a\u0041\n"`, `"é"`},
		[]string{`1`, `"`, ` ""`, `"" `, "\"\n\"", `"\ud800"`})
	check(t, `{"type":["integer","null"]}`, []string{`0`, `-12`, `null`, `-0`},
		[]string{`01`, `1.0`, `1e3`, `nul`, `true`})
	check(t, `{"type":"number"}`, []string{`0.5`, `-12e-7`, `1E+9999`}, []string{`.5`, `1.`, `1e12345`})
	check(t, `{"type":"boolean"}`, []string{`true`, `false`}, []string{`null`, `"true"`})
	check(t, `true`, []string{`{"a":[1,{"b":null}]}`, `[]`, `{}`, `"x"`, `[ 1 , 2 ]`}, []string{`{"a"}`, `[1,]`, ``})
	check(t, `$$ANY$$`, []string{`{"a":[1,{"b":null}]}`}, []string{`{`})
}

func TestObjects(t *testing.T) {
	s := `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}},"required":["b","c"]}`
	check(t, s,
		[]string{
			`{"a":1,"b":"x","c":null}`, `{ "b" : "x" , "c":{} }`, `{"b":"x","c":1,"\u007a":[],"z":2}`,
			`{"b":"x","c":1,"a":1}`,
		},
		[]string{
			`{}`, `{"b":"x"}`, `{"b":"x","a":1,"c":1}`, `{"b":"x","c":1,"z":1,"a":1}`, `{"c":1,"b":"x"}`,
			`{"b":"x","\u0061":1,"c":1}`, `{"a":"1","b":"x","c":1}`,
		})
	check(t, `{"properties":{"a":true},"additionalProperties":false}`, []string{`{"a":1}`, `{}`, `3`, `[]`},
		[]string{`{"b":1}`, `{"a":1,"b":1}`})
	check(t, `{"type":"object","patternProperties":{"^x":{"type":"integer"}},"additionalProperties":{"type":"null"}}`,
		[]string{`{"x1":1,"y":null,"xx":2}`}, []string{`{"x1":null}`, `{"y":1}`, `{"\u0078":null}`})
	check(t, `{"type":"object","properties":{"x1":{"minimum":5}},"patternProperties":{"^x":{"type":"integer"},`+
		`"1$":{"maximum":9}}}`,
		[]string{
			`{"x1":7}`, `{"x2":100,"a1":"q","x11":9}`,
		}, []string{`{"x1":4}`, `{"x1":10}`, `{"x1":"a"}`, `{"x21":10}`, `{"a1":11}`, `{"x21":"a"}`})
	check(t, `{"type":"object","properties":{"a":false,"b":true},"additionalProperties":true}`,
		[]string{`{"b":1,"c":1}`, `{}`}, []string{`{"a":1}`, `{"b":1,"a":2}`})
	check(t, `{"type":"object","minProperties":2,"maxProperties":3}`, []string{`{"a":1,"b":2}`, `{"a":1,"b":2,"c":3}`},
		[]string{`{}`, `{"a":1}`, `{"a":1,"b":1,"c":1,"d":1}`})
	check(t, `{"type":"object","properties":{"a":true,"b":true,"c":true},"additionalProperties":false,`+
		`"minProperties":2,"maxProperties":2}`,
		[]string{`{"a":1,"b":2}`, `{"a":1,"c":2}`, `{"b":1,"c":2}`}, []string{`{}`, `{"a":1}`, `{"a":1,"b":1,"c":1}`})
	check(t, `{"type":"object","propertyNames":{"pattern":"^[a-c]+$","maxLength":3},"properties":{"zz":true,`+
		`"ab":{"type":"null"}}}`,
		[]string{`{"ab":null,"abc":1}`, `{}`}, []string{`{"zz":1}`, `{"abcd":1}`, `{"d":1}`, `{"ab":1}`})
}

func TestArrays(t *testing.T) {
	check(t, `{"type":"array","items":{"type":"integer"},"minItems":1,"maxItems":3}`, []string{`[1]`, `[1, 2,3]`},
		[]string{`[]`, `[1,2,3,4]`, `["a"]`})
	check(t, `{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"items":{"type":"null"}}`,
		[]string{`[]`, `[1]`, `[1,"a"]`, `[1,"a",null,null]`}, []string{`["a"]`, `[1,1]`, `[1,"a",1]`})
	check(t, `{"type":"array","items":[{"type":"integer"},{"type":"string"}],"additionalItems":false,"minItems":1}`,
		[]string{`[1]`, `[1,"a"]`}, []string{`[]`, `[1,"a",1]`})
	check(t, `{"type":"array","items":false}`, []string{`[]`}, []string{`[1]`})
	check(t, `{"type":"array","prefixItems":[true,false]}`, []string{`[]`, `[1]`}, []string{`[1,1]`})
	check(t, `{"type":"array","items":{"type":"integer"},"minItems":3}`, []string{`[1,2,3]`, `[1,2,3,4,5]`},
		[]string{`[1,2]`})
	check(t, `{"type":"array","prefixItems":[{"type":"integer"}],"minItems":3,"maxItems":4}`,
		[]string{`[1,2,3]`, `[1,"a",3,4]`}, []string{`[1,2]`, `["a",1,1]`, `[1,2,3,4,5]`})
}

func TestRefs(t *testing.T) {
	check(t, `{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"v":{"type":"integer"},`+
		`"next":{"$ref":"#/$defs/n"}},"required":["v"],"additionalProperties":false}}}`,
		[]string{`{"v":1}`, `{"v":1,"next":{"v":2,"next":{"v":3}}}`}, []string{`{}`, `{"v":1,"next":{}}`})
	check(t, `{"properties":{"a~/b":{"type":"null"},"c":{"$ref":"#/properties/a~0~1b"},"d":{"$ref":"#x"}},`+
		`"$defs":{"q":{"$anchor":"x","type":"integer"}}}`,
		[]string{`{"c":null,"d":1}`}, []string{`{"c":1}`, `{"d":null}`})
	check(t, `{"$id":"http://x.y/root.json","$ref":"item.json#/$defs/z","$defs":{"i":{"$id":"item.json",`+
		`"$defs":{"z":{"const":5}}}}}`, []string{`5`}, []string{`6`})
	check(t, `{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/a","minimum":100,`+
		`"definitions":{"a":{"type":"integer"}}}`, []string{`5`}, []string{`"a"`})
	check(t, `{"$ref":"#/definitions/a","minimum":100,"definitions":{"a":{"type":"integer"}}}`, []string{`500`},
		[]string{`5`})
}

func TestUnsatisfiable(t *testing.T) {
	for schema, want := range map[string]string{
		`false`:                          "nothing",
		`{"type":"string","enum":[1,2]}`: "/enum",
		`{"type":"string","oneOf":[{"required":["a"]},` +
			`{"required":["b"]}]}`: "/oneOf: nothing can satisfy the schema: no value satisfies exactly one",
		`{"type":"object","not":{"not":{"properties":{"a":{"const":1}},"required":["a"]}},` +
			`"unevaluatedProperties":false}`: `the other side of the conflict is "/unevaluatedProperties"`,
		`{"allOf":[{"type":"string"},` +
			`{"type":"integer"}]}`: "/allOf/1/type",
		`{"type":"integer","minimum":5,` +
			`"maximum":4}`: "bounds",
		`{"type":"object","properties":{"a":false},` +
			`"required":["a"]}`: "required",
		`{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},` +
			`"required":["n"]}}}`: "without end",
		`{"type":"string","pattern":"^a",` +
			`"not":{"pattern":"^a"}}`: "",
		`{"type":"string","pattern":"^a{3}$",` +
			`"maxLength":2}`: "",
	} {
		_, _, err := compile(terminal.NewStore(), schema, nil)
		require.Error(t, err, schema)
		require.Contains(t, err.Error(), want, schema)
		require.Contains(t, err.Error(), "satisfy", schema)
	}
}

func TestConflictsNameBothPlaces(t *testing.T) {
	for schema, places := range map[string][2]string{
		`{"allOf":[{"type":"string"},` +
			`{"type":"integer"}]}`: {
			"/allOf/1/type", "/allOf/0/type",
		},
		`{"type":"integer","minimum":5,` +
			`"allOf":[{"maximum":4}]}`: {
			"/minimum", "/allOf/0/maximum",
		},
		`{"type":"string","minLength":5,` +
			`"maxLength":4}`: {
			"/minLength", "/maxLength",
		},
		`{"type":"array","minItems":5,"items":{},` +
			`"maxItems":4}`: {"/minItems", "/maxItems"},
		`{"type":"object","minProperties":5,` +
			`"maxProperties":4}`: {
			"/maxProperties", "/minProperties",
		},
		`{"type":"object","properties":{"a":{}},"required":["b"],` +
			`"additionalProperties":false}`: {"/required/0", "/additionalProperties"},
		`{"type":"object","required":["b"],` +
			`"propertyNames":{"maxLength":0}}`: {
			"/required/0", "/propertyNames",
		},
		`{"type":"object","properties":{"x":{"type":"object","required":["b"],"not":{"required":["b"]}}},` +
			`"required":["x"]}`: {"/properties/x/required/0", "/properties/x/not/required/0"},
		`{"type":"object","oneOf":[{"properties":{"k":{"enum":["a"]}},"required":["k"]},{"properties":{"k":` +
			`{"enum":["b"]}},"required":["k"]}],"additionalProperties":false}`: {
			"/oneOf/0/required/0", "/additionalProperties",
		},
		`{"type":"object","allOf":[{"properties":{"a":{}},"required":["a"],"additionalProperties":false},{"anyOf":[` +
			`{"properties":{"b":{}},"required":["b"],"additionalProperties":false}]}]}`: {
			"/allOf/0/required/0", "/allOf/1/anyOf/0/additionalProperties",
		},
		`{"type":"object","allOf":[{"properties":{"k":{"const":1}},"required":["k"]},{"properties":{"k":` +
			`{"const":2}}}]}`: {"/allOf/0/required/0", "/allOf/1/properties/k"},
	} {
		_, _, err := compile(terminal.NewStore(), schema, nil)
		var d *diag.Error
		require.ErrorAs(t, err, &d, schema)
		require.Equal(t, diag.Unsatisfiable, d.Code, schema)
		require.Equal(t, places[0], d.Place.Pointer, schema)
		require.Equal(t, places[1], d.Other.Pointer, schema)
	}
}

// An error names the keywords beside the conflict that have no effect.
func TestConflictsNameIgnoredKeywords(t *testing.T) {
	for schema, want := range map[string]string{
		`{"$schema":"https://json-schema.org/draft/2019-09/schema","type":"array","minItems":2,` +
			`"prefixItems":[{},{}],"items":false}`: "prefixItems: the dialect of this schema, 2019-09",
		`{"properties":{"x":{"type":"string","enum":[null],"nullable":true}},"type":"object",` +
			`"required":["x"]}`: `nullable: this keyword of OpenAPI 3.0 is ignored; list "null" among the types`,
	} {
		_, _, err := compile(terminal.NewStore(), schema, nil)
		require.ErrorContains(t, err, want)
	}
}

// A pattern that is too hard is an error of the keyword that it belongs to, wherever that shows.
func TestPatternsThatAreTooHard(t *testing.T) {
	hard := "^" + strings.Repeat("[a-z]?[b-y]?x*", 3000) + "$"
	for schema, keyword := range map[string]string{
		`{"pattern":"HARD"}`:                                             "pattern",
		`{"type":"string","not":{"pattern":"HARD"}}`:                     "pattern",
		`{"pattern":"HARD","format":"email"}`:                            "pattern",
		`{"patternProperties":{"HARD":{}},"additionalProperties":false}`: "patternProperties",
		`{"patternProperties":{"HARD":{},"^x":false},"minProperties":1}`: "patternProperties",
	} {
		_, _, err := compile(terminal.NewStore(), strings.ReplaceAll(schema, "HARD", hard), &source.Options{})
		var e *diag.Error
		require.ErrorAs(t, err, &e, schema)
		require.Equal(t, keyword, e.Keyword, schema)
		require.Contains(t, e.Place.Pointer, "/"+keyword, schema)
	}
}

func TestDeepNesting(t *testing.T) {
	s := strings.Repeat(`{"type":"object","properties":{"a":`, 3000) + `{"type":"null"}` +
		strings.Repeat(`},"required":["a"]}`, 3000)
	r, _, err := compile(terminal.NewStore(), s, nil)
	require.NoError(t, err)
	require.True(t, r.accepts(strings.Repeat(`{"a":`, 3000)+"null"+strings.Repeat("}", 3000)))
}
