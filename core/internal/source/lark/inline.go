package lark

import (
	"unicode"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
)

func (p *parser) inline(t *token) (*rules.Node, error) {
	switch t.text {
	case "%regex":
		return p.substring(t)
	case "%json", "%lark":
		if p.regular {
			return nil, p.Failure(diag.Invalid, t.at, t.text, "%s cannot be part of a terminal, or of one token; "+
				"write it in a rule of its own", t.text)
		}
		if t.text == "%json" {
			return p.schema()
		}
		return p.nested(t)
	case "%if":
		return nil, p.Failure(diag.Invalid, t.at, "%if", "a condition tests the number of a rule, name::_ : …, and "+
			"may only stand behind one of its alternatives")
	}
	return nil, p.Failure(diag.Invalid, t.at, t.text,
		"there is no %s; inside rules there are %%json, %%regex and %%lark", t.text)
}

// nested reads %lark {…}, a grammar with its own names. Its ignored text may end it, and the outer ignored text may
// follow.
func (p *parser) nested(t *token) (*rules.Node, error) {
	open := p.pos
	if !p.peek().is('{') {
		return nil, p.Syntax(p.peek().at, "%%lark is followed by a grammar in braces")
	}
	to := int(p.toks[open].more)
	rule, err := p.grammar(open+1, to, DefaultStart)
	if err != nil {
		return nil, err
	}
	p.pos = to + 1
	return p.grammarLexeme(p.ref(t.at, rule)), nil
}

func (p *parser) schema() (*rules.Node, error) {
	text := p.peek()
	if text.kind != tJSON && text.text != "true" && text.text != "false" {
		return nil, p.Syntax(text.at, "%%json is followed by a JSON schema: an object, true or false")
	}
	p.pos++
	n, err := p.schemaOf(text)
	return p.lexeme(n), err
}

func (p *parser) schemaOf(text *token) (*rules.Node, error) {
	part := p.schemas[text.text]
	if part == nil {
		var err error
		within := func(err error) error { return p.inJSON(text, err) }
		if part, err = jsonschema.NewPart([]byte(text.text), p.O, within); err != nil {
			return nil, err
		}
		p.schemas[text.text] = part
		p.parts = append(p.parts, placedPart{part, text.at})
	}
	return p.Tree.Node(rules.Node{Kind: rules.Schema, At: text.at, Special: &rules.Special{Part: part}}), nil
}

type placedPart struct {
	*jsonschema.Part
	at int
}

// substring reads %regex {…}, any run of neighbouring parts of a text.
func (p *parser) substring(t *token) (*rules.Node, error) {
	text := p.peek()
	if text.kind != tJSON {
		return nil, p.Syntax(text.at, "%%regex is followed by a JSON object")
	}
	p.pos++
	tree, root, err := p.json(text)
	if err != nil {
		return nil, err
	}
	first := tree.Node(root).First
	if tree.Node(root).Count != 1 {
		return nil, p.Failure(diag.Invalid, text.at, "%regex",
			"expected one of substring_words, substring_chars and substring_chunks here")
	}
	chunks, err := p.chunks(text, tree, first)
	if err != nil {
		return nil, err
	}
	size := 0
	for _, c := range chunks {
		size += len(c)
	}
	if size > limits.LarkSubstring {
		return nil, p.Failure(diag.Limit, text.at, tree.Node(first).Key,
			"the text has %d bytes, more than the limit of %d for substrings; shorten it", size, limits.LarkSubstring)
	}
	special := &rules.Special{Chunks: chunks}
	return p.lexeme(p.Tree.Node(rules.Node{Kind: rules.Substring, At: t.at, Special: special})), nil
}

func (p *parser) chunks(t *token, tree *jsontext.Tree, id jsontext.ID) (chunks []string, err error) {
	n := tree.Node(id)
	wrong := func(want string) error {
		return p.Failure(diag.Invalid, t.at, n.Key, "%s must be %s, not %s", n.Key, want, n.Kind)
	}
	switch n.Key {
	case "substring_words", "substring_chars":
		if n.Kind != jsontext.String {
			return nil, wrong("a string")
		}
		if n.Key == "substring_words" {
			return words(n.Text), nil
		}
		for _, r := range n.Text {
			chunks = append(chunks, string(r))
		}
		return chunks, nil
	case "substring_chunks":
		if n.Kind != jsontext.Array {
			return nil, wrong("a list of strings")
		}
		for c := n.First; c != 0; c = tree.Node(c).Next {
			if tree.Kind(c) != jsontext.String {
				return nil, wrong("a list of strings")
			}
			if s := tree.Node(c).Text; s != "" {
				chunks = append(chunks, s)
			}
		}
		return chunks, nil
	}
	return nil, p.Failure(diag.Invalid, t.at, n.Key, "%%regex has no %s; it has substring_words, substring_chars and "+
		"substring_chunks", n.Key)
}

// words splits a text into runs of letters and digits, of white space, and of other characters.
func words(text string) (chunks []string) {
	class := func(r rune) int {
		switch {
		case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || r == '_':
			return 1
		case unicode.IsSpace(r):
			return 2
		}
		return 3
	}
	from, last := 0, 0
	for i, r := range text {
		if c := class(r); c != last {
			if i > from {
				chunks = append(chunks, text[from:i])
			}
			from, last = i, c
		}
	}
	if from < len(text) {
		chunks = append(chunks, text[from:])
	}
	return chunks
}
