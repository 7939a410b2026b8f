package analysis

import (
	"math/rand"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// newAnalysis returns one of a store of its own.
func newAnalysis() *Analysis {
	var store expr.Store
	store.Init()
	s := &Analysis{}
	s.Init(&store, limits.DefaultBudgets())
	return s
}

// entries returns how many entries the maps of s have.
func entries(s *Analysis) int {
	return len(s.guesses) + len(s.decided) + len(s.conditions) + len(s.classesWithin) + len(s.classesApart) +
		len(s.insides) + len(s.endings) + len(s.rooms) + len(s.short) + len(s.firstSteps) + len(s.askedBy)
}

// What is kept of the members of intersections, and of the steps of plunges, changes no answer, and is counted as memory
// of the store.
func TestConditionsAndStepsAreKept(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	s := newAnalysis()
	loops := []expr.Expr{
		s.AnyText[expr.UTF8], s.Star(s.Bytes(expr.BytesOf("ab0-"))), s.Star(s.Bytes(expr.BytesOf("a0"))),
	}
	part := func() expr.Expr {
		class := s.Bytes(expr.BytesOf([]string{"ab", "0", "-", "b", "a0"}[r.Intn(5)]))
		around := loops[r.Intn(len(loops))]
		search := s.Concat(around, s.Concat(class, around))
		more := s.Concat(around, s.Concat(class, search))
		return []expr.Expr{search, more, s.Or(search, more), s.Not(search), randomBoolean(r, s.Store, 2)}[r.Intn(5)]
	}
	require.LessOrEqual(t, int(unsafe.Sizeof(need{})), needBytes)
	met := 0
	for range 500 {
		x := s.And(part(), part(), part(), loops[r.Intn(len(loops))])
		look := func() []any {
			c, ok := s.conditionsOf(x, expr.UTF8, nil, false)
			next, b, tried := s.firstStep(x)
			return []any{c, ok, s.MeetsConditions(x), s.fewestCharacters(x, expr.UTF8), next, b, tried}
		}
		all, size := entries(s), s.Extra.Load()
		first := look()
		require.GreaterOrEqual(t, int(s.Extra.Load()-size), (entries(s)-all)*mapEntry)
		require.Equal(t, first, look())
		asked, steps := s.askedBy, s.firstSteps
		s.askedBy, s.firstSteps = nil, nil
		require.Equal(t, first, look(), "as if nothing had been asked before")
		s.askedBy, s.firstSteps = asked, steps
		if first[1].(bool) {
			met++
		}
	}
	require.Greater(t, met, 100)
}

// What is kept of the sides of intersections changes neither an answer nor its price, and is found again. It is counted
// as memory of the store.
func TestLooksAtSidesAreKept(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	s := newAnalysis()
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
		s := newAnalysis()
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
