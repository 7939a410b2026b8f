package relax_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// leastRepeats is RepeatsLeft part by part.
func leastRepeats(v expr.View, e expr.Expr) uint32 {
	least := uint32(expr.Unbounded)
	switch n := v.Node(e); n.Kind {
	case expr.KConcat:
		least = min(leastRepeats(v, expr.Expr(n.A)), leastRepeats(v, expr.Expr(n.B)))
	case expr.KOr:
		for _, x := range v.List(n) {
			least = min(least, leastRepeats(v, x))
		}
	case expr.KCount:
		least = leastRepeats(v, expr.Expr(n.A))
	case expr.KRepeat:
		if n.B == 0 {
			least = n.C
		}
	}
	return least
}

// RepeatsLeft agrees with a walk without memory, also if an end was remembered after other parts.
func TestRepeatsLeftOfEnds(t *testing.T) {
	r := testkit.Seeded(t, 3)
	remembered := 0
	for range testkit.Rounds(20, 200) {
		s := terminal.NewStore()
		parts := []terminal.Expr{s.Literal("a"), s.Literal("bc")}
		for range 4 {
			x := s.Repeat(s.Bytes(expr.BytesOf("d")), 0, uint32(2+r.Intn(60)))
			parts = append(parts, x, s.Or(s.Concat(x, parts[r.Intn(len(parts))]), s.Literal("e")))
		}
		e := s.Literal("f")
		var ends []terminal.Expr
		for i := range 600 {
			k := r.Intn(2)
			if i%3 == 0 {
				k = r.Intn(len(parts))
			}
			e = s.Concat(parts[k], e)
			ends = append(ends, e)
		}
		for _, i := range r.Perm(len(ends)) {
			require.Equal(t, leastRepeats(s.View().View, ends[i]), relax.RepeatsLeft(s, ends[i]), "%d parts", i)
		}
		a := s.Lock()
		for _, x := range ends {
			if _, ok := a.RepeatsLeft(x); ok {
				remembered++
			}
		}
		s.Unlock()
	}
	require.Greater(t, remembered, 20)
}
