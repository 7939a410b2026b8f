package lark

import (
	"errors"
	"slices"
	"strconv"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
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
	name, kind := a.name.text, p.toks[a.value].kind
	switch name {
	case "lazy":
		if a.value != 0 {
			return p.syntax(p.toks[a.value].at, "lazy takes no value")
		}
	case "stop", "suffix":
		if a.value == 0 || kind != tString && kind != tRegex && kind != tName {
			return p.syntax(a.name.at, "%s takes what ends the rule: a string, a regular expression or a "+
				"terminal", name)
		}
		if name == "stop" {
			p.note(a.name.at, d.name, diag.Ignored, "what stops the rule is part of the output, as with suffix: "+
				"nothing that was generated is taken back")
		}
	case "capture", "stop_capture":
		if a.value == 0 && name == "capture" {
			break
		}
		if a.value == 0 || kind != tString || p.toks[a.value].flags != "" || p.toks[a.value].text == "" {
			return p.syntax(a.name.at, "%s takes the name of the capture, a string that is not empty", name)
		}
		if n := len(p.toks[a.value].text); n > limits.RuleCaptureName {
			return p.failure(diag.Limit, p.toks[a.value].at, name, "the name of a capture has at most %d bytes, not %d",
				limits.RuleCaptureName, n)
		}
	case "max_chars", "max_tokens":
		if a.value == 0 || kind != tNumber {
			return p.syntax(a.name.at, "%s takes a number: %s=100", name, name)
		}
		p.pos = a.value
		if _, err := p.count(); err != nil {
			return err
		}
	case "temperature":
		if _, ok := rules.ParseTemperature(p.toks[a.value].text); a.value == 0 || kind != tNumber || !ok {
			return p.syntax(a.name.at, "%s", rules.TemperatureForm)
		}
	default:
		return p.failure(diag.Invalid, a.name.at, name,
			"there is no attribute %s; known are %s", name, rules.OptionNames)
	}
	for _, b := range d.attrs {
		if first := b.name.text; first == name || isEnd(first) && isEnd(name) {
			return p.failure(diag.Invalid, a.name.at, name, "a rule has one stop or suffix, and each attribute once")
		}
	}
	return nil
}

func isEnd(attribute string) bool { return attribute == "stop" || attribute == "suffix" }

// isToken reports whether the attributes of d make it one token.
func (d *definition) isToken() bool {
	return slices.ContainsFunc(d.attrs, func(a attribute) bool {
		return isEnd(a.name.text) || a.name.text == "lazy" || a.name.text == "max_chars"
	})
}

// options reads what the attributes of d say.
func (p *parser) options(d *definition) (*rules.Options, error) {
	o := &rules.Options{}
	for _, a := range d.attrs {
		value := &p.toks[a.value]
		switch a.name.text {
		case "lazy":
			o.Lazy = true
		case "max_chars":
			p.pos = a.value
			most, err := p.count()
			if err != nil {
				return nil, err
			}
			o.MaxChars, o.Bounded = most, true
		case "max_tokens":
			p.pos = a.value
			most, err := p.count()
			if err != nil {
				return nil, err
			}
			o.MaxTokens, o.Limited = most, true
		case "capture":
			o.Capture = d.name
			if a.value != 0 {
				o.Capture = value.text
			}
		case "temperature":
			o.Temperature, o.Heated = rules.ParseTemperature(value.text)
		case "stop_capture":
			o.EndCapture = value.text
		case "stop", "suffix":
			if value.kind == tString && value.text == "" {
				continue // the end of the output
			}
			p.pos = a.value
			end, err := p.atom()
			if err != nil {
				return nil, err
			}
			o.End, o.Hidden = end, a.name.text == "stop" && p.captures
		}
	}
	if o.EndCapture != "" && o.End == nil {
		return nil, p.failure(diag.Invalid, d.at, "stop_capture", "stop_capture captures what ends the rule; "+
			"write stop or suffix as well")
	}
	return o, nil
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
		if name == "skip_repetition" {
			if n.Kind != jsontext.String || n.Text != "once" {
				return p.failure(diag.Invalid, text.at, name, "the setting %s is \"once\"; leave it out for "+
					"any number of times", name)
			}
			name, on = "ignore_once", true
		} else if !on && n.Kind != jsontext.False {
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
				"there is no setting "+name+"; known are allow_initial_skip, ignore_once, skip_repetition, "+
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
