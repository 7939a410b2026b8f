package terminal_test

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/analysis"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// The lengths that structure tells are those found by following all bytes, in the middle of escapes and of code points,
// too.
func TestLengthsOfStructure(t *testing.T) {
	r := rand.New(rand.NewSource(21))
	classes := [][]rune{{'a', 'c'}, {'.', '.'}, {0, 0x10FFFF}, {'"', '"', 0x80, 0x7FF}, {0x1F600, 0x1F64F}}
	for round := range 60 {
		enc := []terminal.Encoding{terminal.UTF8, terminal.JSONString}[round%2]
		s := terminal.NewStore()
		part := func() terminal.Expr {
			x := s.Runes(classes[r.Intn(len(classes))], enc)
			switch r.Intn(4) {
			case 0:
				x = s.Text([]string{"é", "aa", "\"."}[r.Intn(3)], enc)
			case 1:
				low := uint32(r.Intn(3))
				x = s.Repeat(x, low, low+uint32(r.Intn(3)))
			case 2:
				x = s.Star(s.Concat(x, s.Runes(classes[r.Intn(len(classes))], enc)))
			}
			return x
		}
		body := s.Or(s.Concat(part(), part()), s.Concat(part(), part(), part()))
		checkLengths(t, s, body, enc, 8)
	}
}

// The lengths of any text without some texts are those found by following all bytes, in the middle of escapes and of code
// points, too.
func TestLengthsOfExclusions(t *testing.T) {
	texts := []string{"", "a", "é", "ab", "\n", "aé", "😀", "\"a"}
	r := rand.New(rand.NewSource(22))
	for round := range 12 {
		enc := []terminal.Encoding{terminal.UTF8, terminal.JSONString, terminal.JSONString | terminal.ASCII}[round%3]
		s := terminal.NewStore()
		some := texts[r.Intn(3):][:1+r.Intn(5)]
		body := s.And(s.Star(s.AnyRune(enc)), s.Not(s.Texts(some, enc, nil)))
		checkLengths(t, s, body, enc, 3)
		few := s.And(s.Repeat(s.AnyRune(enc), 0, 2), s.Not(s.Texts(some, enc, nil)))
		checkLengths(t, s, few, enc, 3)
	}
}

// checkLengths compares the lengths of all states within some bytes of body with a search for each of them.
func checkLengths(t *testing.T, s *terminal.Store, body terminal.Expr, enc terminal.Encoding, bytes int) {
	t.Helper()
	type state struct {
		e     terminal.Expr
		phase uint8
	}
	follow := func(from map[state]bool, begin bool) map[state]bool {
		next := map[state]bool{}
		for x := range from {
			for b := range 256 {
				to, begins := analysis.Advance(enc, x.phase, byte(b))
				if y := s.Delta(x.e, byte(b)); y != terminal.Empty && begins == begin {
					next[state{y, to}] = true
				}
			}
		}
		return next
	}
	// settle adds the states that are reached without another code point.
	settle := func(all map[state]bool) map[state]bool {
		for more := all; len(more) > 0; {
			more = follow(more, false)
			for x := range more {
				if all[x] {
					delete(more, x)
				}
				all[x] = true
			}
		}
		return all
	}
	all, layer := map[state]bool{}, map[state]bool{{body, analysis.PhaseBetween}: true}
	for range bytes {
		next := follow(layer, true)
		for x := range follow(layer, false) {
			next[x] = true
		}
		for x := range layer {
			all[x] = true
		}
		layer = next
	}
	for x := range all {
		sp := inside(s).Spectrum(x.e, x.phase, enc)
		at := settle(map[state]bool{x: true})
		for n := range uint32(6) {
			some := false
			for y := range at {
				some = some || y.phase == analysis.PhaseBetween && s.View().Nullable(y.e)
			}
			require.Equal(t, some, sp.Allows(0, expr.Bounds{Min: n, Max: n}), "%d more after phase %d", n, x.phase)
			at = settle(follow(at, true))
		}
	}
}

// Windows of one class that may have begun at many places are one member of a union.
func TestWindowsMerge(t *testing.T) {
	s := terminal.NewStore()
	any := s.AnyRune(terminal.UTF8)
	window := func(low, high uint32) terminal.Expr { return s.Concat(s.Repeat(any, low, high), s.Literal("x")) }
	require.Equal(t, window(0, 57), s.Or(window(0, 53), window(2, 57)))
	require.Equal(t, window(4, 60), s.Or(window(5, 60), window(4, 59)))
	require.Equal(t, window(3, 9), s.Or(window(7, 9), window(3, 4), window(5, 6)))
	require.NotEqual(t, window(3, 9), s.Or(window(3, 4), window(6, 9)))
}
