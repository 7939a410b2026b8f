package terminal_test

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// A counted string in quotes, intersected with other strings or their complements, matches the same texts as with its
// count written out.
func TestQuotedStringsKeepTheirCount(t *testing.T) {
	r := rand.New(rand.NewSource(43))
	kept := 0
	for range 200 {
		s := terminal.NewStore()
		quote := s.Literal(`"`)
		letters := func() terminal.Expr {
			return s.Star(s.Runes([]rune{rune('a' + r.Intn(2)), 'b'},
				terminal.JSONString))
		}
		text := func() terminal.Expr {
			switch r.Intn(4) {
			case 0:
				return s.Text([]string{"", "a", "ab", "bb"}[r.Intn(4)], terminal.JSONString)
			case 1:
				return s.Concat(letters(), s.Text("a", terminal.JSONString), letters())
			case 2:
				return s.Or(s.Text("ab", terminal.JSONString), s.Concat(s.Text("b", terminal.JSONString), letters()))
			}
			return letters()
		}
		low := uint32(r.Intn(3))
		counted := s.Concat(quote, s.Counted(letters(), terminal.JSONString, low, low+uint32(r.Intn(3))), quote)
		xs := []terminal.Expr{counted}
		for range 1 + r.Intn(2) {
			y := s.Concat(quote, text(), quote)
			if r.Intn(2) == 0 {
				y = s.Or(y, s.Literal("null"), s.Concat(quote, text(), quote))
			}
			if r.Intn(2) == 0 {
				y = s.Not(y)
			}
			xs = append(xs, y)
		}
		x := s.And(xs...)
		if inside(s).Node(x).Flags&expr.FCount != 0 {
			kept++
		}
		plain := inside(s).And(plainAll(s, xs)...)
		texts(`ab"\`, 5, func(text string) {
			require.Equal(t, counters.Match(s, plain, []byte(text)), counters.Match(s, x, []byte(text)), "%q", text)
		})
	}
	require.Greater(t, kept, 50)
}
