package jsonschema_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

func TestMerging(t *testing.T) {
	check(t, `{"type":"object","allOf":[{"properties":{"a":{"type":"integer"}},"required":["a"]},`+
		`{"properties":{"b":{"type":"string"},"a":{"minimum":3}},"required":["b"]}]}`,
		[]string{
			`{"a":3,"b":""}`, `{"a":4,"b":"","c":1}`, `{"b":"","a":3}`,
		}, []string{`{"b":"","c":1,"a":3}`, `{"a":2,"b":""}`, `{"a":3}`})
	// additionalProperties sees the properties of its own schema alone.
	check(t, `{"type":"object","properties":{"a":true},"allOf":[{"properties":{"b":true},`+
		`"additionalProperties":{"type":"null"}}]}`,
		[]string{`{"a":null,"b":1,"c":null}`}, []string{`{"a":1}`, `{"c":1}`})
	check(t, `{"allOf":[{"properties":{"a":true},"additionalProperties":false},{"properties":{"b":true}}],`+
		`"type":"object"}`, []string{`{"a":1}`, `{}`}, []string{`{"b":1}`, `{"c":1}`})
	// A reference's siblings count from 2019-09 on.
	check(t, `{"$defs":{"base":{"properties":{"x":{"type":"integer"}}}},"$ref":"#/$defs/base","type":"object",`+
		`"properties":{"y":{"type":"null"}}}`,
		[]string{`{"x":1,"y":null}`, `{"y":null,"x":1}`}, []string{`{"y":null,"z":1,"x":1}`, `{"x":"a"}`, `[]`})
	check(t, `{"type":"array","allOf":[{"items":{"type":"integer"}},{"prefixItems":[{"minimum":5}],`+
		`"items":{"maximum":2}}]}`, []string{`[]`, `[7]`, `[7,1,2]`}, []string{`[4]`, `[7,3]`, `[7,"a"]`})
}

func TestAlternatives(t *testing.T) {
	check(t, `{"anyOf":[{"type":"string","maxLength":10},{"type":"integer"},{"type":"array","items":{"type":"null"}}]}`,
		[]string{`"abcdefghij"`, `1`, `[null]`}, []string{`"abcdefghijk"`, `1.5`, `[1]`})
	check(t, `{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}]}`,
		[]string{`{"a":1}`, `{"b":1}`, `{"a":1,"b":2,"c":3}`}, []string{`{}`, `{"c":1}`})
	check(t, `{"type":"object","oneOf":[{"required":["a"]},{"required":["b"]}]}`, []string{`{"a":1}`, `{"b":1,"z":1}`},
		[]string{`{}`, `{"a":1,"b":2}`, `{"a":1,"c":1,"b":1}`})
	check(t, `{"oneOf":[{"type":"integer"},{"minimum":2}]}`, []string{`1`, `2.5`, `"a"`}, []string{`3`, `1.5`})
	check(t, `{"oneOf":[{"type":"object","properties":{"k":{"const":"a"},"v":{"type":"integer"}},"required":["k",`+
		`"v"]},{"type":"object","properties":{"k":{"const":"b"},"v":{"type":"null"}},"required":["k","v"]}]}`,
		[]string{`{"k":"a","v":1}`, `{"k":"b","v":null}`}, []string{`{"k":"a","v":null}`, `{"k":"c","v":1}`})
	check(t, `{"oneOf":[{"type":"array","items":{"type":"integer"}},{"type":"array","items":{"type":"string"}}]}`,
		[]string{`[1]`, `["a","b"]`}, []string{`[]`, `[1,"a"]`, `[null]`})
	check(t, `{"oneOf":[{"type":"string"},{"type":"string","pattern":"^x"}]}`, []string{`"a"`},
		[]string{`"xa"`, `"\u0078"`})
	check(t, `{"type":"object","properties":{"k":{"type":"string"}},"if":{"properties":{"k":{"const":"a"}},`+
		`"required":["k"]},"then":{"required":["x"]},"else":{"required":["y"]}}`,
		[]string{
			`{"k":"a","x":1}`, `{"k":"b","y":1}`, `{"y":1}`,
		}, []string{`{"k":"a"}`, `{"k":"a","y":1}`, `{"x":1}`, `{"k":"b"}`})
	check(t, `{"type":"object","properties":{"c":true},"dependencies":{"a":["b"],`+
		`"c":{"properties":{"d":{"type":"null"}},"required":["d"]}}}`,
		[]string{`{}`, `{"a":1,"b":1}`, `{"b":1}`, `{"c":1,"d":null}`}, []string{`{"a":1}`, `{"c":1}`, `{"c":1,"d":1}`})
}

func TestNegations(t *testing.T) {
	check(t, `{"not":{"type":["string","integer"]}}`, []string{`1.5`, `null`, `{}`}, []string{`"a"`, `1`, `0`})
	check(t, `{"type":"string","not":{"enum":["a","b"]}}`, []string{`"c"`, `""`, `"ab"`}, []string{`"a"`, `"\u0062"`})
	check(t, `{"type":"integer","not":{"enum":[0,5]}}`, []string{`1`, `-1`, `50`}, []string{`0`, `5`, `-0`})
	check(t, `{"type":"object","not":{"required":["a","b"]}}`, []string{`{}`, `{"a":1}`, `{"b":1}`},
		[]string{`{"a":1,"b":1}`, `{"a":1,"c":1,"b":1}`})
	check(t, `{"type":"integer","not":{"multipleOf":3}}`, []string{`1`, `20`}, []string{`0`, `21`, `-3`})
	check(t, `{"not":{"anyOf":[{"type":"null"},{"type":"number","minimum":5},{"type":"object",`+
		`"properties":{"a":{"const":1}},`+
		`"required":["a"]}]}}`, []string{`4`, `"a"`, `{"b":1}`, `{"a":2}`}, []string{`null`, `5`, `{"a":1}`})
	check(t, `{"type":"array","not":{"items":{"type":"integer"}}}`, []string{`["a"]`, `[1,2,"a",3]`},
		[]string{`[]`, `[1,2]`})
	check(t, `{"type":"array","contains":{"const":7},"items":{"type":"integer"},"minItems":3}`,
		[]string{`[7,1,1]`, `[1,1,7]`, `[1,1,1,1,7,1]`}, []string{`[7]`, `[1,7]`, `[1,1,1]`, `[7,1,"a"]`, `[]`})
	check(t, `{"type":"array","contains":{"const":7},"maxItems":2}`, []string{`[7]`, `[0,7]`, `["a", 7]`},
		[]string{`[0,0,7]`, `[0]`})
	check(t, `{"type":"array","not":{"contains":{"const":7}}}`, []string{`[]`, `[6]`}, []string{`[7]`, `[6,7]`})
	check(t, `{"type":["array","object"],"not":{"enum":[[],{}]}}`, []string{`[1]`, `{"a":1}`}, []string{`[]`, `{}`})
}

func TestValues(t *testing.T) {
	check(t, `{"enum":["a\"b","é",1,2.50,null,{"k":[1,{}]},[]]}`,
		[]string{`"a\"b"`, `"\u00e9"`, `"é"`, `1`, `2.5`, `2.500`, `null`, `{ "k" : [ 1 , { } ] }`, `[ ]`},
		[]string{`"a"`, `{"\u006b":[1,{}]}`, `2.51`, `{"k":[1]}`, `2`, `{"k":[1,{}],"l":1}`})
	check(t, `{"enum":["a","bb",3,{"x":1},{"x":"q"}],"maxLength":1,"maximum":2,"properties":{"x":{"type":"string"}}}`,
		[]string{`"a"`, `{"x":"q"}`}, []string{`"bb"`, `3`, `{"x":1}`})
	check(t, `{"const":0}`, []string{`0`, `-0`}, []string{`0.0`, `00`})
	check(t, `{"const":{"a":1,"b":2}}`, []string{`{"a":1,"b":2}`}, []string{`{"b":2,"a":1}`})
	check(t, `{"allOf":[{"enum":[1,2,3]},{"enum":[3.0,2,4]}]}`, []string{`2`, `3`}, []string{`1`, `4`})
}

func TestUnsupportedIsSaid(t *testing.T) {
	for schema, pointer := range map[string]string{
		`{"$ref":"http://example.com/other.json"}`:                      "/$ref",
		`{"type":"array","items":{"type":"string","pattern":"(a)\\1"}}`: "/items/pattern",
		`{"type":"object","unevaluatedProperties":false,"anyOf":[` +
			strings.Repeat(`{"properties":{"a":{"type":"string"}}},`, 9) + `{"properties":{"b":true}}]}`: "/anyOf",
	} {
		_, _, err := compile(terminal.NewStore(), schema, nil)
		var d *diag.Error
		require.True(t, errors.As(err, &d), schema)
		require.Equal(t, diag.Unsupported, d.Code, schema)
		require.Equal(t, pointer, d.Place.Pointer, schema)
		_, notes, err := compile(terminal.NewStore(), schema, &source.Options{Lenient: true})
		require.NoError(t, err, schema)
		require.True(t, hasWider(notes), schema)
		require.Equal(t, pointer, notes[0].Pointer)
		require.Equal(t, diag.Wider, notes[0].Effect)
	}
	// What cannot apply is no obstacle.
	check(t, `{"type":"string","uniqueItems":true,"contains":{"const":1}}`, []string{`"a"`}, []string{`[]`})
	check(t, `{"type":"array","uniqueItems":true,"maxItems":1}`, []string{`[1]`}, []string{`[1,1]`})
}

func TestInvalidIsSaid(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"strin"}`:  "/type",
		`{"minLength":-1}`:  "/minLength",
		`{"required":"a"}`:  "/required",
		`{"properties":[]}`: "/properties",
		`{"multipleOf":0}`:  "/multipleOf",
		`{"pattern":"("}`:   "/pattern",
		`{"anyOf":[]}`:      "/anyOf",
		`{"items":3}`:       "/items",
		`{"$ref":"#"}`:      "",
		`{"if":{"type":"null"},"then":{"$ref":"#"}}`: "",
		`{"a":1,"a":2}`:    "/a",
		`{"enum":{"a":1}}`: "/enum",
	} {
		_, _, err := compile(terminal.NewStore(), schema, nil)
		var d *diag.Error
		require.True(t, errors.As(err, &d), schema)
		require.Contains(t, []diag.Code{diag.Invalid, diag.Syntax}, d.Code, schema)
		require.Equal(t, want, d.Place.Pointer, schema)
	}
}

// What arithmetic cannot divide by is said when a schema is checked, whether or not it is lowered then.
func TestLargeDivisorsAreRefusedEarly(t *testing.T) {
	for schema, refused := range map[string]bool{
		`{"multipleOf":99999999999999999989}`:                                                       true,
		`{"type":"number","multipleOf":1e-70}`:                                                      true,
		`{"type":"integer","allOf":[{"multipleOf":9999999967},{"multipleOf":9999999929}]}`:          true,
		`{"type":"number","not":{"multipleOf":99999999999999999961}}`:                               true,
		`{"items":{"if":{"minimum":3},"then":{"multipleOf":99999999999999999961}}}`:                 true,
		`{"type":"number","oneOf":[{"minimum":9},{"maximum":3,"multipleOf":99999999999999999961}]}`: true,
		`{"type":"integer","multipleOf":999999999999999989}`:                                        false,
		`{"type":"string","multipleOf":99999999999999999989}`:                                       false,
		`{"enum":[1,"a"],"multipleOf":99999999999999999989}`:                                        false,
		`{"type":"integer","multipleOf":1e-30}`:                                                     false,
		`{"properties":{"a":{"allOf":[{"multipleOf":99999999999999999989},false]}}}`:                false,
	} {
		_, err := jsonschema.Check([]byte(schema), nil)
		_, _, lowered := compile(terminal.NewStore(), schema, nil)
		require.Equal(t, err, lowered, schema)
		var d *diag.Error
		if refused {
			require.True(t, errors.As(err, &d), schema)
			require.Equal(t, diag.Unsupported, d.Code, schema)
			require.Contains(t, d.Message, "18 digits", schema)
			require.True(t, strings.HasSuffix(d.Place.Pointer, "/multipleOf"), d.Place.Pointer)
		} else {
			require.NoError(t, err, schema)
		}
	}
}

func TestOptions(t *testing.T) {
	checkWith(t, &source.Options{Compact: true}, `{"type":"object","properties":{"a":{"type":"array"}}}`,
		[]string{`{"a":[1,2]}`}, []string{`{ "a":[]}`, `{"a": []}`})
	checkWith(t, &source.Options{MaxWhitespace: 2}, `{"type":"array"}`, []string{`[  1  ]`}, []string{`[   1]`})
	checkWith(t, &source.Options{AllNumberForms: true}, `{"type":"integer"}`,
		[]string{`1`, `1.0`, `1e2`, `1.5e1`, `-0.0`}, []string{`1.5`, `1e-1`, `1.55e1`})
	checkWith(t, &source.Options{FormatIsNote: true}, `{"format":"date"}`, []string{`"x"`}, nil)
	checkWith(t, &source.Options{Dialect: "draft7"},
		`{"$ref":"#/definitions/a","type":"null",`+
			`"definitions":{"a":{"type":"integer"}}}`, []string{`1`}, []string{`null`})
	checkWith(t, &source.Options{Documents: map[string]json.RawMessage{"http://x.y/a": []byte(`{"$defs":{"q":{"type":"null"}}}`)}}, `{"$ref":"http://x.y/a#/$defs/q"}`, []string{`null`}, []string{`1`})
	for _, o := range []*source.Options{{MaxWhitespace: -1}, {Dialect: "draft99"}} {
		_, _, err := compile(terminal.NewStore(), `{}`, o)
		require.Error(t, err)
	}
}
