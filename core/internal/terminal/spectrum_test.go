package terminal_test

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/analysis"
)

// A body with bounds on its lengths is empty exactly when none of its texts is within them, also where several bytes
// lead from one state to another.
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

// What looking ahead says of a body's lengths is what the whole automaton says.
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
			quick := *inside(s).Shortest(x, analysis.PhaseBetween, terminal.UTF8)
			whole := inside(s).Spectrum(x, analysis.PhaseBetween, terminal.UTF8)
			require.Equal(t, whole.Min, quick.Min)
			if quick.Regular() {
				regular++
				require.True(t, whole.Regular())
			}
		}
	}
	require.Positive(t, regular)
}
