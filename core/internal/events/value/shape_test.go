package value

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/style"
)

// Members in tags and their values, by the schema of the object.
func TestShapes(t *testing.T) {
	for _, c := range []struct{ schema, members, want string }{
		// alternatives: the union of all, and an alternative that does not declare a member has its additional ones
		{
			`{"anyOf":[{"properties":{"a":{"type":"integer"}}},{"properties":{"b":{"type":"string"}}}]}`,
			"b=q a=hello", `{"b":"q","a":"hello"}`,
		},
		{
			`{"anyOf":[{"properties":{"b":{"type":"string"}}},{"properties":{"a":{"type":"integer"}}}]}`,
			"b=q a=12", `{"b":"q","a":12}`,
		},
		{`{"oneOf":[{"properties":{"a":{"type":"integer"}},"additionalProperties":false},
			{"properties":{"b":{"type":"string"}},"additionalProperties":{"type":"string"}}]}`, "b=12 a=hello", `{"b":"12","a":"hello"}`},
		{
			`{"anyOf":[{"additionalProperties":{"type":"integer"}},{"additionalProperties":{"type":"string"}}]}`,
			"n=12 m=x", `{"n":12,"m":"x"}`,
		},
		{
			`{"anyOf":[{"additionalProperties":{"type":"string"}},{"additionalProperties":{"type":"integer"}}]}`,
			"n=12 m=x", `{"n":12,"m":"x"}`,
		},
		{
			`{"anyOf":[{"patternProperties":{"^x":{"type":"integer"}}},{"patternProperties":{"^x":{"type":"string"}}}]}`,
			"x1=hello", `{"x1":"hello"}`,
		},
		{`{"anyOf":[{"additionalProperties":{"type":"integer"},"properties":{"m":{"const":1}}},
			{"additionalProperties":{"type":"string"},"properties":{"m":{"const":2}}}]}`, "m=2 x=hello", `{"m":2,"x":"hello"}`},
		{`{"properties":{"a":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, "a=12", `{"a":"12"}`},
		{`{"properties":{"a":{"allOf":[{"type":["string","integer"]},{"type":["string","null"]}]}}}`, "a=12", `{"a":"12"}`},
		// patterns of names; one that package regexp lacks may match any name
		{`{"patternProperties":{"^[A-Z]+$":{"type":"string"}}}`, "P=80 p=80", `{"P":"80","p":80}`},
		{
			`{"patternProperties":{"^a":{"type":"integer"},"^b":{"type":"string"}},"additionalProperties":false}`,
			"a=1 b=2", `{"a":1,"b":"2"}`,
		},
		{
			`{"patternProperties":{"^(?=a)":{"type":"integer"}},"additionalProperties":{"type":"string"}}`,
			"a=1 b=x", `{"a":1,"b":"x"}`,
		},
		// listed values decide themselves
		{`{"properties":{"s":{"enum":["auto","1080",720]}}}`, "s=1080", `{"s":"1080"}`},
		{`{"properties":{"s":{"enum":["auto","1080",720]}}}`, "s=7.2e2", `{"s":7.2e2}`},
		{`{"properties":{"s":{"anyOf":[{"const":true},{"enum":["false"]}]}}}`, "s=false", `{"s":"false"}`},
		{`{"properties":{"s":{"enum":["{}",{"a":1},"[1]",[1,2]]}}}`, `s={"a":1.0}`, `{"s":{"a":1.0}}`},
		{`{"properties":{"s":{"enum":["{}",{"a":1},"[1]",[1,2]]}}}`, "s={}", `{"s":"{}"}`},
		{`{"properties":{"s":{"enum":["{}",{"a":1},"[1]",[1,2]]}}}`, "s=[1]", `{"s":"[1]"}`},
		// references
		{`{"properties":{"a":{"$ref":"#s"}},"$defs":{"s":{"$anchor":"s","type":"string"}}}`, "a=12", `{"a":"12"}`},
		{
			`{"$id":"http://x/y","properties":{"a":{"$ref":"http://x/y#/$defs/s"}},"$defs":{"s":{"type":"string"}}}`,
			"a=12", `{"a":"12"}`,
		},
		{
			`{"$id":"http://x/y","properties":{"a":{"$ref":"/z"}},"$defs":{"s":{"$id":"/z","type":"string"}}}`,
			"a=12", `{"a":"12"}`,
		},
		{
			`{"$dynamicAnchor":"r","properties":{"a":{"type":"string"},"b":{"$dynamicRef":"#r"}},"type":["object","string"]}`,
			"a=1 b=1", `{"a":"1","b":"1"}`,
		},
		{
			`{"properties":{"a":{"$ref":"#/$defs/a"},"b":{"$ref":"#/$defs/b"}},"$defs":{
				"a":{"anyOf":[{"$ref":"#/$defs/b"},{"type":"string"}]},"b":{"anyOf":[{"$ref":"#/$defs/a"},{"type":"integer"}]}}}`,
			"a=x b=x", `{"a":"x","b":"x"}`,
		},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$ref":"#/definitions/s","type":"integer"}},
			"definitions":{"s":{"type":"string"}}}`, "a=12", `{"a":"12"}`},
		// conditions
		{
			`{"if":{"required":["k"]},"then":{"properties":{"a":{"type":"string"}}},"else":{"properties":{"a":{"type":"string"}}}}`,
			"a=12", `{"a":"12"}`,
		},
		{`{"if":{"required":["k"]},"then":{"properties":{"a":{"type":"string"}}}}`, "a=12", `{"a":12}`},
		{`{"unevaluatedProperties":{"type":"string"},"anyOf":[{"properties":{"b":{}}}]}`, "a=12 b=12", `{"a":"12","b":12}`},
		{
			`{"properties":{"a":{"not":{"type":["integer","null","boolean","object","array","number"]}}}}`,
			"a=12", `{"a":"12"}`,
		},
		{`{"properties":{"a":false}}`, "a=12", `{"a":12}`},
		{`[]`, "a=12", `{"a":12}`},
	} {
		text := ""
		for _, m := range strings.Fields(c.members) {
			name, v, _ := strings.Cut(m, "=")
			text += "<parameter=" + name + ">\n" + v + "\n</parameter>\n"
		}
		events, _, r := read(t, NewDialect(style.Of("qwen_xml")), ShapeOf([]byte(c.schema), false), text+"</function>")
		require.Empty(t, r.err, c.schema)
		require.Equal(t, decoded(t, c.want), folded(t, events), c.schema)
	}
}

// An empty value is a string if the schema allows the empty one.
func TestShapesOfEmptyValues(t *testing.T) {
	const m3 = "]<]minimax[>["
	for schema, want := range map[string]string{
		`{"type":["string","array"]}`:                     `""`,
		`{"type":["string","array"],"minLength":1}`:       `[]`,
		`{"enum":["a",[],[1]]}`:                           `[]`,
		`{"type":["object","array"],"required":["a"]}`:    `[]`,
		`{"type":["object","array"],"minProperties":1}`:   `[]`,
		`{"enum":["a",1,{}]}`:                             `{}`,
		`{"type":["object","array"],"minItems":1}`:        `{}`,
		`{"anyOf":[{"const":{}},{"const":"a"}]}`:          `{}`,
		`{"anyOf":[{"const":[1]},{"const":"a"}]}`:         `""`,
		`{"type":["integer","array"],"prefixItems":[{}]}`: `[]`,
	} {
		shape := ShapeOf([]byte(`{"properties":{"l":`+schema+`}}`), false)
		events, _, r := read(t, NewDialect(style.Of("minimax_m3_xml")), shape, m3+"<l>"+m3+"</l>"+m3+"</invoke>")
		require.Empty(t, r.err, schema)
		require.Equal(t, decoded(t, `{"l":`+want+`}`), folded(t, events), schema)
	}
}

// Each level of a recursive schema may double the schemas of a value. They stay few, and beyond the limit all is allowed.
func TestShapesOfRecursiveSchemas(t *testing.T) {
	for _, schema := range []string{
		`{"anyOf":[{"properties":{"a":{"$ref":"#"}}},{"properties":{"a":{"$ref":"#"}}}]}`,
		`{"$defs":{"b":{"properties":{"a":{"$ref":"#"}}},"c":{"properties":{"a":{"$ref":"#/$defs/b"}}}},"allOf":[
			{"anyOf":[{"properties":{"a":{"$ref":"#"}}},{"properties":{"a":{"$ref":"#/$defs/b"}}}]},
			{"anyOf":[{"properties":{"a":{"$ref":"#"}}},{"properties":{"a":{"$ref":"#/$defs/c"}}}]}]}`,
	} {
		s := ShapeOf([]byte(schema), false)
		for range 512 {
			s = s.member("a")
		}
	}
}
