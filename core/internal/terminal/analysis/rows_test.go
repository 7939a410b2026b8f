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
	s.makePartRows(e)
	require.True(t, s.Explore(e))
	require.Equal(t, expr.Something, s.Emptiness(e))
}
