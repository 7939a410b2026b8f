package ebnf

import (
	"fmt"
	"math/rand"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
)

func noNames(uint32) string { return "" }

// printed writes a tree whose tokens have no names.
func printed(t *testing.T, tree *rules.Tree) string {
	t.Helper()
	out, err := Print(tree, &source.Options{}, noNames)
	require.NoError(t, err)
	return out
}

// Print writes the same grammar with one spelling for everything.
func TestNormal(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{
			"options", `root[ lazy, temperature = 0.50,max_chars=7] ::= a` + "\n" +
				`a[stop_capture="e", capture, stop="x]-a\"", max_tokens=3] ::= [a-z]+`,
			`root[lazy, max_chars=7, temperature=0.5] ::= a` + "\n" +
				`a[capture="a", stop="x]-a\"", stop_capture="e", max_tokens=3] ::= [a-z]+`,
		},
		{"lazy beside suffix", `root[lazy, suffix="</l-c>"] ::= [a-z]+`, `root[suffix="</l-c>"] ::= [a-z]+`},
		{
			"a class with quotes behind a name", "root[lazy]\n  ::=\n  a[\"x]\na ::= b[\"]\"]\"\nb ::= [\"]",
			"root[lazy] ::= a [\"x]\na ::= b [\"] \"]\"\nb ::= [\"]",
		},
		{
			"no tokens at all", `root[suffix="!", max_tokens=0, capture] ::= "a"`,
			`root[capture="root", suffix="!", max_tokens=0] ::= "a"`,
		},
		{
			"look-ahead where it was", "root ::= a \"bc\" | (= [a]) \"a\" \"b\"\na ::= [ab]* (= \"b\")",
			"root ::= a \"bc\" | (= [a]) \"a\" \"b\"\na ::= [ab]* (= \"b\")",
		},
		{
			"look-ahead that always holds", "root ::= a b\na ::= \"x\" (= \"b\")\nb ::= \"b\"",
			"root ::= a b\na ::= \"x\" (= \"b\")\nb ::= \"b\"",
		},
		{"dispatch", `root ::= TagDispatch(("<a>", f), ("<b>", f), excludes=("no",)) | TagDispatch()` + "\n" +
			`f ::= Substring("a ", "b", )`, `root ::= TagDispatch(("<a>", f), ("<b>", f), ` +
			`loop_after_dispatch=true, excludes=("no")) | TagDispatch(loop_after_dispatch=true)` + "\n" +
			`f ::= Substring("a ", "b")`},
		{"dispatch of tokens", "root ::= TokenTagDispatch((1, f), (<[4]>, f))\nf ::= \"x\"", ""},
		{
			"dispatch of tokens", "root ::= TokenTagDispatch((1, f), excludes=(2))\nf ::= \"x\"",
			"root ::= (ExcludeToken(1, 2) | Token(1) f)*\nf ::= \"x\"",
		},
		{
			"a rule named like a macro", "root ::= <[4]> Token \"x\"\nToken ::= \"y\"",
			"root ::= Token(4) Token.2 \"x\"\nToken.2 ::= \"y\"",
		},
	} {
		got, err := Normal(c.text, options(), noNames)
		if c.want == "" {
			require.Error(t, err, "%s: %s", c.name, got)
			continue
		}
		require.NoError(t, err, c.name)
		require.Equal(t, c.want+"\n", got, c.name)
		again, err := Normal(got, options(), noNames)
		require.NoError(t, err, c.name)
		require.Equal(t, got, again, c.name)
	}
}

// Rules with the same name, such as instances of a template, get numbers that no other name uses.
func TestNames(t *testing.T) {
	tree := rules.New(sourceName, "", nil, nil)
	for _, name := range []string{"root", "x", "x.3", "x", "x", "x.3", "é x"} {
		tree.Rules = append(tree.Rules, rules.Rule{Name: name, Body: tree.Sequence(0)})
	}
	got := strings.ReplaceAll(printed(t, tree), " ::= \"\"\n", " ")
	require.Equal(t, "root x x.3 x.2 x.4 x.3.2 --x ", got)
}

func TestNormalOfAnotherStart(t *testing.T) {
	o := options()
	o.StartRule = "expr"
	got, err := Normal("root ::= expr\nexpr ::= \"b\" root?", o, noNames)
	require.NoError(t, err)
	require.Equal(t, "root ::= expr\nroot.2 ::= expr\nexpr ::= \"b\" root.2?\n", got)
}

// Print stops at the length that a grammar may have.
func TestPrintEndsAtALimit(t *testing.T) {
	tree := rules.New(sourceName, "", nil, nil)
	body := tree.Node(rules.Node{Kind: rules.Text, Text: strings.Repeat("a", 1000)})
	for range 100 { // each twice as long as the one inside
		body = tree.Sequence(0, body, body)
	}
	tree.Rules = []rules.Rule{{Name: DefaultStart, Body: body}}
	_, err := Print(tree, &source.Options{}, noNames)
	require.ErrorContains(t, err, "the grammar is longer than")

	tree.Rules[0].Body = tree.Node(rules.Node{
		Kind: rules.Token, Special: &rules.Special{Tokens: [][2]uint32{{0, 1<<31 - 1}}},
	})
	_, err = Print(tree, &source.Options{}, noNames)
	require.ErrorContains(t, err, "this range has 2147483648, more than the limit")
}

// Random grammars with all constructs are printed, and read as the same tree.
func TestPrintedTreesAreTheSame(t *testing.T) {
	read := 0
	for seed := range 4000 {
		g := &random{rand.New(rand.NewSource(int64(seed)))}
		text := g.grammar()
		tree, err := Parse(text, options())
		normal, sameErr := Normal(text, options(), noNames)
		require.Equal(t, err, sameErr, "%s", text)
		if err != nil {
			continue
		}
		read++
		again, err := Parse(normal, options())
		require.NoError(t, err, "%s\n%s", text, normal)
		sameTree(t, tree, again, text+"\n"+normal)
		once, err := Normal(normal, options(), noNames)
		require.NoError(t, err)
		require.Equal(t, normal, once, "%s", text)
	}
	require.Greater(t, read, 2000)
}

// sameTree compares trees without places.
func sameTree(t *testing.T, a, b *rules.Tree, text string) {
	t.Helper()
	require.Equal(t, len(a.Rules), len(b.Rules), "%s", text)
	require.Equal(t, a.Start, b.Start, "%s", text)
	for i := range a.Rules {
		require.Equal(t, a.Rules[i].Name, strings.TrimSuffix(b.Rules[i].Name, ".2"), "%s", text)
		require.True(t, sameNode(reflect.ValueOf(a.Rules[i].Body), reflect.ValueOf(b.Rules[i].Body)), "%s", text)
	}
}

// sameNode compares values in which places and the numbers of nodes may differ.
func sameNode(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Pointer:
		return a.IsNil() == b.IsNil() && (a.IsNil() || sameNode(a.Elem(), b.Elem()))
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !sameNode(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		for i := range a.NumField() {
			switch name := a.Type().Field(i).Name; name {
			case "At", "Pos", "serial", "pattern":
			default:
				if !sameNode(a.Field(i), b.Field(i)) {
					return false
				}
			}
		}
		return true
	}
	return a.Equal(b)
}

// random writes grammars with everything that EBNF has.
type random struct{ *rand.Rand }

func (g *random) pick(list ...string) string { return list[g.Intn(len(list))] }

func (g *random) grammar() string {
	names := []string{"root", "x", "y.z", "Token"}[:1+g.Intn(4)]
	if g.Intn(2) == 0 {
		names = names[:min(len(names), 3)]
	}
	var b strings.Builder
	for _, n := range names {
		fmt.Fprintf(&b, "%s%s ::= %s\n", n, g.options(), g.alternatives(names, 2))
	}
	return b.String()
}

func (g *random) options() string {
	var all []string
	for _, o := range []string{
		"lazy", "max_chars=9", "max_tokens=" + g.pick("0", "3"), "temperature=" + g.pick("0", "0.25", "1.50"),
		"capture" + g.pick("", "="+g.text()), g.pick("stop", "suffix") + "=" + g.text(),
	} {
		if g.Intn(8) == 0 {
			all = append(all, o)
		}
	}
	g.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	if len(all) == 0 {
		return ""
	}
	return "[" + strings.Join(all, " , ") + "]"
}

func (g *random) text() string {
	one := g.pick("c", `\]`, `\\`, `é`, `\U0001F600`, `\u0301`, `\n`, "0", `\^`, `z\-a`)
	return `"` + g.pick("", "a", `b\"`) + one + g.pick("", " ", `\0`) + `"`
}

func (g *random) alternatives(names []string, depth int) string {
	var out []string
	for range 1 + g.Intn(3) {
		var words []string
		for range g.Intn(4) {
			words = append(words, g.element(names, depth))
		}
		out = append(out, strings.Join(words, " "))
	}
	return strings.Join(out, " | ")
}

func (g *random) element(names []string, depth int) string {
	text := g.text()
	switch n := g.Intn(20); {
	case n < 5:
		text = g.pick(names...)
	case n < 8:
		text = g.pick("[ab]", "[^a]", `[\]-]`, `[\^a-c\n]`, "[^]", ".", "[é-\U0001F600]",
			`[^\u0000-a]`, `[\ud7ff-\ue000]`)
	case n == 8:
		text = g.pick(`Regex("a.\\d*", flags="is")`, `Regex("[^\"]", json_string=true)`, `Substring("a", "")`,
			`<[4]>`, `!<think>`, `<think>`)
	case n == 9 && names[len(names)-1] != "Token":
		text = g.pick(`Token(1, "<think>")`, `ExcludeToken()`, `TagDispatch(("a", `+g.pick(names...)+`))`,
			`TokenTagDispatch((1, `+g.pick(names...)+`), loop_after_dispatch=false)`)
	case n == 10:
		text = "(= " + g.pick(`"a"`, "[ab] .", "x") + ")"
	case n < 15 && depth > 0:
		text = "(" + g.alternatives(names, depth-1) + ")"
	}
	return text + g.pick("", "", "", "", "", "*", "+", "?", "{3}", "{2,}", "{0,4}", "{1}")
}
