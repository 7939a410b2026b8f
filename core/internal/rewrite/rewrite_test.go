package rewrite_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/oracle"
	"github.com/sluice-engine/sluice/core/internal/rewrite"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

func copied(g *grammar.Grammar) *grammar.Grammar {
	return &grammar.Grammar{
		Rules: slices.Clone(g.Rules), Repeats: slices.Clone(g.Repeats), Objects: slices.Clone(g.Objects),
		Switches: slices.Clone(g.Switches), Booleans: slices.Clone(g.Booleans), Start: g.Start,
	}
}

// Checks Lemmas 90 to 96: no pass changes the language of random grammars.
func TestPassesKeepTheLanguage(t *testing.T) {
	texts := testkit.Strings("ab", 5)
	for name, pass := range rewrite.Passes {
		t.Run(name, func(t *testing.T) {
			r := testkit.Seeded(t, 31)
			changed := 0
			for range testkit.Rounds(240, 20_000) {
				st := terminal.NewStore()
				g := testkit.Grammar(r, st, testkit.GrammarShape{
					Alphabet: "ab", Rules: 2, ExprDepth: 1, Nodes: true, Ambiguous: true,
				})
				if rewrite.DropUnproductive(st, g) != nil {
					continue
				}
				after := copied(g)
				if !pass(st, after) {
					continue
				}
				changed++
				x, y := oracle.New(st, g), oracle.New(st, after)
				for _, s := range texts {
					if want, got := x.Accepts([]byte(s)), y.Accepts([]byte(s)); want != got {
						require.Failf(t, "another language", "%q: %v before, %v after\n%s\nbecame\n%s", s, want, got,
							oracle.DescribeGrammar(st, g), oracle.DescribeGrammar(st, after))
					}
				}
			}
			require.NotZero(t, changed)
			t.Logf("%d grammars were changed", changed)
		})
	}
}

// Each identity of loops.go in its smallest example becomes one terminal.
func TestLoopsBecomeTerminals(t *testing.T) {
	st := terminal.NewStore()
	class := func(s string) terminal.Expr {
		var set terminal.ByteSet
		for _, b := range []byte(s) {
			set.Add(b)
		}
		return st.Bytes(set)
	}
	letter, blank := class("abc"), class(" ")
	words := st.Counted(st.Star(letter), terminal.UTF8, 1, 200)
	lines := st.Counted(st.Star(letter), terminal.UTF8, 0, 80)
	tests := []struct {
		name string
		min  uint32
		body func(g *grammar.Grammar) grammar.Sequence
		want terminal.Expr
	}{
		{
			"words", 1, func(*grammar.Grammar) grammar.Sequence { return grammar.Sequence{grammar.T(words)} },
			st.Plus(letter),
		},
		{"lines", 0, func(*grammar.Grammar) grammar.Sequence {
			return grammar.Sequence{grammar.T(lines), grammar.T(st.Optional(blank))}
		}, st.Star(st.Or(letter, blank))},
		{"a loop of loops", 0, func(g *grammar.Grammar) grammar.Sequence {
			return grammar.Sequence{g.NewRepeat(1, 7, g.NewRepeat(0, grammar.Unbounded, grammar.T(letter)))}
		}, st.Star(letter)},
	}
	for _, x := range tests {
		t.Run(x.name, func(t *testing.T) {
			g := grammar.New()
			g.Start = g.NewRule("root")
			g.Add(g.Start, g.NewRepeat(x.min, grammar.Unbounded, x.body(g)...))
			out, _, err := rewrite.Run(st, g)
			require.NoError(t, err)
			require.Equal(t, []grammar.Sequence{{grammar.T(x.want)}}, out.Rules[out.Start].Alternatives,
				oracle.DescribeGrammar(st, out))
		})
	}
}

// Rules with operators before, between and after become a loop, whose stack does not grow with the text.
func TestOperatorsBecomeLoops(t *testing.T) {
	st := terminal.NewStore()
	minus, plus, bang, digit := st.Literal("-"), st.Literal("+"), st.Literal("!"), st.Literal("1")
	g := grammar.New()
	e := g.NewRule("e")
	g.Start = e
	g.Add(e, grammar.N(e), grammar.T(plus), grammar.N(e))
	g.Add(e, grammar.T(minus), grammar.N(e))
	g.Add(e, grammar.N(e), grammar.T(bang))
	g.Add(e, grammar.T(digit))
	out, _, err := rewrite.Run(st, g)
	require.NoError(t, err)
	alts := out.Rules[out.Start].Alternatives
	require.Len(t, alts, 1, oracle.DescribeGrammar(st, out))
	last := alts[0][len(alts[0])-1]
	require.Equal(t, grammar.RepeatNode, last.Kind, oracle.DescribeGrammar(st, out))
	require.Equal(t, uint32(grammar.Unbounded), out.Repeats[last.Index].Max)
}

// symbols counts the symbols of a grammar's rules.
func symbols(g *grammar.Grammar) int {
	n := 0
	for _, r := range g.Rules {
		for _, a := range r.Alternatives {
			n += len(a) + 1
		}
	}
	return n
}

// A component of m rules with s alternatives each takes room for its text and for m pairs a rule, not for m copies of
// the text.
func TestLeftRecursionTakesRoomForItsText(t *testing.T) {
	const members, seeds = 40, 50
	st := terminal.NewStore()
	g := grammar.New()
	var rules []grammar.RuleID
	for range members {
		rules = append(rules, g.NewRule("r"))
	}
	g.Start = rules[0]
	open := grammar.T(st.Literal("("))
	for i, r := range rules {
		next := rules[(i+1)%members]
		g.Add(r, grammar.N(next), grammar.T(st.Literal("+")))
		g.Add(r, open)
		for range seeds {
			g.Add(r, open, grammar.N(next), open, grammar.N(next), open, grammar.N(next), open)
		}
	}
	before := symbols(g)
	out, _, err := rewrite.Run(st, g)
	require.NoError(t, err)
	require.Less(t, symbols(out), before+members*members*8)
}

// The automaton reads a repeat's minimum only, so a repeat is nullable exactly if that is 0.
func TestNullableRepeatsHaveNoMinimum(t *testing.T) {
	r := testkit.Seeded(t, 32)
	repeats := 0
	for range testkit.Rounds(2000, 100_000) {
		st := terminal.NewStore()
		g := testkit.Grammar(r, st, testkit.GrammarShape{
			Alphabet: "ab", Rules: 3, ExprDepth: 1, Nodes: true, Ambiguous: true,
		})
		out, info, err := rewrite.Run(st, g)
		if err != nil {
			continue
		}
		repeats += len(out.Repeats)
		for i, x := range out.Repeats {
			require.Equal(t, x.Min == 0, info.NullableRepeat[i], oracle.DescribeGrammar(st, g))
		}
	}
	require.NotZero(t, repeats)
}
