package terminal_test

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/analysis"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// randomConditions returns an intersection of searches for characters of overlapping classes, some of them within a
// class.
func randomConditions(r *rand.Rand, s *terminal.Store, enc terminal.Encoding) terminal.Expr {
	classes := [][]rune{
		{'a', 'c'},
		{'b', 'd'},
		{'d', 'd'},
		{'0', '9'},
		{'5', '7', 'a', 'a'},
		{'"', '"'},
		{'"', '"', 'e', 'e'},
		{'é', 'é'},
		{'e', 'é'},
		{'\n', '\n'},
	}
	within := [][]rune{{0, 0x10FFFF}, {' ', '~'}, {'a', 'z', 'é', 'é'}, {'0', '9', 'a', 'f'}, {' ', 0x10FFFF}}
	class := func() terminal.Expr { return s.Runes(classes[r.Intn(len(classes))], enc) }
	rest := func(of []rune) terminal.Expr { // all other characters
		between := []rune{0}
		for i := 0; i < len(of); i += 2 {
			between = append(between, of[i]-1, of[i+1]+1)
		}
		return s.Runes(append(between, 0x10FFFF), enc)
	}
	any := s.Star(s.AnyRune(enc))
	var all []terminal.Expr
	for range 1 + r.Intn(5) {
		x := class()
		if r.Intn(4) == 0 {
			x = s.Text(string("abd59\"é"[r.Intn(6)]), enc)
		}
		before := any
		if r.Intn(3) == 0 {
			before = s.Star(s.Runes([]rune{' ', 0x10FFFF}, enc)) // as a dot is
		}
		search := s.Concat(before, x, any)
		switch r.Intn(7) {
		case 0:
			n := uint32(1 + r.Intn(3))
			search = s.Concat(s.Repeat(s.Concat(before, x), n, n+uint32(r.Intn(3))), any)
		case 1:
			search = s.Concat(before, x, x, before, x, any)
		case 2:
			search = s.Concat(before, s.Repeat(x, 2, 2), any)
		case 3:
			search = s.Concat(before, x, any, class(), any)
		case 4:
			search = s.Concat(any, s.Text([]string{"ab", "bd0", "59", "cab", "00", "0a5d"}[r.Intn(6)], enc), any)
		case 5:
			loop := s.Star(s.Runes(within[r.Intn(len(within))], enc))
			search = s.Concat(any, s.Repeat(s.Concat(x, loop), 1+uint32(r.Intn(2)), 2), any)
		}
		if r.Intn(3) == 0 { // the first of a class, or what looks like that
			of := classes[r.Intn(len(classes))]
			x, loop := s.Runes(of, enc), s.Star(rest(classes[r.Intn(2)]))
			if r.Intn(3) > 0 {
				loop = s.Star(rest(of))
			}
			search = s.Concat(s.Repeat(s.Concat(loop, x), 1+uint32(r.Intn(2)), 2), any)
			switch r.Intn(6) {
			case 0:
				search = s.Concat(loop, x, loop, x, any)
			case 1:
				search = s.Concat(loop, x, x, any)
			case 2:
				search = s.Concat(loop, s.Repeat(s.Concat(x, loop), 2, 2), any)
			case 3:
				search = s.Concat(loop, x, s.Repeat(s.Concat(loop, x), 0, 2), any)
			}
		}
		all = append(all, search)
	}
	for range r.Intn(4) {
		all = append(all, s.Concat(any, s.Text([]string{"ab", "bd0", "59", "cab", "00", "0a5d"}[r.Intn(6)], enc), any))
	}
	if r.Intn(4) == 0 {
		all = append(all, s.Repeat(s.AnyRune(enc), uint32(r.Intn(9)), terminal.Unbounded))
	}
	if r.Intn(3) > 0 {
		all = append(all, s.Star(s.Runes(within[r.Intn(len(within))], enc)))
	}
	return s.And(all...)
}

// The number of characters that conditions take is that of the shortest text that meets them, in every state on the
// way.
func TestConditionsTakeWhatTheShortestTextDoes(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	told, empty := 0, 0
	for range 400 {
		enc := terminal.Encoding(r.Intn(2))
		s := terminal.NewStore()
		x := randomConditions(r, s, enc)
		for range 4 {
			if inside(s).Node(x).Kind == expr.KEmpty {
				break
			}
			fresh := inside(s).ConditionLengths(x, enc)
			meets := inside(s).MeetsConditions(x)
			inside(s).SetFact(x, expr.FactLength, 0) // the search is to look at all of it
			whole := inside(s).Spectrum(x, analysis.PhaseBetween, enc)
			if fresh != nil && !whole.TooHard {
				told++
				require.Equal(t, whole.Min, fresh.Min)
				require.True(t, whole.Regular())
			}
			if meets {
				require.NotEqual(t, uint32(terminal.Unbounded), whole.Min)
			}
			if whole.Min == terminal.Unbounded {
				empty++
				require.Nil(t, fresh)
			}
			x = s.Delta(x, "abcd059"[r.Intn(7)])
		}
	}
	require.Greater(t, told, 100)
	require.Positive(t, empty)
}

// Twelve characters that have to occur within so many are told apart without going through 4,096 states for each mask.
func TestManyConditionsAreNotSearched(t *testing.T) {
	made := map[int]int{}
	for _, n := range []int{6, 12} {
		s := terminal.NewStore()
		all := []terminal.Expr{s.Star(s.Runes([]rune{'0', '9', 'A', 'Z', 'a', 'z'}, terminal.UTF8))}
		any := s.Star(s.AnyRune(terminal.UTF8))
		for i := range n {
			all = append(all, s.Concat(any, s.Runes([]rune{rune('a' + i), rune('a' + i)}, terminal.UTF8), any))
		}
		x := s.Counted(s.And(all...), terminal.UTF8, 10, 40)
		c := counters.Counter(0)
		for _, b := range []byte(strings.Repeat("z", 28)) {
			x, c = counters.Step(s, x, c, b)
			require.NotEqual(t, terminal.Empty, x)
		}
		least, _ := counters.Least(s, x, c)
		require.Equal(t, counters.Shortest{N: uint32(n), Regular: true, Known: true}, least)
		x, _ = counters.Step(s, x, c, 'z')
		require.Equal(t, n == 12, x == terminal.Empty, "there is room for twelve characters")
		made[n] = s.Size().Expressions
	}
	require.Less(t, made[12], 8*made[6])
}
