package testkit

import (
	"bytes"
	"encoding/json"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Validator decides whether values satisfy a schema by following the specification keyword by keyword, for the keywords
// of random schemas. It knows nothing of grammars. One goroutine at a time.
type Validator struct {
	root  any
	depth int
}

// NewValidator reads a schema.
func NewValidator(schema string) *Validator { return &Validator{root: Decode([]byte(schema))} }

// Decode reads JSON and keeps the spelling of its numbers; nil if it is not JSON.
func Decode(text []byte) any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil
	}
	return v
}

// RepeatsKey reports whether some object of the JSON text has a key twice, compared after decoding. Undeclared keys may
// come twice by default, and counts of properties see them as two.
func RepeatsKey(text []byte) bool {
	d := json.NewDecoder(bytes.NewReader(text))
	var objects []map[string]bool // nil for an array
	key := false
	for {
		t, err := d.Token()
		if err != nil {
			return false
		}
		inObject := len(objects) > 0 && objects[len(objects)-1] != nil
		switch x := t.(type) {
		case json.Delim:
			switch x {
			case '{':
				objects, key = append(objects, map[string]bool{}), true
			case '[':
				objects = append(objects, nil)
			default:
				objects = objects[:len(objects)-1]
				key = len(objects) > 0 && objects[len(objects)-1] != nil
			}
			continue
		case string:
			if inObject && key {
				if objects[len(objects)-1][x] {
					return true
				}
				objects[len(objects)-1][x] = true
				key = false
				continue
			}
		}
		key = inObject
	}
}

// Valid reports whether the value satisfies the schema.
func (v *Validator) Valid(value any) bool { return v.valid(v.root, value) }

// maxReferences bounds references that lead to themselves without a value in between: such a schema is undecidable, and
// no value is valid then.
const maxReferences = 200

func (v *Validator) valid(schema, value any) bool {
	if b, ok := schema.(bool); ok {
		return b
	}
	if v.depth++; v.depth > maxReferences {
		v.depth--
		return false
	}
	defer func() { v.depth-- }()
	s := schema.(map[string]any)
	return v.validAny(s, value) && v.validString(s, value) && v.validNumber(s, value) && v.validArray(s, value) &&
		v.validObject(s, value)
}

func (v *Validator) validAny(s map[string]any, value any) bool {
	if t, ok := s["type"]; ok && !hasType(t, value) {
		return false
	}
	if c, ok := s["const"]; ok && !equal(c, value) {
		return false
	}
	if e, ok := s["enum"].([]any); ok && count(e, func(x any) bool { return equal(x, value) }) == 0 {
		return false
	}
	if r, ok := s["$ref"].(string); ok && !v.valid(v.resolve(r), value) {
		return false
	}
	satisfied := func(x any) bool { return v.valid(x, value) }
	if a, ok := s["allOf"].([]any); ok && count(a, satisfied) != len(a) {
		return false
	}
	if a, ok := s["anyOf"].([]any); ok && count(a, satisfied) == 0 {
		return false
	}
	if a, ok := s["oneOf"].([]any); ok && count(a, satisfied) != 1 {
		return false
	}
	if n, ok := s["not"]; ok && satisfied(n) {
		return false
	}
	return true
}

func count(list []any, f func(any) bool) (n int) {
	for _, x := range list {
		if f(x) {
			n++
		}
	}
	return n
}

func (v *Validator) resolve(ref string) any {
	at := v.root
	for _, k := range strings.Split(strings.TrimPrefix(ref, "#"), "/")[1:] {
		at = at.(map[string]any)[k]
	}
	return at
}

func hasType(t, value any) bool {
	if list, ok := t.([]any); ok {
		return count(list, func(x any) bool { return hasType(x, value) }) > 0
	}
	switch x := value.(type) {
	case nil:
		return t == "null"
	case bool:
		return t == "boolean"
	case string:
		return t == "string"
	case json.Number:
		return t == "number" || t == "integer" && rat(x).IsInt()
	case []any:
		return t == "array"
	}
	return t == "object"
}

func rat(n json.Number) *big.Rat {
	r, ok := new(big.Rat).SetString(string(n))
	if !ok {
		panic("testkit: not a number: " + string(n))
	}
	return r
}

func equal(a, b any) bool {
	switch x := a.(type) {
	case json.Number:
		y, ok := b.(json.Number)
		return ok && rat(x).Cmp(rat(y)) == 0
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !equal(x[i], y[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k := range x {
			if z, ok := y[k]; !ok || !equal(x[k], z) {
				return false
			}
		}
		return true
	}
	return a == b
}

func limit(s map[string]any, keyword string) (int, bool) {
	n, ok := s[keyword].(json.Number)
	if !ok {
		return 0, false
	}
	i, err := strconv.Atoi(string(n))
	return i, err == nil
}

func within(s map[string]any, least, most string, n int) bool {
	if lo, ok := limit(s, least); ok && n < lo {
		return false
	}
	hi, ok := limit(s, most)
	return !ok || n <= hi
}

func (v *Validator) validString(s map[string]any, value any) bool {
	x, ok := value.(string)
	if !ok {
		return true
	}
	if p, ok := s["pattern"].(string); ok && !regexp.MustCompile(p).MatchString(x) {
		return false
	}
	return within(s, "minLength", "maxLength", utf8.RuneCountInString(x))
}

func (v *Validator) validNumber(s map[string]any, value any) bool {
	n, ok := value.(json.Number)
	if !ok {
		return true
	}
	x := rat(n)
	holds := func(keyword string, f func(c int) bool) bool {
		b, ok := s[keyword].(json.Number)
		return !ok || f(x.Cmp(rat(b)))
	}
	if m, ok := s["multipleOf"].(json.Number); ok && !new(big.Rat).Quo(x, rat(m)).IsInt() {
		return false
	}
	return holds("minimum", func(c int) bool { return c >= 0 }) &&
		holds("maximum", func(c int) bool { return c <= 0 }) &&
		holds("exclusiveMinimum", func(c int) bool { return c > 0 }) &&
		holds("exclusiveMaximum", func(c int) bool { return c < 0 })
}

func (v *Validator) validArray(s map[string]any, value any) bool {
	list, ok := value.([]any)
	if !ok {
		return true
	}
	prefix, _ := s["prefixItems"].([]any)
	for i, x := range list {
		if i < len(prefix) {
			if !v.inside(prefix[i], x) {
				return false
			}
		} else if items, ok := s["items"]; ok && !v.inside(items, x) {
			return false
		}
	}
	return within(s, "minItems", "maxItems", len(list))
}

// inside validates a part of the value: references may begin anew.
func (v *Validator) inside(schema, value any) bool {
	w := Validator{root: v.root}
	return w.valid(schema, value)
}

func (v *Validator) validObject(s map[string]any, value any) bool {
	object, ok := value.(map[string]any)
	if !ok {
		return true
	}
	if r, ok := s["required"].([]any); ok && count(r,
		func(k any) bool { _, there := object[k.(string)]; return there }) != len(r) {
		return false
	}
	props, _ := s["properties"].(map[string]any)
	patterns, _ := s["patternProperties"].(map[string]any)
	for k, x := range object {
		if names, ok := s["propertyNames"]; ok && !v.inside(names, k) {
			return false
		}
		known := false
		if p, ok := props[k]; ok {
			known = true
			if !v.inside(p, x) {
				return false
			}
		}
		for pattern, p := range patterns {
			if regexp.MustCompile(pattern).MatchString(k) {
				known = true
				if !v.inside(p, x) {
					return false
				}
			}
		}
		if p, ok := s["additionalProperties"]; ok && !known && !v.inside(p, x) {
			return false
		}
	}
	return within(s, "minProperties", "maxProperties", len(object))
}
