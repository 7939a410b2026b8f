package pushdown

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Of two items, one waits for the rest of its terminal and one for a terminal behind it. They wait for different texts,
// also if the expression of the one and the position of the other have equal numbers.
func TestLacksOfTextsDiffer(t *testing.T) {
	equal := 0
	for pad := range 100 {
		st := terminal.NewStore()
		lit := func(s string) grammar.Symbol { return grammar.T(st.Literal(s)) }
		rest, behind := st.Literal("ab"), st.Literal("T")
		g := grammar.New()
		g.Start = g.NewRule("s")
		padding, v := g.NewRule("padding"), g.NewRule("v")
		g.Add(g.Start, grammar.N(v), lit("."))
		g.Add(g.Start, lit("q"), grammar.N(padding))
		var p grammar.Sequence
		for range pad {
			p = append(p, lit("p"))
		}
		g.Add(padding, p...)
		g.Add(v, lit("zab"))
		g.Add(v, lit("zc"), grammar.T(behind))
		a, lacks := lacksAfter(t, st, g, "z")
		for d := uint32(1); d < a.p.code.Len(); d++ {
			if in := a.p.code.At(d); in.op == opTerminal && in.arg == uint32(behind) && d == uint32(rest) {
				equal++
			}
		}
		require.Len(t, lacks, 1, "only the sign behind v")
		require.Equal(t, st.Literal("."), lacks[0].Terminal)
	}
	require.NotZero(t, equal)
}

// Of two items, one waits for more rounds of its repetition and one for the rounds of another.
func TestLacksOfRoundsDiffer(t *testing.T) {
	equal := 0
	for pad := range 10 {
		st := terminal.NewStore()
		lit := func(s string) grammar.Symbol { return grammar.T(st.Literal(s)) }
		g := grammar.New()
		g.Start = g.NewRule("s")
		v, item, other := g.NewRule("v"), g.NewRule("item"), g.NewRule("other")
		twice := g.NewRepeat(2, 2, grammar.N(other))
		for i := range pad {
			g.NewRepeat(1, 1+uint32(i), twice) // equal sequences share a position: the one in v has a small number
		}
		g.Add(g.Start, grammar.N(v), lit("."))
		thrice := g.NewRepeat(3, 3, grammar.N(item))
		g.Add(v, thrice)
		g.Add(v, lit("<>"), twice)
		for _, r := range []grammar.RuleID{item, other} {
			g.Add(r, lit("<"), grammar.N(r), lit(">"))
			g.Add(r, lit("<>"))
		}
		a, lacks := lacksAfter(t, st, g, "<")
		for d := uint32(1); d < a.p.code.Len(); d++ {
			if in := a.p.code.At(d); in.op == opRepeat && in.arg == twice.Index && d == thrice.Index {
				equal++
			}
		}
		require.Len(t, lacks, 1, "only the sign behind v")
		require.Equal(t, LacksText, lacks[0].Kind)
	}
	require.NotZero(t, equal)
}

// lacksAfter returns the lacks after a text.
func lacksAfter(t *testing.T, st *terminal.Store, g *grammar.Grammar, text string) (*Automaton, []Lack) {
	t.Helper()
	x, err := PlacesOf(st, g, nil)
	require.NoError(t, err)
	a := automaton(t, st, g)
	return a, a.Lacks(a.StepBytes(a.Start(), []byte(text)), x)
}
