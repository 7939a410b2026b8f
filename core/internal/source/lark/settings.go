package lark

import (
	"errors"
	"strconv"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
	"github.com/sluice-engine/sluice/core/internal/source/syntax"
)

const ends = `a string, a regular expression or a terminal (END: "a" | "b"); write a token of the vocabulary ` +
	"behind the use of the rule instead"

func (p *parser) attributes(d *definition, i int) error {
	if isTerminal(d.name) {
		return p.Failure(diag.Invalid, d.at, d.name,
			"a terminal takes no attributes; begin the name with a lower-case letter")
	}
	d.attrs = p.OptionReader(d.name, "attribute", ends)
	for ; ; i++ {
		name := &p.toks[i]
		if name.kind != tName {
			return d.attrs.NoName(name.at)
		}
		one := syntax.Setting{Name: name.text, At: name.at, Value: syntax.NoValue}
		if i++; p.toks[i].is('=') {
			value := &p.toks[i+1]
			one.Value, one.ValueAt, one.Text = value.asValue(), value.at, value.text
			i += 2
			if n := syntax.Numeral(p.src[value.at:]); n != "" { // several tokens, as in 1e-5
				one.Value, one.Text = syntax.Number, n
				end := value.at + len(n)
				for p.toks[i].kind != tEnd && p.toks[i].at < end {
					i++
				}
				if p.toks[i-1].end > end {
					return p.Syntax(end, "attributes are separated by commas")
				}
			} else if to := p.valueEnd(i); to > i && p.toks[i].kind != tName {
				one.Value = syntax.Unknown // an expression, as in "a" | "b"
				i = to
			}
		}
		if err := d.attrs.Read(one); err != nil {
			return err
		}
		if d.attrs.Ending.At == one.At {
			d.end = i - 1
		}
		if one.Name == "stop" {
			p.Note(one.At, d.name, diag.Ignored, "the text of stop is part of the output, as with suffix, since "+
				"generated text cannot be taken back")
		}
		if one.EndsNothing() {
			p.Note(one.At, d.name, diag.Ignored, syntax.EmptySuffix)
		}
		switch t := &p.toks[i]; {
		case t.is(']'):
			return d.attrs.Done()
		case !t.is(','):
			return p.Syntax(t.at, "attributes are separated by commas")
		}
	}
}

func (t *token) asValue() syntax.Value {
	switch {
	case t.kind == tString && (t.more == 0 || t.text == ""):
		return syntax.String
	case t.kind == tString || t.kind == tRegex || t.kind == tName:
		return syntax.Expression
	}
	return syntax.Unknown
}

func (d *definition) isToken() bool {
	return d.attrs != nil && (d.attrs.Ending.Name != "" || d.attrs.Lazy || d.attrs.Bounded)
}

func (p *parser) options(d *definition) (o rules.Options, err error) {
	o = d.attrs.Options
	if d.attrs.Ends() {
		p.pos = d.end
		o.End, err = p.atom()
		o.Hidden = d.attrs.Ending.Name == "stop" && p.captures
	}
	return o, err
}

func (p *parser) optionsStatement(t *token) error {
	text := p.peek()
	if text.kind != tJSON {
		return p.Syntax(text.at, "%s is followed by a JSON object", t.text)
	}
	p.pos++
	tree, root, err := p.json(text)
	if err != nil {
		return err
	}
	for m := tree.Node(root).First; m != 0; m = tree.Node(m).Next {
		n := tree.Node(m)
		name, on := n.Key, n.Kind == jsontext.True
		if name == "skip_repetition" {
			if n.Kind != jsontext.String || n.Text != "once" {
				return p.Failure(diag.Invalid, text.at, name, `the setting %s must be "once"; leave it out for `+
					"any number of times", name)
			}
			name, on = "ignore_once", true
		} else if !on && n.Kind != jsontext.False {
			return p.Failure(diag.Invalid, text.at, name, "the setting %s must be true or false", name)
		}
		switch {
		case name == "allow_initial_skip":
			p.in.initial = on
		case name == "ignore_once":
			p.in.once = on
		case name == "no_forcing" || !on && name == "allow_invalid_utf8":
		case name == "allow_invalid_utf8":
			return p.Failure(diag.Unsupported, text.at, name, "the output is always valid UTF-8")
		default:
			p.Note(text.at, name, diag.Ignored,
				"there is no setting "+name+"; known are allow_initial_skip, ignore_once, skip_repetition, "+
					"no_forcing and allow_invalid_utf8")
		}
	}
	return nil
}

func (p *parser) json(t *token) (*jsontext.Tree, jsontext.ID, error) {
	tree := &jsontext.Tree{Work: p.O.Work}
	root, err := tree.Read([]byte(t.text), sourceName)
	return tree, root, p.inJSON(t, err)
}

func (p *parser) inJSON(t *token, err error) error {
	var e *diag.Error
	if err == nil || !errors.As(err, &e) {
		return err
	}
	at, message := t.at, e.Says()
	if e.Place.HasPointer {
		message = "in the schema, at " + strconv.Quote(e.Place.Pointer) + ": " + message
	} else {
		at += e.Place.Offset
	}
	return p.Failure(e.Code, at, e.Keyword, "%s", message)
}
