package jsonschema_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

func TestASCIIOnly(t *testing.T) {
	o := &source.Options{ASCIIOnly: true}
	checkWith(t, o, `{"type":"string"}`, []string{`"a"`, `"\u00e9"`, `"\ud83d\ude00"`, `"\\"`, `"~"`},
		[]string{`"é"`, `"\ud83d"`, `"\ud83dx"`, "\"\t\""})
	checkWith(t, o, `{"enum":["é","a","😀"]}`, []string{`"\u00E9"`, `"a"`, `"\uD83D\ude00"`},
		[]string{`"é"`, `"b"`, `"\u0061"`})
	checkWith(t, o, `{"type":"object","properties":{"é":{"type":"null"},"b":{"type":"null"}},"required":["é"]}`,
		[]string{`{"\u00e9":null,"b":null,"\u00ea":1}`}, []string{
			`{"é":null}`, `{"\u00e9":1}`, `{"\u00e9":null,"ê":1}`,
		})
	checkWith(t, o, `{"type":"string","pattern":"^.{2}$"}`, []string{`"ab"`, `"\u00e9b"`}, []string{`"éb"`, `"a"`})
	checkWith(t, o, `{"type":"string","minLength":2,"maxLength":9}`,
		[]string{`"ab"`, `"\u00e9b"`, `"\ud83d\ude00\ud83d\ude00"`}, []string{`"éb"`, `"\ud83d\ude00"`})
	checkWith(t, o, `{"type":"string","pattern":"^\\w+.$","maxLength":20}`, []string{`"ab"`, `"a\u00e9"`},
		[]string{`"aé"`, `"a"`})
	checkWith(t, o, `{"type":"object","patternProperties":{"^é":{"type":"null"}},"additionalProperties":false}`,
		[]string{`{"\u00e9x":null}`}, []string{`{"éx":null}`, `{"x":null}`})
}

func TestSeparators(t *testing.T) {
	o := &source.Options{Separators: &[2]string{", ", ": "}}
	checkWith(t, o, `{"type":"object","properties":{"a":{"type":"array"},"b":true}}`,
		[]string{`{"a": [1, {"x": []}], "b": {}}`, `{}`}, []string{`{"a":[1]}`, `{"a": [1,2]}`, `{ "a": []}`, `{"a": ` +
			`[ ]}`})
	checkWith(t, &source.Options{Separators: &[2]string{",", ":"}}, `{"const":{"a":[1,2]}}`, []string{`{"a":[1,2]}`},
		[]string{`{"a": [1,2]}`})
}

func TestWhitespacePattern(t *testing.T) {
	checkWith(t, &source.Options{WhitespacePattern: `[ \n]?`}, `{"type":"array"}`, []string{`[1, 2]`, "[\n1 ]", `[]`},
		[]string{`[1,  2]`, "[\t]"})
}

func TestIndent(t *testing.T) {
	two, tab := "  ", "\t"
	o := &source.Options{Indent: &two}
	text := "{\n  \"a\": [\n    1,\n    {\n      \"b\": {}\n    }\n  ],\n  \"c\": []\n}"
	checkWith(t, o, `{"type":"object"}`, []string{text, `{}`},
		[]string{`{"a": 1}`, "{\n}", "{\n  \"a\": 1 \n}", "{\n\"a\": 1\n}"})
	checkWith(t, o, `true`, []string{text, `[]`, `1`, "[\n  1\n]"}, []string{`[1]`, "[\n]"})
	checkWith(t, o, `{"type":"object","properties":{"a":{"type":"array","prefixItems":[{"type":"integer"},`+
		`{"$ref":"#/$defs/o"}]},"c":{"const":[]}},"required":["a"],"$defs":{"o":{"type":"object",`+
		`"properties":{"b":{"const":{}}},"additionalProperties":false}}}`,
		[]string{text, "{\n  \"a\": []\n}"}, []string{"{}", "{\n  \"a\": [\n    {}\n  ]\n}"})
	checkWith(t, &source.Options{Indent: &tab, Separators: &[2]string{",", ":"}}, `{"const":{"a":[1,[]],"b":{}}}`,
		[]string{"{\n\t\"a\":[\n\t\t1,\n\t\t[]\n\t],\n\t\"b\":{}\n}"}, []string{`{"a":[1,[]],"b":{}}`})
	checkWith(t, o, `{"type":"array","items":{"enum":["a","b"]},"uniqueItems":true}`,
		[]string{"[\n  \"a\",\n  \"b\"\n]", `[]`}, []string{"[\n  \"a\",\n  \"a\"\n]"})
	checkWith(t, o, `{"type":"array","contains":{"const":1},"minContains":2,"maxContains":2}`,
		[]string{"[\n  1,\n  2,\n  1\n]"}, []string{"[\n  1\n]", `[1,1]`})
	checkWith(t, &source.Options{Indent: &two, AnyOrder: true}, `{"const":{"a":[1],"b":{}}}`,
		[]string{"{\n  \"b\": {},\n  \"a\": [\n    1\n  ]\n}"}, nil)
	checkWith(t, o, `{"type":"object","not":{"patternProperties":{"^a":{"type":"null"}}}}`,
		[]string{"{\n  \"ab\": 1\n}"}, []string{"{\n  \"ab\": null\n}", `{}`})
}

func TestLayoutOptions(t *testing.T) {
	blank, word := " ", "x"
	for _, o := range []*source.Options{
		{Compact: true, Indent: &blank},
		{WhitespacePattern: "a"},
		{WhitespacePattern: "("},
		{MaxWhitespace: 3, WhitespacePattern: " "},
		{Separators: &[2]string{";", ":"}},
		{Indent: &word},
	} {
		_, _, err := compile(terminal.NewStore(), `{}`, o)
		require.Error(t, err)
	}
}

// Texts that are written once for each depth, or in each mark, are short.
func TestLongLayout(t *testing.T) {
	blanks := strings.Repeat(" ", limits.JSONMark)
	longer := blanks + " "
	pattern := strings.Repeat(" ", limits.JSONBlanksPattern)
	separators := [2]string{"," + blanks[1:], ":" + blanks[1:]}
	checkWith(t, &source.Options{Indent: &blanks, Separators: &separators}, `{"const":[1]}`,
		[]string{"[\n" + blanks + "1\n]"}, nil)
	checkWith(t, &source.Options{WhitespacePattern: pattern}, `{"const":[]}`, []string{"[" + pattern + "]"}, nil)
	for want, o := range map[string]*source.Options{
		"the option indent takes at most 64 bytes of whitespace, got 65":           {Indent: &longer},
		"the option separators takes two texts of at most 64 bytes, got one of 65": {Separators: &[2]string{",", ":" + blanks}},
		"the option whitespace_pattern takes at most 1024 bytes, got 1025":         {WhitespacePattern: pattern + " "},
	} {
		_, _, err := compile(terminal.NewStore(), `{"type":"array"}`, o)
		var e *diag.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, diag.Argument, e.Code)
		require.Equal(t, want, e.Message)
	}
}
