package structag

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// schemaKey tells contents apart: the schema's text and the options it is read with.
type schemaKey struct {
	text              string
	anyOrder, compact bool
	blanks            int    // longest gap, 0: as the options say
	style             string // of jsonschema.Styles, or empty
	ends              string // of the tag around it, where they matter to a style
	excludes          string // the list of them, as it is written
}

// content is a JSON schema inside a document, checked but not yet lowered. Tools often share one, so equal ones are
// one.
type content struct {
	*jsonschema.Part
	pointer string // of its first occurrence
	styled  bool   // it is not JSON
}

// schema reads and checks a schema.
func (r *reader) schema(v value, key schemaKey, ends, excludes []string) *content {
	if r.err != nil {
		return nil
	}
	key.text = r.tree.Raw(v.id)
	if key.style != "" {
		key.ends = strings.Join(ends, "\x00")
	}
	return r.schemaText(v.path, key, ends, excludes)
}

// legacySchema reads the schema of a structure, which may also be written as a string that holds JSON.
func (r *reader) legacySchema(v value) *content {
	if n := r.tree.Node(v.id); n.Kind == jsontext.String && r.err == nil {
		return r.schemaText(v.path, schemaKey{text: n.Text}, nil, nil)
	}
	return r.schema(v, schemaKey{}, nil, nil)
}

func (r *reader) schemaText(path string, key schemaKey, ends, excludes []string) *content {
	if c, ok := r.schemas[key]; ok {
		return c
	}
	o := *r.o
	o.AnyOrder, o.Compact = o.AnyOrder || key.anyOrder, o.Compact || key.compact
	if key.blanks > 0 {
		o.MaxWhitespace = key.blanks
	}
	w := jsonschema.Writing{Style: key.style, Ends: ends, Excludes: excludes}
	part, err := jsonschema.NewWritten([]byte(key.text), &o, w, func(err error) error { return within(err, path) })
	if err != nil {
		r.fail(err)
		return nil
	}
	r.notes = appendNotes(r.notes, path, part.Notes())
	c := &content{Part: part, pointer: path, styled: key.style != ""}
	r.schemas[key] = c
	return c
}

// appendNotes appends notes about what stands at a pointer of the document.
func appendNotes(all []diag.Note, pointer string, notes []diag.Note) []diag.Note {
	for _, n := range notes[:min(len(notes), limits.TagNotes-len(all))] {
		n.Pointer = pointer + n.Pointer
		all = append(all, n)
	}
	return all
}
