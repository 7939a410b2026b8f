package testkit

import (
	"encoding/json"
	"fmt"
	"strings"
)

// schema returns a JSON Schema from keywords that are expensive together; a third of the time a plain one of Schema.
func (g *constraintGen) schema(depth int) string {
	if depth == 0 {
		return g.schemaLeaf()
	}
	list := func(most int) string {
		var parts []string
		for range 1 + g.r.Intn(most) {
			parts = append(parts, g.schema(depth-1))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	switch g.r.Intn(16) {
	case 0, 1, 2, 3:
		text := Schema(g.r)
		if strings.Contains(text, `"$ref"`) {
			return g.document() + text[1:]
		}
		return text
	case 4:
		return fmt.Sprintf(`{%q: %s}`, g.pick("anyOf", "oneOf", "allOf"), list(3))
	case 5:
		return fmt.Sprintf(`{"if": %s, "then": %s, "else": %s}`, g.schema(depth-1), g.schema(depth-1),
			g.schema(depth-1))
	case 6:
		return fmt.Sprintf(`{"type": "array", "uniqueItems": true, "minItems": %d, "maxItems": %d, "items": `+
			`%s}`, g.r.Intn(3), 2+g.count(), g.schema(depth-1))
	case 7:
		return fmt.Sprintf(`{"type": "array", "contains": %s, "minContains": %d, "maxContains": `+
			`%d}`, g.schema(depth-1), g.r.Intn(3), 2+g.count())
	case 8:
		return fmt.Sprintf(`{"type": "object", "patternProperties": {%s: %s, %s: %s}, "minProperties": %d, `+
			`"additionalProperties": %s}`,
			g.quoted("^a"), g.schema(depth-1),
			g.quoted(g.pick("b$", "^.b", "[ab]{2}")), g.schema(depth-1), g.r.Intn(3), g.pick("false", "true",
				`{"type": "null"}`))
	case 9:
		return fmt.Sprintf(`{"type": "object", "anyOf": [{"properties": {"a": %s}}, {"properties": {"b": %s}, `+
			`"required": `+
			`["b"]}], "unevaluatedProperties": %s}`,
			g.schema(depth-1), g.schema(depth-1), g.pick("false", `{"type": "integer"}`))
	case 10:
		return fmt.Sprintf(`{"type": "array", "prefixItems": [%s], "anyOf": [{"prefixItems": [true, %s]}, `+
			`{"contains": %s}], "unevaluatedItems": %s}`, g.schema(depth-1), g.schema(depth-1), g.schema(depth-1),
			g.pick("false", `{"type": "integer"}`))
	case 11:
		return fmt.Sprintf(`{"type": "object", "properties": {"a": {}, "b": %s}, "dependentSchemas": {"a": %s}, `+
			`"dependentRequired": {"b": ["ab"]}, "propertyNames": %s, "maxProperties": %d}`, g.schema(depth-1),
			g.schema(depth-1), g.patterned(), 1+g.count())
	case 12, 13:
		return g.recursive(depth)
	}
	return g.schemaLeaf()
}

// document begins a schema that references within it can find in every context.
func (g *constraintGen) document() string {
	return fmt.Sprintf(`{"$id": "http://example.com/%d", `, g.r.Intn(1_000_000))
}

// recursive returns a schema whose values contain values of itself, by a reference of each kind.
func (g *constraintGen) recursive(depth int) string {
	a, b := g.schema(depth-1), g.schema(depth-1)
	id := g.document()
	switch g.r.Intn(4) {
	case 0:
		return id + fmt.Sprintf(`"$dynamicAnchor": "n", "type": ["object", "integer"], "properties": {"a": `+
			`{"$dynamicRef": "#n"}, "b": {"type": "array", "items": {"$dynamicRef": "#n"}, "maxItems": %d}}, `+
			`"additionalProperties": %s}`,
			1+g.count(), a)
	case 1:
		return id + fmt.Sprintf(`"$schema": "https://json-schema.org/draft/2019-09/schema", "$recursiveAnchor": true, `+
			`"anyOf": [%s, {"type": "array", "items": {"$recursiveRef": "#"}, "uniqueItems": %t}]}`, a, g.chance(2))
	case 2: // two definitions that refer to each other
		return id + fmt.Sprintf(`"$ref": "#/$defs/x", "$defs": {"x": {"oneOf": [%s, {"type": "array", `+
			`"items": {"$ref": "#/$defs/y"}}]}, "y": {"anyOf": [%s, {"type": "object", `+
			`"additionalProperties": {"$ref": "#/$defs/x"}, "propertyNames": {"maxLength": %d}}]}}}`, a, b, 1+g.count())
	}
	return id + fmt.Sprintf(`"allOf": [{"$ref": "#/$defs/x"}, %s], "$defs": {"x": {"type": ["array", "string", `+
		`"number"], "items": {"not": {"$ref": "#/$defs/x"}}, "maxItems": %d}}}`, a, 1+g.count())
}

// formats are the formats of strings that are longer than a few characters.
var formats = []string{
	"date-time", "email", "hostname", "idn-hostname", "ipv6", "uri", "iri", "uuid", "json-pointer", "uri-template",
	"duration", "time", "idn-email",
}

// divisor is a number of up to 18 digits, with places behind the point now and then.
func (g *constraintGen) divisor() string {
	switch g.r.Intn(4) {
	case 0:
		return fmt.Sprint(1 + g.r.Int63n(999_999_999_999_999_999))
	case 1:
		return fmt.Sprintf("%d.%0*d", g.r.Intn(1000), 1+g.r.Intn(6), 1+g.r.Intn(9))
	case 2:
		return g.pick("86400", "65536", "1000000", "999999937", "0.001", "1440", "1e-7", "123456789012345678")
	}
	return g.pick("2", "7", "0.5", "0.05", "12", "60", "25", "1.5")
}

// bound is a number with as many digits as divisors have.
func (g *constraintGen) bound() string {
	if g.chance(3) {
		return fmt.Sprintf("%d.%d", g.r.Intn(100000), g.r.Intn(1000000))
	}
	n := g.r.Int63n(999_999_999_999_999_999)
	for range g.r.Intn(18) {
		n /= 10
	}
	return fmt.Sprint(n)
}

func (g *constraintGen) schemaLeaf() string {
	switch g.r.Intn(9) {
	case 0, 1: // several patterns on one string
		var parts []string
		for range 1 + g.r.Intn(3) {
			parts = append(parts, g.patterned())
		}
		return fmt.Sprintf(`{"type": "string", "allOf": [%s]%s}`, strings.Join(parts, ", "), g.lengths())
	case 2:
		return fmt.Sprintf(`{"type": "string", "not": %s%s}`, g.patterned(), g.lengths())
	case 3, 4:
		text := fmt.Sprintf(`{"type": %q, "multipleOf": `+
			`%s`, g.pick("integer", "number"), g.divisor())
		if g.chance(2) {
			text += fmt.Sprintf(`, %q: %s%s`, g.pick("minimum", "exclusiveMinimum"), g.pick("", "-"), g.bound())
		}
		if g.chance(2) {
			text += fmt.Sprintf(`, %q: %s`, g.pick("maximum", "exclusiveMaximum"), g.bound())
		}
		if g.chance(3) {
			text += fmt.Sprintf(`, "not": {"multipleOf": %s}`, g.pick(g.divisor(), fmt.Sprint(2+g.r.Intn(4*g.size))))
		}
		return text + "}"
	case 5:
		return fmt.Sprintf(`{"enum": %s}`, g.choice())
	case 6:
		return fmt.Sprintf(`{"type": "string"%s}`, g.lengths())
	case 7:
		format := fmt.Sprintf(`{"type": "string", "format": %q%s}`, g.pick(formats...), g.lengths())
		if g.chance(3) {
			return fmt.Sprintf(`{"allOf": [%s, %s]}`, format, g.pick(`{"not": `+g.patterned()+"}", g.patterned()))
		}
		return format
	}
	return g.patterned()
}

func (g *constraintGen) patterned() string {
	text := g.regex(1 + g.r.Intn(2))
	if g.chance(2) {
		text = "^(?:" + text + ")$"
	}
	return fmt.Sprintf(`{"type": "string", "pattern": %s}`, g.quoted(text))
}

func (g *constraintGen) lengths() string {
	lo := g.count()
	switch g.r.Intn(3) {
	case 0:
		return fmt.Sprintf(`, "maxLength": %d`, lo+2)
	case 1:
		return fmt.Sprintf(`, "minLength": %d, "maxLength": %d`, lo, lo+g.count())
	}
	return ""
}

func (g *constraintGen) quoted(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}
