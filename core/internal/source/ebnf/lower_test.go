package ebnf

import (
	"errors"
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/oracle"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/rewrite"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/inspect"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
	"github.com/sluice-engine/sluice/core/internal/work"
)

func compile(t testing.TB, text string) (*terminal.Store, *grammar.Grammar) {
	st := terminal.NewStore()
	g, notes, err := Compile(st, []byte(text), options())
	require.NoError(t, err)
	require.Empty(t, notes)
	return st, g
}

// engine returns the automaton of a grammar. A grammar without texts has none. answers is false if the automaton's
// budget runs out.
func engine(t testing.TB, st *terminal.Store, g *grammar.Grammar) func(text []byte) (accepts, answers bool) {
	g, _, err := rewrite.Run(st, g)
	var e *diag.Error
	if errors.As(err, &e) && e.Code == diag.Unsatisfiable {
		return func([]byte) (bool, bool) { return false, true }
	}
	require.NoError(t, err)
	p, err := pushdown.NewProgram(st, g)
	require.NoError(t, err)
	a := pushdown.NewAutomaton(p)
	return func(text []byte) (accepts, answers bool) {
		s := a.StepBytes(a.Start(), text)
		return a.Accepts(s), s != pushdown.Over
	}
}

// oneTerminal returns the terminal that the grammar is, or fails.
func oneTerminal(t testing.TB, g *grammar.Grammar) terminal.Expr {
	alts := g.Rules[g.Start].Alternatives
	require.Len(t, alts, 1)
	require.Len(t, alts[0], 1)
	require.Equal(t, grammar.Terminal, alts[0][0].Kind)
	return terminal.Expr(alts[0][0].Index)
}

const jsonGrammar = `
root   ::= object
value  ::= object | array | string | number | ("true" | "false" | "null") ws

object ::=
  "{" ws (
            string ":" ws value
    ("," ws string ":" ws value)*
  )? "}" ws

array  ::=
  "[" ws (
            value
    ("," ws value)*
  )? "]" ws

string ::=
  "\"" (
    [^"\\\x7F\x00-\x1F] |
    "\\" (["\\bfnrt] | "u" [0-9a-fA-F]{4}) # escapes
  )* "\"" ws

number ::= ("-"? ([0-9] | [1-9] [0-9]{0,15})) ("." [0-9]+)? ([eE] [-+]? [0-9] [1-9]{0,15})? ws

# Optional space: by convention, applied in this grammar after literal chars when allowed
ws ::= | " " | "\n" [ \t]{0,20}
`

// grammars with texts that they match and texts that they don't.
var cases = []struct {
	name, text string
	terminal   bool // the whole grammar is one terminal
	yes, no    []string
}{
	{
		"arithmetic, left recursive", "root ::= expr\nexpr ::= expr [-+] term | term\nterm ::= term [*/] factor | " +
			"factor\nfactor ::= \"(\" expr \")\" | [0-9]+", false,
		[]string{"1", "1+2", "1+2*3-(4)", "((1))"},
		[]string{"", "1+", "(1", "+1", "1 + 2"},
	},
	{
		"arithmetic, right recursive", "root ::= expr\nexpr ::= term ([-+] expr)?\nterm ::= factor ([*/] " +
			"term)?\nfactor ::= \"(\" expr \")\" | [0-9]+", false,
		[]string{"1", "1+2", "1+2*3-(4)", "((1))"},
		[]string{"", "1+", "(1", "+1", "1 + 2"},
	},
	{"json", jsonGrammar, false, []string{`{"a": [1, true, "x\u00e9"]}`, `{}`, `{ ` +
		`"é":-1.5e-9}`}, []string{`[]`, `{"a" 1}`, `{"a":"` + "\n" + `"}`, `{"a":01}`}},
	{"ambiguous", `root ::= "a" | root root`, false, []string{"a", "aa", "aaaaa"}, []string{"", "b"}},
	{"nullable and left recursive", `root ::= root "a" | ""`, true, []string{"", "a", "aaa"}, []string{"b"}},
	{"hidden left recursion", "root ::= x root \"b\" | \"a\"\nx ::= " +
		"\"c\"?", false, []string{"a", "ab", "cab", "ccabb", "cabb"}, []string{"ca", "cb", "cccabb"}},
	{"blanks by recursion", "root ::= ws \"x\" ws\nws ::= ([ \\t\\n] ws)?", true, []string{"x", " x", "\t \nx  " +
		""}, []string{"", "  ", "x x"}},
	{"digits from the left", "root ::= n\nn ::= n [0-9] | [1-9]", true, []string{"1", "100"}, []string{"0", "01", ""}},
	{"digits from the right", "root ::= n \".\"\nn ::= [0-9] n | " +
		"[0-9]", true, []string{"1.", "007."}, []string{".", "1"}},
	{"both sides", `root ::= "a" root | root "b" | ` +
		`"c"`, false, []string{"c", "ac", "cb", "aacbbb"}, []string{"", "ab", "acbc", "bc", "ca"}},
	{"balanced", `root ::= "(" root ")" | ""`, false, []string{"", "()", "((()))"}, []string{"(", "())", ")("}},
	{"balanced with loop", `root ::= [^()] root | "(" root ")" root | ` +
		`""`, false, []string{"", "a(b)c", "((é))x"}, []string{"(", "())", "a)"}},
	{
		"automaton as rules", "root ::= s0\ns0 ::= [^<] s0 | \"<\" s1 | \"\"\ns1 ::= [^<e] s0 | \"<\" s1 | \"e\" " +
			"s2\ns2 ::= [^<>] s0 | \"<\" s1", false,
		[]string{"", "a<b", "<<ex"},
		[]string{"<", "a<e", "<e>"},
	},
	{"empty", `root ::= ""`, true, []string{""}, []string{"a"}},
	{"empty body", "root ::=", true, []string{""}, []string{"a"}},
	{"literals", `root ::= "yes" | "no" | "no way" | "日本" | [0-9]{3}`, true, []string{"yes", "no", "no " +
		"way", "日本", "123"}, []string{"", "n", "日", "12"}},
	{
		"words that begin alike",
		`root ::= ("item" [a-c] "x" | "item" [c-e] | "it" | "item" | "items" "x"? | "日本" [0-9] | "日" [a-z]) "."`,
		true,
		[]string{"itemax.", "itemcx.", "itemc.", "iteme.", "it.", "item.", "items.", "itemsx.", "日本1.", "日z."},
		[]string{"itema.", "itemex.", "ite.", "日本.", "日.", "itemcx", "itx."},
	},
	{"code points", "root ::= [^a] . [é-ü] " +
		"\"\\u65e5\"", true, []string{"é日ï日", "bbé日"}, []string{"aaé日", "b\xffé日", "bé日"}},
	{"long counts", `root ::= "\"" [^"\\]{0,30} "\"" ("," ` +
		`[a-z]{10,20})*`, false, []string{
		`""`, `"日本",abcdefghij`,
	}, []string{`"`, `"",abc`, `"\"`, `"",` + strings.Repeat("a", 21)}},
	{"count before what continues it", `root ::= [a-z]{9,12} [a-z]`, false, []string{strings.Repeat("a",
		10), strings.Repeat("a", 13)}, []string{strings.Repeat("a", 9), strings.Repeat("a", 14)}},
	{"count after a multi-byte text", `root ::= "日" [^x]{0,20} "x" [^本]{9,} "本" [^y]{,9} ` +
		`[é]`, false, []string{"日本xabcdefghi本é", "日x日日日日日日日日日本zé"}, []string{"日xabc本é", "日本"}},
	{"counted groups", `root ::= ("ab" | "c"){2,3} ("x" [0-9]{1,70}){0,40} ` +
		`(".."){140}`, false, []string{"abc" + strings.Repeat("..", 140), "ccabx1x22" + strings.Repeat("..",
		140)}, []string{"ab" + strings.Repeat("..", 140), "cc" + strings.Repeat("..", 141)}},
	{"counted recursion", "root ::= r{2,3} r? r+\nr ::= \"[\" r* \"]\" | " +
		"\"x\"{0}", false, []string{"", "[]", "[[][]][]"}, []string{"x", "[", "]["}},
	{"zero times", `root ::= "a"{0} (root2 root2){,0} "b"{0,0} "c"` + "\nroot2 ::= root2 " +
		"\"a\"", false, []string{"c"}, []string{"ac", "bc", ""}},
	{"regex", `root ::= (Regex("[a-c]+|\\d{2}") ",")* Regex("x", flags="i") | Regex("[^a]*", ` +
		`json_string=true)`, false, []string{"abc,12,X", "x", "é", ""}, []string{"abc,1,x", `b"`, "b\\", "a"}},
}

func TestLower(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			st, g := compile(t, c.text)
			if c.terminal {
				oneTerminal(t, g)
			}
			tree, err := Parse(c.text, options())
			require.NoError(t, err)
			o := oracle.New(st, g)
			accepts := engine(t, st, g)
			for _, list := range [][]string{c.yes, c.no} {
				for _, text := range list {
					want := &list[0] == &c.yes[0]
					require.Equal(t, want, o.Accepts([]byte(text)), "%q", text)
					got, answers := accepts([]byte(text))
					require.True(t, answers, "%q", text)
					require.Equal(t, want, got, "engine: %q", text)
					if len(text) < 60 && !strings.Contains(c.text, "Regex") {
						require.Equal(t, want, matches(tree, text), "tree: %q", text)
					}
				}
			}
		})
	}
}

// Any number of alternatives that begin with a text are one terminal, whose beginning has few parts.
func TestManyWordsAreOneTerminal(t *testing.T) {
	var b strings.Builder
	b.WriteString(`root ::= "w" [a-z] "w0"`)
	for i := range 5000 {
		fmt.Fprintf(&b, ` | "w%dx" [a-z] "!"?`, i)
	}
	st, g := compile(t, b.String())
	e := oneTerminal(t, g)
	require.Less(t, prices.Weight(st, e), 50)
	require.True(t, counters.Match(st, e, []byte("w4999xz!")))
	require.True(t, counters.Match(st, e, []byte("wzw0")))
	require.False(t, counters.Match(st, e, []byte("w5000xz")))
}

func TestUnproductive(t *testing.T) {
	st, g := compile(t, `root ::= "a" root`)
	require.False(t, oracle.New(st, g).Accepts([]byte("a")))
}

func TestTokens(t *testing.T) {
	st, g := compile(t, `root ::= "a" (Token(3) | <think>) ExcludeToken(5)* !<[6]>`)
	o := oracle.New(st, g)
	text := func(ids ...uint32) []byte {
		b := []byte("a")
		for _, id := range ids {
			b = append(b, oracle.Special(id)...)
		}
		return b
	}
	require.True(t, o.Accepts(text(3, 9)))
	require.True(t, o.Accepts(text(7, 6, 8, 8)))
	require.False(t, o.Accepts(text(3, 6)))
	require.False(t, o.Accepts(text(3, 5, 9)))
	require.False(t, o.Accepts(text(4, 9)))
	require.False(t, o.Accepts(text(3, 2)), "2 is an end token")
	require.False(t, o.Accepts([]byte("a<think>b")))
}

// TestCountsAreBesideTheState checks that terminals do not write out long counts.
func TestCountsAreBesideTheState(t *testing.T) {
	for text, counted := range map[string]bool{
		`root ::= "\"" [^"\\]{0,5000} "\""`:       true,
		`root ::= "x: " [a-z]{10,} "."`:           true,
		`root ::= [0-9]{1,15}`:                    false,
		`root ::= [^"]{2,8}`:                      false,
		"root ::= s\ns ::= \"'\" [^']{,99} \"'\"": true,
	} {
		st, g := compile(t, text)
		found := false
		for _, r := range g.Rules {
			for _, a := range r.Alternatives {
				for _, s := range a {
					if s.Kind == grammar.Terminal {
						found = found || hasCounted(st, terminal.Expr(s.Index))
					}
				}
			}
		}
		require.Equal(t, counted, found, text)
	}
}

func hasCounted(st *terminal.Store, e terminal.Expr) bool {
	n := inspect.Of(st, e)
	if n.Op == inspect.OpCounted {
		return true
	}
	for _, a := range n.Args {
		if hasCounted(st, a) {
			return true
		}
	}
	return false
}

// generator writes random grammars over a tiny alphabet.
type generator struct {
	*rand.Rand
	rules int
}

func (r *generator) expr(depth int) string {
	if depth == 0 || r.Intn(4) == 0 {
		switch r.Intn(8) {
		case 0, 1:
			return `"a"`
		case 2:
			return `"bab"`
		case 3:
			return `[ab]`
		case 4:
			return `[^a]`
		case 5:
			return `""`
		}
		return fmt.Sprintf("r%d", r.Intn(r.rules))
	}
	list := func(sep string) string {
		parts := make([]string, 2+r.Intn(2))
		for i := range parts {
			parts[i] = r.expr(depth - 1)
		}
		return "(" + strings.Join(parts, sep) + ")"
	}
	switch r.Intn(5) {
	case 0, 1:
		return list(" ")
	case 2, 3:
		return list(" | ")
	}
	return "(" + r.expr(depth-1) + ")" + []string{"*", "+", "?", "{2}", "{1,3}", "{2,}", "{0,10}"}[r.Intn(7)]
}

// TestRandom compares the lowered grammar with the tree on all texts of up to five characters.
func TestRandom(t *testing.T) {
	seed := int64(1)
	texts := []string{""}
	for i := 0; len(texts[i]) < 5; i++ {
		texts = append(texts, texts[i]+"a", texts[i]+"b")
	}
	over := 0
	for n := range 150 {
		r := &generator{Rand: rand.New(rand.NewSource(seed + int64(n))), rules: 1 + n%4}
		var b strings.Builder
		for i := range r.rules {
			fmt.Fprintf(&b, "r%d ::= %s\n", i, r.expr(3))
		}
		text := "root ::= r0\n" + b.String()
		tree, err := Parse(text, options())
		require.NoError(t, err, text)
		st := terminal.NewStore()
		g := grammar.New()
		g.Start, err = tree.Lower(st, g)
		require.NoError(t, err, text)
		o := oracle.New(st, g)
		accepts := engine(t, st, g)
		for _, x := range texts {
			want := matches(tree, x)
			require.Equal(t, want, o.Accepts([]byte(x)), "seed %d, text %q of\n%s", seed+int64(n), x, text)
			got, answers := accepts([]byte(x))
			if !answers {
				over++
				continue
			}
			require.Equal(t, want, got, "engine: seed %d, text %q of\n%s", seed+int64(n), x, text)
		}
	}
	// A rule that is ambiguous in hundreds of ways may cost more than a step is allowed to.
	require.Less(t, over, 100)
	t.Logf("%d of %d texts were over the automaton's budget", over, 150*len(texts))
}

// TestCostIsLinear compiles hostile texts: the counted work stays in proportion to the text.
func TestCostIsLinear(t *testing.T) {
	var doubling, repeated, chain, rules strings.Builder
	doubling.WriteString("root ::= r60\nr0 ::= \"ab\" | \"c\"\n")
	for i := range 60 {
		fmt.Fprintf(&doubling, "r%d ::= r%d r%d\n", i+1, i, i)
	}
	fmt.Fprintf(&repeated, "root ::= x0\nbig ::= %s\n", strings.Repeat(`[ac] "b"? `, 500))
	for i := range 5000 {
		fmt.Fprintf(&repeated, "x%d ::= \"x\" | big \"%d\" x%d\n", i, i, (i+1)%5000)
	}
	chain.WriteString("root ::= r0\n")
	for i := range 50_000 {
		fmt.Fprintf(&chain, "r%d ::= \"a\" r%d \"b\"?\n", i, i+1)
	}
	chain.WriteString("r50000 ::= \"x\"\n")
	rules.WriteString("root ::= \"\"")
	for i := range 50_000 {
		fmt.Fprintf(&rules, " | \"a%d\" | [a-z] \"%d\"", i, i)
	}
	for name, text := range map[string]string{
		"doubling": doubling.String(), "one large rule in many": repeated.String(), "chain": chain.String(),
		"alternatives": rules.String(), "parentheses": "root ::= " + strings.Repeat("(", 999) + "root" +
			strings.Repeat(" \"a\")?", 999),
		"sequence": "root ::= " + strings.Repeat(`"a" [b] root? `, 50_000),
		"comment":  "root ::= \"a\" #" + strings.Repeat("#", 1<<20), "class": "root ::= [" +
			strings.Repeat("az", 100_000) + "]",
	} {
		m := work.New(0, nil)
		st := terminal.NewStore()
		st.SetWork(m)
		o := options()
		o.Work = m
		_, _, err := Compile(st, []byte(text), o)
		require.NoError(t, err)
		require.Less(t, math.MaxInt-m.Left(), 200*len(text), name)
		t.Logf("%s: %d bytes, %d", name, len(text), math.MaxInt-m.Left())
	}
}

func BenchmarkJSON(b *testing.B) {
	st := terminal.NewStore()
	for b.Loop() {
		if _, _, err := Compile(st, []byte(jsonGrammar), &source.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
