package analysis

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Parts that are shared in 2ⁿ ways are visited once.
func TestSharedPartsAreExploredOnce(t *testing.T) {
	var x expr.Store
	var s Analysis
	x.Init()
	s.Init(&x, limits.DefaultBudgets())
	a, b := x.Star(x.ConcatText("ab", 0, expr.Epsilon)), x.Star(x.ConcatText("ba", 0, expr.Epsilon))
	e := x.And(a, b)
	for i := range uint32(60) {
		tail := x.Concat(x.Not(x.ConcatText(string(rune('c'+i)), 0, expr.Epsilon)), e)
		e = x.Or(tail, x.Concat(a, e))
	}
	s.partRows(e)
	require.True(t, s.Explore(e))
	require.Equal(t, expr.Something, s.Emptiness(e))
}

// scripts returns a class of many characters of several bytes.
func scripts(x *expr.Store) expr.Expr {
	ranges := []rune{'a', 'z'}
	for r := rune(0x100); r < 0x9000; r += 0x61 {
		ranges = append(ranges, r, r+0x30)
	}
	return x.Runes(ranges, expr.UTF8)
}

// A class of many scripts has a row of its own, of which the rows of what it is repeated in are put together: they lead
// to what they would lead to without it.
func TestHeavyClassesHaveRows(t *testing.T) {
	languages := map[string]func(x *expr.Store, class, digit expr.Expr) expr.Expr{
		"loops": func(x *expr.Store, class, digit expr.Expr) expr.Expr {
			return x.Concat(class, x.Concat(x.Star(class), x.Concat(digit, x.Star(x.Or(class, digit)))))
		},
		"counts": func(x *expr.Store, class, digit expr.Expr) expr.Expr {
			word := x.Repeat(class, 1, 3)
			return x.Concat(word, x.Concat(digit, x.Repeat(x.Concat(x.Or(word, digit), digit), 0, 5)))
		},
	}
	for name, language := range languages {
		var x, plain expr.Store
		var s Analysis
		x.Init()
		plain.Init()
		s.Init(&x, limits.DefaultBudgets())
		class, digit := scripts(&x), x.Runes([]rune{'0', '9'}, expr.UTF8)
		e := language(&x, class, digit)
		want := language(&plain, scripts(&plain), plain.Runes([]rune{'0', '9'}, expr.UTF8))
		classes, _ := x.HeavyParts(e)
		require.Equal(t, []expr.Expr{class}, classes, name)
		classes, _ = x.HeavyParts(class)
		require.Empty(t, classes)
		s.AliveIn(e)
		require.NotZero(t, x.Fact(class, expr.FactRow))
		for _, text := range []string{"\u0100", "a\u0161b", "a1", "\u2fc10\u0100", "a\u01610", "1", "\u016101", "ab11", "abcd"} {
			at, slow := e, want
			for i := range len(text) {
				at, slow = s.Delta(at, text[i]), plain.Derive(slow, text[i])
				require.Equal(t, slow == expr.Empty, at == expr.Empty, "%s: %q at %d", name, text, i)
			}
			require.Equal(t, plain.Nullable(slow), x.Nullable(at), "%s: %q", name, text)
		}
	}
}

// What the row of a repetition of a heavy class costs is the same whether the class has its row already, and far less
// than looking at all of the class for each class of bytes.
func TestHeavyClassesAreCheapToRepeat(t *testing.T) {
	cost := func(before func(s *Analysis, x *expr.Store, class expr.Expr)) (costs []int, made, class int) {
		var x expr.Store
		var s Analysis
		x.Init()
		s.Init(&x, limits.DefaultBudgets())
		c := scripts(&x)
		before(&s, &x, c)
		e := x.Repeat(c, 2, 30)
		tally := x.Count(expr.NoBudget)
		x.Derive(e, 'a')
		made = tally.Made()
		tally.Close()
		for range 4 {
			s.AliveIn(e)
			costs = append(costs, x.RowPrice(e))
			e = s.Delta(e, 'a')
		}
		return costs, made, s.estimate(c)
	}
	alone, made, class := cost(func(*Analysis, *expr.Store, expr.Expr) {})
	after, madeAfter, _ := cost(func(s *Analysis, x *expr.Store, c expr.Expr) {
		s.AliveIn(c)
		s.AliveIn(x.Concat(x.Star(c), x.ByteOf('-')))
	})
	later, madeLater, _ := cost(func(s *Analysis, x *expr.Store, c expr.Expr) { x.Derive(x.Repeat(c, 3, 40), 'a') })
	require.Equal(t, alone, after)
	require.Equal(t, alone, later)
	require.Equal(t, []int{made, made}, []int{madeAfter, madeLater})
	for _, own := range alone {
		require.Less(t, own, class/4)
	}
}
