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
	"github.com/sluice-engine/sluice/core/internal/work"
)

// A counted body is empty exactly if none of its texts is within the bounds, also if several bytes lead from one state
// to another.
func TestLengthsOfABodyAreThoseOfItsTexts(t *testing.T) {
	r := rand.New(rand.NewSource(29))
	for range 300 {
		s := terminal.NewStore()
		has := map[int]bool{}
		var members []terminal.Expr
		for range 1 + r.Intn(4) {
			n := 1 + r.Intn(5)
			has[n] = true
			if r.Intn(2) == 0 {
				members = append(members, s.Repeat(s.Bytes(set("abcd"[r.Intn(3):])), uint32(n), uint32(n)))
				continue
			}
			text := make([]byte, n)
			for i := range text {
				text[i] = "abcd"[r.Intn(4)]
			}
			members = append(members, s.Literal(string(text)))
		}
		body := s.Or(members...)
		for low := range 6 {
			some := false
			for high := low; high < 6; high++ {
				some = some || has[high]
				require.Equal(t, some, s.Counted(body, terminal.UTF8, uint32(low), uint32(high)) != terminal.Empty,
					"%d to %d", low, high)
			}
			require.Equal(t, some, s.Counted(body, terminal.UTF8, uint32(low), terminal.Unbounded) != terminal.Empty,
				"%d and more", low)
		}
	}
}

// Least agrees with the graph of all states.
func TestShortestCompletionsAreThoseOfTheAutomaton(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	regular := 0
	for range 400 {
		s := terminal.NewStore()
		body := s.Concat(randomRepeats(r, s), randomRepeats(r, s))
		if r.Intn(2) == 0 {
			body = s.And(body, s.Not(randomRepeats(r, s)))
		}
		states := []terminal.Expr{body}
		for i := 0; i < len(states) && i < 12; i++ {
			for _, b := range []byte("ab-") {
				if x := s.Delta(states[i], b); x != terminal.Empty {
					states = append(states, x)
				}
			}
		}
		r.Shuffle(len(states), func(i, j int) { states[i], states[j] = states[j], states[i] })
		for _, x := range states {
			quick := inside(s).Least(x, analysis.PhaseBetween, terminal.UTF8)
			inside(s).SetFact(x, expr.FactLength, 0)
			whole := inside(s).Spectrum(x, analysis.PhaseBetween, terminal.UTF8)
			require.Equal(t, whole.Min, quick.N)
			if quick.Regular {
				regular++
				require.True(t, whole.Regular())
			}
		}
	}
	require.Positive(t, regular)
}

// Lengths and gaps agree with a walk through the states, one character at a time.
func TestGapsAreThoseOfTheTexts(t *testing.T) {
	const most = 40
	r := rand.New(rand.NewSource(11))
	gaps, none := 0, 0
	for range 200 {
		s := terminal.NewStore()
		part := func() terminal.Expr {
			low := uint32(r.Intn(6))
			x := s.Repeat(s.Bytes(set("abc"[r.Intn(3):])), low, low+uint32(r.Intn(4)))
			if r.Intn(4) == 0 {
				x = s.Concat(x, s.Literal("aab"[r.Intn(3):]))
			}
			if r.Intn(4) == 0 {
				x = s.Star(x)
			}
			return x
		}
		body := s.Or(s.Concat(part(), part()), s.Concat(part(), part()))
		whole := inside(s).Spectrum(body, analysis.PhaseBetween, terminal.UTF8)
		if whole.Gaps != nil {
			gaps++
		} else if whole.Min < whole.Max {
			none++
		}
		at := map[terminal.Expr]bool{body: true}
		for n := range uint32(most) {
			some, next := false, map[terminal.Expr]bool{}
			for x := range at {
				some = some || s.View().Nullable(x)
				for _, b := range []byte("abc") {
					if y := s.Delta(x, b); y != terminal.Empty {
						next[y] = true
					}
				}
			}
			require.Equal(t, some, whole.Allows(0, expr.Bounds{Min: n, Max: n}), "%d", n)
			at = next
		}
	}
	require.Greater(t, gaps, 20)
	require.Greater(t, none, 20)
}

// Lengths have no gaps if each place of a counted beginning can end or enter a loop.
func TestLengthsThatAddUpHaveNoGaps(t *testing.T) {
	s := terminal.NewStore()
	body := s.Concat(s.Repeat(s.Bytes(set("abxy")), 1, 20), s.Star(s.Bytes(set("xy"))))
	whole := inside(s).Spectrum(body, analysis.PhaseBetween, terminal.UTF8)
	require.Nil(t, whole.Gaps)
	require.True(t, whole.Regular())
	require.Equal(t, uint32(1), whole.Min)
}

// A text of twelve characters that must occur has 4,096 states, which are explored once.
func TestManyConditionsAreExplored(t *testing.T) {
	for _, n := range []int{6, 12} {
		s := terminal.NewStore()
		all := []terminal.Expr{s.Star(s.Runes([]rune{'0', '9', 'A', 'Z', 'a', 'z'}, terminal.UTF8))}
		any := s.Star(s.AnyRune(terminal.UTF8))
		for i := range n {
			all = append(all, s.Concat(any, s.Runes([]rune{rune('a' + i), rune('a' + i)}, terminal.UTF8), any))
		}
		x := s.Counted(s.And(all...), terminal.UTF8, 10, 40)
		require.True(t, s.Explore(x))
		c := counters.Counter(0)
		for _, b := range []byte(strings.Repeat("z", 28)) {
			x, c = counters.Step(s, x, c, b)
			require.NotEqual(t, terminal.Empty, x)
		}
		require.Equal(t, counters.Shortest{N: uint32(n), Regular: true, Known: true}, counters.Least(s, x, c))
		x, _ = counters.Step(s, x, c, 'z')
		require.Equal(t, n == 12, x == terminal.Empty, "there is room for twelve characters")
	}
}

// The lengths of an intersection are charged to the compilation, also if all transitions are known: the states, and the
// gaps.
func TestFindingLengthsIsCharged(t *testing.T) {
	const states = 500
	spent := func(last func(s *terminal.Store) terminal.Expr) int {
		s := terminal.NewStore()
		body := s.And(s.Concat(s.Repeat(s.Bytes(set("ab")), 0, states), last(s)), s.Not(s.Literal("aabb")))
		seen := map[terminal.Expr]bool{body: true}
		for queue := []terminal.Expr{body}; len(queue) > 0; queue = queue[1:] {
			for _, b := range []byte("abx") {
				if x := s.Delta(queue[0], b); x != terminal.Empty && !seen[x] {
					seen[x] = true
					queue = append(queue, x)
				}
			}
		}
		m := work.New(1<<40, nil)
		s.SetWork(m)
		inside(s).Spectrum(body, analysis.PhaseBetween, terminal.UTF8)
		return 1<<40 - m.Left()
	}
	plain := spent(func(s *terminal.Store) terminal.Expr { return s.Star(s.Bytes(set("x"))) })
	require.Greater(t, plain, 20*states)
	rough := spent(func(s *terminal.Store) terminal.Expr { return s.Star(s.Literal("bcd")) })
	require.Greater(t, rough, 10*plain)
}
