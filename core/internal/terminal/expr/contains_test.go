package expr

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// Counts are compared without a look at their parts, with what a look at them finds and in as many steps.
func TestCountsAreComparedAsOthers(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	s := newStore()
	set := func(from, to byte) Expr {
		var b ByteSet
		b.AddRange(from, to)
		return s.Bytes(b)
	}
	heads := []Expr{set('a', 'a'), set('a', 'c'), set('b', 'd'), set(0x80, 0xBF)}
	bodies := []Expr{set('a', 'c'), s.Or(set('a', 'b'), s.seq(heads[0], heads[3])), s.seq(heads[1], heads[2])}
	random := func() Expr {
		x := s.Repeat(bodies[r.Intn(len(bodies))], uint32(r.Intn(4)), uint32(3+r.Intn(4)))
		for range r.Intn(4) {
			x = s.seq(heads[r.Intn(len(heads))], x)
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
		slow, fast := s.Compare(), s.Compare()
		slow.all, fast.all = all, all
		want := slow.Contains(x, y)
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
	s := newStore()
	bodies := []Expr{s.Bytes(set("ab")), s.Bytes(set("abc")), s.Repeat(s.Bytes(set("ab")), 2, 5), s.Literal("ba")}
	random := func() Expr {
		low := uint32(1 + r.Intn(4))
		x := s.Repeat(bodies[r.Intn(len(bodies))], low, max(low, 2)+uint32(r.Intn(4)))
		y := bodies[r.Intn(len(bodies))]
		if r.Intn(2) == 0 {
			y = s.Star(y)
		}
		return s.seq(x, y, s.Bytes(set("x")))
	}
	apart, contained := 0, 0
	for range 100_000 {
		x, y := random(), random()
		var a, b counted
		s.beginning(x, &a)
		s.beginning(y, &b)
		c := s.Compare()
		switch found := c.Contains(x, y); {
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

// What contains another expression matches all that it does, whatever loops and repetitions they are made of.
func TestContainedMeansMatched(t *testing.T) {
	r := rand.New(rand.NewSource(6))
	s := newStore()
	a, b := s.Literal("a"), s.Literal("b")
	either := s.Or(a, b)
	parts := []Expr{
		a, b, either, s.Star(a), s.Star(b), s.Star(either), s.Star(s.Bytes(set("ab-"))), s.Literal("-"),
		s.Repeat(a, 2, 2), s.Repeat(a, 3, 3), s.Repeat(a, 1, 2), s.Repeat(either, 2, 4), s.Repeat(either, 3, 3),
	}
	var xs []Expr
	matched := map[Expr]map[string]bool{}
	for range 300 {
		var x []Expr
		for range 1 + r.Intn(4) {
			x = append(x, parts[r.Intn(len(parts))])
		}
		e := s.seq(x...)
		xs, matched[e] = append(xs, e), map[string]bool{}
		texts("ab-", 5, func(text string) {
			if accepts(s, e, text) {
				matched[e][text] = true
			}
		})
	}
	found := 0
	for _, x := range xs {
		for _, y := range xs {
			if c := s.Compare(); x == y || !c.Contains(x, y) {
				continue
			}
			found++
			for text := range matched[y] {
				require.True(t, matched[x][text], "%q", text)
			}
		}
	}
	require.Greater(t, found, 100)

	twice, thrice, dash := s.Repeat(a, 2, 2), s.Repeat(a, 3, 3), s.Literal("-")
	c := s.Compare()
	require.True(t, c.Contains(s.seq(twice, s.Star(either), dash), s.seq(thrice, dash)))
	require.False(t, c.Contains(s.seq(twice, s.Star(b), dash), s.seq(thrice, dash)), "the loop has no a")
}

// A pair that has been compared before is answered, and charged, as if it were new.
func TestKnownComparisonsAreNewOnes(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	s := newStore()
	var xs []Expr
	for range 60 {
		xs = append(xs, s.Or(randomRepeats(r, s), randomRepeats(r, s)))
	}
	found := 0
	for range 20_000 {
		x, y := xs[r.Intn(len(xs))], xs[r.Intn(len(xs))]
		budget := r.Intn(2 * pairSteps)
		first := comparison{s: s, all: unionSteps}
		first.Contains(x, y)
		known, fresh := comparison{s: s, all: budget}, comparison{s: s, all: budget}
		got := known.Contains(x, y)
		clear(s.compared)
		want := fresh.Contains(x, y)
		require.Equal(t, want, got)
		require.Equal(t, fresh.all, known.all)
		if got {
			found++
		}
	}
	require.Greater(t, found, 200)
}
