package analysis

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// A row that is put together from the rows of its parts is charged for those, whether they were made for it or before.
// In a union of repetitions they are most of what it takes.
func TestRowsAreChargedForThoseOfTheirParts(t *testing.T) {
	var costs []int
	for _, partsFirst := range []bool{false, true} {
		var x expr.Store
		var s Analysis
		x.Init()
		s.Init(&x, limits.DefaultBudgets())
		var bytes expr.ByteSet
		bytes.AddRange(0, 255)
		a, any := x.ConcatText("a", 0, expr.Epsilon), x.Bytes(bytes)
		pairs := x.Repeat(x.Or(any, x.Concat(any, a)), 400, 400)
		even := x.And(x.Repeat(any, 200, 200), x.Star(x.Concat(any, any)))
		e := x.Or(x.Concat(pairs, a), even)
		for range 40 {
			e = x.Derive(e, 'a')
		}
		require.NotZero(t, x.Node(e).Flags&expr.FBoolean)
		inParts := 0
		price := func() {
			s.plainParts(e, map[expr.Expr]bool{}, func(part expr.Expr) {
				if s.needsRow(part) {
					s.AliveIn(part)
					own, asked, _ := x.RowParts(part)
					inParts += own + asked
				}
			})
		}
		if partsFirst {
			price()
		}
		s.AliveIn(e)
		if !partsFirst {
			price()
		}
		own, asked, _ := x.RowParts(e)
		require.Greater(t, inParts, 1000)
		require.Greater(t, asked, inParts*9/10)
		costs = append(costs, own+asked)
	}
	require.Equal(t, costs[0], costs[1])
}

// Parts that are shared in 2ⁿ ways are visited once.
func TestPlainPartsAreVisitedOnce(t *testing.T) {
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
	var parts []expr.Expr
	s.plainParts(e, map[expr.Expr]bool{}, func(part expr.Expr) { parts = append(parts, part) })
	require.Greater(t, len(parts), 60)
	slices.Sort(parts)
	require.Len(t, slices.Compact(parts), len(parts))
}

// A class of many scripts has a row of its own, of which the rows of what it is repeated in are put together: they are
// what they would be without it, and cost what they did.
func TestHeavyClassesHaveRows(t *testing.T) {
	var ranges []rune
	for r := rune(0x100); r < 0x3000; r += 0x61 {
		ranges = append(ranges, r, r+0x30)
	}
	language := func(x *expr.Store) (class, e expr.Expr) {
		class = x.Runes(append([]rune{'a', 'z'}, ranges...), expr.UTF8)
		digit := x.Runes([]rune{'0', '9'}, expr.UTF8)
		return class, x.Concat(class, x.Concat(x.Star(class), x.Concat(digit, x.Star(x.Or(class, digit)))))
	}
	var x, plain expr.Store
	var s Analysis
	x.Init()
	plain.Init()
	s.Init(&x, limits.DefaultBudgets())
	class, e := language(&x)
	_, want := language(&plain)
	require.Equal(t, []expr.Expr{class}, x.HeavyClasses(e))
	require.Empty(t, x.HeavyClasses(class))
	estimate := s.estimate(e)
	s.AliveIn(e)
	require.NotZero(t, x.Fact(class, expr.FactRow))
	own, asked, _ := x.RowParts(e)
	require.Equal(t, []int{estimate, 0}, []int{own, asked})
	for _, text := range []string{"\u0100", "a\u0161b", "a1", "\u2ff01\u0100", "a\u01310", "1", "\u01301"} {
		at, slow := e, want
		for i := range len(text) {
			at, slow = s.Delta(at, text[i]), plain.Derive(slow, text[i])
			require.Equal(t, slow == expr.Empty, at == expr.Empty, "%q at %d", text, i)
		}
		require.Equal(t, plain.Nullable(slow), x.Nullable(at), "%q", text)
	}
}
