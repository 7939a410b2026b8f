// Package structag reads structural tags: free text in which certain strings open constrained regions. It reads both
// documents in use, the older {"structures": …, "triggers": …} and {"type": "structural_tag", "format": …}.
//
// Invariant: compiling reads and checks everything in a document, including schemas and grammars. Only the rules of a
// JSON schema may be built later, when an output enters its tag, if that cannot fail. Start reading at Compile, then
// Parse, read.go (one function a format), dispatch.go, lower.go and region.go (free text).
package structag

import (
	"math"
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
)

// Kind is the kind of a Format.
type Kind uint8

// The kinds of Format. Optional, plus, star and repeat are all Repeat. A kind that may end in free text has a case in
// closing, too, so that the text ends at the first end of the tag around it.
const (
	ConstString    Kind = iota + 1 // Text
	JSONSchema                     // Schema
	AnyText                        // free text without Excludes, of at most MaxChars code points
	Grammar                        // EBNF or Lark
	Regex                          // Regex
	Sequence                       // Subs in order
	Or                             // one of Subs
	Repeat                         // Subs[0] between Min and Max times
	Tag                            // Begin, Subs[0], End
	Triggered                      // free text without Excludes in which Triggers open tags of Subs
	TokenTriggered                 // any tokens but IDs, of which TriggerIDs open tags of Subs
	Separated                      // tags of Subs with Text between
	Token                          // exactly one token of IDs
	ExcludeToken                   // exactly one token not in IDs
	AnyTokens                      // any number of tokens not in IDs
)

// Document is a structural tag. Immutable after Parse.
type Document struct {
	Format *Format
	Notes  []diag.Note
	tree   *jsontext.Tree
}

// Format is one node of a document. Immutable after Parse.
type Format struct {
	Kind           Kind
	at             jsontext.ID // its place in the document
	Text           string
	Subs           []*Format
	Min, Max       uint32
	MaxChars       uint32 // of AnyText; Unbounded: no bound
	MaxTokens      uint32 // of AnyText and AnyTokens; Unbounded: no bound
	Begin, End     Mark
	Triggers       []string
	TriggerIDs     []uint32
	Excludes       []string
	AtLeastOne     bool
	StopAfterFirst bool
	IDs            []uint32
	ends           []string // see reader
	Schema         *content
	Rules          *rules.Tree        // of a Grammar
	notes          func() []diag.Note // notes of the grammar, complete after lowering; nil: none
	Regex          *regex.Node
}

// Mark is the beginning or the end of a tag: one of several strings, or one token.
type Mark struct {
	at      jsontext.ID
	Texts   []string // may be empty strings; the text that names a token, if there is one
	IsToken bool
	IDs     []uint32 // of the token; several if they have the same text
}

const sourceName = "structural_tag"

type reader struct {
	tree    jsontext.Tree
	o       *source.Options
	shapes  []shape
	depth   int
	notes   []diag.Note
	ends    []string // ends of the tag that ends after the current format; nil if an end is not a text
	schemas map[schemaKey]*content
	lists   map[string]*Format // tags with separators, by their text
	err     error              // the first failure; later results are unused
}

// value is a member or an element of the document. Its id is 0 for a missing member.
type value struct {
	id, of jsontext.ID
	name   string
}

// Parse reads a document. Errors are *diag.Error values with a JSON pointer, or with line and column if the text is
// not JSON. Notes name fields without effect.
func Parse(spec []byte, o *source.Options) (*Document, error) {
	r := &reader{o: o, shapes: shapes(), schemas: map[schemaKey]*content{}, lists: map[string]*Format{}}
	r.tree.Work = o.Work
	root, err := r.tree.Read(spec, sourceName)
	if err != nil {
		return nil, err
	}
	f := r.document(value{id: root})
	if r.err != nil {
		return nil, r.err
	}
	return &Document{f, r.notes, &r.tree}, nil
}

func (r *reader) document(root value) *Format {
	structures := r.tree.Get(root.id, "structures") != 0
	switch kind := r.tree.Kind(root.id); {
	case kind != jsontext.Object:
		r.invalid(root, "a structural tag must be a JSON object, not %s", kind)
	case structures && r.tree.Get(root.id, "format") != 0:
		r.invalid(root, "the document has both structures and format; keep one of the two")
	case structures:
		return r.legacy(root)
	}
	return r.modern(root)
}

// modern reads {"type": "structural_tag", "format": …}.
func (r *reader) modern(root value) *Format {
	if t := r.member(root, "type"); t.id != 0 {
		if n := r.tree.Node(t.id); n.Kind != jsontext.String || n.Text != "structural_tag" {
			r.invalid(t, `the type of the document must be "structural_tag"`)
		}
	}
	format := r.member(root, "format")
	if format.id == 0 {
		r.invalid(root, `a structural tag has a "format", or "structures" and "triggers"; this document has neither`)
	}
	r.checkFields(root, "type, format")
	return r.format(format)
}

// legacy reads {"structures": [{"begin", "schema", "end"}], "triggers": […]}.
func (r *reader) legacy(root value) *Format {
	r.checkFields(root, "type, structures, triggers, at_least_one, stop_after_first")
	f := &Format{Kind: Triggered}
	for _, v := range r.list(root, "structures") {
		tag := &Format{Kind: Tag, at: v.id}
		if kind := r.tree.Kind(v.id); kind != jsontext.Object {
			r.invalid(v, "a structure must be an object with begin, schema and end, not %s", kind)
		}
		r.marks(tag, v)
		schema := r.required(v, "schema")
		c := r.legacySchema(schema)
		r.checkFields(v, "begin, schema, end")
		tag.Subs = []*Format{{Kind: JSONSchema, at: schema.id, Schema: c}}
		f.Subs = append(f.Subs, tag)
	}
	r.triggers(f, root)
	return f
}

func (r *reader) invalid(v value, format string, args ...any) {
	r.failValue(diag.Invalid, v, "", format, args...)
}

func (r *reader) failValue(code diag.Code, v value, keyword, format string, args ...any) {
	if r.err == nil {
		r.failPointer(code, r.pointer(v), v.id, keyword, format, args...)
	}
}

func (r *reader) failPointer(code diag.Code, pointer string, quoted jsontext.ID, keyword, format string, args ...any) {
	e := diag.Errorf(code, sourceName, diag.At(pointer), format, args...)
	e.Keyword = keyword
	e.Fragment = diag.Shorten(r.tree.Raw(quoted), limits.TagFragment)
	r.fail(e)
}

func (r *reader) pointer(v value) string {
	if v.id != 0 {
		return r.tree.Pointer(v.id)
	}
	return r.tree.Pointer(v.of) + "/" + v.name
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// checkFields checks unknown fields of a document or a format. They are an error that lists the known ones, because a
// misspelled name would leave something unconstrained. Empty fields are ignored; names and versions that programs
// write are notes.
func (r *reader) checkFields(of value, known string) {
	for c := range r.tree.Children(of.id) {
		n := r.tree.Node(c)
		switch {
		case includes(known, n.Key):
		case r.tree.Node(of.id).Parent != 0:
			silent := n.Kind == jsontext.Null || n.Kind == jsontext.False || n.Kind == jsontext.Array && n.Count == 0 ||
				n.Key == "style" && n.Text == "json"
			if !silent {
				r.failValue(diag.Invalid, value{id: c}, n.Key, "there is no field %q here; known are %s",
					diag.Shorten(n.Key, 40), known)
			}
		case len(r.notes) < limits.TagNotes:
			r.notes = append(r.notes, diag.Note{
				Pointer: r.tree.Pointer(c), Keyword: n.Key, Effect: diag.Ignored,
				Text: "this field is not part of the format and has no effect",
			})
		}
	}
}

func includes(known, name string) bool {
	for known != "" {
		var first string
		if first, known, _ = strings.Cut(known, ", "); first == name {
			return true
		}
	}
	return false
}

// member returns a field, whose id is 0 if it is absent.
func (r *reader) member(of value, name string) value {
	return value{r.tree.Get(of.id, name), of.id, name}
}

// optional is member with id 0 for null.
func (r *reader) optional(of value, name string) value {
	v := r.member(of, name)
	if r.tree.Kind(v.id) == jsontext.Null {
		v.id = 0
	}
	return v
}

func (r *reader) required(of value, name string) value {
	v := r.member(of, name)
	if v.id == 0 {
		r.invalid(of, "the field %q is missing here", name)
	}
	return v
}

func (r *reader) text(of value, name string) string {
	v := r.required(of, name)
	n := r.tree.Node(v.id)
	if n.Kind != jsontext.String {
		r.invalid(v, "%s must be a string, not %s", name, n.Kind)
	}
	return n.Text
}

func (r *reader) flag(of value, name string) bool {
	v := r.optional(of, name)
	k := r.tree.Kind(v.id)
	if v.id != 0 && k != jsontext.True && k != jsontext.False {
		r.invalid(v, "%s must be true or false, not %s", name, k)
	}
	return k == jsontext.True
}

func (r *reader) number(of value, name string) (n int64, ok bool) {
	v := r.optional(of, name)
	if v.id == 0 {
		return 0, false
	}
	n, err := strconv.ParseInt(r.tree.Node(v.id).Text, 10, 64)
	if r.tree.Kind(v.id) != jsontext.Number || err != nil || n >= math.MaxUint32 {
		r.invalid(v, "%s must be a whole number below %d, not %s", name, uint32(math.MaxUint32),
			diag.Shorten(r.tree.Raw(v.id), 24))
	}
	return n, true
}

func (r *reader) children(array value) []value {
	out := make([]value, 0, r.tree.Node(array.id).Count)
	for c := range r.tree.Children(array.id) {
		out = append(out, value{id: c})
	}
	return out
}

func (r *reader) list(of value, name string) []value {
	v := r.required(of, name)
	switch n := r.tree.Node(v.id); {
	case n.Kind != jsontext.Array:
		r.invalid(v, "%s must be a list, not %s", name, n.Kind)
		return nil
	case n.Count == 0:
		r.invalid(v, "%s must have at least one element", name)
	}
	return r.children(v)
}

func (r *reader) each(of value, name, what string, read func(value)) {
	v := r.optional(of, name)
	if v.id == 0 {
		return
	}
	if k := r.tree.Kind(v.id); k != jsontext.Array {
		r.invalid(v, "%s must be a list of %s, not %s", name, what, k)
		return
	}
	for _, c := range r.children(v) {
		read(c)
	}
}

func (r *reader) texts(of value, name string) (out []string) {
	r.each(of, name, "strings", func(v value) {
		n := r.tree.Node(v.id)
		if n.Kind != jsontext.String || n.Text == "" {
			r.invalid(v, "every element of %s must be a string with at least one character", name)
		}
		out = append(out, n.Text)
	})
	return out
}

func (r *reader) tokens(of value, name string) (out []uint32) {
	r.each(of, name, "token ids or texts", func(v value) { out = append(out, r.token(v)...) })
	return out
}

func (r *reader) token(v value) []uint32 {
	switch n := r.tree.Node(v.id); n.Kind {
	case jsontext.Number:
		id, err := strconv.ParseUint(n.Text, 10, 31)
		if err != nil {
			r.invalid(v, "a token id must be a whole number of 0 or more")
		}
		if count := r.o.TokenCount; count > 0 && id >= uint64(count) {
			r.invalid(v, "token id %d does not exist; the vocabulary has ids below %d", id, count)
		}
		return []uint32{uint32(id)}
	case jsontext.String:
		if r.o.TokenIDs == nil {
			r.invalid(v, "a token's text can only be looked up in a vocabulary; write its id")
		} else if ids := r.o.TokenIDs(n.Text); ids != nil {
			return ids
		}
		r.invalid(v, "the vocabulary has no special or added token %q; write the token's id, or use const_string for "+
			"ordinary text", n.Text)
	default:
		r.invalid(v, "a token is given by its id or its text, not by %s", n.Kind)
	}
	return nil
}
