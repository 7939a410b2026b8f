package request

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// Gemini's requests have a schema and a MIME type, in either spelling. Schemas are in the dialect of OpenAPI 3.0, with
// types in capitals and an order of properties. They become JSON Schemas with every part at its old pointer, so that
// errors point into the request.

// geminiNames are the fields, schemas first.
var geminiNames = []string{
	"responseSchema", "response_schema", "responseJsonSchema", "response_json_schema",
	"responseMimeType", "response_mime_type",
}

// gemini appends the constraints of Gemini's fields in an object.
func (r *reader) gemini(all []found, object jsontext.ID) []found {
	before := len(all)
	for _, name := range geminiNames[:4] {
		all = r.add(all, object, field{name, (*reader).openAPI, never})
	}
	for _, name := range geminiNames[4:] {
		id := r.get(object, name)
		if id == 0 {
			continue
		}
		schema := len(all) > before
		switch mime := r.text(object, name); {
		case mime == "text/plain" && schema:
			r.wrong(id, `the MIME type "text/plain" takes no %s; remove it, or write "application/json"`,
				all[before].name)
		case mime == "text/plain":
		case mime == "application/json" && !schema:
			all = append(all, found{field{name, (*reader).anyValue, never}, id})
		case mime == "application/json":
		case mime == "text/x.enum" && schema:
			all[before].read = (*reader).enumeration
		case mime == "text/x.enum":
			r.wrong(id, `the MIME type "text/x.enum" needs a schema that lists the texts in enum; add "responseSchema"`)
		default:
			r.wrong(id, "the MIME type of an output must be text/plain, application/json or text/x.enum")
		}
	}
	return all
}

func (r *reader) anyValue(id jsontext.ID) *Constraint {
	return &Constraint{Kind: source.AnyJSON, pointer: r.tree.Pointer(id)}
}

// enumeration reads a schema that lists texts; the output is one of them, without quotes.
func (r *reader) enumeration(id jsontext.ID) *Constraint {
	if k := r.tree.Kind(id); k != jsontext.Object {
		return r.none(id, "a schema must be an object, not %s", k)
	}
	list := r.get(id, "enum")
	if list == 0 {
		return r.none(id, "the field %q is missing here; add it", "enum")
	}
	return r.choice(list)
}

// openAPI reads a schema of Gemini's.
func (r *reader) openAPI(id jsontext.ID) *Constraint {
	if k := r.tree.Kind(id); k != jsontext.Object {
		return r.none(id, "a schema must be an object, not %s", k)
	}
	r.wrapped(id)
	w := &openAPIWriter{reader: r}
	w.schema(id)
	return &Constraint{Kind: source.JSONSchema, Spec: w.Bytes(), pointer: r.tree.Pointer(id)}
}

// openAPIWriter writes a schema of Gemini's as a JSON Schema. One goroutine.
type openAPIWriter struct {
	*reader
	bytes.Buffer
}

func (w *openAPIWriter) schema(id jsontext.ID) {
	if w.tree.Kind(id) != jsontext.Object {
		w.WriteString(w.tree.Raw(id))
		return
	}
	null, order := w.flag(id, "nullable", false), w.ordering(id)
	w.WriteByte('{')
	for c := range w.tree.Children(id) {
		switch key := w.tree.Node(c).Key; key {
		case "nullable", "propertyOrdering", "property_ordering":
		case "$ref", "const", "not", "if", "allOf":
			if null {
				w.wrong(w.get(id, "nullable"), `nullable is not supported beside %s; write an anyOf with {"type": "null"}`,
					key)
			}
			w.member(c, w.keyword)
		case "type", "enum", "anyOf", "oneOf":
			w.member(c, func(c jsontext.ID) { w.union(c, null) })
		case "properties", "required":
			w.member(c, func(c jsontext.ID) { w.ordered(c, order) })
		default:
			w.member(c, w.keyword)
		}
	}
	w.WriteByte('}')
}

// next begins another element of a list or an object.
func (w *openAPIWriter) next() {
	if last := w.Bytes()[w.Len()-1]; last != '{' && last != '[' {
		w.WriteByte(',')
	}
}

func (w *openAPIWriter) member(c jsontext.ID, value func(jsontext.ID)) {
	w.next()
	key, _ := json.Marshal(w.tree.Node(c).Key) // a string never fails
	w.Write(key)
	w.WriteByte(':')
	value(c)
}

// keyword writes the value of a keyword with the same meaning in both languages.
func (w *openAPIWriter) keyword(c jsontext.ID) {
	n := w.tree.Node(c)
	switch n.Key {
	case "items", "additionalProperties", "contains", "propertyNames", "not", "if", "then", "else":
		w.schema(c)
		return
	case "patternProperties", "$defs", "definitions", "dependentSchemas":
		w.ordered(c, nil)
		return
	case "allOf", "prefixItems":
		w.union(c, false)
		return
	case "minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties":
		if text := strings.TrimLeft(n.Text, "0123456789"); n.Kind == jsontext.String && text == "" && n.Text != "" {
			w.WriteString(n.Text) // protocol buffers write large integers as strings
			return
		}
	}
	w.WriteString(w.tree.Raw(c))
}

// union writes the names of types, listed values or alternatives, and null if it is allowed.
func (w *openAPIWriter) union(c jsontext.ID, null bool) {
	n := w.tree.Node(c)
	write, nothing := w.schema, `{"type":"null"}`
	switch n.Key {
	case "type":
		nothing = `"null"`
		write = func(c jsontext.ID) { w.WriteString(strings.ToLower(w.tree.Raw(c))) }
	case "enum":
		nothing = "null"
		write = func(c jsontext.ID) { w.WriteString(w.tree.Raw(c)) }
	}
	if n.Kind != jsontext.Array && (n.Key != "type" || !null) {
		write(c)
		return
	}
	w.WriteByte('[')
	if n.Kind != jsontext.Array {
		write(c)
	}
	for e := range w.tree.Children(c) {
		w.next()
		write(e)
	}
	if null {
		w.next()
		w.WriteString(nothing)
	}
	w.WriteByte(']')
}

// ordering reads the order of the properties of a schema.
func (w *openAPIWriter) ordering(id jsontext.ID) (order []string) {
	list := cmp.Or(w.get(id, "propertyOrdering"), w.get(id, "property_ordering"))
	if list == 0 {
		return nil
	}
	if n := w.tree.Node(list); n.Kind != jsontext.Array {
		w.wrong(list, "%s must be a list of names of properties, not %s", n.Key, n.Kind)
	}
	for c := range w.tree.Children(list) {
		name := w.tree.Node(c).Text
		if w.tree.Kind(c) != jsontext.String || w.tree.Get(w.get(id, "properties"), name) == 0 {
			w.wrong(c, "the schema has no property of this name; correct it, or remove it")
		}
		order = append(order, name)
	}
	return order
}

// ordered writes an object of schemas or a list of names in an order; members without a place in it follow in their own
// order.
func (w *openAPIWriter) ordered(c jsontext.ID, order []string) {
	kind := w.tree.Kind(c)
	if kind != jsontext.Object && kind != jsontext.Array {
		w.WriteString(w.tree.Raw(c))
		return
	}
	rank := make(map[string]int, len(order))
	for i, name := range order {
		rank[name] = i - len(order)
	}
	all := slices.Collect(w.tree.Children(c))
	nameOf := func(c jsontext.ID) string {
		if kind == jsontext.Object {
			return w.tree.Node(c).Key
		}
		return w.tree.Node(c).Text
	}
	slices.SortStableFunc(all, func(a, b jsontext.ID) int { return rank[nameOf(a)] - rank[nameOf(b)] })
	if kind == jsontext.Array {
		w.WriteByte('[')
		for _, e := range all {
			w.next()
			w.WriteString(w.tree.Raw(e))
		}
		w.WriteByte(']')
		return
	}
	w.WriteByte('{')
	for _, e := range all {
		w.member(e, w.schema)
	}
	w.WriteByte('}')
}
