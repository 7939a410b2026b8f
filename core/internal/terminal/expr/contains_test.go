package expr

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// If Contains reports that one expression contains another, each text of the other matches it.
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
