package terminal_test

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// An intersection under one counter has the strings of the intersection with every count written out.
func TestAndCountedIsTheIntersection(t *testing.T) {
	r := rand.New(rand.NewSource(21))
	texts := testkit.Strings("ab1", 6)
	matches := func(s *terminal.Store, x terminal.Expr, text string) bool {
		c := counters.Counter(0)
		for i := range len(text) {
			x, c = counters.Step(s, x, c, text[i])
		}
		return counters.Accepts(s, x, c)
	}
	counted, some := 0, 0
	for range 400 {
		s := terminal.NewStore()
		any := s.Star(s.AnyRune(terminal.UTF8))
		class := func() terminal.Expr { return s.Runes([]rune{[]rune("ab1")[r.Intn(3)], 'b'}, terminal.UTF8) }
		var xs []terminal.Expr
		for range 1 + r.Intn(2) {
			low := uint32(r.Intn(4))
			xs = append(xs, s.Counted(s.Star(s.Or(class(), class())), terminal.UTF8, low, low+uint32(r.Intn(4))))
		}
		for range r.Intn(3) {
			x := s.Concat(any, class(), s.Text([]string{"", "a", "b1"}[r.Intn(3)], terminal.UTF8), any)
			if r.Intn(2) == 0 {
				x = s.Not(x)
			}
			xs = append(xs, x)
		}
		low := uint32(r.Intn(3))
		high := low + uint32(r.Intn(6))
		x, ok := s.AndCounted(xs, terminal.UTF8, low, high)
		want := s.And(s.And(xs...), s.Repeat(s.AnyRune(terminal.UTF8), low, high))
		if !ok {
			continue
		}
		counted++
		for _, text := range texts {
			require.Equal(t, matches(s, want, text), matches(s, x, text), "%q", text)
			if matches(s, x, text) {
				some++
			}
		}
	}
	require.Greater(t, counted, 300)
	require.Greater(t, some, 1000)
	s := terminal.NewStore()
	_, ok := s.AndCounted([]terminal.Expr{s.Star(s.Bytes(set("ab"))), s.Not(s.Text("a", terminal.UTF8))}, terminal.UTF8, 0, 9)
	require.False(t, ok, "none is counted")
}
