package lark

import (
	"errors"
	"strconv"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// attribute is one of the settings in brackets behind the name of a rule.
type attribute struct {
	name  *token
	value *token // nil if there is none
}

// attributes reads the attributes from token i on.
func (p *parser) attributes(d *definition, i int) error {
	t := &p.toks[i]
	return p.failure(diag.Unsupported, t.at, t.text, "the attribute %s is not supported; remove it", t.text)
}

// optionsStatement reads the settings of a grammar: %llguidance {…} or %grammar_options {…}.
func (p *parser) optionsStatement(t *token) error {
	text := p.peek()
	if text.kind != tJSON {
		return p.syntax(text.at, "%s is followed by a JSON object", t.text)
	}
	p.pos++
	tree, root, err := p.json(text)
	if err != nil {
		return err
	}
	for m := tree.Node(root).First; m != 0; m = tree.Node(m).Next {
		n := tree.Node(m)
		name, on := n.Key, n.Kind == jsontext.True
		if !on && n.Kind != jsontext.False {
			return p.failure(diag.Invalid, text.at, name, "the setting %s is true or false", name)
		}
		switch {
		case name == "allow_initial_skip":
			p.in.initial = on
		case name == "ignore_once":
			p.in.once = on
		case name == "no_forcing" || !on && name == "allow_invalid_utf8":
		case name == "allow_invalid_utf8":
			return p.failure(diag.Unsupported, text.at, name, "the output is always valid UTF-8")
		default:
			p.note(text.at, name, diag.Ignored,
				"there is no setting "+name+"; known are allow_initial_skip, ignore_once, "+
					"no_forcing and allow_invalid_utf8")
		}
	}
	return nil
}

// json reads the JSON object of a token.
func (p *parser) json(t *token) (*jsontext.Tree, jsontext.ID, error) {
	tree := &jsontext.Tree{Work: p.o.Work}
	root, err := tree.Read([]byte(t.text), sourceName)
	return tree, root, p.inJSON(t, err)
}

// inJSON gives an error of a JSON text its place in the grammar.
func (p *parser) inJSON(t *token, err error) error {
	var e *diag.Error
	if err == nil || !errors.As(err, &e) {
		return err
	}
	at, message := t.at, e.Message
	if e.Place.HasPointer {
		message = "in the schema, at " + strconv.Quote(e.Place.Pointer) + ": " + message
	} else {
		at += e.Place.Offset
	}
	return p.failure(e.Code, at, e.Keyword, "%s", message)
}
