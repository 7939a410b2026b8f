package terminal_test

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// randomBoolean returns an expression in which intersections and opposites stand within everything else.
func randomBoolean(r *rand.Rand, s *terminal.Store, depth int) terminal.Expr {
	if depth == 0 {
		switch r.Intn(5) {
		case 0:
			return s.Text([]string{"ab", "b-", "a"}[r.Intn(3)], terminal.Encoding(r.Intn(2)))
		case 1:
			return s.Star(s.Bytes(set("ab-")))
		case 2:
			return s.Counted(s.Star(s.Bytes(set("ab"))), terminal.UTF8, 0, uint32(1+r.Intn(3)))
		}
		return s.Bytes(set([]string{"a", "b", "-", "ab", "b-"}[r.Intn(5)]))
	}
	x, y := randomBoolean(r, s, depth-1), randomBoolean(r, s, depth-1)
	switch r.Intn(8) {
	case 0:
		return s.And(x, y)
	case 1:
		return s.And(s.Star(s.Bytes(set("ab-"))), s.Not(x))
	case 2:
		return s.And(x, s.Not(y))
	case 3:
		return s.Star(x)
	case 4:
		low := uint32(r.Intn(3))
		return s.Repeat(x, low, low+uint32(r.Intn(3)))
	case 5:
		return s.Or(x, y)
	}
	return s.Concat(x, y)
}

// An expression is empty exactly if it matches no text. Verdicts kept for its parts are true too.
func TestEmptyMeansNoText(t *testing.T) {
	r := rand.New(rand.NewSource(12))
	found := 0
	for range 1500 {
		s := terminal.NewStore()
		e := plain(s, randomBoolean(r, s, 3))
		some := false
		texts("ab-", 5, func(text string) { some = some || accepts(s, e, text) })
		if some {
			require.False(t, s.IsEmpty(e))
		} else if s.IsEmpty(e) {
			found++
		}
		for i := uint32(0); i < inside(s).Nodes.Len(); i++ {
			if inside(s).FoundEmptiness(terminal.Expr(i)) == expr.Nothing {
				texts("ab-", 3, func(text string) { require.False(t, accepts(s, terminal.Expr(i), text)) })
			}
		}
	}
	require.Greater(t, found, 50)
}
