package analysis

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// entries returns how many entries the maps of s have.
func entries(s *Analysis) int {
	return len(s.guesses) + len(s.decided) + len(s.conditions) + len(s.classesWithin) + len(s.classesApart) +
		len(s.insides) + len(s.endings) + len(s.rooms) + len(s.short)
}

// What is kept of the sides of intersections changes neither an answer nor its price, and is found again. It is counted
// as memory of the store.
func TestLooksAtSidesAreKept(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	var store expr.Store
	store.Init()
	s := &Analysis{}
	s.Init(&store, limits.DefaultBudgets())
	anything := s.AnyText[expr.UTF8]
	part := func() expr.Expr {
		x := s.Concat(anything, s.Concat(randomBoolean(r, s.Store, 2), s.Star(s.Bytes(expr.BytesOf("ab")))))
		return []expr.Expr{s.Not(x), s.Concat(anything, x), s.Not(s.Star(s.Bytes(expr.BytesOf("a-"))))}[r.Intn(3)]
	}
	kept := 0
	for range 300 {
		x := s.And(part(), part(), part())
		before, all, size := len(s.insides)+len(s.endings), entries(s), s.Extra.Load()
		live, looks := s.IsLiveIn(x, expr.UTF8)
		kept += len(s.insides) + len(s.endings) - before
		require.GreaterOrEqual(t, int(s.Extra.Load()-size), (entries(s)-all)*mapEntry)
		again, price := s.IsLiveIn(x, expr.UTF8)
		require.Equal(t, [2]any{live, looks}, [2]any{again, price})
		clear(s.insides)
		clear(s.endings)
		again, price = s.IsLiveIn(x, expr.UTF8)
		require.Equal(t, [2]any{live, looks}, [2]any{again, price})
	}
	require.Greater(t, kept, 50)
}
