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

// What is one code point is told without what comes after it, and it is what the lengths of all strings say.
func TestSingleRunesAreStringsOfLengthOne(t *testing.T) {
	r := rand.New(rand.NewSource(6))
	letters := []rune{'a', 'b', '"', 'é', 'ß', '你', '\n', '😀', '\U0010FFFF'}
	single, several := 0, 0
	for range 3000 {
		var store expr.Store
		store.Init()
		s := &Analysis{}
		s.Init(&store, limits.DefaultBudgets())
		enc := []expr.Encoding{expr.UTF8, expr.JSONString}[r.Intn(2)]
		if r.Intn(3) == 0 {
			enc |= expr.ASCII
		}
		letter := func() expr.Expr {
			lo, hi := letters[r.Intn(len(letters))], letters[r.Intn(len(letters))]
			return s.Runes([]rune{min(lo, hi), max(lo, hi)}, enc)
		}
		part := func() expr.Expr {
			switch x := letter(); r.Intn(9) {
			case 0:
				return s.Concat(x, letter())
			case 1:
				return s.Concat(x, s.Star(letter()))
			case 2:
				return s.Repeat(x, uint32(r.Intn(2)), 1+uint32(r.Intn(3)))
			case 3:
				return s.And(x, letter())
			default:
				return x
			}
		}
		x := s.Or(part(), part(), part())
		sp := s.Spectrum(x, PhaseBetween, enc)
		want := x != expr.Empty && sp.Min == 1 && sp.Max == 1 && s.Node(x).Flags&expr.FBoolean == 0
		if got := s.SingleRunes(x, enc); got != want {
			kind := s.Node(x).Kind
			require.False(t, got, "%v", kind)
			require.False(t, kind == expr.KOr && s.Node(x).Subset>>enc&1 != 0, "a union of code points is known to be one")
		}
		if want {
			single++
		} else {
			several++
		}
	}
	require.Greater(t, single, 300)
	require.Greater(t, several, 300)
}
