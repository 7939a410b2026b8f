package terminal

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// Counts are compared without a look at their parts, with what a look at them finds and in as many steps.
func TestCountsAreComparedAsOthers(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	s := NewStore()
	set := func(from, to byte) Expr {
		var b ByteSet
		b.AddRange(from, to)
		return s.Bytes(b)
	}
	heads := []Expr{set('a', 'a'), set('a', 'c'), set('b', 'd'), set(0x80, 0xBF)}
	bodies := []Expr{set('a', 'c'), s.Or(set('a', 'b'), s.Concat(heads[0], heads[3])), s.Concat(heads[1], heads[2])}
	random := func() Expr {
		x := s.Repeat(bodies[r.Intn(len(bodies))], uint32(r.Intn(4)), uint32(3+r.Intn(4)))
		for range r.Intn(4) {
			x = s.Concat(heads[r.Intn(len(heads))], x)
		}
		return x
	}
	found, counts := 0, 0
	for range 200_000 {
		x, y := random(), random()
		if x == y {
			continue
		}
		a, b := s.shapeOf(x), s.shapeOf(y)
		if !a.is || !b.is {
			continue
		}
		counts++
		all := 3 + r.Intn(20)
		slow, fast := s.compare(), s.compare()
		slow.all, fast.all = all, all
		want := slow.contains(x, y)
		require.Equal(t, want, fast.containsCount(&a, &b), "%+v and %+v", a, b)
		require.Equal(t, max(slow.all, 0), max(fast.all, 0), "%+v and %+v", a, b)
		if want {
			found++
		}
	}
	require.Greater(t, counts, 100_000)
	require.Greater(t, found, 1000)
}
