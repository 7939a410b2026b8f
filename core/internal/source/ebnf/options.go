package ebnf

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
)

// optionReader reads the options of a rule: name[lazy, capture="x", stop="y"] ::= …. They stand in a token of the
// kind of a class.
type optionReader struct {
	*parser
	at, to int // what is still to be read
	rule   string
}

// ruleOptions reads the options in token t of a rule.
func (p *parser) ruleOptions(t *token, rule string, o *rules.Options) error {
	r := optionReader{p, t.at + 1, t.end - 1, rule}
	seen := map[string]bool{}
	for {
		at := r.skip()
		name := r.word()
		if name == "" {
			return p.syntax(at, "the name of an option is expected here; known are %s", rules.OptionNames)
		}
		if seen[name] || seen["stop"] && name == "suffix" || seen["suffix"] && name == "stop" {
			return failure(diag.Invalid, p.src, at, name, "a rule has one stop or suffix, and each option once")
		}
		seen[name] = true
		if err := r.option(at, name, o); err != nil {
			return err
		}
		switch at = r.skip(); {
		case at == r.to:
			if o.EndCapture != "" && o.End == nil {
				return failure(diag.Invalid, p.src, t.at, "stop_capture", "stop_capture captures what ends the rule; "+
					"write stop or suffix as well")
			}
			return nil
		case p.src[at] != ',':
			return p.syntax(at, "options are separated by commas")
		}
		r.at++
	}
}

// option reads the value of an option.
func (r *optionReader) option(at int, name string, o *rules.Options) (err error) {
	switch name {
	case "lazy":
		o.Lazy = true
	case "capture":
		o.Capture = r.rule
		if !r.hasValue() {
			return r.named(at, name, o.Capture)
		}
		if o.Capture, err = r.string(name); err == nil {
			err = r.named(at, name, o.Capture)
		}
	case "stop_capture":
		if o.EndCapture, err = r.value(at, name); err == nil {
			err = r.named(at, name, o.EndCapture)
		}
	case "stop", "suffix":
		var text string
		if text, err = r.value(at, name); err == nil && text != "" {
			o.End = r.tree.Node(rules.Node{Kind: rules.Text, At: at, Text: text})
			o.Hidden = name == "stop"
		}
	case "max_chars":
		o.Bounded = true
		o.MaxChars, err = r.number(at, name)
	case "temperature":
		if o.Temperature, o.Heated = rules.ParseTemperature(r.decimal()); !o.Heated {
			return r.syntax(at, "%s", rules.TemperatureForm)
		}
	case "max_tokens":
		o.Limited = true
		o.MaxTokens, err = r.number(at, name)
	default:
		return failure(diag.Invalid, r.src, at, name,
			"there is no option %s; known are %s", name, rules.OptionNames)
	}
	return err
}

// named checks the name of a capture.
func (r *optionReader) named(at int, option, name string) error {
	switch {
	case name == "":
		return r.syntax(at, "%s takes the name of the capture, a string that is not empty", option)
	case len(name) > limits.RuleCaptureName:
		return failure(diag.Limit, r.src, at, option, "the name of a capture has at most %d bytes, not %d",
			limits.RuleCaptureName, len(name))
	}
	return nil
}

// skip goes over blanks, and returns where they end.
func (r *optionReader) skip() int {
	for r.at < r.to && strings.IndexByte(" \t\r\n", r.src[r.at]) >= 0 {
		r.at++
	}
	return r.at
}

// word reads letters and underscores.
func (r *optionReader) word() string {
	from := r.at
	for r.at < r.to && (r.src[r.at] == '_' || r.src[r.at]|0x20 >= 'a' && r.src[r.at]|0x20 <= 'z') {
		r.at++
	}
	return r.src[from:r.at]
}

// hasValue goes over an equals sign, if there is one.
func (r *optionReader) hasValue() bool {
	if at := r.skip(); at == r.to || r.src[at] != '=' {
		return false
	}
	r.at++
	return true
}

// number reads the number behind an equals sign.
func (r *optionReader) number(at int, name string) (uint32, error) {
	from := r.at
	if r.hasValue() {
		for from = r.skip(); r.at < r.to && r.src[r.at] >= '0' && r.src[r.at] <= '9'; r.at++ {
		}
	}
	if r.at == from || r.src[from] == '=' {
		return 0, r.syntax(at, "%s takes a number: %s=100", name, name)
	}
	l := &lexer{src: r.src}
	return l.number(from, r.src[from:r.at])
}

// decimal returns the decimal number behind an equals sign, "" if there is none.
func (r *optionReader) decimal() string {
	if !r.hasValue() {
		return ""
	}
	from := r.skip()
	for r.at < r.to && (r.src[r.at] >= '0' && r.src[r.at] <= '9' || r.src[r.at] == '.') {
		r.at++
	}
	return r.src[from:r.at]
}

// value reads the string behind an equals sign.
func (r *optionReader) value(at int, name string) (string, error) {
	if !r.hasValue() {
		return "", r.syntax(at, "%s takes a string: %s=\"…\"", name, name)
	}
	return r.string(name)
}

// string reads a string, as strings of rules are written.
func (r *optionReader) string(name string) (string, error) {
	at := r.skip()
	if at == r.to || r.src[at] != '"' {
		return "", r.syntax(at, "%s takes a string: %s=\"…\"", name, name)
	}
	l := &lexer{src: r.src[:r.to], i: at, work: r.o.Work}
	text, err := l.quoted()
	r.at = l.i
	return text, err
}
