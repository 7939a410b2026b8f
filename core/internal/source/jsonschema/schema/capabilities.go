package schema

import (
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/format"
)

// Dialects returns the names of the dialects, oldest first, as the option dialect is documented.
func Dialects() []string {
	return []string{"draft-04", "draft-06", "draft-07", "2019-09", "2020-12"}
}

// Capabilities lists the keywords and what becomes of them. Keywords that are not in the list are annotations, or
// unknown, and are ignored as the specification says.
func Capabilities() []source.Capability {
	var list []source.Capability
	for _, group := range [][]source.Capability{
		anyKeywords(), logicKeywords(), objectKeywords(), arrayKeywords(), scalarKeywords(), referenceKeywords(),
	} {
		list = append(list, group...)
	}
	for i := range list {
		if _, since := lookup(list[i].Name); since > 0 {
			list[i].Dialects = Dialects()[since.age():]
		}
	}
	return list
}

func anyKeywords() []source.Capability {
	return []source.Capability{
		source.Does("type", `{"type": ["string", "integer", "null"]}`, ""),
		source.Does("enum", `{"enum": ["a", 1, {"b": [true]}]}`,
			"by value: strings as the option escapes says, numbers as number_forms says or in any spelling where one "+
				"is written 1.0 or 1e0; keys of objects in the order given, or in any with any_order"),
		source.Does("const", `{"const": {"a": [1, "b"]}}`, "as enum with one value"),
	}
}

func logicKeywords() []source.Capability {
	return []source.Capability{
		source.Does("allOf", `{"allOf": [{"type": "integer"}, {"minimum": 3}]}`,
			"by merging; the first to name a property says where it stands"),
		source.Does("anyOf", `{"anyOf": [{"type": "integer"}, {"type": "string"}]}`, ""),
		source.Does("oneOf", `{"type": "string", "oneOf": [{"minLength": 2}, {"maxLength": 3}]}`, "exactly one"),
		source.Does("not", `{"type": "string", "not": {"pattern": "^a"}}`, ""),
		source.Does("if", `{"if": {"type": "string"}, "then": {"minLength": 1}, "else": {"type": "null"}}`, ""),
		source.Does("then", `{"if": {"type": "string"}, "then": {"minLength": 1}}`, "beside if alone"),
		source.Does("else", `{"if": {"type": "string"}, "else": {"type": "null"}}`, "beside if alone"),
	}
}

func objectKeywords() []source.Capability {
	closed := func(more string) string {
		return `{"type": "object", "properties": {"a": {}, "b": {}}, "additionalProperties": false, ` + more + `}`
	}
	return []source.Capability{
		source.Does("properties", closed(`"minProperties": 0`),
			"in declared order, then names that are only required, then all others; keys are compared after decoding"),
		source.Does("required", closed(`"required": ["a"]`), ""),
		source.Does("additionalProperties", `{"type": "object", "additionalProperties": {"type": "integer"}}`,
			"keys that are not declared may come twice, as JSON allows"),
		source.Does("patternProperties", `{"type": "object", "patternProperties": {"^a": {"type": "integer"}}, `+
			`"additionalProperties": false}`, "keys that are not declared may come twice, as JSON allows"),
		source.Does("propertyNames", closed(`"propertyNames": {"maxLength": 3}`), ""),
		source.Does("minProperties", closed(`"minProperties": 1`), ""),
		source.Does("maxProperties", closed(`"maxProperties": 1`), ""),
		source.Does("dependencies", closed(`"dependencies": {"a": ["b"]}`), "lists of names and schemas"),
		source.Does("dependentRequired", closed(`"dependentRequired": {"a": ["b"]}`), ""),
		source.Does("dependentSchemas", closed(`"dependentSchemas": {"a": {"required": ["b"]}}`), ""),
		source.Does("unevaluatedProperties", `{"type": "object", "allOf": [{"properties": {"a": {}}}], `+
			`"unevaluatedProperties": false}`, "sees through allOf, anyOf, oneOf, if, dependentSchemas and references"),
	}
}

func arrayKeywords() []source.Capability {
	return []source.Capability{
		source.Does("items", `{"type": "array", "items": {"type": "integer"}}`,
			"a list of schemas means a tuple, as prefixItems does"),
		source.Does("prefixItems", `{"type": "array", "prefixItems": [{"type": "integer"}]}`, ""),
		source.Does("additionalItems", `{"$schema": "http://json-schema.org/draft-07/schema", "type": "array", `+
			`"items": [{"type": "integer"}], "additionalItems": false}`, "beside a list of items"),
		source.Does("minItems", `{"type": "array", "minItems": 2}`, "counts of any size"),
		source.Does("maxItems", `{"type": "array", "maxItems": 1000000}`, "counts of any size"),
		source.Does("uniqueItems", `{"type": "array", "items": {"type": "string"}, "uniqueItems": true}`,
			"by value; a note where items are neither known one by one nor strings of any length: one that was begun "+
				"may turn out to be there already"),
		source.Does("contains", `{"type": "array", "contains": {"type": "string"}}`, ""),
		source.Does("minContains", `{"type": "array", "contains": {"type": "string"}, "minContains": 2}`,
			"beside contains"),
		source.Does("maxContains", `{"type": "array", "contains": {"type": "string"}, "maxContains": 2}`,
			"beside contains"),
		source.Does("unevaluatedItems", `{"type": "array", "prefixItems": [{}], "unevaluatedItems": false}`,
			"sees through what is beside it, as unevaluatedProperties"),
	}
}

func scalarKeywords() []source.Capability {
	return []source.Capability{
		source.Does("minLength", `{"type": "string", "minLength": 2}`, "code points of the decoded string"),
		source.Does("maxLength", `{"type": "string", "maxLength": 100000}`, "code points of the decoded string"),
		source.Does("pattern", `{"type": "string", "pattern": "^[a-z]+$"}`,
			"as a search, together with lengths and other patterns").But("what is no regular language",
			`{"type": "string", "pattern": "(a)\\1"}`),
		source.Does("format", `{"type": "string", "format": "date"}`,
			"as an assertion, in every dialect, also where the dialect has no such format yet (uuid and duration "+
				"before 2019-09); see the formats. The option format makes it an annotation"),
		source.Does("minimum", `{"type": "integer", "minimum": -3}`,
			"exact decimal arithmetic at any size. Numbers that a double cannot hold, such as 1e-2059 and 1e9999, "+
				"are judged by their value too"),
		source.Does("maximum", `{"type": "integer", "maximum": 3}`, "exact decimal arithmetic at any size"),
		source.Does("exclusiveMinimum", `{"type": "integer", "exclusiveMinimum": -3}`,
			"a number, or true beside minimum"),
		source.Does("exclusiveMaximum", `{"type": "integer", "exclusiveMaximum": 3}`,
			"a number, or true beside maximum"),
		source.Does("multipleOf", `{"type": "integer", "multipleOf": 7}`,
			"decimals too; beside bounds, numbers that are not integers are written without an exponent (a note)").
			But("divisors of more than 18 digits", `{"type": "integer", "multipleOf": 1234567890123456789012345}`),
	}
}

func referenceKeywords() []source.Capability {
	return []source.Capability{
		source.Does("$ref", `{"$ref": "#/$defs/a", "$defs": {"a": {"type": "integer"}}}`,
			"within the document and the option documents; recursion is fine").But("a document that was not passed "+
			"along: nothing is ever fetched", `{"$ref": "http://example.com/schema.json"}`),
		source.Does("$dynamicRef", `{"$dynamicRef": "#a", "$defs": {"a": {"$dynamicAnchor": "a", "type": "integer"}}}`,
			""),
		source.Does("$recursiveRef", `{"$schema": "https://json-schema.org/draft/2019-09/schema", "type": "array", `+
			`"items": {"$recursiveRef": "#"}}`, ""),
	}
}

// Formats lists the formats of the specification and what becomes of them. A format that is not in the list is ignored
// with a note.
func Formats() []source.Capability {
	var list []source.Capability
	for _, name := range format.Names() {
		c := source.Does(name, `{"type": "string", "format": "`+name+`"}`, "")
		switch name {
		case "date", "date-time":
			c.Sentence = "as RFC 3339 says: with an offset in date-time; the year may be 0000"
		case "duration":
			c.Sentence = "as RFC 3339 says: without a sign and without fractions"
		}
		if note := format.Note(name); note != "" {
			c.Support, c.Sentence = source.Narrower, note
		}
		if name == "regex" {
			c.Support, c.Sentence = source.Wider, format.RegexNote
		}
		list = append(list, c)
	}
	return list
}
