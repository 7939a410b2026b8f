package structag

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

type schemaKey struct {
	text              string
	anyOrder, compact bool
	closed            bool
	arguments         bool
	blanks            int // longest gap; 0: by the options
	style             string
	ends              string // of the tag around it, if they matter to a style
	excludes          string
}

// content is a JSON schema inside a document, checked but not lowered. Equal ones, as of many tools, are one.
type content struct {
	*jsonschema.Part
	at     jsontext.ID // its first occurrence
	styled bool        // not JSON
}

func (r *reader) schema(v value, key schemaKey, ends, excludes []string) *content {
	if r.err != nil {
		return nil
	}
	key.text = r.tree.Raw(v.id)
	if key.style != "" {
		key.ends = strings.Join(ends, "\x00")
	}
	return r.checked(v.id, key, func(o *source.Options, within func(error) error) (*jsonschema.Part, error) {
		w := jsonschema.Writing{Style: key.style, Ends: ends, Excludes: excludes, Arguments: key.arguments}
		return jsonschema.NewWritten(&r.tree, v.id, o, w, within)
	})
}

// legacySchema reads the schema of a structure, which may be a string that holds JSON.
func (r *reader) legacySchema(v value) *content {
	if n := r.tree.Node(v.id); n.Kind == jsontext.String && r.err == nil {
		check := func(o *source.Options, within func(error) error) (*jsonschema.Part, error) {
			return jsonschema.NewPart([]byte(n.Text), o, within)
		}
		return r.checked(v.id, schemaKey{text: n.Text}, check)
	}
	return r.schema(v, schemaKey{}, nil, nil)
}

// checked returns the content of a key; check creates it at its first occurrence.
func (r *reader) checked(
	at jsontext.ID, key schemaKey, check func(*source.Options, func(error) error) (*jsonschema.Part, error),
) *content {
	if c, ok := r.schemas[key]; ok {
		return c
	}
	o := r.o
	if key.anyOrder || key.compact || key.closed || key.blanks > 0 {
		own := *o
		own.AnyOrder, own.Compact = o.AnyOrder || key.anyOrder, o.Compact || key.compact
		own.Closed = o.Closed || key.closed
		if key.blanks > 0 {
			own.MaxWhitespace = key.blanks
		}
		o = &own
	}
	tree := &r.tree
	part, err := check(o, func(err error) error {
		if err == nil {
			return nil
		}
		return within(err, tree.Pointer(at))
	})
	if err != nil {
		r.fail(err)
		return nil
	}
	r.notes = appendNotes(r.notes, tree, at, part.Notes())
	c := &content{Part: part, at: at, styled: key.style != ""}
	r.schemas[key] = c
	return c
}

func appendNotes(all []diag.Note, tree *jsontext.Tree, at jsontext.ID, notes []diag.Note) []diag.Note {
	if len(notes) == 0 {
		return all
	}
	pointer := tree.Pointer(at)
	for _, n := range notes[:min(len(notes), limits.TagNotes-len(all))] {
		n.Pointer = pointer + n.Pointer
		all = append(all, n)
	}
	return all
}
