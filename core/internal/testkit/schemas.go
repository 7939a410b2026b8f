package testkit

import (
	"fmt"
	"math/rand"
	"strconv"
	"strings"
)

// Schema returns the text of a random JSON Schema over few names, strings and numbers, so that its keywords interact:
// the same property declared twice, overlapping patterns, bounds that exclude each other, recursive references.
func Schema(r *rand.Rand) string {
	g := schemaGen{r: r}
	root := g.schema(3)
	if !g.refs {
		return root
	}
	// The definitions may refer to one another, and to themselves.
	defs := fmt.Sprintf(`"$defs": {"p": %s, "q": %s}`, g.schema(2), g.schema(2))
	return strings.Replace(root, "{", "{"+defs+comma(root), 1)
}

func comma(object string) string {
	if object == "{}" {
		return ""
	}
	return ", "
}

// SchemaKeys are the property names of random schemas, in the order of their declarations.
var SchemaKeys = []string{"a", "ab", "b", `q"`, "x1", "é"}

// SchemaStrings are strings that random schemas distinguish.
var SchemaStrings = []string{"", "a", "b", "ab", "abc", "ba", "a1", "1", `q"`, "é", "éa", "aaaa", "😀"}

var schemaPatterns = []string{"^a", "b$", "a", "^[ab]*$", "[0-9]", "^.$", "^..?$", "^(a|b)b?$", "é", "^[^a]+$"}

type schemaGen struct {
	r    *rand.Rand
	refs bool
}

func (g *schemaGen) chance(n int) bool { return g.r.Intn(n) == 0 }

func (g *schemaGen) schema(depth int) string {
	if depth == 0 {
		return g.leaf()
	}
	switch g.r.Intn(16) {
	case 0:
		return g.combined("anyOf", depth)
	case 1:
		return g.combined("allOf", depth)
	case 2:
		return g.combined("oneOf", depth)
	case 3:
		g.refs = true
		return `{"$ref": "#/$defs/` + []string{"p", "q"}[g.r.Intn(2)] + `"}`
	case 4, 5, 6, 7, 8:
		return g.object(depth)
	case 9, 10:
		return g.array(depth)
	case 11:
		return fmt.Sprintf(`{"type": %s, "not": %s}`, g.types(), g.leaf())
	}
	return g.leaf()
}

// combined is a union or an intersection, sometimes with keywords beside it.
func (g *schemaGen) combined(keyword string, depth int) string {
	var parts []string
	for range 1 + g.r.Intn(3) {
		parts = append(parts, g.schema(depth-1))
	}
	members := []string{fmt.Sprintf("%q: [%s]", keyword, strings.Join(parts, ", "))}
	if g.chance(3) {
		members = append(members, `"type": `+g.types())
	}
	if g.chance(4) {
		members = append(members, g.number()...)
	}
	return "{" + strings.Join(members, ", ") + "}"
}

func (g *schemaGen) types() string {
	names := []string{`"string"`, `"integer"`, `"number"`, `"boolean"`, `"null"`, `"array"`, `"object"`}
	one := names[g.r.Intn(len(names))]
	if two := names[g.r.Intn(len(names))]; g.chance(2) && two != one {
		return "[" + one + ", " + two + "]"
	}
	return one
}

func (g *schemaGen) leaf() string {
	switch g.r.Intn(9) {
	case 0:
		return []string{"true", "{}", "false"}[g.r.Intn(3)]
	case 1, 2:
		return `{"type": "string"` + g.tail(g.text()) + "}"
	case 3, 4:
		return `{"type": "` + []string{"integer", "number"}[g.r.Intn(2)] + `"` + g.tail(g.number()) + "}"
	case 5:
		return `{"enum": [` + g.values(1+g.r.Intn(4)) + `]}`
	case 6:
		return `{"const": ` + g.values(1) + `}`
	case 7:
		return "{" + strings.Join(append(g.text(), g.number()...), ", ") + "}"
	}
	return `{"type": ` + g.types() + "}"
}

func (g *schemaGen) tail(members []string) string {
	if len(members) == 0 {
		return ""
	}
	return ", " + strings.Join(members, ", ")
}

func (g *schemaGen) text() (members []string) {
	if g.chance(3) {
		members = append(members, fmt.Sprintf(`"minLength": %d`, g.r.Intn(3)))
	}
	if g.chance(3) {
		members = append(members, fmt.Sprintf(`"maxLength": %d`, g.r.Intn(4)))
	}
	if g.chance(3) {
		members = append(members, `"pattern": `+quote(schemaPatterns[g.r.Intn(len(schemaPatterns))]))
	}
	return members
}

func (g *schemaGen) number() (members []string) {
	bound := func() string { return []string{"-2", "0", "1", "2.5", "3", "7", "10", "0.25"}[g.r.Intn(8)] }
	for _, k := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"} {
		if g.chance(5) {
			members = append(members, fmt.Sprintf("%q: %s", k, bound()))
		}
	}
	if g.chance(5) {
		members = append(members, `"multipleOf": `+[]string{"2", "3", "0.5", "0.25", "5"}[g.r.Intn(5)])
	}
	return members
}

func (g *schemaGen) array(depth int) string {
	members := []string{`"type": "array"`}
	if g.chance(3) {
		var parts []string
		for range 1 + g.r.Intn(2) {
			parts = append(parts, g.schema(depth-1))
		}
		members = append(members, `"prefixItems": [`+strings.Join(parts, ", ")+"]")
	}
	if g.r.Intn(3) > 0 {
		members = append(members, `"items": `+g.schema(depth-1))
	}
	if g.chance(3) {
		members = append(members, fmt.Sprintf(`"minItems": %d`, g.r.Intn(3)))
	}
	if g.chance(3) {
		members = append(members, fmt.Sprintf(`"maxItems": %d`, g.r.Intn(4)))
	}
	return "{" + strings.Join(members, ", ") + "}"
}

func (g *schemaGen) object(depth int) string {
	var members, props, required []string
	if g.r.Intn(5) > 0 {
		members = append(members, `"type": "object"`)
	}
	for _, k := range SchemaKeys {
		if g.chance(3) {
			props = append(props, quote(k)+": "+g.schema(depth-1))
		}
		if g.chance(7) {
			required = append(required, quote(k))
		}
	}
	if len(props) > 0 {
		members = append(members, `"properties": {`+strings.Join(props, ", ")+"}")
	}
	if len(required) > 0 {
		members = append(members, `"required": [`+strings.Join(required, ", ")+"]")
	}
	if g.chance(4) {
		members = append(members, fmt.Sprintf(`"patternProperties": {%s: %s}`,
			quote(schemaPatterns[g.r.Intn(len(schemaPatterns))]), g.schema(depth-1)))
	}
	switch g.r.Intn(4) {
	case 0:
		members = append(members, `"additionalProperties": false`)
	case 1:
		members = append(members, `"additionalProperties": `+g.schema(depth-1))
	}
	if g.chance(6) {
		members = append(members, `"propertyNames": {`+strings.Join(g.text(), ", ")+"}")
	}
	if g.chance(6) {
		members = append(members, fmt.Sprintf(`"minProperties": %d`, g.r.Intn(3)))
	}
	if g.chance(6) {
		members = append(members, fmt.Sprintf(`"maxProperties": %d`, g.r.Intn(4)))
	}
	return "{" + strings.Join(members, ", ") + "}"
}

func (g *schemaGen) values(n int) string {
	var out []string
	for range n {
		out = append(out, Value(g.r, 1))
	}
	return strings.Join(out, ", ")
}

// Value returns the text of a random JSON value over the names and strings of random schemas.
func Value(r *rand.Rand, depth int) string {
	n := 9
	if depth == 0 {
		n = 7
	}
	switch r.Intn(n) {
	case 0, 1:
		return quote(SchemaStrings[r.Intn(len(SchemaStrings))])
	case 2, 3:
		return strconv.Itoa(r.Intn(15) - 3)
	case 4:
		return []string{"0.5", "2.5", "-1.25", "0.25", "10.75"}[r.Intn(5)]
	case 5:
		return []string{"true", "false"}[r.Intn(2)]
	case 6:
		return "null"
	case 7:
		var items []string
		for range r.Intn(4) {
			items = append(items, Value(r, depth-1))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	var members []string
	for _, k := range SchemaKeys {
		if r.Intn(3) == 0 {
			members = append(members, quote(k)+": "+Value(r, depth-1))
		}
	}
	return "{" + strings.Join(members, ", ") + "}"
}

func quote(s string) string {
	return `"` + strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\\`), `"`, `\"`) + `"`
}
