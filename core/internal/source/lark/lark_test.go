package lark

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/oracle"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/rewrite"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/work"
)

// options know two special tokens and 1,000 ids, of which 2 ends.
func options() *source.Options {
	ids := map[string][]uint32{"<think>": {7}, "<|eot|>": {2}}
	return &source.Options{
		TokenIDs:   func(s string) []uint32 { return ids[s] },
		TokenCount: 1000, EndTokens: []uint32{2},
	}
}

func compile(t testing.TB, text string) (*terminal.Store, *grammar.Grammar, []diag.Note) {
	st := terminal.NewStore()
	g, notes, err := Compile(st, []byte(text), options())
	require.NoError(t, err, text)
	return st, g, notes
}

// engine returns the automaton of a grammar.
func engine(t testing.TB, st *terminal.Store, g *grammar.Grammar) func(text []byte) bool {
	g, _, err := rewrite.Run(st, g)
	var e *diag.Error
	if errors.As(err, &e) && e.Code == diag.Unsatisfiable {
		return func([]byte) bool { return false }
	}
	require.NoError(t, err)
	p, err := pushdown.NewProgram(st, g)
	require.NoError(t, err)
	a := pushdown.NewAutomaton(p)
	return func(text []byte) bool {
		s := a.StepBytes(a.Start(), text)
		require.NotEqual(t, pushdown.Over, s, "%q", text)
		return a.Accepts(s)
	}
}

// check compiles a grammar and checks oracle and engine against expected texts.
func check(t *testing.T, text string, yes, no []string) {
	st, g, _ := compile(t, text)
	o, accepts := oracle.New(st, g), engine(t, st, g)
	for _, list := range [][]string{yes, no} {
		for _, x := range list {
			want := len(yes) > 0 && &list[0] == &yes[0]
			require.Equal(t, want, o.Accepts([]byte(x)), "oracle: %q of\n%s", x, text)
			require.Equal(t, want, accepts([]byte(x)), "engine: %q of\n%s", x, text)
		}
	}
}

const arithmetic = `
?start: sum
?sum: product
    | sum "+" product   -> add
    | sum "-" product   -> sub
?product: atom | product "*" atom -> mul | product "/" atom -> div
?atom: NUMBER -> number
     | "-" atom -> neg
     | NAME -> var
     | "(" sum ")"
%import common.CNAME -> NAME
%import common.NUMBER
%import common.WS_INLINE
%ignore WS_INLINE // blanks
`

const jsonGrammar = `
start: value
?value: object | array | ESCAPED_STRING -> string | SIGNED_NUMBER | "true" | "false" | "null"
array : "[" [value ("," value)*] "]"
object: "{" [pair ("," pair)*] "}"
pair  : ESCAPED_STRING ":" value
%import common (ESCAPED_STRING, SIGNED_NUMBER, WS)
%ignore WS
`

var cases = []struct {
	name, text string
	yes, no    []string
}{
	{"strings", `start: "a\n\x41é\u00e9\ud83d\ude00\"" "" /b/`, []string{"a\nAéé😀\"b"}, []string{"", "b"}},
	{
		"alternatives", "start: a | B\n | // none\n  \"c\" # last\na: \"x\" -> name\nB: \"y\"",
		[]string{"x", "y", "c"},
		[]string{"", "xy"},
	},
	{"an empty alternative comes first", "start:\n | \"a\"\n | \"b\"\n", []string{"", "a", "b"}, []string{"ab"}},
	{
		"a template with a string in itself",
		"start: t{\"a\", \"x\"}\nt{p, q}: \"(\" t{s, \"b\"} \")\" q? | p\ns: \"s\"",
		[]string{"a", "(s)", "((s)b)x"},
		[]string{"s", "(a)", "(s)b"},
	},
	{"an empty alternative", `start: "a" ("b" | ) "c"`, []string{"abc", "ac"}, []string{"a"}},
	{"repetition", `start: "a"* "b"+ "c"? "d"~2 "e"~1..2 "f"{2} "g"{1,} "h"{,2} "i"{0,1}`, []string{
		"bddeffg",
		"aabbcddeeffgghhi",
	}, []string{"bdeffg", "bddeffghhh"}},
	{"optional", `start: ["a" | "b"] ("c" "d")~0..3`, []string{"", "a", "bcdcd"}, []string{"ab", "c", "cdcdcdcd"}},
	{"ranges", `start: "a".."f" "0".."9"~2`, []string{"a00", "f99"}, []string{"g00", "a0"}},
	{
		"flags", `start: "Ab-1"i /c.d/s /E # comment` + "\n" + `f/xi`,
		[]string{"aB-1c\ndef", "AB-1cxdEF"},
		[]string{"ab-1cde f"},
	},
	{"a slash in a regex", `start: /a\/b[\/]/`, []string{"a/b/"}, []string{"a/b"}},
	{"names", "?start: _a A-B c\n_a: \"1\"\nA-B: \"2\"\n!c: _D\n_D: \"3\"", []string{"123"}, []string{"12"}},
	{"no maximal munch", `start: /a+/ "a" ("a"|"ab") "bc"`, []string{"aaabc", "aaaabbc", "aaaabc"}, []string{
		"aabc",
		"abc",
	}},
	{"left and right recursion", `start: start "a" | "b" start | "c"`, []string{"c", "bca", "bbcaaa"}, []string{
		"",
		"ac",
	}},
	{"arithmetic", arithmetic, []string{"1", "1+2*(x - -3.5e1) / y", "a  "}, []string{"", " 1", "1+", "(1", "1\n"}},
	{"json", jsonGrammar, []string{`{"a": [1, -2.5e3, "x\"y"], "b" : {}} `, "[ ]", "null"}, []string{
		`{a: 1}`,
		"[1,]", "'x'",
	}},
	{
		"blanks are ignored between tokens", "start: \"a\" B+ \"c\"\nB: /b/ \"x\"\n%ignore \" \"\n%ignore /#[a-z]*;/",
		[]string{"abxc", "a  bx bx#y;c #;"},
		[]string{" abxc", "ab xc"},
	},
	{
		"nothing is ignored behind an empty token", "start: /a*/ \"b\"\n%ignore \" \"",
		[]string{"b", "a b", "aab "},
		[]string{" b"},
	},
	{
		"ignored at the beginning", "%llguidance {\"allow_initial_skip\": true}\nstart: \"a\"\n%ignore \" \"",
		[]string{"a", "  a "},
		[]string{"", " "},
	},
	{"ignored once", "%llguidance {\"ignore_once\": true}\nstart: \"a\" \"b\"\n%ignore \" \"", []string{
		"ab", "a b",
		"a b ",
	}, []string{"a  b"}},
	{"intersection", "start: W\nW: /[a-z]+/ & ~\"if\" & ~(/.*x/)", []string{"i", "iff", "ax1"[:1]}, []string{
		"if",
		"ax", "", "1",
	}},
	{
		"intersection in a rule", "start: /[a-z]{2,4}/ & /.*b/ \"c\" | \"q\"",
		[]string{"abc", "bc", "q"},
		[]string{"aac", "ab"},
	},
	{"complement", `start: "<" ~/[^"]*>.*/ ">"`, []string{"<>", "<é\n>", `<">>`}, []string{"<a>b>", "<\xff>"}},
	{
		"complement binds tighter than repetition", `start: (~"a" & /./)+ ";" | "x" ~2`,
		[]string{"b;", "bcd;", "xx"},
		[]string{"a;", ";", "bac;"},
	},
	{"templates", "start: list{\"a\", \",\"} list{num, SEP}\nlist{item, sep}: item (sep item)*\nnum: /[0-9]/\nSEP: " +
		"\";\"", []string{"a1", "a,a1;2"}, []string{"a;a1", "a,1,2"}},
	{
		"a template in a template",
		"start: pair{(\"a\" | \"b\"), \"c\"}\npair{x, y}: both{x, y} | both{y, x}\nboth{p, q}: p q?",
		[]string{
			"ac",
			"b", "cb", "c",
		},
		[]string{"ab", "cc"},
	},
	{"a recursive template", "start: nest{\"x\"} nest{\"y\"}\nnest{x}: \"(\" nest{x} \")\" | x", []string{
		"xy",
		"((x))(y)",
	}, []string{"yx", "(x)"}},
	{
		"extended", "start: A\n%import common.INT -> A\n%extend A: \"x\" | \"y\"",
		[]string{"12", "x", "y"},
		[]string{"z"},
	},
	{
		"overridden", "start: A b\n%import common.INT -> A\n%override A: \"x\"\nb: \"1\"\n%override b: \"2\"",
		[]string{"x2"},
		[]string{"11", "x1"},
	},
	{
		"number is lexed", "start: NUMBER FLOAT INT SIGNED_NUMBER\n%import common (NUMBER, FLOAT, INT, SIGNED_NUMBER)",
		[]string{"11.01-1", ".5e+31e11+.1"},
		[]string{"1111", "1"},
	},
	{"words", "start: CNAME WS WORD WS_INLINE NEWLINE ESCAPED_STRING\n%import common (CNAME, WS, WORD, WS_INLINE, " +
		"NEWLINE, ESCAPED_STRING)", []string{"_a1 \n\tab \n\r\n\"a\\\"\\\\\""}, []string{"1 a \n\"\"", "a a \n\"\\\""}},
	{"comments", "start: SH_COMMENT LF CPP_COMMENT CR C_COMMENT SQL_COMMENT\n%import common (SH_COMMENT, LF, " +
		"CPP_COMMENT, CR, C_COMMENT, SQL_COMMENT)", []string{"#a\n//b\r/**c*d**/--"}, []string{"#\n//\r/**/*/--"}},
	{"letters", "start: LETTER LCASE_LETTER UCASE_LETTER DIGIT HEXDIGIT SIGNED_INT DECIMAL _EXP " +
		"SIGNED_FLOAT\n%import common (LETTER, LCASE_LETTER, UCASE_LETTER, DIGIT, HEXDIGIT, SIGNED_INT, DECIMAL, " +
		"_EXP, SIGNED_FLOAT)", []string{"aaA0F-11.E+5-1e1"}, []string{""}},
	{
		"a lazy rule", "start: x \"c\" | \"-\" y \"c\"\nx[lazy]: /a*b/\ny[lazy]: /a+b*/",
		[]string{"bc", "aabc", "-ac"},
		[]string{"abbc", "-aac", "-abc", "c"},
	},
	{
		"a lazy rule that may be empty", "start: x \"c\"\nx[lazy]: /a*b*/",
		[]string{"c", "ac", "bc"},
		[]string{"aac", "abc"},
	},
	{
		"a suffix", "start: x y\nx[suffix=\"b\"]: /[ab]*/\ny[suffix=/c+/]: B\nB: \"x\"",
		[]string{"bxc", "aabxc"},
		[]string{"abbxc", "xc", "bxcc"},
	},
	{
		"free text and its end", "start: x \"!\"\nx[stop=\"aba\"]: /(.|\\n)*/",
		[]string{"aba!", "ab\r\néaba!", "abbabaaba!"[:6] + "!"},
		[]string{"ababa!", "!", "a!"},
	},
	{
		"tools in free text", "start: (text | tool)* text\ntext: TEXT\ntool: head /[0-9]+/ \"</f>\"\n" +
			"head[lazy]: TEXT \"<f>\"\nTEXT: /(.|\\n)*/",
		[]string{"", "abc", "a<f>1</f>", "a<f>1</f>b<f>2</f>c", "<f"},
		[]string{"a<f>x", "a<f>1", "a<f>1</f>b<f>"},
	},
	{
		"the first trigger decides", "start: (f1 | f2)* TEXT\nf1: h1 \"1;\"\nf2: h2 \"2;\"\nh1[lazy]: TEXT \"<a>\"\n" +
			"h2[lazy]: TEXT (\"<b>\" | \"<c\" \">\")\nTEXT: /(?s:.*)/",
		[]string{"", "x<a>1;", "x<b>2;y<a>1;z", "<c>2;<c"},
		[]string{"x<a>2;", "x<b>1;", "<a>"},
	},
	{
		"triggers that are patterns",
		"start: (f1 | f2)* TEXT\nf1: h1 \"1;\"\nf2: h2 \"2;\"\nh1[suffix=/<a+>/]: TEXT\n" +
			"h2[lazy]: TEXT /<[bc]>/\nTEXT: /(?s:.*)/",
		[]string{"", "x<aa>1;", "x<b>2;y<a>1;z", "<c>2;<c"},
		[]string{"x<aa>2;", "x<b>1;", "<a>"},
	},
	{
		"text or a tool", "start: TEXT | f1\nf1: h1 \"1;\"\nh1[suffix=\"<a>\"]: TEXT\nTEXT: /[\\s\\S]*/",
		[]string{"", "x", "x<a>1;"},
		[]string{"x<a>2;", "<a>"},
	},
	{
		"tools with one trigger", "start: (a | b)*\na: h \"a>\"\nb: h \"b>\"\nh[lazy]: T \"<\"\nT: /(.|\\n)*/",
		[]string{"", "<a>", "x<b><a>"},
		[]string{"x", "<c>", "<a>x"},
	},
	{
		"JSON", "start: \"<\" %json {\"type\": \"object\", \"properties\": {\"a}\": {\"type\": \"integer\"}}, " +
			"\"additionalProperties\": false} \">\" %json {\"enum\": [1, 2]}\n%ignore \" \"",
		[]string{`<{"a}": 1}>2`, `<{} > 1 `},
		[]string{`<{"b": 1}>1`, `<{}>3`},
	},
	{
		"a grammar within", "start: \"[\" %lark {\n start: A+ b\n A: \"a\"\n b: \"b\"\n %ignore \"_\"\n} \"]\" " +
			"A\nA: \"x\"\n%ignore \" \"",
		[]string{"[aab]x", "[ a_a_b_ ] x"},
		[]string{"[a a b]x", "[aab]a"},
	},
	{
		"parts of a text", "start: %regex {\"substring_words\": \"The quick, brown fox!\"} \";\" " +
			"%regex {\"substring_chars\": \"abcab日\"} \";\" W\nW: %regex {\"substring_chunks\": [\"ab\", \"\", " +
			"\"c\", \"abd\"]}",
		[]string{"quick, brown;cab日;cabd", ";;", " ;ab;abcabd", "The ;日;c"},
		[]string{"qui;;", ";ba;", ";;cab", ";\xe6;", "quickbrown;;"},
	},
	{"parts of nothing", `start: "a" %regex {"substring_words": ""}`, []string{"a"}, []string{""}},
}

func TestLark(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { check(t, c.text, c.yes, c.no) })
	}
}

func TestTokens(t *testing.T) {
	st, g, _ := compile(t, `start: "a" <think> <[3]> <[5-6,9]> <[^5-6,9]> <[*]> "b"`)
	o := oracle.New(st, g)
	text := func(ids ...uint32) []byte {
		b := []byte("a")
		for _, id := range ids {
			b = append(b, oracle.Special(id)...)
		}
		return append(b, 'b')
	}
	require.True(t, o.Accepts(text(7, 3, 6, 7, 999)))
	require.False(t, o.Accepts(text(7, 3, 6, 9, 999)))
	require.False(t, o.Accepts(text(7, 3, 7, 7, 999)))
	require.False(t, o.Accepts(text(7, 3, 6, 2, 999)), "2 is an end token")
	require.False(t, o.Accepts(text(7, 3, 6, 7, 2)))
	require.False(t, o.Accepts([]byte("a<think>b")))
}

// wrong lists refused texts, each with a part of the message.
var wrong = []struct {
	text, want string
	code       diag.Code
}{
	{
		"start: 'a'", "lark:1:8: strings are written in double quotes, \"like this\"\n    start: 'a'\n           ^",
		diag.Syntax,
	},
	{"a: \"x\"", "lark:1:1: start: there is no rule \"start\" to start at", diag.Invalid},
	{"start: a\n  b: \"x\"\n", "lark:1:8: a: a is not defined; define it: a: …", diag.Invalid},
	{"start: INT", "write %import common.INT", diag.Invalid},
	{"start: foo_bar\nfoo-bar: \"x\"", "did you mean foo-bar?", diag.Invalid},
	{"start ::= \"a\"", "lark:1:1: ::=: this is EBNF; a Lark rule is written start: expression", diag.Syntax},
	{"start: \"a\"\nstart: \"b\"", "lark:2:1: start: start is defined twice, first on line 1", diag.Invalid},
	{"start: \"a\" | (\"b\"\n", "this '(' is not closed", diag.Syntax},
	{"start: \"a\")", "this ')' closes nothing", diag.Syntax},
	{"start: \"a", "this string is never closed", diag.Syntax},
	{"start: /a", "never closed", diag.Syntax},
	{"start: /a(/", "lark:1:", diag.Syntax},
	{"start: /(a)\\1/", "lark:1:12", diag.Unsupported},
	{"start: \"a\"**", "two quantifiers in a row", diag.Syntax},
	{"start: *", "nothing before it to repeat", diag.Syntax},
	{"start: \"a\"{3,2}", "the minimum 3 is above the maximum 2", diag.Invalid},
	{"start: \"a\"{99999999999}", "may count to at most", diag.Limit},
	{"start: \"a\"~1.5", "counts in whole numbers", diag.Syntax},
	{"start: \"b\"..\"a\"", "ends before it begins", diag.Syntax},
	{"start: \"ab\"..\"c\"", "one character on either side", diag.Syntax},
	{"start: \"a\"x", "lark:1:11: x", diag.Invalid},
	{"start: /a/l", "lark:1:8: l: a regular expression has no flag l", diag.Unsupported},
	{"start: @other", "lark:1:8: @other", diag.Invalid},
	{"%import python.X\nstart: \"a\"", "only the library common", diag.Unsupported},
	{"%import common.NOPE\nstart: \"a\"", "the library common has no NOPE; it has CNAME", diag.Invalid},
	{"%declare _X\nstart: \"a\"", "%declare", diag.Unsupported},
	{"%foo\nstart: \"a\"", "there is no %foo", diag.Invalid},
	{"start: %foo", "there is no %foo", diag.Invalid},
	{"%override x: \"a\"\nstart: \"a\"", "but x has none", diag.Invalid},
	{"start: t{\"a\"}\nt{x}: t{(x x)} | x", "without end", diag.Invalid},
	{"start: t{\"a\", \"b\"}\nt{x}: x", "takes 1 arguments, not 2", diag.Invalid},
	{"start: t\nt{x}: x", "t is a template", diag.Invalid},
	{"start: t{\"a\"}\nt: \"x\"", "t is not a template", diag.Invalid},
	{"start: A\nA: b\nb: \"x\"", "terminal A refers to the rule b", diag.Invalid},
	{"start: A\nA: <think>", "cannot be part of a terminal", diag.Invalid},
	{"start: <nope>", "no special or added token \"<nope>\"", diag.Invalid},
	{"start: <[1000]>", "token id 1000 does not exist", diag.Invalid},
	{"start: <[5-x]>", "is not a token id", diag.Syntax},
	{"start: ~(\"a\" B)\nB: \"x\" B \"y\" |", "must be regular", diag.Unsupported},
	{"start: x\nx[capture=1]: \"a\"", "capture takes the name of the capture", diag.Syntax},
	{"start: x\nx[capture, capture]: \"a\"", "each attribute once", diag.Invalid},
	{"start: x\nx[max_tokens]: \"a\"", "lark:2:3: max_tokens takes a number", diag.Syntax},
	{"start: x\nx[max_tokens=99999999]: \"a\"", "lark:2:14", diag.Limit},
	{"start: x\nx[stop=\"a\", suffix=\"b\"]: \"a\"", "one stop or suffix", diag.Invalid},
	{"start: x\nx[foo]: \"a\"", "there is no attribute foo", diag.Invalid},
	{"start: x\nx[suffix]: \"a\"", "suffix takes the end of the rule", diag.Syntax},
	{"start: x\nx[lazy]: \"(\" x \")\" |", "must be regular", diag.Unsupported},
	{"start: x\nx[lazy]: y\ny: \"a\"\n%ignore \" \"", "use terminals here", diag.Invalid},
	{"start: %json {\"type\": \"nope\"}", "lark:1:14: type: in the schema, at \"/type\"", diag.Invalid},
	{"start: %json {\"type\" 1}", "lark:1:22: ", diag.Syntax},
	{"start: \"a\" | %json {\"type\": \"string\", \"pattern\": \"^(?=b)a\"}", "lark:1:", diag.Unsatisfiable},
	{"start: A\nA: %json {}", "%json cannot be part of a terminal", diag.Invalid},
	{"start: %json", "followed by a JSON schema", diag.Syntax},
	{"start: %json {", "never closed", diag.Syntax},
	{"start: %lark {\n a: \"x\"\n}", "there is no rule \"start\"", diag.Invalid},
	{"start: %lark {\n start: \"x\" )\n}", "this ')' closes nothing", diag.Syntax},
	{"start: %lark { start: \"x\"", "this '{' is never closed", diag.Syntax},
	{"start: %regex {\"type\": 1}", "%regex has no type", diag.Invalid},
	{"start: %regex {}", "one of substring_words", diag.Invalid},
	{"%llguidance {\"skip_repetition\": \"twice\"}\nstart: \"a\"", "lark:1:13: skip_repetition: the " +
		"setting", diag.Invalid},
	{"start: %regex {\"substring_words\": 1}", "must be a string, not a number", diag.Invalid},
	{"start::_: \"a\"", "there is no rule \"start\" to start at", diag.Invalid},
	{"start::0: \"a\"", "lark:1:1: ::: define a rule with a number once", diag.Syntax},
	{"start: \"a\" %if true", "lark:1:12: %if: a condition tests the number of a rule", diag.Invalid},
	{"start: x::0\nx: \"a\"", "x takes no number", diag.Invalid},
	{"start: x\nx::_: \"a\"", "lark:1:8: x: x has a number as parameter; name it: x::0", diag.Invalid},
	{"start: x::_\nx::_: \"a\"", "lark:1:11: _: _ is computed from the number of the rule", diag.Invalid},
	{"start: x::y\nx::_: \"a\"", "lark:1:11: expected a number here, or one of", diag.Syntax},
	{"start: x::1.5\nx::_: \"a\"", "1.5 is not a whole number of 64 bits", diag.Syntax},
	{"start: x::0x\nx::_: \"a\"", "0x is not a whole number of 64 bits", diag.Syntax},
	{"start: x::18446744073709551616\nx::_: \"a\"", "is not a whole number of 64 bits", diag.Syntax},
	{"start: x::0\nx::_: \"a\" x::set_bit(64)", "there is no bit 64", diag.Invalid},
	{"start: x::0\nx::_: \"a\" x::incr([3:3])", "lark:2:19: bits of a number are written [x:y]", diag.Syntax},
	{"start: x::0\nx::_: \"a\" x::incr([3:65])", "bits of a number are written [x:y]", diag.Syntax},
	{"start: x::0\nx::_: \"a\" x::incr(2)", "bits of a number are written [x:y]", diag.Syntax},
	{"start: x::0\nx::_: \"a\" x::bit_or", "expected arguments in parentheses", diag.Syntax},
	{"start: x::0\nx::_: \"a\" x::bit_or(1", "expected a closing parenthesis", diag.Syntax},
	{"start: x::0\nx::_: \"a\" %if odd", "lark:2:15: odd: a condition is true, bit_clear(k)", diag.Syntax},
	{"start: x::0\nx::_: \"a\" %if eq(_)", "expected a comma here", diag.Syntax},
	{"start: x::0\nx::_: \"a\" %if and(true, true) \"b\"", "lark:2:31: \"b\" cannot stand here", diag.Syntax},
	{"start: x::0\nx::_: \"a\" %if true -> y", "\"->\" cannot stand here", diag.Syntax},
	{"start: x::0\nx::_: \"a\" x::incr(_)", "more than 10000 different numbers", diag.Limit},
	{"start: x::0\nx{y}::_: y", "templates and terminals take no number", diag.Invalid},
	{"start: A\nA::_: \"a\"", "templates and terminals take no number", diag.Invalid},
	{"start: x::0\nx::_: \"a\" %if " + strings.Repeat("not(", 1001), "nest deeper than 1000 levels", diag.Limit},
	{"%llguidance {\"a\": 1}\nstart: \"a\"", "true or false", diag.Invalid},
	{"%llguidance {\"a\" 1}\nstart: \"a\"", "lark:1:18", diag.Syntax},
	{"start: \"\xff\"", "0xFF", diag.Syntax},
	{"start: \"\\ud800\"", "half of a surrogate pair", diag.Syntax},
	{"start: " + strings.Repeat("(", 2000), "nest deeper", diag.Limit},
	{"start: " + strings.Repeat("~", 2000), "nest deeper", diag.Limit},
	{"start: " + strings.Repeat("(", limits.RuleElements), "a grammar may have at most 500000 names", diag.Limit},
	{"start: \"a\" }", "this '}' closes nothing", diag.Syntax},
	{"| \"a\"", "belongs to no rule", diag.Syntax},
	{"\"a\"", "expected a rule or terminal", diag.Syntax},
}

func TestErrors(t *testing.T) {
	for _, c := range wrong {
		_, _, err := Compile(terminal.NewStore(), []byte(c.text), options())
		var e *diag.Error
		require.True(t, errors.As(err, &e), c.text)
		require.Contains(t, err.Error(), c.want, c.text)
		require.Equal(t, c.code, e.Code, "%s: %s", c.text, err)
		require.Positive(t, e.Place.Line, c.text)
		require.Equal(t, "lark", e.Source)
	}
}

// Alternatives that begin with texts are one trie, although ignored text follows each text and each group.
func TestManyTextsBeforeTerminals(t *testing.T) {
	var alternatives []string
	for i := range 20_000 {
		alternatives = append(alternatives, fmt.Sprintf(`"k%d" N`, i), fmt.Sprintf(`("j%d" ":") (N "x")`, i))
	}
	o := options()
	budget := limits.DefaultBudgets().Compile
	o.Work = work.New(budget, nil)
	st := terminal.NewStore()
	g, _, err := Compile(st, []byte("start: ("+strings.Join(alternatives, " | ")+")+\nN: /[a-z]+/\n%ignore \" \""), o)
	require.NoError(t, err)
	require.Less(t, budget-o.Work.Left(), 20_000_000)
	accepts := engine(t, st, g)
	for text, valid := range map[string]bool{
		"k7abc": true, "k19999 abc k8 d": true, "j7 : a x": true, "j7:a xk3b": true, "": false, "k7": false,
		"k20000 a": false, "j7 a x": false, "j7:a": false, "k7 abc x": false,
	} {
		require.Equal(t, valid, accepts([]byte(text)), text)
	}
}

// Conjunctions within parentheses are read twice, not once for each level.
func TestNestedConjunctionsAreReadTwice(t *testing.T) {
	read := func(levels int) int {
		o := options()
		o.Work = work.New(0, nil)
		before := o.Work.Left()
		text := strings.Repeat("(", levels) + "/a+/" + strings.Repeat(" & /[ab]/)", levels)
		_, err := parse("start: "+text+" \"c\"\n%ignore \" \"", o)
		require.NoError(t, err)
		return before - o.Work.Left()
	}
	require.Less(t, read(400), 5*read(100))
}

// A cached conjunction belongs to one instance of a template.
func TestConjunctionsOfInstances(t *testing.T) {
	st, g, _ := compile(t, "start: pair{A} pair{B}\npair{x}: ((x & /[ab]+/) & /[^c]+/)\nA: /a+/\nB: /b+/")
	accepts := engine(t, st, g)
	for text, valid := range map[string]bool{"ab": true, "aabb": true, "aa": false, "bb": false, "ba": false} {
		require.Equal(t, valid, accepts([]byte(text)), text)
	}
}

func TestPrioritiesAreNoted(t *testing.T) {
	_, _, notes := compile(t, "start.2: A\nA.-1: \"x\"")
	require.Len(t, notes, 2)
	require.Equal(t, diag.Ignored, notes[0].Effect)
	require.Contains(t, notes[1].Text, "line 2: ")
}
