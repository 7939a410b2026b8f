package core_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

const explained = `{"type":"object","properties":{
	"name":{"type":"string","minLength":2,"maxLength":4},"age":{"type":"integer","maximum":14},
	"tags":{"type":"array","items":{"enum":["a","b"]},"minItems":2,"maxItems":3},
	"in":{"type":"object","properties":{"x":{"$ref":"#/$defs/n"}},"required":["x"],"additionalProperties":false}},
	"required":["name","tags"],"additionalProperties":false,"$defs":{"n":{"type":"number"}}}`

const explainedTag = `{"type":"structural_tag","format":{"type":"sequence","elements":[
	{"type":"const_string","value":"go "},{"type":"tag","begin":"<f>","content":{"type":"json_schema","json_schema":
		{"type":"object","properties":{"q":{"type":"boolean"}},"required":["q"]}},"end":"</f>"},
	{"type":"grammar","grammar":"root ::= \"(\" a \")\"\na ::= \"x\" | root a"}]}}`

const explainedRequest = `{"tools":[{"type":"function","function":{"name":"f","parameters":
	{"type":"object","properties":{"q":{"type":"integer"}},"required":["q"]}}}],"tool_choice":"required"}`

// Each line is a constraint and a text, the offset of its first wrong byte, the first expectation, and the missing parts.
var explanations = []struct {
	kind     core.Kind
	spec     string
	text     string
	offset   int
	expected string // text @ place, of the first
	missing  string // texts
}{
	{core.JSONSchema, explained, `x`, 0, `"{" @ json_schema: type "object" 0:0`, `"{", the required property "name", the required property "tags", "}"`},
	{core.JSONSchema, explained, `{"foo`, 2, `the property name "name" @ json_schema: properties  0:0`, `the required property "name", the required property "tags", "}"`},
	{core.JSONSchema, explained, `{"name":"a"`, 10, `one of [!#-\x7f\xc2-\xf4] @ json_schema:/properties/name minLength 2 0:0`, `1 more character, the rest of a text, the required property "tags", "}"`},
	{core.JSONSchema, explained, `{"name":"abcde`, 13, `"\"" @ json_schema:/properties/name maxLength 4 0:0`, `"\"", the required property "tags", "}"`},
	{core.JSONSchema, explained, `{"name":"abc","age":19`, 21, `one of [0-4] @ json_schema:/properties/age maximum 14 0:0`, `the required property "tags", "}"`},
	{core.JSONSchema, explained, `{"name":"abc","tags":["c`, 23, `one of [ab] @ json_schema:/properties/tags/items enum ["a","b"] 0:0`, `the rest of a text, 1 more item, "]", "}"`},
	{core.JSONSchema, explained, `{"name":"abc","tags":["a"]`, 25, `"," @ json_schema:/properties/tags minItems 2 0:0`, `",", a text, "]", "}"`},
	{core.JSONSchema, explained, `{"name":"abc","tags":["a","b","a",`, 33, `"]" @ json_schema:/properties/tags maxItems 3 0:0`, `"]", "}"`},
	{core.JSONSchema, explained, `{"name":"abc","tags":["a","b"],"in":{"x":"`, 41, `one of [\-0-9] @ json_schema:/$defs/n type "number" 0:0`, `the rest of a text, "}", "}"`},
	{core.JSONSchema, explained, `{"name":"abc","tags":["a","b"],"in":{}`, 37, `a property "x" @ json_schema:/properties/in properties  0:0`, `the required property "x", "}", "}"`},
	{core.AnyJSON, ``, `[1,}`, 3, `"[" @ json:   0:0`, `"]"`},
	{core.JSONObject, ``, `[`, 0, `"{" @ json_schema: type "object" 0:0`, `"{", "}"`},
	{core.EBNF, "root ::= item{2,3} \"end\"\nitem ::= \"<\" body \">\"\nbody ::= [a-z]* | item\n", `<a>x`, 3, `"<" @ ebnf: item  2:1`, `"<", ">", "end"`},
	{core.EBNF, "root ::= \"(\" e \")\"\n\ne ::= \"1\" | e \"+\" root", `(1*`, 2, `")" @ ebnf: root  1:1`, ``},
	{core.Lark, "start: \"a\" b\nb: \"(\" b \")\" | \"x\"\n", `a(y`, 2, `"(" @ lark: b  2:1`, `")"`},
	{core.Lark, "start: \"call \" %json {\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"}}}\n", `call {"a":x`, 10, `one of [\-0-9] @ lark:/properties/a start type "integer" 1:1`, `the rest of a text, "}"`},
	{core.Regex, `ab{2,5}c`, `abx`, 2, `"b"… @ regex:   1:1`, `the rest of a text`},
	{core.Choice, `["yes","no"]`, `ya`, 1, `"es" @ choice:   0:0`, `"es"`},
	{core.StructuralTag, explainedTag, `gone`, 2, `" " @ structural_tag:/format/elements/0 const_string "go " 0:0`, `" ", "<f>", a part, "</f>", a part`},
	{core.StructuralTag, explainedTag, `go <f>{"q":1`, 11, `one of [ft] @ structural_tag:/format/elements/1/content/json_schema/properties/q type "boolean" 0:0`, ``},
	{core.StructuralTag, explainedTag, `go <f>{"q":true}</x`, 18, `"f>"`, ``},
	{core.StructuralTag, explainedTag, `go <f>{"q":true}</f>(y`, 21, `"(" @ structural_tag:/format/elements/2/grammar root  1:1`, ``},
	{core.Request, explainedRequest, `{"name": "f", "arguments": {"q": "x`, -1, ``, ``},
}

func TestExplainPlaces(t *testing.T) {
	testkit.Alone(t)
	for _, x := range explanations {
		var o *core.Options
		if x.kind == core.Request {
			o = &core.Options{Family: "hermes"}
			x.text = "<tool_call>\n" + x.text
		}
		m, err := core.NewMatcher(compile(x.kind, x.spec, o), core.MatcherOptions{})
		require.NoError(t, err)
		why, err := m.ExplainText([]byte(x.text))
		require.NoError(t, err)
		require.False(t, why.Allowed, "%s", why)
		if x.kind == core.Request {
			require.Equal(t, "/tools/0/function/parameters/properties/q", why.Expected[0].Place.Pointer, "%s", why)
			require.Equal(t, "type", why.Expected[0].Place.Keyword)
			require.Equal(t, "request", why.Expected[0].Place.Source)
			continue
		}
		e := why.Expected[0]
		p := e.Place
		got := fmt.Sprintf("%s @ %s:%s %s%s %s %d:%d", e.Text, p.Source, p.Pointer, p.Rule, p.Keyword, p.Value, p.Line, p.Column)
		if p.Rule != "" && p.Keyword != "" {
			got = fmt.Sprintf("%s @ %s:%s %s %s %s %d:%d", e.Text, p.Source, p.Pointer, p.Rule, p.Keyword, p.Value, p.Line, p.Column)
		}
		var missing []string
		for _, k := range why.Missing {
			missing = append(missing, k.Text)
		}
		t.Logf("%d %s | %s", why.Offset, got, strings.Join(missing, ", "))
		if why.Offset != x.offset || !strings.HasPrefix(got, x.expected) || x.missing != "" && strings.Join(missing, ", ") != x.missing {
			t.Errorf("%s %q: want %d %s | %s", x.kind, x.text, x.offset, x.expected, x.missing)
		}
	}
}

// The JSON of an explanation has all its parts.
func TestExplanationJSON(t *testing.T) {
	m, err := core.NewMatcher(compile(core.JSONSchema, explained, nil), core.MatcherOptions{})
	require.NoError(t, err)
	why, err := m.ExplainText([]byte(`{"name":"ab"!`))
	require.NoError(t, err)
	var got struct {
		Allowed, Ends     bool
		Offset            int
		Bytes, Sentence   string
		Forced            []byte
		Expected, Missing []map[string]any
	}
	require.NoError(t, json.Unmarshal(why.JSON(), &got))
	require.Equal(t, why.Offset, got.Offset)
	require.Equal(t, why.Sentence, got.Sentence)
	require.Equal(t, "", got.Expected[0]["pointer"])
	require.Len(t, got.Missing, len(why.Missing))
	require.Equal(t, "tags", got.Missing[0]["name"])
	_, err = m.AcceptBytes([]byte(`{"`))
	require.NoError(t, err)
	why, err = m.ExplainText([]byte("x"))
	require.NoError(t, err)
	require.Equal(t, `name"`, string(why.Forced))
}

// A constraint with more than 16 objects leaves gaps in the table of objects.
func TestExplainManyObjects(t *testing.T) {
	testkit.Alone(t)
	for _, n := range []int{1, 16, 17, 40} {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = fmt.Sprintf(`{"type":"object","properties":{"k%d":{"const":%d}},"required":["k%d"]}`, i, i, i)
		}
		schema := `{"prefixItems":[` + strings.Join(parts, ",") + `]}`
		m, err := core.NewMatcher(compile(core.JSONSchema, schema, nil), core.MatcherOptions{})
		require.NoError(t, err)
		why, err := m.ExplainText([]byte(`[{"k0":true`))
		require.NoError(t, err, "%d objects", n)
		require.Equal(t, "/prefixItems/0/properties/k0", why.Expected[0].Place.Pointer, "%d objects", n)
	}
}

// Each line is a constraint, a text before, a wrong text, the texts of all expectations, and the missing parts.
var truths = []struct {
	kind     core.Kind
	spec     string
	before   string
	text     string
	expected string
	missing  string
}{
	// The other side of a boolean node forbids parts that one side would go on with.
	{core.JSONSchema, `{"type":"array","uniqueItems":true}`, `[1, 1`, `,`, `one of [.0-9Ee]`, ``},
	{core.JSONSchema, `{"not":{"type":["object","string"],"properties":{"a":true},"unevaluatedProperties":false}}`, `{`, `}`, `a property of another name`, ``},
	{core.JSONSchema, `{"type":"array","contains":{"const":3},"items":{"enum":[1,3]}}`, `[1`, `x`, `","`, `",", "3", "]"`},
	// An array of listed items is not an object.
	{core.JSONSchema, `{"type":"array","items":{"enum":["a",1,10,[1],{}]},"uniqueItems":true,"minItems":2}`, `["a",[1`, `x`, `"]"`, `"]", "]"`},
	{core.JSONSchema, `{"type":"array","items":{"enum":["a",1,10,[1],{}]},"uniqueItems":true,"minItems":3}`, `["a",[1`, `x`, `"]"`, `"]", 1 more item, "]"`},
	{core.JSONSchema, `{"type":"array","items":{"enum":["ab","cd"]},"uniqueItems":true,"minItems":2}`, `[`, `x`, `"\""`, `2 more items, "]"`},
	{core.JSONSchema, `{"type":"array","items":{"enum":["ab","cd"]},"uniqueItems":true,"minItems":2}`, `["ab"`, `x`, `","…`, `1 more item, "]"`},
	{core.JSONSchema, `{"type":"array","items":{"enum":["ab","cd"]},"uniqueItems":true}`, `["ab","`, `x`, `"cd\""`, `the rest of a text, "]"`},
	// A missing text completes the output, whitespace included.
	{core.Choice, `["yes sir!","yessir!"]`, ``, `n`, `"yes"…`, `the rest of a text`},
	{core.Choice, `["yes sir!","yes"]`, `y`, `n`, `"es"…`, `the rest of a text`},
	{core.Choice, `[" a","b"]`, ``, `n`, `one of [\x20b]`, `the rest of a text`},
	{core.Choice, `[" a","a"]`, ``, `n`, `"a"`, `"a"`},
	{core.Choice, `["  b"," a","a"]`, ``, `n`, `one of [\x20a]`, `the rest of a text`},
	{core.Regex, `go home`, `go`, `n`, `" home"`, `" home"`},
	{core.Regex, `a ?b`, ``, `x`, `"a"…`, `the rest of a text`},
	{core.Regex, `a\n*b`, ``, `x`, `"a"…`, `the rest of a text`},
	{core.JSONSchema, `{"enum":[{"a":1,"z":2}]}`, `{"a":`, `x`, `"1"…`, `the rest of a text`},
	// A token that the constraint names is no text.
	{core.Lark, `start: "ab" <[65]> "b"`, ``, `x`, `"ab"…`, `the rest of a text`},
	{core.Lark, `start: "a" <[65]> "b"`, `a`, `A`, `a token that the constraint names`, `the rest of a text`},
	{core.Lark, `start: <[65]> "b" | "cd"`, ``, `x`, `one of [c] or a token that the constraint names`, `the rest of a text`},
}

func TestExplainSaysNothingFalse(t *testing.T) {
	testkit.Alone(t)
	for _, x := range truths {
		m, err := core.NewMatcher(compile(x.kind, x.spec, nil), core.MatcherOptions{})
		require.NoError(t, err)
		ok, err := m.AcceptBytes([]byte(x.before))
		require.NoError(t, err)
		require.True(t, ok, x.spec)
		why, err := m.ExplainText([]byte(x.text))
		require.NoError(t, err)
		require.False(t, why.Allowed)
		require.NotContains(t, why.Sentence+why.Bytes, `\xff`)
		var expected, missing []string
		for _, e := range why.Expected {
			expected = append(expected, e.Text)
		}
		for _, k := range why.Missing {
			missing = append(missing, k.Text)
		}
		if got := strings.Join(expected, ", "); got != x.expected {
			t.Errorf("%s after %q: expected %s, want %s: %s", x.spec, x.before, got, x.expected, why)
		}
		if got := strings.Join(missing, ", "); got != x.missing {
			t.Errorf("%s after %q: missing %s, want %s: %s", x.spec, x.before, got, x.missing, why)
		}
	}
}

// Free text may go on with the byte 0xFF, which stands for a named token elsewhere.
func TestExplainFreeText(t *testing.T) {
	m, err := core.NewMatcher(compile(core.StructuralTag, `{"format":{"type":"any_text"}}`, nil), core.MatcherOptions{})
	require.NoError(t, err)
	why, err := m.ExplainText([]byte("x\xff"))
	require.NoError(t, err)
	require.True(t, why.Allowed)
	require.Equal(t, `[\x00-\xff]`, why.Bytes)
}
