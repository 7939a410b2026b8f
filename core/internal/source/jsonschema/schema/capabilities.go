package schema

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/format"
)

// Dialects returns the names of the dialects, oldest first, for the option dialect.
func Dialects() []string {
	return []string{"draft-04", "draft-06", "draft-07", "2019-09", "2020-12"}
}

// Capabilities lists the keywords with their support. Other keywords are annotations or unknown, and are ignored as
// the specification says.
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
		source.Does("type", `{"type": ["string", "integer", "null"]}`, "one of the types"),
		source.Does("enum", `{"enum": ["a", 1, {"b": [true]}]}`,
			"by value. The options escapes and number_forms say how strings and numbers are spelled (a listed 1.0 or 1e0 "+
				"in any way). Keys of objects keep the listed order, unless any_order is set"),
		source.Does("const", `{"const": {"a": [1, "b"]}}`, "like enum with one value"),
	}
}

func logicKeywords() []source.Capability {
	return []source.Capability{
		source.Does("allOf", `{"allOf": [{"type": "integer"}, {"minimum": 3}]}`,
			"all of them; a property stands where it is declared first"),
		source.Does("anyOf", `{"anyOf": [{"type": "integer"}, {"type": "string"}]}`, "at least one"),
		source.Does("oneOf", `{"type": "string", "oneOf": [{"minLength": 2}, {"maxLength": 3}]}`, "exactly one"),
		source.Does("not", `{"type": "string", "not": {"pattern": "^a"}}`, "every value but these"),
		source.Does("if", `{"if": {"type": "string"}, "then": {"minLength": 1}, "else": {"type": "null"}}`,
			"selects then or else"),
		source.Does("then", `{"if": {"type": "string"}, "then": {"minLength": 1}}`, "only beside if"),
		source.Does("else", `{"if": {"type": "string"}, "else": {"type": "null"}}`, "only beside if"),
	}
}

func objectKeywords() []source.Capability {
	closed := func(more string) string {
		return `{"type": "object", "properties": {"a": {}, "b": {}}, "additionalProperties": false, ` + more + `}`
	}
	return []source.Capability{
		source.Does("properties", closed(`"minProperties": 0`),
			"in declared order, then names that are only required, then all others; keys are compared after decoding"),
		source.Does("required", closed(`"required": ["a"]`), "these keys occur"),
		source.Does("additionalProperties", `{"type": "object", "additionalProperties": {"type": "integer"}}`,
			"an undeclared key may occur twice, as JSON allows"),
		source.Does("patternProperties", `{"type": "object", "patternProperties": {"^a": {"type": "integer"}}, `+
			`"additionalProperties": false}`, "an undeclared key may occur twice, as JSON allows"),
		source.Does("propertyNames", closed(`"propertyNames": {"maxLength": 3}`), "every key satisfies the schema"),
		source.Does("minProperties", closed(`"minProperties": 1`), "counts of any size"),
		source.Does("maxProperties", closed(`"maxProperties": 1`), "counts of any size"),
		source.Does("dependencies", closed(`"dependencies": {"a": ["b"]}`), "lists of names, and schemas"),
		source.Does("dependentRequired", closed(`"dependentRequired": {"a": ["b"]}`),
			"a key requires other keys"),
		source.Does("dependentSchemas", closed(`"dependentSchemas": {"a": {"required": ["b"]}}`),
			"a key requires that the object satisfies a schema"),
		source.Does("unevaluatedProperties", `{"type": "object", "allOf": [{"properties": {"a": {}}}], `+
			`"unevaluatedProperties": false}`, "sees through allOf, anyOf, oneOf, if, dependentSchemas and references"),
	}
}

func arrayKeywords() []source.Capability {
	return []source.Capability{
		source.Does("items", `{"type": "array", "items": {"type": "integer"}}`,
			"a list of schemas is a tuple, as prefixItems"),
		source.Does("prefixItems", `{"type": "array", "prefixItems": [{"type": "integer"}]}`,
			"a schema for each of the first items"),
		source.Does("additionalItems", `{"$schema": "http://json-schema.org/draft-07/schema", "type": "array", `+
			`"items": [{"type": "integer"}], "additionalItems": false}`, "only beside a list in items"),
		source.Does("minItems", `{"type": "array", "minItems": 2}`, "counts of any size"),
		source.Does("maxItems", `{"type": "array", "maxItems": 1000000}`, "counts of any size"),
		source.Does("uniqueItems", `{"type": "array", "items": {"type": "string"}, "uniqueItems": true}`,
			"by value; a note (dead end) unless the items are a finite set or strings of any length, since an item that "+
				"was begun may turn out to be a copy"),
		source.Does("contains", `{"type": "array", "contains": {"type": "string"}}`,
			"at least one item satisfies the schema"),
		source.Does("minContains", `{"type": "array", "contains": {"type": "string"}, "minContains": 2}`,
			"only beside contains"),
		source.Does("maxContains", `{"type": "array", "contains": {"type": "string"}, "maxContains": 2}`,
			"only beside contains"),
		source.Does("unevaluatedItems", `{"type": "array", "prefixItems": [{}], "unevaluatedItems": false}`,
			"sees through the same keywords as unevaluatedProperties"),
	}
}

func scalarKeywords() []source.Capability {
	return []source.Capability{
		source.Does("minLength", `{"type": "string", "minLength": 2}`, "code points of the decoded string"),
		source.Does("maxLength", `{"type": "string", "maxLength": 100000}`, "code points of the decoded string"),
		source.Does("pattern", `{"type": "string", "pattern": "^[a-z]+$"}`,
			"searches the decoded string; together with lengths and other patterns").But("constructs that are not regular",
			`{"type": "string", "pattern": "(a)\\1"}`),
		source.Does("format", `{"type": "string", "format": "date"}`,
			"an assertion in every dialect, also for formats that the dialect lacks (uuid and duration before 2019-09); "+
				"the option format makes it an annotation"),
		source.Does("minimum", `{"type": "integer", "minimum": -3}`,
			"decimal arithmetic at any size, also for numbers that a double cannot hold (1e-2059, 1e9999)"),
		source.Does("maximum", `{"type": "integer", "maximum": 3}`, "decimal arithmetic at any size"),
		source.Does("exclusiveMinimum", `{"type": "integer", "exclusiveMinimum": -3}`,
			"a number, or true beside minimum"),
		source.Does("exclusiveMaximum", `{"type": "integer", "exclusiveMaximum": 3}`,
			"a number, or true beside maximum"),
		source.Does("multipleOf", `{"type": "integer", "multipleOf": 7}`,
			"decimals too; beside bounds, other numbers than integers are written without an exponent (a note)").
			But("divisors of more than 18 digits", `{"type": "integer", "multipleOf": 1234567890123456789012345}`),
	}
}

func referenceKeywords() []source.Capability {
	return []source.Capability{
		source.Does("$ref", `{"$ref": "#/$defs/a", "$defs": {"a": {"type": "integer"}}}`,
			"within the document and the option documents; recursion too").But("a document that was not "+
			"passed: the library fetches nothing", `{"$ref": "http://example.com/schema.json"}`),
		source.Does("$dynamicRef", `{"$dynamicRef": "#a", "$defs": {"a": {"$dynamicAnchor": "a", "type": "integer"}}}`,
			"the anchor of the outermost schema on the way"),
		source.Does("$recursiveRef", `{"$schema": "https://json-schema.org/draft/2019-09/schema", "type": "array", `+
			`"items": {"$recursiveRef": "#"}}`,
			"the outermost schema with $recursiveAnchor on the way"),
	}
}

// Formats lists the formats of the specification with their support. Other formats are ignored with a note.
func Formats() []source.Capability {
	var list []source.Capability
	for _, name := range format.Names() {
		x := format.Of(name)
		c := source.Does(name, `{"type": "string", "format": "`+name+`"}`, x.Note)
		switch x.Effect {
		case diag.Narrower:
			c.Support = source.Narrower
		case diag.Wider:
			c.Support = source.Wider
		}
		list = append(list, c)
	}
	return list
}
