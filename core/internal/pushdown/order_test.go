package pushdown

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/testkit"
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

// A text that is complete after a node is complete after each node that covers it.
func TestCoveringNodesReadTheSameTexts(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	texts := testkit.Strings("ab", 6)
	covered := 0
	for range 60 {
		st := terminal.NewStore()
		g := grammar.New()
		g.Start = g.NewRule("s")
		lit := func() grammar.Symbol { return grammar.T(st.Literal([]string{"a", "a", "b"}[r.Intn(3)])) }
		var some func(depth int) grammar.Symbol
		some = func(depth int) grammar.Symbol {
			if depth == 0 {
				return lit()
			}
			low := uint32(r.Intn(3))
			high := []uint32{low + uint32(1+r.Intn(6)), grammar.Unbounded}[r.Intn(2)]
			return g.NewRepeat(low, high, some(depth-1), some(r.Intn(depth)))
		}
		for range 3 {
			g.Add(g.Start, some(2), some(1), lit())
		}
		g.Add(g.Start, grammar.N(g.Start), some(2))
		a := automaton(t, st, g)
		for range 20 {
			for s, n := a.Start(), 0; s > Over && n < 12; n++ {
				s = a.StepBytes(s, []byte{"aab"[r.Intn(3)]})
			}
		}
		nodes := nodeID(min(a.nodes.Len(), 60))
		accepts := make([][]bool, nodes)
		for k := range nodes {
			for _, text := range texts {
				accepts[k] = append(accepts[k], a.Accepts(a.StepBytes(a.After(k), []byte(text))))
			}
		}
		for j := range nodes {
			for k := range nodes {
				o := order{st: &a.stacks, looks: coverLooks}
				if j == k || !o.node(j, k, coverDepth) {
					continue
				}
				covered++
				for i, text := range texts {
					require.True(t, accepts[j][i] || !accepts[k][i], "%q: %v %v", text, a.framesOf(j), a.framesOf(k))
				}
			}
		}
	}
	require.Greater(t, covered, 1000)
}

// A loop covers the frames below it: r x* "b" and r "b" wait for r in one way.
func TestNothingStandsBesideALoopThatLeadsToIt(t *testing.T) {
	st := terminal.NewStore()
	lit := func(s string) grammar.Symbol { return grammar.T(st.Literal(s)) }
	g := grammar.New()
	g.Start = g.NewRule("s")
	r, x := g.NewRule("r"), g.NewRule("x")
	g.Add(r, lit("a"))
	g.Add(r, lit("("), grammar.N(r), lit(")")) // else the grammar would be one terminal
	g.Add(x, lit("c"))
	g.Add(x, lit("["), grammar.N(x), lit("]"))
	g.Add(g.Start, grammar.N(r), g.NewRepeat(0, grammar.Unbounded, grammar.N(x)), lit("b"))
	g.Add(g.Start, grammar.N(r), lit("b"))
	a := automaton(t, st, g)
	items := a.Items(a.Start())
	for _, it := range items {
		require.Len(t, a.framesOf(it.After), 1)
	}
	check(t, a, "ab|acb|accb", "a|b|acbb")
}
