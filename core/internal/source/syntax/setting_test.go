package syntax_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/ebnf"
	"github.com/sluice-engine/sluice/core/internal/source/lark"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
)

// readBoth reads a rule with options as EBNF and as Lark.
func readBoth(options string) (asEBNF, asLark *rules.Tree, first, second error) {
	o := &source.Options{StartRule: "root"}
	asEBNF, first = ebnf.Parse("root["+options+"] ::= \"a\"", o)
	if read, err := lark.Parse("root["+options+"]: \"a\"", o); err == nil {
		asLark = read.Tree()
	} else {
		second = err
	}
	return asEBNF, asLark, first, second
}

// Options of EBNF and attributes of Lark give the same rules.
func TestOptionsAreTheSame(t *testing.T) {
	const all = `lazy, capture="c", stop_capture="e", stop="!", max_chars=3, max_tokens=7, temperature=0.5`
	for _, options := range []string{
		"lazy", "capture", `capture="c"`, `suffix="!"`, `suffix=""`, `stop="!", capture`, "max_chars=0", "max_chars=3",
		"max_tokens=0", "max_tokens=16777216", "temperature=0", "temperature=1.25", "temperature=100", all,
		"temperature=1e-05", "temperature=2.5E+1", "temperature=.5e0", "temperature=1e-400, lazy",
	} {
		asEBNF, asLark, err, err2 := readBoth(options)
		require.NoError(t, err, options)
		require.NoError(t, err2, options)
		want, err := ebnf.Print(asEBNF, &source.Options{}, nil)
		require.NoError(t, err, options)
		got, err := ebnf.Print(asLark, &source.Options{}, nil)
		require.NoError(t, err, options)
		require.Equal(t, want, got, options)
	}
}

// Wrong options give the same error in every kind of grammar.
func TestOptionsRefused(t *testing.T) {
	for _, c := range []struct {
		options, want string
		code          diag.Code
		at            int
	}{
		{"", "expected the name of an option here; known are capture, lazy, max_chars, max_tokens, stop, " +
			"stop_capture, suffix and temperature", diag.Syntax, 0},
		{"lazy,", "expected the name of an option here", diag.Syntax, 5},
		{"lazy stop", "options are separated by commas", diag.Syntax, 5},
		{"foo=1", "there is no option foo; known are capture, lazy, max_chars", diag.Invalid, 0},
		{"lazy, capture, lazy", "each option once", diag.Invalid, 15},
		{`stop="a", lazy, suffix="b"`, "a rule has one stop or suffix", diag.Invalid, 16},
		{`suffix="a", suffix="a"`, "a rule has one stop or suffix", diag.Invalid, 12},
		{"lazy=1", "lazy takes no value", diag.Syntax, 0},
		{"capture=1", "capture takes the name of the capture", diag.Syntax, 0},
		{`capture=""`, "capture takes the name of the capture", diag.Syntax, 0},
		{`lazy, stop="a", stop_capture`, "stop_capture takes the name of the capture", diag.Syntax, 16},
		{`stop_capture="x", lazy`, "and this rule has neither", diag.Invalid, 0},
		{`lazy, stop_capture="x", stop=""`, "and this rule has neither", diag.Invalid, 6},
		{`capture="` + strings.Repeat("x", 129) + `"`, "at most 128 bytes, not 129", diag.Limit, 8},
		{"stop", "stop takes the end of the rule: a string", diag.Syntax, 0},
		{"suffix=1", "suffix takes the end of the rule: a string", diag.Syntax, 7},
		{"lazy, stop=<think>", "stop takes the end of the rule: a string", diag.Syntax, 11},
		{`suffix=("a"|"b"), lazy`, "suffix takes the end of the rule: a string", diag.Syntax, 7},
		{"max_chars", "max_chars takes a number: max_chars=100", diag.Syntax, 0},
		{`max_tokens="1"`, "max_tokens takes a number: max_tokens=100", diag.Syntax, 0},
		{"max_tokens=", "max_tokens takes a number", diag.Syntax, 0},
		{"max_tokens=-1", "max_tokens takes a whole number in digits, not -1", diag.Syntax, 11},
		{"max_tokens=1e3", "max_tokens takes a whole number in digits, not 1e3", diag.Syntax, 11},
		{"max_chars=1.5", "max_chars takes a whole number in digits, not 1.5", diag.Syntax, 10},
		{"max_chars=16777217", "max_chars may be at most 16777216", diag.Limit, 10},
		{"max_tokens=99999999999999999999999", "max_tokens may be at most 16777216", diag.Limit, 11},
		{"temperature", "temperature takes a number from 0 to 100: temperature=0.5", diag.Syntax, 0},
		{"temperature=101", "temperature takes a number from 0 to 100", diag.Syntax, 0},
		{"temperature=1e3", "temperature takes a number from 0 to 100, not 1e3", diag.Syntax, 0},
		{"temperature=1e400", "temperature takes a number from 0 to 100, not 1e400", diag.Syntax, 0},
		{"lazy, temperature=1e", "temperature takes a number from 0 to 100, not 1e", diag.Syntax, 6},
		{"temperature=1.2.3, lazy", "temperature takes a number from 0 to 100, not 1.2.3", diag.Syntax, 0},
		{"temperature=-1", "temperature takes a number from 0 to 100, not -1", diag.Syntax, 0},
		{"temperature=0x1p2", "temperature takes a number from 0 to 100, not 0x1p2", diag.Syntax, 0},
		{"temperature=1e1-3", "are separated by commas", diag.Syntax, 15},
		{`temperature="1"`, "temperature takes a number from 0 to 100", diag.Syntax, 0},
	} {
		_, _, first, second := readBoth(c.options)
		for _, err := range []error{first, second} {
			var e *diag.Error
			require.ErrorAs(t, err, &e, c.options)
			message := strings.ReplaceAll(e.Message, "attribute", "option")
			require.Contains(t, message, c.want, c.options)
			require.Equal(t, c.code, e.Code, c.options)
			require.Equal(t, len("root[")+c.at, e.Place.Offset, c.options)
		}
	}
	// A rule that is captured under its own name has a name that is not too long either.
	name := strings.Repeat("x", 129)
	_, err := ebnf.Parse("root ::= "+name+"\n"+name+`[capture] ::= "a"`, &source.Options{})
	require.ErrorContains(t, err, "at most 128 bytes, not 129")
	_, err = lark.Parse("start: "+name+"\n"+name+`[capture]: "a"`, &source.Options{})
	require.ErrorContains(t, err, "at most 128 bytes, not 129")
}
