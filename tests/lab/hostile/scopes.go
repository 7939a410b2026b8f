package main

import "fmt"

// anyOfResources returns a schema that begins with head and is an anyOf of n references, each to a resource of its own
// in $defs, whose members beside its $id are resource(i).
func anyOfResources(head string, n int, resource func(i int) string) string {
	return `{` + head + `"$id": "https://example.com/root", "anyOf": [` + list(n, ", ", func(i int) string {
		return fmt.Sprintf(`{"$ref": "d%d"}`, i)
	}) + `], "$defs": {` + list(n, ", ", func(i int) string {
		return fmt.Sprintf(`"d%d": {"$id": "d%d", %s}`, i, i, resource(i))
	}) + "}}"
}

// Schemas whose references depend on the path to them, and schemas that consist of others.
var scopeFamilies = []family{
	schemaFamily("dynamic anchors from everywhere", `[1, [2, [3]]]`, []int{12, 30, 60, 300}, func(n int) string {
		return anyOfResources("", n, func(i int) string {
			return fmt.Sprintf(`"$dynamicAnchor": "x", "anyOf": [{"const": %d}, {"items": {"$dynamicRef": "#x"}}, `+
				`{"$ref": "d%d"}]`, i, (i+1)%n)
		})
	}),
	schemaFamily("dynamic anchors of one language", `[1, [2, [3]]]`, []int{12, 30, 60, 300}, func(n int) string {
		return anyOfResources("", n, func(i int) string {
			return fmt.Sprintf(`"$dynamicAnchor": "x", "anyOf": [{"type": "integer"}, {"items": {"$dynamicRef": `+
				`"#x"}}, {"$ref": "d%d"}]`, (i+1)%n)
		})
	}),
	schemaFamily("dynamic anchors behind items", `[1, [2, [3]]]`, []int{12, 60, 300}, func(n int) string {
		return anyOfResources("", n, func(i int) string {
			return fmt.Sprintf(`"$dynamicAnchor": "x", "anyOf": [{"type": "integer"}, {"prefixItems": `+
				`[{"$dynamicRef": "#x"}, {"$ref": "d%d"}]}]`, (i+1)%n)
		})
	}),
	schemaFamily("dynamic anchors that nobody asks for", `[1, [2, [3]]]`, []int{12, 60, 300}, func(n int) string {
		return anyOfResources("", n, func(i int) string {
			return fmt.Sprintf(`"$dynamicAnchor": "x", "anyOf": [{"type": "integer"}, {"items": {"$ref": "d%d"}}]`,
				(i+1)%n)
		})
	}),
	schemaFamily("many names of dynamic anchors", `[1, [2, [3]]]`, []int{30, 300, 3000}, func(n int) string {
		return `{"$id": "https://example.com/root", "$ref": "d0", "$defs": {` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`"d%d": {"$id": "d%d", "$dynamicAnchor": "x%d", "items": {"anyOf": [{"type": `+
				`"integer"}, `+
				`{"$dynamicRef": "d%d#x%d"}, {"$ref": "d%d"}]}, "$defs": {"y": {"$dynamicAnchor": "x%d"}}}`,
				i, i, i, i*7%n, i*7%n, (i+1)%n, (i+5)%n)
		}) + "}}"
	}),
	schemaFamily("a recursive anchor in every resource", `[1, [2, [3]]]`, []int{30, 300}, func(n int) string {
		const dialect = `"$schema": "https://json-schema.org/draft/2019-09/schema", `
		return anyOfResources(dialect, n, func(i int) string {
			return fmt.Sprintf(`"$recursiveAnchor": true, "anyOf": [{"const": %d}, {"items": {"$recursiveRef": "#"}}, `+
				`{"properties": {"a": {"$ref": "d%d"}}}]`, i, (i+1)%n)
		})
	}),
	schemaFamily("a chain of references that is entered everywhere",
		`{"p7": 1, `, []int{100, 4000}, func(n int) string {
			return `{"type": "object", "properties": {` + list(n, ", ", func(i int) string {
				return fmt.Sprintf(`"p%d": {"$ref": "#/$defs/d%d"}`, i, i)
			}) + `}, "$defs": {` + list(n, ", ", func(i int) string {
				return fmt.Sprintf(`"d%d": {"%s": %s}`, i, []string{"$ref", "allOf", "anyOf"}[i%3], []string{
					fmt.Sprintf(`"#/$defs/d%d"`, i+1), fmt.Sprintf(`[{"$ref": "#/$defs/d%d"}]`, i+1),
					fmt.Sprintf(`[{"$ref": "#/$defs/d%d"}]`, i+1),
				}[i%3])
			}) + fmt.Sprintf(`, "d%d": {"type": "integer"}}}`, n)
		}),
	schemaFamily("items of alternatives that are the alternatives", `[1, [2, [3]]]`, []int{20, 60, 300},
		func(n int) string {
			return `{"$ref": "#/$defs/d0", "$defs": {` + list(n, ", ", func(i int) string {
				return fmt.Sprintf(`"d%d": {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"allOf": `+
					`[{"$ref": "#/$defs/d%d"}, {"$ref": "#/$defs/d%d"}]}}, {"$ref": "#/$defs/d%d"}]}`,
					i, i*7%n, i*3%n, (i+1)%n)
			}) + "}}"
		}),
	schemaFamily("anyOf that leads back to itself in every way",
		`{"a": [1, {"b": `, []int{8, 40, 200}, func(n int) string {
			return `{"$ref": "#/$defs/d0", "$defs": {` + list(n, ", ", func(i int) string {
				return fmt.Sprintf(`"d%d": {"anyOf": [{"$ref": "#/$defs/d%d"}, {"$ref": "#/$defs/d%d"}, {"type": `+
					`"array", "items": {"$ref": "#/$defs/d%d"}}, {"type": "object", "properties": {"%c": {"$ref": `+
					`"#/$defs/d%d"}}}, `+
					`{"const": %d}]}`, i, (i+1)%n, i*7%n, i*3%n, 'a'+i%26, i*5%n, i)
			}) + "}}"
		}),
}
