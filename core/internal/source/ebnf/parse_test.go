package ebnf

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
)

// options know two special tokens and 1,000 ids, of which 2 ends.
func options() *source.Options {
	ids := map[string][]uint32{"<think>": {7}, "<|eot|>": {2}}
	return &source.Options{
		TokenIDs:   func(s string) []uint32 { return ids[s] },
		TokenCount: 1000, EndTokens: []uint32{2},
	}
}

// TestParse compares trees as they are printed, which is the same language with one spelling for everything.
func TestParse(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"strings", `root ::= "a\"b\\c\n\x41\u00e4\U0001F600" "" "\u65e5本"`, `root ::= ` +
			`"a\"b\\c\nAä😀" "" "日本"`},
		{"surrogate pair", `root ::= "\ud83d\ude00" [\ud83d\ude00-\ud83d\ude01]`, `root ::= "😀" [😀😁]`},
		{"all escapes", `root ::= "\'\?\/\r\t\b\f\a\v\0\e\[\]"`, `root ::= ` +
			`"'?/\r\t\u0008\u000C\u0007\u000B\u0000\u001B[]"`},
		{
			"classes", `root ::= [a-z_0-9] [^"\\] [-a] [a-] [\]\-\^] [^] .`,
			`root ::= [0-9_a-z] [^"\\] [\-a] [\-a] [\-\]\^] [^] [^]`,
		},
		{"class of surrogates' neighbours", `root ::= [\u0000-\ud7ff\ue000-\U0010ffff]`, `root ::= [^]`},
		{
			"quantifiers", `root ::= "a"* "b"+ "c"? "d"{3} "e"{2,} "f"{2,5} "g"{,4} "h"{ 1 , 2 } "i"{1,-1}`,
			`root ::= "a"* "b"+ "c"? "d"{3} "e"{2,} "f"{2,5} "g"{0,4} "h"{1,2} "i"+`,
		},
		{"groups", `root ::= (("a")) ("b" "c")+ ("d" | "e"*)? () (|"f")`, `root ::= "a" ("b" "c")+ ("d" | "e"*)? "" ` +
			`("" | "f")`},
		{"alternatives on lines", "root ::= \"a\"\n  | \"b\" # first\n  | # nothing\n    \"c\"\n\n\tx\nx ::=\n " +
			"\"x\"", "root ::= \"a\" | \"b\" | \"c\" x\nx ::= \"x\""},
		{"empty alternatives", `root ::= "a" | | "b" |`, `root ::= "a" | "" | "b" | ""`},
		{
			"names", "root ::= a-b c.d _e 1f .g Root\na-b ::= \"\"\nc.d ::= \"\"\n_e ::= \"\"\n1f ::= \"\"\n.g ::= " +
				"\"\"\nRoot ::= \"\"",
			"root ::= a-b c.d _e 1f .g Root\na-b ::= \"\"\nc.d ::= \"\"\n_e ::= \"\"\n1f ::= \"\"\n.g ::= \"\"\nRoot " +
				"::= \"\"",
		},
		{"dots between names", "root ::= a.b* ... .a\na ::= \"a\"\nb ::= \"b\"", "root ::= a [^] b* [^] [^] [^] [^] " +
			"a\na ::= \"a\"\nb ::= \"b\""},
		{"carriage returns", "root ::= a\r\na ::= \"a\"\r\n", "root ::= a\na ::= \"a\""},
		{"reference before a group", "root ::= a(\"x\") Token (\"y\")\na ::= \"a\"\nToken ::= \"t\"", "root ::= a " +
			"\"x\" Token.2 \"y\"\na ::= \"a\"\nToken.2 ::= \"t\""},
		{"no blanks", `root::="a"|[b]*("c")`, `root ::= "a" | [b]* "c"`},
		{
			"tokens", `root ::= Token(1, 2,"<think>") ExcludeToken() ExcludeToken(3) <[4]> <think> !<[5]> !<think>`,
			`root ::= Token(1, 2, 7) ExcludeToken() ExcludeToken(3) Token(4) Token(7) ExcludeToken(5) ExcludeToken(7)`,
		},
		{
			"regex", `root ::= Regex("[a-z]+\\d") | Regex("a", flags="is", json_string=true) | Regex("b", ` +
				`json_string=false,)`,
			`root ::= Regex("[a-z]+\\d") | Regex("a", json_string=true, flags="is") | Regex("b")`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree, err := Parse(c.text, options())
			require.NoError(t, err)
			require.Equal(t, c.want, strings.TrimSpace(printed(t, tree)))
			again, err := Parse(printed(t, tree), options())
			require.NoError(t, err)
			require.Equal(t, printed(t, tree), printed(t, again))
		})
	}
}

func TestStartRule(t *testing.T) {
	o := options()
	o.StartRule = "expr"
	tree, err := Parse("root ::= \"a\"\nexpr ::= \"b\"", o)
	require.NoError(t, err)
	require.Equal(t, "expr", tree.Rules[tree.Start].Name)
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		text, want string
		code       diag.Code
	}{
		{"", "1:1: root: there is no rule \"root\" to start at", diag.Invalid},
		{"# nothing\n", "1:1: root: there is no rule", diag.Invalid},
		{`roo ::= "a"`, "there is no rule \"root\" to start at; add one\n    roo ::= \"a\"\n    ^\nor name another in the " +
			"option start_rule", diag.Invalid},
		{`"a"`, "1:1: expected a rule here, written name ::= expression", diag.Syntax},
		{"root ::= foo", `1:10: foo: rule "foo" is not defined; define it with foo ::= …`, diag.Invalid},
		{"root ::= Foo\nfoo ::= \"\"", "did you mean foo?", diag.Invalid},
		{"root ::= a.c\na ::= \"\"", `rule "a.c" is not defined`, diag.Invalid},
		{"root ::= \"a\"\nroot ::= \"b\"", `2:1: root: rule "root" is defined twice, first on line 1; join the ` +
			`bodies ` +
			`with '|'`, diag.Invalid},
		{"root ::= \"a\" b ::= \"c\"", "1:14: the name of a rule must be the first word on its line", diag.Syntax},
		{"root ::= \"a", "1:10: this string is never closed", diag.Syntax},
		{"root ::= \"a\nb\"", "1:10: this string is not closed on its line; write a line break in it as " +
			"\\n", diag.Syntax},
		{"root ::= [a", "1:10: this class is not closed", diag.Syntax},
		{"root ::= []", "1:10: this class matches no character at all; [^] matches any", diag.Syntax},
		{`root ::= [\uD800-\uDFFF]`, "1:10: this class matches no character", diag.Syntax},
		{"root ::= [z-a]", "1:11: the range ends before it begins", diag.Syntax},
		{`root ::= [\d]`, `1:11: \d is not an escape of EBNF; write the class out ([0-9]), or use ` +
			`Regex("\\d")`, diag.Syntax},
		{`root ::= "\q"`, "1:11: unknown escape; known are", diag.Syntax},
		{`root ::= "\x"`, `\x needs 2 hexadecimal digits`, diag.Syntax},
		{`root ::= "\x414"`, `engines read \x before more than two hexadecimal digits differently; ` +
			`write \u0041`, diag.Syntax},
		{`root ::= "\u12"`, `\u needs 4 hexadecimal digits`, diag.Syntax},
		{`root ::= "\U00110000"`, `there is no character above U+10FFFF; write at most \U0010FFFF`, diag.Syntax},
		{`root ::= "\ud800"`, "half of a surrogate pair", diag.Syntax},
		{`root ::= "\ud800\u0041"`, "half of a surrogate pair", diag.Syntax},
		{`root ::= "\`, "a backslash must be followed by", diag.Syntax},
		{"root ::= (\"a\"\nb ::= \"c\"", "1:10: this '(' is not closed before the rule ends", diag.Syntax},
		{`root ::= "a")`, "1:13: this ')' closes nothing", diag.Syntax},
		{`root ::= "a" ]`, "this ']' closes nothing", diag.Syntax},
		{`root ::= "a"**`, "1:14: two quantifiers in a row", diag.Syntax},
		{`root ::= "a"+ {2}`, "1:15: two quantifiers in a row", diag.Syntax},
		{`root ::= *`, "1:10: this quantifier has nothing before it to repeat", diag.Syntax},
		{`root ::= "a"{3,2}`, "1:13: the minimum 3 is above the maximum 2", diag.Invalid},
		{`root ::= "a"{x}`, "1:13: a repetition counts in whole numbers, not x; write (x)* for " +
			"any number of x, and (x)? for an optional one", diag.Syntax},
		{`root ::= "a"{}`, "1:13: a repetition needs a number", diag.Syntax},
		{`root ::= "a"{2`, "1:13: this '{' is not closed", diag.Syntax},
		{`root ::= "a"{99999999}`, "1:13: a repetition may count to at most 16777216", diag.Limit},
		{`root ::= "a"{99999999999999999999999}`, "1:13: a repetition may count to at most 16777216", diag.Limit},
		{`root ::= "a" (= "b")`, "(=: a look-ahead checks the elements after it in the same sequence, " +
			"but nothing follows the start rule", diag.Unsupported},
		{
			"root ::= (a | \"c\") [bc]\na ::= \"a\" (= \"b\")", "1:11: (=: a look-ahead checks the elements after it",
			diag.Unsupported,
		},
		{"root ::= a* \"b\"\na ::= \"a\" (= \"b\")", "1:10: (=: a look-ahead checks the elements after it", diag.Unsupported},
		{
			"root ::= b [bc]\nb ::= \"b\" a\na ::= \"a\" (= \"b\")", "2:11: (=: a look-ahead checks the elements after it",
			diag.Unsupported,
		},
		{
			"root ::= b [bc]\nb ::= a\na ::= \"a\" (= \"b\")", "2:7: (=: a look-ahead checks the elements after it",
			diag.Unsupported,
		},
		{`root ::= "a" (= "b"`, "1:14: this '(' is not closed", diag.Syntax},
		{`root ::= TagDispatch(("a", b))`, `1:28: b: rule "b" is not defined`, diag.Invalid},
		{
			`root ::= TagDispatch(("", root))`, "1:23: expected a string with at least one character here",
			diag.Syntax,
		},
		{
			`root ::= TagDispatch("a", root)`, "1:22: TagDispatch takes pairs (trigger, rule), loop_after_dispatch",
			diag.Syntax,
		},
		{`root ::= TagDispatch(("a" root))`, "1:27: expected ',' and the name of a rule in a pair", diag.Syntax},
		{`root ::= TagDispatch(("a", "b"))`, "1:28: expected the name of a rule in a pair", diag.Syntax},
		{`root ::= TagDispatch(("a", root, 1))`, "1:32: expected ')' after the rule in a pair", diag.Syntax},
		{`root ::= TagDispatch(("a", root), stop_str=true)`, "1:35: TagDispatch takes pairs", diag.Syntax},
		{
			`root ::= TagDispatch(("a", root), loop_after_dispatch=1)`, "loop_after_dispatch must be true or false",
			diag.Syntax,
		},
		{`root ::= TagDispatch(("ab", root), excludes="a")`, "excludes is a list in parentheses", diag.Syntax},
		{
			`root ::= TagDispatch(("ab", root), excludes=("a"))`,
			`the trigger "ab" begins with the excluded string "a"`, diag.Invalid,
		},
		{`root ::= TagDispatch(("a", root)`, "1:33: expected ',' or ')' in the arguments of TagDispatch", diag.Syntax},
		{`root ::= TokenTagDispatch(("x", root))`, `the vocabulary has no special or added token "x"`, diag.Invalid},
		{
			`root ::= TokenTagDispatch((1, root), excludes=(2, 1))`,
			"excluded token number 2 has a rule, so it could never be reached", diag.Invalid,
		},
		{`root ::= Substring("a", 1)`, "1:25: Substring takes strings, separated by commas", diag.Syntax},
		{`root ::= Substring("a", foo=true)`, "1:25: Substring takes strings", diag.Syntax},
		{`root[lazy, max_tokens] ::= "a"`, "1:12: max_tokens takes a number", diag.Syntax},
		{`root ::= Token()`, "1:10: Token: Token() names no token", diag.Invalid},
		{`root ::= Token(x)`, `1:16: "x" is not a token id`, diag.Syntax},
		{`root ::= Token(1000)`, "1:16: 1000: token id 1000 does not exist; the vocabulary has ids below " +
			"1000", diag.Invalid},
		{`root ::= Token("x")`, `the vocabulary has no special or added token "x"`, diag.Invalid},
		{`root ::= Token(1 2)`, "1:18: expected ',' or ')' in the arguments of Token", diag.Syntax},
		{`root ::= Token(1`, "expected ',' or ')'", diag.Syntax},
		{`root ::= <x`, "a token is written <[id]> or <text>", diag.Syntax},
		{`root ::= Regex("a(")`, `in the pattern "a("`, diag.Syntax},
		{`root ::= Regex(a)`, "1:16: Regex takes the pattern as a string", diag.Syntax},
		{`root ::= Regex("a", x=1)`, "1:21: x: Regex has no option", diag.Unsupported},
		{`root ::= Regex("a", flags="m")`, "json_string must be true or false, and flags a string of the letters " +
			"i, s and u", diag.Syntax},
		{`root ::= Regex("a", flags`, "expected json_string=true or flags", diag.Syntax},
		{`root ::= 'a'`, "1:10: strings are written in double quotes", diag.Syntax},
		{`root ::= /a/`, "1:10: a regular expression is written Regex", diag.Syntax},
		{`root := "a"`, "1:6: a rule is written name ::= expression", diag.Syntax},
		{`root = "a"`, "1:1: expected a rule here", diag.Syntax},
		{`root ::= "a", "b"`, "1:13: elements of a sequence are separated by blanks, not by commas", diag.Syntax},
		{`root ::= "a" ::= "b"`, "1:14: '::=' must follow the name of a rule", diag.Syntax},
		{`root ::= "a" = "b"`, "1:14: a rule is defined with '::='", diag.Syntax},
		{`root ::= é`, "1:10: 'é' has no meaning outside strings", diag.Syntax},
		{"root ::= \"\xff\"", "1:11: a grammar must be UTF-8 text, but byte 0xFF here is not", diag.Syntax},
		{"root ::= " + strings.Repeat("\"a\"\n", limits.RuleElements), "499999:1: a grammar may have at most 5000", diag.Limit},
		{"root ::= " + strings.Repeat("x", 5000), strings.Repeat("x", limits.RuleFragment) + "…: rule", diag.Invalid},
		{"root ::= " + strings.Repeat("(", 2000), "parentheses nest deeper than 1000 levels", diag.Limit},
	} {
		t.Run(fmt.Sprintf("%.40q", c.text), func(t *testing.T) {
			_, err := Parse(c.text, options())
			var e *diag.Error
			require.True(t, errors.As(err, &e), "%v", err)
			require.Contains(t, err.Error(), c.want)
			require.Equal(t, c.code, e.Code)
			require.Equal(t, "ebnf", e.Source)
			require.Positive(t, e.Place.Line)
		})
	}
}

// TestCaret compares whole messages, for their second half is a picture.
func TestCaret(t *testing.T) {
	message := func(text string) string {
		_, err := Parse(text, options())
		require.Error(t, err)
		return err.Error()
	}
	require.Equal(t, "ebnf:1:15: b: rule \"b\" is not defined; define it with b ::= …\n"+
		"    root ::= [日本] b \"x\"\n              　　  ^", message("root ::= [日本] b \"x\""))
	require.Equal(t, "ebnf:2:8: b: rule \"b\" is not defined; define it with b ::= …\n"+
		"    \tx ::=\tb \"日\"\n    \t     \t^", message("root ::= \"\"\n\tx ::=\tb \"日\"\r\n"))
	long := message("root ::= " + strings.Repeat(`"日本" `, 50) + "b " + strings.Repeat(`"日本" `, 50))
	lines := strings.Split(long, "\n")
	require.Len(t, lines, 3)
	require.LessOrEqual(t, len(lines[1]), limits.RuleFragment+16)
	require.True(t, strings.HasPrefix(lines[1], "    …"))
	require.True(t, strings.HasSuffix(lines[1], "…"))
	require.Equal(t, "b", string([]rune(lines[1])[len([]rune(lines[2]))-1]))
}

func TestTokensWithoutVocabulary(t *testing.T) {
	_, err := Parse(`root ::= Token("<think>")`, &source.Options{})
	require.ErrorContains(t, err, "can only be looked up in a vocabulary")
	_, err = Parse(`root ::= Token(123456)`, &source.Options{})
	require.NoError(t, err)
}
