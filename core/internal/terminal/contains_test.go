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

// Members that begin with counts and are apart contain each other by no look at their parts either.
func TestPartsThatAreApart(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	s := NewStore()
	bodies := []Expr{s.Bytes(set("ab")), s.Bytes(set("abc")), s.Repeat(s.Bytes(set("ab")), 2, 5), s.Literal("ba")}
	random := func() Expr {
		low := uint32(1 + r.Intn(4))
		x := s.Repeat(bodies[r.Intn(len(bodies))], low, max(low, 2)+uint32(r.Intn(4)))
		y := bodies[r.Intn(len(bodies))]
		if r.Intn(2) == 0 {
			y = s.Star(y)
		}
		return s.Concat(x, y, s.Bytes(set("x")))
	}
	apart, contained := 0, 0
	for range 100_000 {
		x, y := random(), random()
		var a, b counted
		s.beginning(x, &a)
		s.beginning(y, &b)
		c := s.compare()
		switch found := c.contains(x, y); {
		case a.apart(&b):
			require.False(t, found, "%+v and %+v", a, b)
			apart++
		case found:
			contained++
		}
	}
	require.Greater(t, apart, 10_000)
	require.Greater(t, contained, 1000)
}
