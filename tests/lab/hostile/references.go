package main

import "fmt"

// Definitions, references, identifiers, long names, large and odd numbers, large enums.
var referenceFamilies = []family{
	schemaFamily("definitions that nobody uses", "1", []int{1000, 100_000}, func(n int) string {
		return `{"type": "integer", "$defs": {` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`"d%d": {"type": "object", "properties": {"a": {"$ref": "#/$defs/d%d"}}}`, i, i*7%n)
		}) + "}}"
	}),
	schemaFamily("many references to one definition", `{"k0": "abc", `, []int{1000, 40_000}, func(n int) string {
		return `{"type": "object", "properties": {` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`"k%d": {"$ref": "#/$defs/d"}`, i)
		}) + `}, "$defs": {"d": {"type": "string", "pattern": "^[a-z]{1,40}(-[a-z]+)*$"}}}`
	}),
	schemaFamily("definitions of objects in a circle", `{"a": {"a": {"b": 1`, []int{100, 10_000}, func(n int) string {
		return `{"$ref": "#/$defs/d0", "$defs": {` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`"d%d": {"type": "object", "properties": {"a": {"$ref": "#/$defs/d%d"}, "b": {"anyOf": `+
				`[{"$ref": "#/$defs/d%d"}, {"type": "integer"}]}}}`, i, (i+1)%n, i*7%n)
		}) + "}}"
	}),
	schemaFamily("circles of references through anyOf", "1", []int{10, 500}, func(n int) string {
		return `{"$ref": "#/$defs/d0", "$defs": {` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`"d%d": {"anyOf": [{"$ref": "#/$defs/d%d"}, {"$ref": "#/$defs/d%d"}, {"const": %d}]}`,
				i, (i+1)%n, i*7%n, i)
		}) + "}}"
	}),
	schemaFamily("anchors and identifiers", "1", []int{100, 20_000}, func(n int) string {
		return `{"$id": "https://example.com/root", "$ref": "d0#a0", "$defs": {` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`"d%d": {"$id": "d%d", "$anchor": "a%d", "$ref": "d%d#a%d"}`, i, i, i, i+1, i+1)
		}) + fmt.Sprintf(`, "d%d": {"$id": "d%d", "$anchor": "a%d", "type": "integer"}}}`, n, n, n)
	}),
	schemaFamily("dynamic anchors", `[1, [2, [3]]]`, []int{3, 12, 60}, func(n int) string {
		return `{"$id": "https://example.com/root", "$ref": "d0", "$defs": {` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`"d%d": {"$id": "d%d", "$dynamicAnchor": "x", "anyOf": [{"type": "integer"}, {"items": `+
				`{"$dynamicRef": "#x"}}, {"$ref": "d%d"}]}`, i, i, (i+1)%n)
		}) + "}}"
	}),
	schemaFamily("pointers to everywhere", `{"p": {"p": 1}}`, []int{100, 2000}, func(n int) string {
		return rep(`{"properties": {"p": `, n) + `{"$ref": "#` + rep("/properties/p", n/2) + `"}` + rep("}}", n)
	}),
	schemaFamily("a reference to nothing", "1", one, constant(`{"$ref": "#/$defs/%00/~2"}`)),
	schemaFamily("long names of properties", `{"`+rep("k", 200), []int{10, 1000}, func(n int) string {
		return `{"type": "object", "required": ["` + rep("k", 10_000) + `0"], "properties": {` +
			list(n, ", ", func(i int) string {
				return fmt.Sprintf(`"%s%d": {"type": "integer"}`, rep("k", 10_000), i)
			}) + "}}"
	}),
	schemaFamily("unknown names that are required", `{"u0": 1, `, []int{100, 20_000}, func(n int) string {
		return `{"type": "object", "required": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`"u%d"`, i)
		}) + "]}"
	}),
	schemaFamily("long strings in an enum", `"`+rep("ab", 90), []int{100, 1500}, func(n int) string {
		return `{"enum": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`"%s%d%s"`, rep("ab", 2500), i, rep("cd", 2500))
		}) + "]}"
	}),
	schemaFamily("numbers in an enum", "7919", []int{1000, 200_000}, func(n int) string {
		return `{"enum": [` + list(n, ", ", func(i int) string { return fmt.Sprintf("%d.5e%d", i*7919, i%300) }) + "]}"
	}),
	schemaFamily("constants as alternatives", `"c7919"`, []int{1000, 50_000}, func(n int) string {
		return `{"anyOf": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"const": "c%d"}`,
				i*7919)
		}) + "]}"
	}),
	schemaFamily("constants of which one is met", `"c7919"`, []int{1000, 20_000}, func(n int) string {
		return `{"oneOf": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"const": "c%d"}`,
				i*7919)
		}) + "]}"
	}),
	schemaFamily("strings that must not be", `"c7919`, []int{100, 50_000}, func(n int) string {
		return `{"type": "string", "not": {"enum": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`"c%d"`, i*7919)
		}) + "]}}"
	}),
	schemaFamily("a deep constant", rep("[", 90), []int{900, 9000}, func(n int) string {
		return `{"const": ` + rep("[", n) + rep("]", n) + "}"
	}),
	schemaFamily("an array of many constants", "[0, 1, 2, 3, 4", []int{1000, 300_000}, func(n int) string {
		return `{"const": [` + list(n, ", ", func(i int) string { return fmt.Sprint(i) }) + "]}"
	}),
	schemaFamily("a number of many digits", rep("7", 90), []int{1000, 1_000_000}, func(n int) string {
		return `{"const": ` + rep("7", n) + "}"
	}),
	schemaFamily("numbers with large exponents", "1e400", []int{400, 4999, 5001, 2_000_000_000}, func(n int) string {
		return fmt.Sprintf(`{"type": "number", "minimum": 1e-%d, "maximum": 1e%d, "multipleOf": 1e-%d}`, n, n, n)
	}),
	schemaFamily("excluded numbers with large exponents", "17", []int{300, 4999}, func(n int) string {
		return fmt.Sprintf(`{"not": {"enum": [1e%d, -1e-%d, 0.1e%d]}, "exclusiveMinimum": -1e%d}`, n, n, n, n)
	}),
	schemaFamily("counts beyond all bounds", `["a`, one, constant(`{"minItems": 1e18, "maxItems": 1e300, "minLength": `+
		`9007199254740993, "maxLength": 1e30, "minProperties": 4294967296, "maxProperties": 1e19}`)),
	schemaFamily("counts of properties", `{"a": 1, "b": 2`, []int{1000, 1_000_000_000}, func(n int) string {
		return fmt.Sprintf(`{"type": "object", "minProperties": %d, "maxProperties": %d, "additionalProperties": `+
			`{"minProperties": %d}}`, n, 2*n, n)
	}),
	schemaFamily("patterns of many properties", `{"k0": "abc1`, []int{100, 5000}, func(n int) string {
		return `{"type": "object", "properties": {` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`"k%d": {"type": "string", "pattern": "^[a-z]{1,%d}[0-9]+(x|y)*$", "minLength": %d}`,
				i, i%60+1, i%7)
		}) + "}}"
	}),
	schemaFamily("formats of many properties", `{"k0": "a@example.com", "k1": "b`, []int{100, 5000},
		func(n int) string {
			formats := []string{"idn-email", "uri", "iri", "date-time", "ipv6", "uuid", "idn-hostname", "uri-template"}
			return `{"type": "object", "properties": {` + list(n, ", ", func(i int) string {
				return fmt.Sprintf(`"k%d": {"type": "string", "format": "%s", "maxLength": %d}`, i, formats[i%8],
					i%90+60)
			}) + "}}"
		}),
	schemaFamily("names that match patterns", `{"abc": 1, "k17": 2`, []int{10, 1000}, func(n int) string {
		return `{"type": "object", "propertyNames": {"allOf": [{"pattern": "^[a-z0-9]+$"}, {"maxLength": 40}, ` +
			`{"not": ` +
			`{"enum": [` + list(n, ", ", func(i int) string { return fmt.Sprintf(`"k%d"`, i*7919) }) + "]}}]}}"
	}),
	schemaFamily("patterns of keys that don't overlap", `{"k7:a": 1`, []int{20, 300}, func(n int) string {
		return `{"type": "object", "patternProperties": {` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`"^k%d:": {"type": "integer", "minimum": %d}`, i, i)
		}) + `}, "additionalProperties": false}`
	}),
	schemaFamily("unevaluatedItems", "[1, 2, 3", []int{5, 40}, func(n int) string {
		return `{"type": "array", "anyOf": [` + list(n, ", ", func(i int) string {
			return `{"prefixItems": [` + list(i+1, ", ", constant(`{"type": "integer"}`)) + "]}"
		}) + `], "unevaluatedItems": {"type": "string"}}`
	}),
	schemaFamily("if in if", `{"a": 1}`, []int{20, 900}, func(n int) string {
		return rep(`{"if": {"required": ["a"]}, "then": `, n) + "{}" + rep(`, "else": {"required": ["b"]}}`, n)
	}),
	schemaFamily("keys written twice", "1", []int{100, 300_000}, func(n int) string {
		return "{" + list(n, ", ", func(i int) string { return fmt.Sprintf(`"x%d": 1`, i) }) + `, "x0": 2}`
	}),
	schemaFamily("blanks", "1", []int{30 << 20}, func(n int) string { return rep(" ", n) + "true" }),
	schemaFamily("escapes", `"`, []int{100, 4 << 20}, func(n int) string {
		return `{"const": "` + rep(`\ud83d\ude00\u0000\"`, n/20) + `"}`
	}),
	schemaFamily("half a surrogate pair in a key", "1", one, constant(`{"properties": {"a\udc00b": {}}}`)),
	schemaFamily("half a surrogate pair in a pattern", "1", one, constant(`{"pattern": "\\ud800[\\udfff]"}`)),
	schemaFamily("invalid UTF-8 at the end of megabytes", "1", []int{8 << 20}, func(n int) string {
		return `{"description": "` + rep("ü", n/2) + "\xff\"}"
	}),
	schemaFamily("nothing", "", one, constant("")),
	schemaFamily("a name of megabytes as type", "1", []int{1 << 20}, func(n int) string {
		return `{"type": "` + rep("x", n) + `"}`
	}),
}
