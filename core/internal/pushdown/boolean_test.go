package pushdown

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A price covers the cost of few sides that are met very often.
func TestSidesThatAreMetOftenHaveAPrice(t *testing.T) {
	st := terminal.NewStore()
	lit := func(s string) grammar.Symbol { return grammar.T(st.Literal(s)) }
	g := grammar.New()
	left := g.NewRule("nested")
	g.Add(left, lit("x"))
	g.Add(left, lit("("), grammar.N(left), lit(")"))
	for range 10 { // each has the one before on both sides
		right, both := g.NewRule("right"), g.NewRule("both")
		g.Add(right, grammar.N(left))
		g.Add(right, lit("(z"))
		g.Add(both, g.NewBoolean(grammar.Boolean{Is: grammar.Both, Left: grammar.N(left), Right: grammar.N(right)}))
		left = both
	}
	g.Start = left
	a := automaton(t, st, g)
	s := a.Step(a.Start(), '(')
	require.Greater(t, int(a.sidesOf(s)), metSides)
	to := a.Step(s, '(')
	_, _, price := a.StepKnown(s, []byte("("))
	var seen arena.Set
	require.Positive(t, a.Cost(s, '(', to, seen.Add))
	require.Less(t, seen.Len(), 4*pricedSides)
	seen = arena.Set{}
	require.LessOrEqual(t, a.Cost(s, '(', to, seen.Add), price)
}

// A transition is charged for the transitions of both sides, each a unit of its own: it needs more than either.
func TestTransitionsOfSidesAreCharged(t *testing.T) {
	st := terminal.NewStore()
	lit := func(s string) grammar.Symbol { return grammar.T(st.Literal(s)) }
	g := grammar.New()
	wide := func(end string) grammar.Symbol { // the start after "a" is dear
		r, rest := g.NewRule(end), g.NewRule("rest")
		g.Add(r, lit("a"), grammar.N(rest), lit(end))
		for i := range 60 {
			x := g.NewRule("one")
			g.Add(x, lit(string(rune('A'+i))))
			g.Add(x, lit("("), grammar.N(x), lit(")"))
			g.Add(rest, grammar.N(x))
		}
		return grammar.N(r)
	}
	l, r := wide("."), wide(",")
	least := func(start ...grammar.Symbol) int {
		h := *g
		h.Rules = append([]grammar.Rule(nil), g.Rules...)
		h.Start = h.NewRule("start")
		h.Add(h.Start, start...)
		p, err := NewProgram(st, &h)
		require.NoError(t, err)
		for work := 1; ; work++ {
			if a := NewBounded(p, work, 1000, 1000); a.Start() > Over && a.Step(a.Start(), 'a') > Over {
				return work
			}
		}
	}
	sides, both := max(least(l), least(r)), least(g.NewBoolean(grammar.Boolean{Is: grammar.Both, Left: l, Right: r}))
	require.Equal(t, dear, effortOf(uint32(sides)))
	require.Greater(t, both, sides*3/2)
}
