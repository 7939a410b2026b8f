package jsonschema_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

func TestOppositesWithoutConjunction(t *testing.T) {
	check(t, `{"type":"object","not":{"patternProperties":{"^a":{"type":"null"}}}}`,
		[]string{`{"a":1}`, `{"b":1,"ax":[]}`}, []string{`{}`, `{"a":null}`, `{"b":1}`, `[]`})
	check(t, `{"not":{"patternProperties":{"^a":{"type":"null"}}}}`, []string{`{"a":1}`},
		[]string{`{}`, `1`, `{"a":null,"b":2}`})
	check(t, `{"type":"object","not":{"properties":{"a":{"type":"null"}},"additionalProperties":{"type":"string"}}}`,
		[]string{
			`{"a":1}`, `{"b":1}`, `{"a":null,"b":1}`,
		}, []string{`{}`, `{"a":null}`, `{"a":null,"b":"x"}`, `{"b":"x"}`})
	check(t, `{"not":{"propertyNames":{"maxLength":2}}}`, []string{`{"abc":1}`, `{"a":1,"bcd":[]}`},
		[]string{`{}`, `{"ab":1}`, `3`})
	check(t, `{"type":"array","not":{"uniqueItems":true}}`,
		[]string{`[1,1]`, `[{"a":1,"b":2},{"b":2,"a":1}]`, `["a","b","\u0061"]`}, []string{`[]`, `[1,2]`})
	check(t, `{"type":["array","string"],"not":{"enum":[[1],"x",{"a":1}]}}`, []string{`[]`, `[2]`, `[1,1]`, `"y"`},
		[]string{`[1]`, `"x"`, `[ 1 ]`})
	check(t, `{"oneOf":[{"type":"object","patternProperties":{"^a":{"type":"string"}}},{"type":"object",`+
		`"additionalProperties":{"type":"number"}}]}`,
		[]string{`{"b":"x"}`, `{"a":1}`, `{"a":"x"}`, `{"b":null}`}, []string{`{}`, `{"b":1}`, `{"a":null}`})
}

func TestCounts(t *testing.T) {
	check(t, `{"type":"array","contains":{"const":1},"minContains":2,"maxContains":3}`,
		[]string{`[1,1]`, `[1,2,1]`, `[0,1,[],1,1,3]`}, []string{`[]`, `[1]`, `[1,1,1,1]`, `[1,2,1,1,1]`})
	check(t, `{"type":"array","contains":{"const":1},"minContains":0,"maxContains":1}`,
		[]string{`[]`, `[1]`, `[2,1,3]`, `[2,3]`}, []string{`[1,1]`, `[2,1,1]`})
	check(t, `{"type":"array","contains":{"type":"string"},"minContains":2,"minItems":3,"maxItems":4,`+
		`"prefixItems":[{"type":"null"}]}`,
		[]string{
			`[null,"a","b"]`, `[null,"a",1,"b"]`,
		}, []string{`[null,"a"]`, `["a","b","c"]`, `[null,1,"a"]`, `[null,"a","b",1,2]`})
	check(t, `{"allOf":[{"contains":{"const":1}},{"contains":{"const":2}}],"type":"array","maxItems":3}`,
		[]string{`[1,2]`, `[2,1]`, `[0,1,2]`}, []string{`[1]`, `[2,2]`, `[0,0,1,2]`})
	check(t, `{"type":"array","not":{"contains":{"const":1},"minContains":2,"maxContains":3}}`,
		[]string{`[]`, `[1]`, `[1,1,1,1]`, `[2,1]`}, []string{`[1,1]`, `[1,1,2,1]`})
}

func TestUniqueItems(t *testing.T) {
	check(t, `{"type":"array","uniqueItems":true}`, []string{`[]`, `[1,2,"1",[1],{"a":1},{"a":2}]`},
		[]string{`[1,1]`, `[1,1.0]`, `["a","\u0061"]`, `[{"a":1,"b":2},{"b":2,"a":1}]`})
	check(t, `{"type":"array","items":{"enum":["a","b","c"]},"uniqueItems":true,"minItems":2}`,
		[]string{`["a","b"]`, `["c","a","b"]`, `[ "c" , "a" ]`},
		[]string{`["a"]`, `["a","a"]`, `["b","\u0061"]`, `["a","b","a"]`, `["d","a"]`})
	check(t, `{"type":"array","items":{"enum":["a","b","c"]},"uniqueItems":true,"maxItems":2}`,
		[]string{`[]`, `["b"]`, `["b","a"]`}, []string{`["a","b","c"]`, `["b","b"]`})
	check(t, `{"type":"array","items":{"enum":[1,10,2]},"uniqueItems":true}`, []string{`[1,10,2]`, `[10,1]`},
		[]string{`[1,10,1]`, `[2,2]`})
	check(t, `{"type":"array","prefixItems":[{"type":"boolean"},{"type":"boolean"}],"items":false,"uniqueItems":true}`,
		[]string{`[true,false]`, `[false]`}, []string{`[true,true]`})
}

func TestUnevaluated(t *testing.T) {
	check(t, `{"type":"object","allOf":[{"properties":{"a":{"type":"null"}}}],"unevaluatedProperties":false}`,
		[]string{`{}`, `{"a":null}`}, []string{`{"b":1}`, `{"a":1}`, `{"a":null,"b":1}`})
	check(t, `{"type":"object","properties":{"a":true},"anyOf":[{"properties":{"b":{"const":1}},"required":["b"]},`+
		`{"properties":{"c":{"const":2}},"required":["c"]}],"unevaluatedProperties":{"type":"null"}}`,
		[]string{
			`{"a":0,"b":1}`, `{"a":0,"c":2}`, `{"b":1,"c":2}`, `{"b":1,"c":null}`, `{"b":1,"x":null}`,
		}, []string{`{"a":0}`, `{"b":1,"c":3}`, `{"b":1,"x":1}`})
	check(t, `{"type":"object","if":{"properties":{"k":{"const":"x"}},"required":["k"]},`+
		`"then":{"properties":{"p":true}},"else":{"properties":{"q":true}},"unevaluatedProperties":false}`,
		[]string{`{"k":"x","p":1}`, `{"q":1}`, `{}`}, []string{`{"k":"x","q":1}`, `{"k":"y"}`, `{"p":1}`})
	check(t, `{"type":"object","not":{"not":{"properties":{"a":true}}},"unevaluatedProperties":false}`, []string{`{}`},
		[]string{`{"a":1}`})
	check(t, `{"type":"array","prefixItems":[true],"anyOf":[{"prefixItems":[true,{"const":2}]},{"prefixItems":[true,`+
		`true,{"const":3}]}],"unevaluatedItems":false}`,
		[]string{`[]`, `[1,2]`, `[1,0,3]`, `[1,2,3]`}, []string{`[1,2,4]`, `[1,2,3,4]`})
	check(t, `{"type":"array","contains":{"type":"string"},"unevaluatedItems":{"type":"null"}}`,
		[]string{`["a"]`, `["a",null,"b"]`}, []string{`[]`, `[null]`, `["a",1]`})
	check(t, `{"not":{"properties":{"a":true},"unevaluatedProperties":false}}`, []string{`{"b":1}`, `{"a":1,"b":1}`},
		[]string{`{}`, `{"a":1}`, `3`})
}

func TestReferencesToTheSameValue(t *testing.T) {
	check(t, `{"type":"object","properties":{"a":{"type":"null"}},"allOf":[{"$ref":"#"}]}`, []string{`{"a":null}`},
		[]string{`{"a":1}`, `[]`})
	check(t, `{"type":"object","propertyNames":{"$ref":"#"}}`, []string{`{}`}, []string{`{"a":1}`})
	check(t, `{"type":["object","string"],"maxLength":2,"propertyNames":{"$ref":"#"}}`, []string{`{"ab":1}`, `"ab"`},
		[]string{`{"abc":1}`, `"abc"`})
	check(t, `{"type":"string","not":{"format":"hostname"}}`, []string{`"a b"`, `"é"`},
		[]string{`"a.b"`, `"a"`, `"xn--ab"`})
	check(t, `{"$schema":"http://json-schema.org/draft-04/schema#","definitions":{"a":{"type":"null"}},`+
		`"properties":{"b":{"$id":"/x",`+
		`"properties":{"c":{"$ref":"#/definitions/a"}}}}}`, []string{`{"b":{"c":null}}`}, []string{`{"b":{"c":1}}`})
}

// Schemas that exclude one another in circles have no meaning.
func TestCircularTests(t *testing.T) {
	_, _, err := compile(terminal.NewStore(), `{"not":{"$ref":"#"}}`, nil)
	var d *diag.Error
	require.True(t, errors.As(err, &d))
	require.Equal(t, diag.Invalid, d.Code)
	_, _, err = compile(terminal.NewStore(), `{"unevaluatedProperties":false,"not":{"allOf":[{"$ref":"#"}],`+
		`"unevaluatedProperties":false}}`, nil)
	require.True(t, errors.As(err, &d))
	require.Equal(t, diag.Invalid, d.Code)
	for _, x := range []string{
		`{"allOf":[{"$ref":"#/$defs/x"},{"const":1}]}`, `{"dependentSchemas":{"a":{"$ref":"#/$defs/x"}}}`,
	} {
		_, _, err = compile(terminal.NewStore(), `{"not":{"$ref":"#/$defs/x"},"$defs":{"x":`+x+`}}`, nil)
		require.True(t, errors.As(err, &d), x)
		require.Equal(t, diag.Invalid, d.Code)
	}
}

// An error points at the list of which no member allows anything.
func TestListsOfFalse(t *testing.T) {
	const object = `{"type":"object","required":["a"],"properties":{"a":`
	for schema, pointer := range map[string]string{
		`{"anyOf":[false]}`:                                               "/anyOf",
		`{"anyOf":[{"anyOf":[false,false]},false]}`:                       "/anyOf",
		`{"type":"array","items":{"anyOf":[false]},"minItems":1}`:         "/items/anyOf",
		object + `{"allOf":[false,false]}}}`:                              "/properties/a/allOf/0",
		object + `{"allOf":[false]}}}`:                                    "/properties/a/allOf/0",
		object + `{"$ref":"#/$defs/x"}},"$defs":{"x":{"anyOf":[false]}}}`: "/$defs/x/anyOf",
	} {
		_, _, err := compile(terminal.NewStore(), schema, nil)
		var d *diag.Error
		require.True(t, errors.As(err, &d), schema)
		require.Equal(t, diag.Unsatisfiable, d.Code)
		require.Equal(t, pointer, d.Place.Pointer)
	}
}

// Alternatives that lead back to themselves add nothing, in any number of ways. If keywords beside them make so many
// cases that they become tests, a test must not ask itself.
func TestCircularAlternatives(t *testing.T) {
	dense := func(n int, beside string) string {
		var defs, refs []string
		for i := range n {
			refs = append(refs, fmt.Sprintf(`{"$ref":"#/$defs/v%d"}`, i))
		}
		for i := range n {
			defs = append(defs, fmt.Sprintf(`"v%d":{"anyOf":[{"const":%d},%s]%s}`, i, i, strings.Join(refs, ","), beside))
		}
		return `{"$defs":{` + strings.Join(defs, ",") + `},"$ref":"#/$defs/v1"}`
	}
	check(t, dense(4, ""), []string{`0`, `3`}, []string{`4`, `"a"`})
	check(t, dense(100, `,"title":"x"`), []string{`0`, `99`}, []string{`100`, `"a"`})
	circle := `"$defs":{"x":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/y"}]},"y":{"anyOf":[{"$ref":"#/$defs/x"},` +
		`{"type":"array","items":{"allOf":[{"$ref":"#/$defs/x"},{"$ref":"#/$defs/y"}]}}]}}}`
	check(t, `{"$ref":"#/$defs/x",`+circle, []string{`null`, `[]`, `[null,[[null]]]`}, []string{`1`, `[[1]]`})
	check(t, `{"not":{"$ref":"#/$defs/y"},`+circle, []string{`1`, `[[null,[1]]]`}, []string{`null`, `[null,[[null]]]`})
	check(t, `{"anyOf":[{"$ref":"#/$defs/x"},{"type":"string"}],"allOf":[{"$ref":"#/$defs/y"}],`+circle,
		[]string{`null`, `[null]`}, []string{`"a"`, `[1]`})
	check(t, dense(4, `,"minimum":1`), []string{`1`, `3`}, []string{`0`, `4`, `"a"`})
	_, _, err := compile(terminal.NewStore(), dense(8, `,"minimum":1`), nil)
	var d *diag.Error
	require.True(t, errors.As(err, &d))
	require.Equal(t, diag.Limit, d.Code)
}

// Errors and notes about members of nested anyOf have the place of their list.
func TestMembersOfMembers(t *testing.T) {
	const inner = `{"anyOf":[{"type":"integer"},{"type":"string","format":"no-such"}],"maxlength":3}`
	_, notes, err := compile(terminal.NewStore(), `{"anyOf":[{"$ref":"#/$defs/a"},{"type":"null"}],"$defs":{"a":`+
		inner+`}}`, nil)
	require.NoError(t, err)
	var places []string
	for _, n := range notes {
		places = append(places, n.Pointer)
	}
	require.ElementsMatch(t, []string{"/$defs/a/maxlength", "/$defs/a/anyOf/1/format"}, places)
	_, _, err = compile(terminal.NewStore(), `{"anyOf":[{"type":"null"},{"anyOf":[{"type":"null"},3]}]}`, nil)
	var d *diag.Error
	require.True(t, errors.As(err, &d))
	require.Equal(t, "/anyOf/1/anyOf/1", d.Place.Pointer)
	check(t, `{"anyOf":[{"type":"null"},{"anyOf":[{"const":1},{}]}]}`, []string{`0`, `"a"`, `null`}, nil)
	check(t, `{"anyOf":[{"type":"null"},{"anyOf":[false,{"const":1}]}],"unevaluatedProperties":false}`,
		[]string{`1`, `null`}, []string{`0`, `{}`})
	check(t, `{"unevaluatedProperties":false,"anyOf":[{"properties":{"a":true}},{"anyOf":[{"properties":{"b":true}},`+
		`{"properties":{"c":{"type":"null"}}}]}]}`, []string{`{"a":1,"b":1,"c":null}`}, []string{`{"d":1}`, `{"c":1}`})
}

func TestRegexFormat(t *testing.T) {
	check(t, `{"format":"regex","type":"string"}`, []string{
		`"a"`, `""`, `"^(a|b)*[^\\]x-z]{2,3}?$"`, `"\\d+\\.\\u0041(?=x)(?<n>y)\\k<n>"`, `"^v1|v2$"`, `"a{2}b{"`,
		`"(((a)))"`, `"[(]"`, `"a,b|"`,
	},
		[]string{
			`"*"`, `"a**"`, `"("`, `"a)"`, `"["`, `"\\"`, `"^(abc]"`, `"a|*"`, `"(?i)a"`, `"(?P<n>a)"`,
			`"^\\S(|(.|\\n)*\\S)\\Z"`,
		})
}

// Tested values are recognised in every spelling; narrow forms are for the output only.
func TestTestsAreWide(t *testing.T) {
	check(t, `{"if":{"const":[2,5]},"then":{"type":"number"}}`, []string{`[2,6]`, `5`},
		[]string{`[2,5]`, `[2, 5.0]`, `[2e0,50e-1]`})
	check(t, `{"oneOf":[{},{"const":1,"unevaluatedProperties":{"exclusiveMinimum":0}}]}`, []string{`2`, `1.5`},
		[]string{`1`, `1.0`})
	check(t, `{"oneOf":[{},{"const":{"a":true,"ab":-2}}]}`, []string{`{"a":true,"ab":-3}`},
		[]string{`{"a":true,"ab":-2}`, `{"a":true,"ab":-2.0}`, `{"ab":-2,"a":true}`})
	check(t, `{"oneOf":[{},{"patternProperties":{"^[^a]+$":{"type":"integer"}}}]}`, []string{`{"b":0.5}`},
		[]string{`{"b":-3}`, `{"b":-3.0}`})
	check(t, `{"oneOf":[{"properties":{"x":{}},"additionalProperties":false,"patternProperties":{"^[^a]+$":{}}},{}]}`,
		[]string{`{"a":0}`}, []string{`{"b":0,"x":0}`, `{"x":0,"b":0}`})
	check(t, `{"contains":{"enum":[{"q":0},["a"]]},"maxContains":1}`, []string{`[["a"]]`, `[["a"],{"q":1}]`},
		[]string{`[["a"],{"q":0.0}]`})
	check(t, `{"type":"array","not":{"contains":{"type":"number","multipleOf":0.5,"minimum":1},"minContains":2}}`,
		[]string{`[1,0.7]`, `[]`}, []string{`[1,2]`, `[1,15e-1]`, `[1e0,2]`})
}

// A test is decided at once for types that it says nothing of, and numbers that pass are those between bounds.
func TestDecidedTests(t *testing.T) {
	_, _, err := compile(terminal.NewStore(), `{"type":"number","minimum":100000000000000000000,`+
		`"oneOf":[{"minLength":2},{"unevaluatedProperties":false}]}`, nil)
	var d *diag.Error
	require.ErrorAs(t, err, &d)
	require.Equal(t, diag.Unsatisfiable, d.Code)
	check(t, `{"anyOf":[{"minimum":5},{"type":"array"}],"oneOf":[{},{"minProperties":1,`+
		`"unevaluatedProperties":false}]}`, []string{`{}`}, []string{`5`, `4`, `[]`, `"a"`})
	check(t, `{"oneOf":[{"maximum":3,"unevaluatedItems":false},{"enum":[3]}]}`, []string{`2`}, []string{`3`, `4`})
	check(t, `{"oneOf":[{"minimum":3,"unevaluatedItems":false},{"maximum":7,"multipleOf":2,"unevaluatedItems":false}]}`,
		[]string{`2`, `3`, `5`, `7.5`, `8`}, []string{`1`, `4`, `6`, `4.0`})
}

// A condition that tells alternatives apart by a constant is decided for that constant alone.
func TestManyConditionsAreNotCubic(t *testing.T) {
	conditions := func(n int) string {
		var b strings.Builder
		b.WriteString(`{"type":"object","properties":{"type":{"type":"string"}},"required":["type"],"allOf":[`)
		for i := range n {
			fmt.Fprintf(&b, `{"if":{"properties":{"type":{"const":"t%d"}},"required":["type"]},`+
				`"then":{"properties":{"p%d":{"type":"null"}},"required":["p%d"]}},`, i, i, i)
		}
		return b.String() + `true]}`
	}
	check(t, conditions(40), []string{`{"type":"t7","p7":null}`, `{"type":"x","p7":1}`},
		[]string{`{"type":"t7","p6":null}`, `{"type":"t7","p7":1}`})
	small, large := workOf(t, conditions(40)), workOf(t, conditions(160))
	t.Log(small, large)
	require.Less(t, large, 32*small) // sixteen times the pairs; cubic would be sixty-four times the work
}

func TestListedValuesBesideCounts(t *testing.T) {
	check(t, `{"if":{"maxItems":0},"then":{"enum":[[],5]},"anyOf":[{"contains":{}}]}`, []string{`5`, `[1]`},
		[]string{`[]`})
	check(t, `{"contains":{},"allOf":[{"enum":["",[]]}],"unevaluatedItems":false}`, []string{`""`}, []string{`[]`})
	check(t, `{"oneOf":[{"contains":{}},{"enum":[[],[1]]}]}`, []string{`[]`, `[2]`}, []string{`[1]`})
}

// Of items that are known one by one those seen are remembered: after the last nothing but the end is left.
func TestKnownItems(t *testing.T) {
	for _, c := range []struct{ items, all, beyond string }{
		{`{"type":"boolean"}`, `[true , false`, `[true,false,`},
		{`{"type":"null"}`, `[null`, `[null,`},
		{`{"enum":["abc",5,[1],{}]}`, `[ 5,"abc",{ },[1]`, `[5,"abc",{},[1],`},
		{`{"type":"integer","minimum":8,"maximum":10}`, `[10,9,8`, `[10,9,8,`},
		{`{"type":"string","pattern":"^(a|b)b?$"}`, `["a","\u0061b","b","bb"`, `["a","ab","b","bb",`},
		{`{"type":"array","maxItems":0}`, `[[]`, `[[],`},
		{`{"type":["object","null"],"maxProperties":0}`, `[{},null`, `[{},null,`},
	} {
		schema := `{"type":"array","uniqueItems":true,"items":` + c.items + `}`
		r, notes, err := compile(terminal.NewStore(), schema, nil)
		require.NoError(t, err, schema)
		require.Empty(t, notes, schema)
		require.True(t, r.accepts(c.all+"]"), schema)
		require.Equal(t, len(c.beyond)-1, r.reach(c.beyond), schema)
	}
	_, _, err := compile(terminal.NewStore(), `{"type":"array","uniqueItems":true,"items":{"type":"boolean"},`+
		`"minItems":3}`, nil)
	require.ErrorContains(t, err, "more items are required than different ones exist")
}

// A note says that a begun item may turn out to be a repetition. If it can always become another item, there is no
// note.
func TestUnlikeItemsAreNoted(t *testing.T) {
	deadEnd := func(schema string) bool {
		_, notes, err := compile(terminal.NewStore(), schema, nil)
		require.NoError(t, err, schema)
		return slices.ContainsFunc(notes, func(n diag.Note) bool { return n.Effect == diag.DeadEnd && n.Keyword == "uniqueItems" })
	}
	require.False(t, deadEnd(`{"type":"array","uniqueItems":true,"items":{"type":"string"}}`))
	require.False(t, deadEnd(`{"type":"array","uniqueItems":true,"items":{"type":["string","null"],"minLength":2}}`))
	for _, items := range []string{
		`true`, `{"type":"integer"}`, `{"type":"string","maxLength":3}`, `{"type":"string","pattern":"^a*$"}`,
	} {
		require.True(t, deadEnd(`{"type":"array","uniqueItems":true,"items":`+items+`}`), items)
	}
	r, _, err := compile(terminal.NewStore(), `{"uniqueItems":true}`, nil)
	require.NoError(t, err)
	require.Equal(t, 4, r.reach(`[0,0e1,1]`)) // no exponent makes another number of a zero
	require.True(t, r.accepts(`[0,0.5]`))
	require.True(t, r.accepts(`[1,1e1]`))
}

func TestContradictingStrings(t *testing.T) {
	for _, schema := range []string{
		`{"type":"string","minLength":1,"pattern":"a","format":"date-time"}`, `{"type":"string","pattern":"",` +
			`"format":"time","maxLength":1}`,
		`{"type":"string","pattern":"1","format":"date-time","maxLength":4}`,
	} {
		_, _, err := compile(terminal.NewStore(), schema, nil)
		var d *diag.Error
		require.ErrorAs(t, err, &d, schema)
		require.Equal(t, diag.Unsatisfiable, d.Code, schema)
		require.NotEmpty(t, d.Keyword, schema)
	}
}

func TestLengthsOfPatterns(t *testing.T) {
	check(t, `{"type":"string","minLength":3,"format":"date-time"}`, []string{`"1998-12-31T23:59:60Z"`},
		[]string{`"1998-12-31T22:59:60Z"`})
	check(t, `{"type":"string","maxLength":20,"format":"date-time"}`, []string{`"1998-12-31T23:59:50Z"`},
		[]string{`"1998-12-31T23:59:50.1Z"`})
	check(t, `{"type":"string","minLength":2,"maxLength":9,"pattern":"^a{3,5}$"}`, []string{`"aaa"`, `"aaaaa"`},
		[]string{`"aa"`, `"aaaaaa"`})
	check(t, `{"type":"string","minLength":2,"maxLength":4,"pattern":"a{3,5}"}`, []string{`"aaa"`, `"aaab"`},
		[]string{`"aa"`, `"aaaaa"`})
	check(t, `{"type":"string","minLength":4,"pattern":"^a{3,5}$"}`, []string{`"aaaa"`, `"aaaaa"`}, []string{`"aaa"`})
}

func TestCoveredCases(t *testing.T) {
	check(t, `{"anyOf":[{"type":["object","null"],"required":["a"]},{"type":["object","string"]},{"type":"object",`+
		`"minProperties":1}]}`, []string{`{}`, `{"b":1}`, `null`, `"x"`}, []string{`1`, `[]`})
	check(t, `{"anyOf":[{"type":"object"},{"enum":[{"a":1},[1],2]}]}`, []string{`{"b":1}`, `[1]`, `2`},
		[]string{`[]`, `1`})
	check(t, `{"additionalProperties":{"$ref":"#"},"not":{"type":"array","minItems":1,`+
		`"patternProperties":{"^a":{"type":"null"}}}}`, []string{
		`{"a":{"b":[]}}`, `1`, `{"a":null}`, `[]`,
	}, []string{`[1]`, `{"b":[1]}`})
	check(t, `{"contains":{"oneOf":[{"enum":[0,{}]}],"unevaluatedItems":{"minimum":1}},"maxContains":2}`,
		[]string{`[0]`, `[{},0,1]`}, []string{`[]`, `[0,0,{}]`})
	check(t, `{"type":"object","propertyNames":{"format":"time","pattern":"b$"},"maxProperties":4}`, []string{`{}`},
		[]string{`{"`, `{"a":1}`})
	r, _, err := compile(terminal.NewStore(), `{"type":"object","propertyNames":{"format":"time","pattern":"b$"}}`, nil)
	require.NoError(t, err)
	require.Equal(t, 1, r.reach(`{"12`)) // no key satisfies both
}
