// Package request reads the constraint of a request to an inference server, in the shapes of OpenAI, Anthropic, Gemini,
// vLLM, SGLang, LLGuidance, TensorRT-LLM, Text Generation Inference and Ollama. The result is a constraint of another
// kind, or none.
//
// Invariant: one request has one constraint. Two are an error, and so is one that cannot be enforced; only fields that
// do not concern the form of the output are ignored. The package must not know how a constraint becomes a grammar.
// Start reading at Read, then fields.go (places of constraints), format.go and gemini.go (their shapes), unread.go
// (fields that look like constraints and are none here).
package request

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/request/family"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// Constraint is the constraint of a request. Immutable.
type Constraint struct {
	Kind    source.Kind // 0: nothing; the output may be anything
	Spec    []byte
	Options source.Options // of its compilation

	Family *family.Family // of the model, if the constraint is made from it and Use
	Use    *family.Use

	pointer  string // its place in the request
	inText   bool   // as text in a JSON string, which has no pointers inside
	closed   bool   // a schema that the request calls strict: undeclared members are forbidden
	document *family.Document
}

// Vocabulary is a request's view of a model's tokens.
type Vocabulary = family.Vocabulary

const sourceName = "request"

// reader is the state of one Read, with the first error. One goroutine.
type reader struct {
	tree       jsontext.Tree
	err        error // later results are meaningless
	o          source.Options
	vocabulary Vocabulary
}

// Read reads a request. Errors are *diag.Error values with a JSON pointer, or with line and column if the text is no
// JSON. o holds the options of the compilation, to which the request may add. v may be nil; then marks of the model are
// text.
func Read(body []byte, o *source.Options, v Vocabulary) (*Constraint, error) {
	r := &reader{o: *o, vocabulary: v}
	root, err := r.root(body)
	if err != nil {
		return nil, err
	}
	found, tools := r.constraints(root), r.tools(root)
	c := &Constraint{}
	if found != nil {
		if tools.forced != 0 {
			r.wrong(tools.forced, "Cannot specify both '%s' and 'tool_choice' in the same request; this choice forces "+
				"a call, so remove one", found.name)
		}
		c = found.read(r, found.at)
	}
	if r.err != nil {
		return nil, r.err
	}
	if c, err = r.withFamily(c, tools); err != nil {
		return nil, err
	}
	r.o.Closed = r.o.Closed || c.closed
	c.Options = r.optionsFor(c.Kind)
	return c, nil
}

// root reads the text of a request, which is an object.
func (r *reader) root(body []byte) (jsontext.ID, error) {
	root, err := r.tree.Read(body, sourceName)
	if err != nil {
		return 0, err
	}
	if k := r.tree.Kind(root); k != jsontext.Object {
		r.wrong(root, "a request must be a JSON object, not %s", k)
	}
	return root, r.err
}

// optionsFor returns the options without those that do not apply to constraints of this kind: a caller that compiles
// requests sets options for all kinds.
func (r *reader) optionsFor(kind source.Kind) source.Options {
	o := r.o
	if kind != source.EBNF && kind != source.Lark {
		o.StartRule = ""
	}
	if kind != source.Lark && kind != source.StructuralTag {
		o.Grammars = nil
	}
	json := kind == source.JSONSchema || kind == source.StructuralTag
	if !json && kind != source.JSONObject && kind != source.AnyJSON {
		o.AnyOrder, o.Compact, o.AllNumberForms, o.ASCIIOnly = false, false, false, false
		o.MaxWhitespace, o.WhitespacePattern, o.Separators, o.Indent = 0, "", nil, nil
	}
	if !json {
		o.Lenient, o.Closed, o.Dialect, o.Documents, o.FormatIsNote = false, false, "", nil, false
	}
	return o
}

// Moved returns an error about the constraint with its place in the request.
func (c *Constraint) Moved(err error) error {
	var e *diag.Error
	if !errors.As(err, &e) || e.Source == sourceName {
		return err
	}
	moved := *e
	moved.Source = sourceName
	moved.Place = diag.At(c.pointer)
	switch {
	case c.document != nil:
		moved.Place = diag.At(c.document.Place(e.Place.Pointer, c.pointer))
		if e.Other.HasPointer {
			moved.Other = diag.At(c.document.Place(e.Other.Pointer, moved.Place.Pointer))
		}
	case e.Place.HasPointer && !c.inText:
		moved.Place = e.Place.Within(c.pointer)
		if e.Other.HasPointer {
			moved.Other = e.Other.Within(c.pointer)
		}
	case e.Place.HasPointer && (e.Place.Pointer != "" || e.Other.HasPointer): // both are places in the text
		moved.Message, moved.Other = "at "+cmp.Or(e.Place.Pointer, `""`)+": "+e.Says(), diag.Place{}
	case e.Place.Line > 0:
		moved.Message = fmt.Sprintf("line %d, column %d: %s", e.Place.Line, e.Place.Column, e.Message)
	}
	return &moved
}

// PlaceOf returns the function from a place in the constraint to the one in the request. It keeps no text.
func (c *Constraint) PlaceOf() func(pointer string, has bool) string {
	whole, inText := c.pointer, c.inText
	var origins family.Document
	document := c.document != nil
	if document {
		origins.Origin = c.document.Origin
	}
	return func(pointer string, has bool) string {
		switch {
		case document:
			return origins.Place(pointer, whole)
		case has && !inText:
			return diag.At(pointer).Within(whole).Pointer
		}
		return whole
	}
}

// MovedNotes returns notes about the constraint with their places in the request.
func (c *Constraint) MovedNotes(notes []diag.Note) []diag.Note {
	if len(notes) == 0 {
		return nil
	}
	out := make([]diag.Note, 0, len(notes))
	seen := map[diag.Note]bool{}
	for _, n := range notes {
		switch {
		case c.document != nil:
			n.Pointer = c.document.Place(n.Pointer, c.pointer)
		case !c.inText:
			n.Pointer = c.pointer + n.Pointer
		default:
			n.Pointer = c.pointer
		}
		if c.document == nil || !seen[n] { // a family may write one schema twice
			out = append(out, n)
		}
		seen[n] = true
	}
	return out
}

// wrong notes that the value id is wrong.
func (r *reader) wrong(id jsontext.ID, format string, args ...any) {
	r.failure(diag.Invalid, id, format, args...)
}

func (r *reader) failure(code diag.Code, id jsontext.ID, format string, args ...any) error {
	if r.err == nil {
		pointer := r.tree.Pointer(id)
		e := diag.Errorf(code, sourceName, diag.At(pointer), format, args...)
		e.Keyword = pointer[strings.LastIndexByte(pointer, '/')+1:]
		e.Fragment = diag.Shorten(r.tree.Raw(id), fragment)
		r.err = e
	}
	return r.err
}

// fragment is the number of bytes of a wrong value that an error quotes.
const fragment = 60

// get returns a member of an object, or zero if it is absent or null.
func (r *reader) get(object jsontext.ID, name string) jsontext.ID {
	if id := r.tree.Get(object, name); id != 0 && r.tree.Kind(id) != jsontext.Null {
		return id
	}
	return 0
}

// text reads a member that must be a string with at least one character.
func (r *reader) text(object jsontext.ID, name string) string {
	id := r.get(object, name)
	if id == 0 {
		r.wrong(object, "the field %q is missing here; add it", name)
		return ""
	}
	n := r.tree.Node(id)
	if n.Kind != jsontext.String || n.Text == "" {
		r.wrong(id, "%s must be a string with at least one character", name)
	}
	return n.Text
}

func (r *reader) flag(object jsontext.ID, name string, absent bool) bool {
	id := r.get(object, name)
	if id == 0 {
		return absent
	}
	k := r.tree.Kind(id)
	if k != jsontext.True && k != jsontext.False {
		r.wrong(id, "%s must be true or false, not %s", name, k)
	}
	return k == jsontext.True
}

// object reads an optional member that must be an object; zero if it is absent or null.
func (r *reader) object(object jsontext.ID, name string) jsontext.ID {
	id := r.get(object, name)
	if id != 0 && r.tree.Kind(id) != jsontext.Object {
		r.wrong(id, "%s must be an object, not %s", name, r.tree.Kind(id))
	}
	return id
}
