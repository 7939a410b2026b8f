package pushdown

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Of two items that contain each other the same one goes, whichever terminal was made first.
func TestWhichItemGoesDoesNotDependOnHistory(t *testing.T) {
	ways := []func(st *terminal.Store) terminal.Expr{
		func(st *terminal.Store) terminal.Expr { return st.Star(st.Or(st.Literal("a"), st.Literal("b"))) },
		func(st *terminal.Store) terminal.Expr {
			return st.Star(st.Repeat(st.Or(st.Literal("a"), st.Literal("b")), 1, 2))
		},
	}
	stays := func(first int) int {
		st := terminal.NewStore()
		ways[first](st)
		g := grammar.New()
		g.Start = g.NewRule("s")
		for _, way := range ways {
			g.Add(g.Start, grammar.T(way(st)))
		}
		a := automaton(t, st, g)
		items := a.Items(a.Start())
		require.Len(t, items, 1)
		if items[0].Terminal == ways[0](st) {
			return 0
		}
		return 1
	}
	require.Equal(t, stays(0), stays(1))
}

// Of two items the one goes whose texts the other has too, never the one that has more.
func TestTheItemWithMoreTextsStays(t *testing.T) {
	for _, narrowFirst := range []bool{true, false} {
		st := terminal.NewStore()
		narrow, wide := st.Star(st.Literal("a")), st.Star(st.Or(st.Literal("a"), st.Literal("b")))
		ways := []terminal.Expr{wide, narrow}
		if narrowFirst {
			ways = []terminal.Expr{narrow, wide}
		}
		g := grammar.New()
		g.Start = g.NewRule("s")
		for _, way := range ways {
			g.Add(g.Start, grammar.T(way))
		}
		a := automaton(t, st, g)
		items := a.Items(a.Start())
		require.Len(t, items, 1)
		require.Equal(t, wide, items[0].Terminal)
	}
}
