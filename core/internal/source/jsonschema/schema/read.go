// Package schema reads JSON Schemas: the keywords of a node in its dialect, the targets of references, and notes about
// ignored keywords.
//
// A Reader holds the document and the documents that it refers to as one tree (package jsontext). A keyword depends on
// the dialect (dialect.go), a reference on URI, anchor and pointer (ref.go), and on the path to its schema (scope.go).
// derive.go builds schemas that no document contains. capabilities.go lists the support of every keyword.
//
// Invariant: a node has one meaning for every caller. Start reading at Read.
package schema

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// Reader reads the schemas of one compilation. One sequence.
type Reader struct {
	Tree    *jsontext.Tree
	Options *source.Options
	Root    jsontext.ID
	Now     jsontext.ID
	Notes   []diag.Note
	noted   map[noteKey]bool
	Err     error
	refs    refs
	made    map[derivation]jsontext.ID
	meant   map[string]string // by unknown key: the keyword that it probably means, or ""

	// PatternAt is the place of whitespace_pattern if the schema's own settings contain it.
	PatternAt jsontext.ID

	// Evaluating is set if some schema may depend on evaluated properties or items. Then the path to a schema matters.
	Evaluating bool
}

// Read reads a schema with the given documents and the published ones that it refers to. The literal $$ANY$$ stands
// for the schema true.
func Read(spec []byte, o *source.Options) (*Reader, error) {
	if s := bytes.TrimSpace(spec); string(s) == "$$ANY$$" || string(s) == `"$$ANY$$"` {
		spec = []byte("true")
	}
	tree := &jsontext.Tree{Work: o.Work}
	root, err := tree.Read(spec, SourceName)
	if err != nil {
		return nil, err
	}
	return ReadTree(tree, root, o)
}

// ReadTree is Read for a tree that the caller has read and hands over.
func ReadTree(tree *jsontext.Tree, root jsontext.ID, o *source.Options) (_ *Reader, err error) {
	if tree.Kind(root) == jsontext.String && tree.Raw(root) == `"$$ANY$$"` {
		tree = &jsontext.Tree{Work: o.Work}
		if root, err = tree.Read([]byte("true"), SourceName); err != nil {
			return nil, err
		}
	}
	uses := usesOf(tree)
	var documents []document
	if len(o.Documents) > 0 {
		if documents, err = readAll(tree, o.Documents); err != nil {
			return nil, err
		}
	}
	if documents != nil || uses.published {
		if documents, err = readPublished(tree, documents); err != nil {
			return nil, err
		}
	}
	p := &Reader{Tree: tree, Options: o, Root: root, Now: root}
	defer o.Work.At(p.Here)()
	p.refs.documents = documents
	p.Evaluating = documents != nil || uses.unevaluated
	if err := p.setDialect(); err != nil {
		return nil, err
	}
	if p.readGuidance(); p.Err != nil {
		return nil, p.Err
	}
	if uses.identifiers || documents != nil {
		p.scan()
	}
	if o.Lenient {
		p.leaveOutNothings(root)
		for _, d := range documents {
			p.leaveOutNothings(d.root)
		}
	}
	return p, nil
}

// SourceName is the name of a schema in errors.
const SourceName = "json_schema"

type noteKey struct {
	node    jsontext.ID
	keyword string
}

// Here returns the place of the current node.
func (p *Reader) Here() *diag.Error { return p.Place(uint32(p.Now)) }

// Place returns the place of a node.
func (p *Reader) Place(at uint32) *diag.Error {
	node := jsontext.ID(at)
	return p.ErrorAt(diag.Limit, node, p.Tree.Node(node).Key, "")
}

// Fail records the first error; planning stops soon after.
func (p *Reader) Fail(err error) {
	if p.Err == nil {
		p.Err = err
	}
}

// ErrorAt returns an error with the place of a node.
func (p *Reader) ErrorAt(code diag.Code, node jsontext.ID, keyword, format string, args ...any) *diag.Error {
	pointer := p.Pointer(node)
	e := diag.Errorf(code, SourceName, diag.At(pointer), format, args...)
	e.Keyword = keyword
	e.Fragment = diag.Shorten(p.Tree.Raw(node), 60)
	return e
}

// Pointer returns the JSON pointer of node, behind the document's URI if it is not in the schema itself.
func (p *Reader) Pointer(node jsontext.ID) string {
	s := p.Tree.Pointer(node)
	if root := p.Tree.Root(node); root != p.Root {
		return p.refs.documentURI(root) + "#" + s
	}
	return s
}

// Invalid fails because a keyword's value violates a rule of the specification.
func (p *Reader) Invalid(node jsontext.ID, keyword, rule string) {
	if n := p.Tree.Node(node); saysNothing(KeywordOf(n, p.refs.main), n) {
		rule += "; leave it out, or set the option lenient to treat it as absent"
	}
	p.Fail(p.ErrorAt(diag.Invalid, node, keyword, "%s", rule))
}

// Note adds a note, once per place and keyword.
func (p *Reader) Note(node jsontext.ID, keyword string, effect diag.Effect, text string) {
	key := noteKey{node, keyword}
	if p.noted[key] {
		return
	}
	if p.noted == nil {
		p.noted = map[noteKey]bool{}
	}
	p.noted[key] = true
	p.Notes = append(p.Notes, diag.Note{Pointer: p.Pointer(node), Keyword: keyword, Effect: effect, Text: text})
}

// Unsupported refuses a keyword, or in lenient mode notes that it is not enforced; it reports whether to continue.
func (p *Reader) Unsupported(node jsontext.ID, keyword, reason string) bool {
	if p.Options.Lenient {
		p.Note(node, keyword, diag.Wider, "not enforced: "+reason)
		return true
	}
	advice := "set the option lenient to have it ignored with a note"
	if keyword == "$ref" || keyword == "$dynamicRef" {
		advice = "pass the schema that it refers to in the option documents, or " + advice
	}
	or := "; "
	if strings.Contains(reason, or) { // it has its own way out
		or = ", or "
	}
	p.Fail(p.ErrorAt(diag.Unsupported, node, keyword, "%s%sleave it out", reason, or).Advise(advice))
	return false
}

// IsString reports whether a value is a string, and fails otherwise.
func (p *Reader) IsString(c jsontext.ID) bool {
	if n := p.Tree.Node(c); n.Kind != jsontext.String {
		p.Invalid(c, n.Key, "must be a string, not "+n.Kind.String())
		return false
	}
	return true
}

// Quote returns the beginning of a text in quotes, for messages.
func Quote(s string) string { return strconv.Quote(diag.Shorten(s, 60)) }

// uses tells which expensive features a document may use. Keys and strings are compared after decoding.
type uses struct {
	published   bool // it may refer to a published schema of schemas
	unevaluated bool
	identifiers bool // identifiers and dynamic anchors
}

func usesOf(tree *jsontext.Tree) (u uses) {
	for i := 1; i < tree.Len(); i++ {
		n := tree.Node(jsontext.ID(i))
		u.published = u.published || n.Kind == jsontext.String && strings.Contains(n.Text, "json-schema.org/")
		switch n.Key {
		case "unevaluatedProperties", "unevaluatedItems":
			u.unevaluated = true
		case "$id", "id", "$recursiveAnchor", "$dynamicAnchor":
			u.identifiers = true
		}
	}
	return u
}
