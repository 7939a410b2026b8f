package lark

import (
	"errors"
	"strconv"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
)

// attribute is one of the settings in brackets behind the name of a rule.
type attribute struct {
	name  *token
	value int // the token; 0 if there is none
}

// attributes reads the attributes from token i on: name or name=value, separated by commas.
func (p *parser) attributes(d *definition, i int) error {
	if isTerminal(d.name) {
		return p.failure(diag.Invalid, d.at, d.name,
			"a terminal takes no attributes; begin the name with a lower-case letter")
	}
	for ; ; i++ {
		a := attribute{name: &p.toks[i]}
		if a.name.kind != tName {
			return p.syntax(a.name.at, "the name of an attribute is expected here")
		}
		if i++; p.toks[i].is('=') {
			a.value = i + 1
			i += 2
		}
		if err := p.attribute(d, a); err != nil {
			return err
		}
		d.attrs = append(d.attrs, a)
		switch t := &p.toks[i]; {
		case t.is(']'):
			return nil
		case !t.is(','):
			return p.syntax(t.at, "attributes are separated by commas")
		}
	}
}

// attribute checks one attribute of d.
func (p *parser) attribute(d *definition, a attribute) error {
	switch a.name.text {
	case "lazy":
		if a.value != 0 {
			return p.syntax(p.toks[a.value].at, "lazy takes no value")
		}
	case "stop", "suffix":
		if k := p.toks[a.value].kind; a.value == 0 || k != tString && k != tRegex && k != tName {
			return p.syntax(a.name.at, "%s takes what ends the rule: a string, a regular expression or a terminal",
				a.name.text)
		}
		if a.name.text == "stop" {
			p.note(a.name.at, d.name, diag.Ignored, "what stops the rule is part of the output, as with suffix: "+
				"nothing that was generated is taken back")
		}
	case "capture", "stop_capture", "max_tokens", "max_chars", "temperature":
		return p.failure(diag.Unsupported, a.name.at, a.name.text, "the attribute %s is not supported; remove it",
			a.name.text)
	default:
		return p.failure(diag.Invalid, a.name.at, a.name.text,
			"there is no attribute %s; known are lazy, stop and suffix", a.name.text)
	}
	for _, b := range d.attrs {
		if b.name.text == a.name.text || b.name.text != "lazy" && a.name.text != "lazy" {
			return p.failure(diag.Invalid, a.name.at, a.name.text, "a rule has one stop or suffix, and is lazy once")
		}
	}
	return nil
}

// ending returns what the attributes of d make of its body, which is one token then: the body and what ends it, as soon
// as that has come.
func (p *parser) ending(d *definition, body *rules.Node) (*rules.Node, error) {
	for _, a := range d.attrs {
		if a.value == 0 {
			continue
		}
		p.pos = a.value
		if t := p.peek(); t.kind == tString && t.text == "" {
			return body, nil // the end of the output
		}
		end, err := p.atom()
		if err != nil {
			return nil, err
		}
		body = p.tree.Sequence(body.At, body, end)
	}
	return p.tree.Node(rules.Node{Kind: rules.Shortest, At: d.at, Subs: []*rules.Node{body}}), nil
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
