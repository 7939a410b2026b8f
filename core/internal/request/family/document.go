package family

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// A format is a JSON object of a structural tag before it is written.
type format []field

type field struct {
	name  string
	value any // string, bool, []string, []format, format, raw
}

// raw is JSON from the request, and its place.
type raw struct {
	text, pointer string
	opaque        bool // places inside it mean nothing there
}

// Format is a format from the request: one of a type with one field, or a whole one without a type. Immutable.
type Format struct {
	Type, Field string
	Syntax      string // of a grammar that is not EBNF
	Value       string // JSON
	Pointer     string // its place in the request
	Opaque      bool   // it was not written so, and places inside it mean nothing
	Closed      bool   // of a schema: undeclared members are forbidden
}

func (f *Format) foreign() format {
	value := raw{f.Value, f.Pointer, f.Opaque}
	switch {
	case f.Type == "":
		return format{{"", value}}
	case f.Field == "":
		return format{{"type", f.Type}}
	}
	out := format{{"type", f.Type}, {f.Field, value}}
	if f.Syntax != "" {
		out = append(out, field{"syntax", f.Syntax})
	}
	if f.Closed {
		out = append(out, field{"closed", true})
	}
	return out
}

// Document is a structural tag, with the places of its parts in the request.
type Document struct {
	Text   []byte
	Origin []Origin
}

// Origin maps a pointer of a document to the place that its value comes from.
type Origin struct {
	Here, There string
	Opaque      bool // places below it mean nothing there
}

// Place returns the place in the request of the value at a pointer of the document, or `otherwise` if the family alone
// decides it.
func (d *Document) Place(pointer, otherwise string) string {
	for _, o := range d.Origin {
		if rest, ok := strings.CutPrefix(pointer, o.Here); ok && (rest == "" || rest[0] == '/') {
			if o.Opaque {
				rest = ""
			}
			return o.There + rest
		}
	}
	return otherwise
}

type writer struct {
	bytes.Buffer
	d    *Document
	path []string
}

// write returns f as a structural tag.
func write(f format) *Document {
	d := &Document{}
	w := &writer{d: d}
	w.format(format{{"type", "structural_tag"}, {"format", f}})
	d.Text = w.Bytes()
	return d
}

func (w *writer) format(f format) {
	if w.Len() > limits.SpecBytes {
		return // too long already
	}
	if len(f) == 1 && f[0].name == "" {
		w.value(f[0].value)
		return
	}
	w.WriteByte('{')
	for i, x := range f {
		if i > 0 {
			w.WriteByte(',')
		}
		w.text(x.name)
		w.WriteByte(':')
		w.at(x.name, func() { w.value(x.value) })
	}
	w.WriteByte('}')
}

// at writes something one step further down.
func (w *writer) at(step string, write func()) {
	w.path = append(w.path, jsontext.EscapePointer(step))
	write()
	w.path = w.path[:len(w.path)-1]
}

func (w *writer) value(value any) {
	switch v := value.(type) {
	case string:
		w.text(v)
	case bool:
		w.WriteString(strconv.FormatBool(v))
	case []string:
		w.list(len(v), func(i int) { w.text(v[i]) })
	case []format:
		w.list(len(v), func(i int) { w.format(v[i]) })
	case format:
		w.format(v)
	case raw:
		if v.pointer != "" {
			w.d.Origin = append(w.d.Origin, Origin{"/" + strings.Join(w.path, "/"), v.pointer, v.opaque})
		}
		w.WriteString(v.text)
	}
}

func (w *writer) list(n int, element func(i int)) {
	w.WriteByte('[')
	for i := range n {
		if i > 0 {
			w.WriteByte(',')
		}
		w.at(strconv.Itoa(i), func() { element(i) })
	}
	w.WriteByte(']')
}

func (w *writer) text(s string) {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		c := s[i]
		plain = c >= ' ' && c < 0x7F && c != '"' && c != '\\'
	}
	if plain {
		w.WriteByte('"')
		w.WriteString(s)
		w.WriteByte('"')
		return
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // a string can always be written
	}
	w.Truncate(w.Len() - 1) // the line end
}

// The formats that families are made of.

func constant(text string) format { return format{{"type", "const_string"}, {"value", text}} }

func token(text string) format { return format{{"type", "token"}, {"token", text}} }

func pattern(text string) format { return format{{"type", "regex"}, {"pattern", text}} }

func anyText(excludes []string) format {
	f := format{{"type", "any_text"}}
	if len(excludes) > 0 {
		f = append(f, field{"excludes", excludes})
	}
	return f
}

func optional(f format) format { return format{{"type", "optional"}, {"content", f}} }

func star(f format) format { return format{{"type", "star"}, {"content", f}} }

// sequence returns formats one after the other.
func sequence(parts ...format) format {
	if len(parts) == 1 {
		return parts[0]
	}
	if len(parts) == 0 {
		return constant("")
	}
	return format{{"type", "sequence"}, {"elements", parts}}
}

// or returns one of the formats.
func or(parts ...format) format {
	if len(parts) == 1 {
		return parts[0]
	}
	return format{{"type", "or"}, {"elements", parts}}
}

// tag returns content between two marks; each is a string or a token, the end may be a list of strings.
func tag(begin, end any, content format) format {
	return format{{"type", "tag"}, {"begin", begin}, {"content", content}, {"end", end}}
}

// separated returns at least one of the tags; one alone, or as many as there are.
func separated(tags []format, separator string, one bool) format {
	return format{
		{"type", "tags_with_separator"},
		{"tags", tags},
		{"separator", separator},
		{"at_least_one", true},
		{"stop_after_first", one},
	}
}

// triggered returns free text in which triggers open the tags.
func triggered(triggers []string, tags []format, atLeastOne, one bool, excludes []string) format {
	f := format{
		{"type", "triggered_tags"},
		{"triggers", triggers},
		{"tags", tags},
		{"at_least_one", atLeastOne},
		{"stop_after_first", one},
	}
	if len(excludes) > 0 {
		f = append(f, field{"excludes", excludes})
	}
	return f
}
