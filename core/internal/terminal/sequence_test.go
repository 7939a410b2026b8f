package terminal_test

import (
	"fmt"
	"math/rand"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
)

// randomSequence returns a sequence of parts of which many may be empty and many repeat the same, and the same in Go's
// notation.
func randomSequence(r *rand.Rand, s *terminal.Store, depth int) (terminal.Expr, string) {
	var parts []terminal.Expr
	var text strings.Builder
	for range 1 + r.Intn(5) {
		var x terminal.Expr
		var p string
		switch k := r.Intn(7); {
		case k == 0 && depth > 0:
			y, q := randomSequence(r, s, depth-1)
			x, p = y, "(?:"+q+")"
		case k == 1 && depth > 0:
			y, q := randomSequence(r, s, depth-1)
			z, t := randomSequence(r, s, depth-1)
			x, p = s.Or(y, z), "(?:"+q+"|"+t+")"
		case k < 4:
			x, p = s.Bytes(set("a")), "a"
		case k < 5:
			x, p = s.Bytes(set("ab")), "[ab]"
		case k < 6:
			x, p = s.Literal("ab"), "(?:ab)"
		default:
			x, p = s.Bytes(set("-")), "-"
		}
		switch r.Intn(5) {
		case 0:
			x, p = s.Optional(x), p+"?"
		case 1:
			x, p = s.Star(x), p+"*"
		case 2:
			low := r.Intn(3)
			high := max(low, 1) + r.Intn(3)
			x, p = s.Repeat(x, uint32(low), uint32(high)), fmt.Sprintf("%s{%d,%d}", p, low, high)
		case 3:
			x, p = s.Plus(x), p+"+"
		}
		parts = append(parts, x)
		text.WriteString("(?:" + p + ")")
	}
	return s.Concat(parts...), text.String()
}

// A sequence matches the texts of its parts in turn, also if parts were fused into a repetition or dropped as
// contained.
func TestSequencesMatchWhatTheirPartsDo(t *testing.T) {
	r := rand.New(rand.NewSource(6))
	for range 1500 {
		s := terminal.NewStore()
		x, p := randomSequence(r, s, 2)
		re := regexp.MustCompile(`\A(?:` + p + `)\z`)
		texts("ab-", 6, func(text string) {
			require.Equal(t, re.MatchString(text), accepts(s, x, text), "%q of %s", text, p)
		})
	}
}

// Repetitions of the same in a row are one.
func TestAdjacentRepetitionsAreOne(t *testing.T) {
	s := terminal.NewStore()
	a := s.Bytes(set("a"))
	ab := s.Or(s.Literal("ab"), a)
	for _, x := range []terminal.Expr{a, ab, s.Literal("ab")} {
		opt, star := s.Optional(x), s.Star(x)
		require.Equal(t, s.Repeat(x, 0, 3), s.Concat(opt, opt, opt))
		require.Equal(t, star, s.Concat(star, opt, star, star))
		require.Equal(t, s.Repeat(x, 5, 9), s.Concat(s.Repeat(x, 2, 3), s.Repeat(x, 0, 3), s.Repeat(x, 3, 3)))
		require.Equal(t, s.Repeat(x, 2, 3), s.Concat(x, s.Repeat(x, 1, 2)))
		require.Equal(t, s.Repeat(x, 4, terminal.Unbounded), s.Concat(star, s.Repeat(x, 4, 6)))
		long := make([]terminal.Expr, 10_000)
		for i := range long {
			long[i] = opt
		}
		require.Equal(t, s.Repeat(x, 0, 10_000), s.Concat(long...))
	}
	// Counts that have no room stay apart.
	huge := s.Repeat(a, 2, terminal.Unbounded-3)
	require.NotEqual(t, huge, s.Concat(huge, huge))
	require.True(t, accepts(s, s.Concat(huge, huge), "aaaa"))
	require.False(t, accepts(s, s.Concat(huge, huge), "aaa"))
}

// A transition of a sequence of optional parts makes a number of expressions linear in its length.
func TestLongSequencesAreLinear(t *testing.T) {
	for name, parts := range map[string][]string{
		"loops":    {"ab", "*", "bc", "*", "cd", "*"},
		"optional": {"ab", "?", "c", "?"},
		"apart":    {"a", "?", "b", "?", "c", "*"},
	} {
		made := map[int]int{}
		for _, n := range []int{100, 1600} {
			s := terminal.NewStore()
			var xs []terminal.Expr
			for range n {
				for i := 0; i < len(parts); i += 2 {
					x := s.Bytes(set(parts[i]))
					if parts[i+1] == "*" {
						x = s.Star(x)
					} else {
						x = s.Optional(x)
					}
					xs = append(xs, x)
				}
			}
			e := s.Concat(xs...)
			before, lists := s.Size().Expressions, inside(s).Lists.Len()
			for _, c := range []byte("abcabcaabbcc") {
				e = s.Delta(e, c)
			}
			require.NotEqual(t, terminal.Empty, e)
			made[n] = s.Size().Expressions - before + int(inside(s).Lists.Len()-lists)
		}
		require.LessOrEqual(t, made[1600], 17*made[100], name)
	}
}

// A sequence with thousands of ways to begin unites its derivatives at once, not member by member.
func TestManyWaysToGoOn(t *testing.T) {
	made := map[int]int{}
	for _, n := range []int{500, 4000} {
		s := terminal.NewStore()
		var xs []terminal.Expr
		for i := range n {
			xs = append(xs, s.Optional(s.Concat(s.Bytes(set("a")), s.Literal(fmt.Sprintf("%06d", i)))))
		}
		e := s.Concat(xs...)
		before := inside(s).Lists.Len()
		e = s.Delta(e, 'a')
		require.Equal(t, expr.KOr, inside(s).Node(e).Kind)
		made[n] = int(inside(s).Lists.Len() - before)
		require.True(t, accepts(s, e, "000003a000077"))
		require.False(t, accepts(s, e, "000077a000003"))
	}
	require.LessOrEqual(t, made[4000], 16*made[500])
}

// A sequence of many optional parts with equal derivatives keeps the first: it matches the texts that a walk through
// its parts finds, and its states stay small.
func TestPartsThatLeadToTheSame(t *testing.T) {
	r := rand.New(rand.NewSource(8))
	words := []string{"ab", "ba", "aab", "b", "ac"}
	for range 300 {
		s := terminal.NewStore()
		n := 40 + r.Intn(80)
		parts, xs, kinds := make([]string, n), make([]terminal.Expr, n), 2+r.Intn(len(words)-1)
		for i := range parts {
			parts[i] = words[r.Intn(kinds)]
			xs[i] = s.Optional(s.Literal(parts[i]))
		}
		e := s.Concat(xs...)
		for range 20 {
			var text string
			for _, p := range parts {
				if r.Intn(3) == 0 {
					text += p
				}
			}
			if b := []byte(text); r.Intn(2) == 0 && len(b) > 0 {
				b[r.Intn(len(b))] = "abc"[r.Intn(3)]
				text = string(b)
			}
			require.Equal(t, optionalWords(parts, text), accepts(s, e, text), "%q of %v", text, parts)
		}
	}
	for _, n := range []int{200, 2000} {
		s := terminal.NewStore()
		xs := make([]terminal.Expr, n)
		for i := range xs {
			xs[i] = s.Optional(s.Literal(words[i%2]))
		}
		e := s.Concat(xs...)
		for _, c := range []byte("abbaab") {
			e = s.Delta(e, c)
			require.LessOrEqual(t, prices.Weight(s, e), 6*n+100)
		}
	}
}

// optionalWords reports whether text is some of the words in turn.
func optionalWords(words []string, text string) bool {
	ends := map[int]bool{0: true} // ends of texts of the words so far
	for _, w := range words {
		for i := len(text) - len(w); i >= 0; i-- { // each word once
			if ends[i] && strings.HasPrefix(text[i:], w) {
				ends[i+len(w)] = true
			}
		}
	}
	return ends[len(text)]
}

// A row's cost depends on the expression alone, and is linear in its different parts.
func TestRowsCostTheirDifferentParts(t *testing.T) {
	chain := func(s *terminal.Store, n int) terminal.Expr {
		xs := make([]terminal.Expr, n)
		for i := range xs {
			xs[i] = s.Optional(s.Literal([]string{"ab", "ba"}[i%2]))
		}
		return s.Concat(xs...)
	}
	window := func(s *terminal.Store, n int) terminal.Expr {
		xs := make([]terminal.Expr, n)
		for i := range xs {
			xs[i] = s.Repeat(s.Bytes(set("ab")), uint32(2*i+2), uint32(2*i+2))
		}
		return s.Or(xs...)
	}
	for name, build := range map[string]func(s *terminal.Store, n int) terminal.Expr{"chain": chain, "window": window} {
		costs := map[int]int{}
		for _, n := range []int{400, 800} {
			fresh, used := terminal.NewStore(), terminal.NewStore()
			for _, c := range []byte("abba") { // rows of parts, and of other expressions
				used.Alive(used.Delta(build(used, n/2), c))
			}
			x, y := build(fresh, n), build(used, n)
			fresh.Alive(x)
			used.Alive(y)
			require.Equal(t, prices.Row(fresh, x), prices.Row(used, y), name)
			costs[n] = prices.Row(fresh, x)
		}
		require.InDelta(t, 2, float64(costs[800])/float64(costs[400]), 0.2, name)
	}
}
