package analysis

import (
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
			seen := map[expr.Expr]bool{}
			s.plainParts(e, func(part expr.Expr) {
				if s.needsRow(part) && !seen[part] {
					seen[part] = true
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
