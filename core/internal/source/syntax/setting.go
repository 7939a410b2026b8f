package syntax

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
)

// Setting is a written option of a rule: name or name=value.
type Setting struct {
	Name    string
	At      int
	Value   Value
	ValueAt int
	Text    string // value of a String, spelling of a Number
}

// EmptySuffix is the note about a suffix with EndsNothing.
const EmptySuffix = "an empty suffix ends nothing, as in LLGuidance; use lazy to end the rule as soon as a text " +
	"that is not empty matches"

// EndsNothing reports whether s is an empty suffix, which looks like another way to write lazy.
func (s *Setting) EndsNothing() bool { return s.Name == "suffix" && s.Value == String && s.Text == "" }

// Value is the type of a Setting's value.
type Value uint8

// The types of values.
const (
	NoValue    Value = 1 << iota // the name alone
	String                       // a string
	Number                       // a result of Numeral
	Expression                   // another element for a body
	Unknown                      // no option takes it
)

// Numeral returns the prefix of text that is meant as a number, with a fraction, an exponent, a sign, or wrong
// letters; "" if there is none. The option's reader decides whether it is a number.
func Numeral(text string) string {
	n := 0
	for ; n < len(text); n++ {
		switch c := text[n]; {
		case c >= '0' && c <= '9' || c == '.':
		case n > 0 && (c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z'):
		case (c == '+' || c == '-') && (n == 0 || text[n-1]|0x20 == 'e'):
		default:
			return text[:n]
		}
	}
	return text
}

type option struct {
	name  string
	takes Value
	form  string // description of takes, for errors
	read  func(r *OptionReader, s *Setting) error
}

const (
	captureForm = "takes the name of the capture, a string that is not empty"
	endForm     = "takes the end of the rule: "
)

var (
	temperatureRange = "takes a number from 0 to " + strconv.Itoa(limits.RuleTemperature)
	temperatureForm  = temperatureRange + ": temperature=0.5"
)

var ruleOptions = []option{
	{"capture", NoValue | String, captureForm, func(r *OptionReader, s *Setting) error {
		r.Capture = s.Text
		if s.Value == NoValue {
			r.Capture = r.rule
		}
		return r.captureName(s, r.Capture)
	}},
	{"lazy", NoValue, "takes no value", func(r *OptionReader, _ *Setting) error {
		r.Lazy = true
		return nil
	}},
	{"max_chars", Number, "takes a number: max_chars=100", func(r *OptionReader, s *Setting) (err error) {
		r.MaxChars, err = r.count(s)
		r.Bounded = true
		return err
	}},
	{"max_tokens", Number, "takes a number: max_tokens=100", func(r *OptionReader, s *Setting) (err error) {
		r.MaxTokens, err = r.count(s)
		r.Limited = true
		return err
	}},
	{"stop", String | Expression, endForm, (*OptionReader).end},
	{"stop_capture", String, captureForm, func(r *OptionReader, s *Setting) error {
		r.EndCapture = s.Text
		return r.captureName(s, r.EndCapture)
	}},
	{"suffix", String | Expression, endForm, (*OptionReader).end},
	{"temperature", Number, temperatureForm, func(r *OptionReader, s *Setting) (err error) {
		r.Temperature, err = strconv.ParseFloat(s.Text, 64)
		if strings.Trim(s.Text, "+-.0123456789eE") != "" || err != nil || r.Temperature < 0 ||
			r.Temperature > limits.RuleTemperature {
			return r.refuse(s, temperatureRange+", not "+diag.Shorten(s.Text, limits.RuleFragment))
		}
		r.Heated = true
		return nil
	}},
}

// OptionReader reads the options of one rule, which mean the same in every kind of grammar.
type OptionReader struct {
	rules.Options         // the options so far; the caller sets End, since it reads Expressions
	Ending        Setting // stop or suffix; Name is "" if the rule has neither

	source     *Source
	rule       string
	word, ends string
	seen       []Setting
}

// OptionReader returns a reader for the options of a rule. In errors, word is the kind's name for an option, and ends
// describes the ends of a rule.
func (s *Source) OptionReader(rule, word, ends string) *OptionReader {
	return &OptionReader{source: s, rule: rule, word: word, ends: ends}
}

// Read reads one more option.
func (r *OptionReader) Read(s Setting) error {
	i := slices.IndexFunc(ruleOptions, func(o option) bool { return o.name == s.Name })
	if i < 0 {
		return r.source.Failure(diag.Invalid, s.At, s.Name, "there is no %s %s; known are %s", r.word, s.Name,
			optionNames())
	}
	o := &ruleOptions[i]
	twice := func(first Setting) bool { return first.Name == s.Name || isEnd(first.Name) && isEnd(s.Name) }
	if slices.ContainsFunc(r.seen, twice) {
		return r.source.Failure(diag.Invalid, s.At, s.Name, "a rule has one stop or suffix, and each %s once", r.word)
	}
	r.seen = append(r.seen, s)
	if o.takes&s.Value == 0 {
		return r.refuse(&s, o.form)
	}
	return o.read(r, &s)
}

// NoName returns the error for a missing option.
func (r *OptionReader) NoName(at int) error {
	return r.source.Syntax(at, "expected the name of an %s here; known are %s", r.word,
		optionNames())
}

// Done checks the options together, after the last one.
func (r *OptionReader) Done() error {
	for _, s := range r.seen {
		if s.Name == "stop_capture" && !r.Ends() {
			return r.source.Failure(diag.Invalid, s.At, s.Name, "stop_capture captures the stop or suffix of a rule, "+
				"and this rule has neither; write one")
		}
	}
	return nil
}

// Ends reports whether the rule has an end. The empty string is none: it stands for the end of the output.
func (r *OptionReader) Ends() bool {
	return r.Ending.Name != "" && (r.Ending.Value != String || r.Ending.Text != "")
}

func optionNames() string {
	names := make([]string, len(ruleOptions))
	for i, o := range ruleOptions {
		names[i] = o.name
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

func isEnd(option string) bool { return option == "stop" || option == "suffix" }

// refuse returns an error with the values that an option takes. Its place is the option, for an end the value, because
// ends may be long.
func (r *OptionReader) refuse(s *Setting, form string) error {
	at := s.At
	if form == endForm {
		form += r.ends
		if s.Value != NoValue {
			at = s.ValueAt
		}
	}
	return r.source.Syntax(at, "%s %s", s.Name, form)
}

func (r *OptionReader) end(s *Setting) error {
	r.Ending = *s
	return nil
}

func (r *OptionReader) captureName(s *Setting, name string) error {
	at := s.At
	if s.Value != NoValue {
		at = s.ValueAt
	}
	switch {
	case name == "":
		return r.refuse(s, captureForm)
	case len(name) > limits.RuleCaptureName:
		return r.source.Failure(diag.Limit, at, s.Name, "the name of a capture has at most %d bytes, not %d",
			limits.RuleCaptureName, len(name))
	}
	return nil
}

func (r *OptionReader) count(s *Setting) (uint32, error) {
	n, err := strconv.ParseUint(s.Text, 10, 32)
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		return 0, r.source.Syntax(s.ValueAt, "%s takes a whole number in digits, not %s", s.Name,
			diag.Shorten(s.Text, limits.RuleFragment))
	case err != nil || n > limits.RuleRepeat:
		return 0, r.source.Failure(diag.Limit, s.ValueAt, s.Name, "%s may be at most %d; for no limit, leave it out",
			s.Name, limits.RuleRepeat)
	}
	return uint32(n), nil
}
