package main

import (
	"fmt"

	"github.com/sluice-engine/sluice/core"
)

func schemaFamily(name, text string, sizes []int, spec func(n int) string) family {
	return family{name: "schema " + name, kind: core.JSONSchema, sizes: sizes, spec: spec, text: text}
}

// properties writes n members of an object's properties.
func properties(n int, value string) string {
	return list(n, ", ", func(i int) string { return fmt.Sprintf(`"key%d": %s`, i*7919, value) })
}

// Width and depth: unions, enums, properties, nesting, references.
var schemaFamilies = []family{
	{"schema patterns and lengths beside else", core.JSONSchema, []int{30, 100, 150, 200}, func(n int) string {
		text := `{"type": "string"}`
		for i := 1; i <= n; i++ {
			text = fmt.Sprintf(`{"if": {"pattern": "^a{%d}"}, "then": {"minLength": %d}, "else": %s}`, i, i, text)
		}
		return text
	}, `"aaaaaaaaaaaaaaa`},
	schemaFamily("oneOf of objects", `{"k7": 1, "x": 2}`, []int{250, 1000, 20_000}, func(n int) string {
		return `{"oneOf": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"type": "object", "properties": {"k%d": {"type": "integer"}}}`, i)
		}) + "]}"
	}),
	schemaFamily("oneOf of objects with a late discriminator", `{"a": 1, "b": "x", "kind": `+
		`"k3"}`, []int{64, 1000}, func(n int) string {
		return `{"oneOf": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}, `+
				`"kind": `+
				`{"const": "k%d"}}, "required": ["kind"]}`, i)
		}) + "]}"
	}),
	schemaFamily("anyOf of closed objects", `{"k7": 1}`, []int{500, 5000}, func(n int) string {
		return `{"anyOf": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"type": "object", "properties": {"k%d": {"type": "integer", "minimum": %d}}, `+
				`"required": `+
				`["k%d"], "additionalProperties": false}`, i, i, i)
		}) + "]}"
	}),
	schemaFamily("oneOf of ranges", "123456", []int{50, 500}, func(n int) string {
		return `{"oneOf": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"type": "integer", "minimum": %d, "maximum": %d}`, i*1000, i*1000+1500)
		}) + "]}"
	}),
	schemaFamily("oneOf of patterns", `"ab12cd"`, []int{8, 60}, func(n int) string {
		return `{"oneOf": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"type": "string", "pattern": "^[a-z%d]{1,%d}"}`, i%10, i+2)
		}) + "]}"
	}),
	schemaFamily("allOf of unions", `{"a": 1}`, []int{6, 12, 30}, func(n int) string {
		return `{"allOf": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"anyOf": [{"required": ["a%d"]}, {"required": ["b%d"]}, {"properties": {"c%d": `+
				`{"type": `+
				`"integer"}}}]}`, i, i, i)
		}) + "]}"
	}),
	schemaFamily("if then else", `{"k1": 1, "v1": "x"}`, []int{20, 100}, func(n int) string {
		return `{"type": "object", "allOf": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"if": {"properties": {"k%d": {"const": 1}}, "required": ["k%d"]}, "then": `+
				`{"required": `+
				`["v%d"]}, "else": {"properties": {"v%d": {"type": "integer"}}}}`, i, i, i, i)
		}) + "]}"
	}),
	schemaFamily("enum of strings", `"word7919"`, []int{20_000, 1_000_000}, func(n int) string {
		return `{"enum": [` + list(n, ", ", func(i int) string { return fmt.Sprintf(`"word%d"`, i*7919) }) + "]}"
	}),
	schemaFamily("enum of objects", `{"a": 7919}`, []int{1000, 20_000}, func(n int) string {
		return `{"enum": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"a": %d, "b": [%d]}`, i*7919, i)
		}) + "]}"
	}),
	schemaFamily("const of megabytes", `"aaaaaaa`, []int{1 << 20, 16 << 20}, func(n int) string {
		return `{"const": "` + rep("a", n) + `"}`
	}),
	schemaFamily("key of megabytes", `{"aaaaaa`, []int{1 << 20}, func(n int) string {
		return `{"type": "object", "properties": {"` + rep("a", n) + `": {"type": "integer"}}, "required": ` +
			`["` + rep("a", n) + `"]}`
	}),
	schemaFamily("description of megabytes", `1`, []int{30 << 20}, func(n int) string {
		return `{"type": "integer", "description": "` + rep("a", n) + `"}`
	}),
	schemaFamily("too long", `1`, []int{40 << 20}, func(n int) string {
		return `{"type": "integer", "description": ` +
			`"` + rep("a", n) + `"}`
	}),
	schemaFamily("properties", `{"key7919": 1, "other": 2}`, []int{1000, 20_000, 300_000}, func(n int) string {
		return `{"type": "object", "properties": {` + properties(n, `{"type": "integer"}`) + "}}"
	}),
	schemaFamily("required properties", `{"key0": 1, `, []int{200, 5000}, func(n int) string {
		return `{"type": "object", "properties": ` +
			`{` + properties(n, `{"type": "integer"}`) + `}, "required": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`"key%d"`, i*7919)
		}) + "]}"
	}),
	schemaFamily("counted properties", `{"key0": 1, "key7919": 2}`, []int{30, 300}, func(n int) string {
		return fmt.Sprintf(`{"type": "object", "properties": {%s}, "minProperties": %d, "maxProperties": `+
			`%d}`, properties(n, "{}"), n/3, n/2)
	}),
	schemaFamily("dependentRequired", `{"key0": 1, "key7919": 2}`, []int{20, 200}, func(n int) string {
		return `{"type": "object", "properties": {` + properties(n, "{}") + `}, "dependentRequired": ` +
			`{` + list(n-1, ", ", func(i int) string {
			return fmt.Sprintf(`"key%d": ["key%d"]`, i*7919, (i+1)*7919)
		}) + "}}"
	}),
	schemaFamily("dependentSchemas", `{"key0": 1, "key7919": 2}`, []int{10, 60}, func(n int) string {
		return `{"type": "object", "dependentSchemas": {` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`"k%d": {"properties": {"v%d": {"type": "integer"}}}`, i, i)
		}) + "}}"
	}),
	schemaFamily("patternProperties", `{"abc1": 1, "xyz": 2}`, []int{5, 10, 26}, func(n int) string {
		return `{"type": "object", "patternProperties": {` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`"^%c": {"type": "integer"}, "%c$": {"minimum": %d}`, 'a'+i, 'a'+i, i)
		}) + "}}"
	}),
	schemaFamily("unevaluatedProperties", `{"a1": 1, "z": 2}`, []int{8, 40}, func(n int) string {
		return `{"anyOf": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"properties": {"a%d": {"type": "integer"}}}`, i)
		}) + `], "unevaluatedProperties": false}`
	}),
	schemaFamily("nested arrays", rep("[", 60), []int{900, 4500, 9000}, func(n int) string {
		return rep(`{"items": `, n) + "true" + rep("}", n)
	}),
	schemaFamily("nested objects", `{"a": {"a": {"a": `, []int{900, 4500}, func(n int) string {
		return rep(`{"properties": {"a": `, n) + "{}" + rep("}}", n)
	}),
	schemaFamily("nested allOf", "1", []int{900, 4500}, func(n int) string {
		return rep(`{"allOf": [`, n) + "{}" + rep("]}", n)
	}),
	schemaFamily("nested not", "1", []int{900, 4000}, func(n int) string {
		return rep(`{"not": `, n) + `{"type": "string"}` + rep("}", n)
	}),
	schemaFamily("nested anyOf", "1", []int{12, 900}, func(n int) string {
		return rep(`{"anyOf": [{"type": "integer"}, `, n) + `{"type": "string"}` + rep("]}", n)
	}),
	schemaFamily("nested oneOf of objects", `{"a": {"a": 1}}`, []int{5, 60}, func(n int) string {
		return rep(`{"oneOf": [{"type": "integer"}, {"properties": {"a": `, n) + "{}" +
			rep(`}, "required": ["a"]}]}`, n)
	}),
	schemaFamily("brackets", "", []int{1_000_000}, func(n int) string { return rep("[", n) }),
	schemaFamily("chain of references", "1", []int{1000, 20_000}, func(n int) string {
		return `{"$ref": "#/$defs/d0", "$defs": {` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`"d%d": {"$ref": "#/$defs/d%d"}`, i, i+1)
		}) + fmt.Sprintf(`, "d%d": {"type": "integer"}}}`, n)
	}),
	schemaFamily("references that double", "1", []int{12, 60}, func(n int) string {
		return `{"$ref": "#/$defs/d0", "$defs": {` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`"d%d": {"allOf": [{"$ref": "#/$defs/d%d"}, {"anyOf": [{"$ref": "#/$defs/d%d"}, `+
				`{"type": `+
				`"string"}]}]}`, i, i+1, i+1)
		}) + fmt.Sprintf(`, "d%d": {"type": "integer"}}}`, n)
	}),
	schemaFamily("objects that double", `{"a": {"a": `, []int{12, 300}, func(n int) string {
		return `{"$ref": "#/$defs/d0", "$defs": {` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`"d%d": {"properties": {"a": {"$ref": "#/$defs/d%d"}, "b": {"$ref": `+
				`"#/$defs/d%d"}}}`, i, i+1, i+1)
		}) + fmt.Sprintf(`, "d%d": {"type": "integer"}}}`, n)
	}),
	schemaFamily("all of all", `{"a": {"b": 1}}`, []int{4, 12}, func(n int) string {
		return `{"$ref": "#/$defs/d0", "$defs": {` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`"d%d": {"properties": {"a": {"allOf": [{"$ref": "#/$defs/d%d"}, {"$ref": `+
				`"#/$defs/d%d"}]}, `+
				`"b": {"oneOf": [{"$ref": "#/$defs/d%d"}, {"type": "integer"}]}}}`, i, (i+1)%n, (i+3)%n, (i+2)%n)
		}) + "}}"
	}),
	schemaFamily("circle of references", "1", one, constant(`{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": `+
		`"#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}`)),
	schemaFamily("NUL", "1", one, constant("{\"const\": \"a\x00\"}")),
	schemaFamily("escaped NUL", "1", one, constant(`{"const": "a\u0000", "pattern": "\u0000"}`)),
	schemaFamily("invalid UTF-8", "1", one, constant("{\"const\": \"日本語\xff\"}")),
	schemaFamily("half a surrogate pair", "1", one, constant(`{"const": "\ud800"}`)),
	schemaFamily("byte order mark", "1", one, constant("\ufeff{}")),
}
