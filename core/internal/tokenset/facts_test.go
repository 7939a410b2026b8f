package tokenset

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
)

// What a walk holds of a state stays what it is while more states are met than are kept, and links lead where
// transitions do; what a new computation finds in their place is that of its own states.
func TestFactsStayWhileTheyAreHeld(t *testing.T) {
	st := terminal.NewStore()
	e := New(NewTokens(Config{Bytes: denseVocabulary(rand.New(rand.NewSource(1)), 300), Words: 10}), st)
	text := strings.Repeat("abcdefghij", knownFacts/4) // a state for each character
	x := st.Concat(st.Text(text, terminal.UTF8), st.Star(st.Literal("z")))
	check := func(f ItemFrame, state terminal.Expr) {
		require.Equal(t, state, f.Expr)
		require.Equal(t, *st.Alive(state), *f.Alive)
		require.Equal(t, prices.Row(st, state), f.own)
	}
	w := started(e)
	for _, n := range []int{len(text), knownFacts - 10, 100} {
		for range 2 { // the second time along links
			w.Start(1 << 40)
			var held []ItemFrame
			states := []terminal.Expr{x}
			at := w.FrameOf(x, 0)
			w.Meet(at.Facts)
			for i := range n {
				held = append(held, at)
				next, ok := w.Move(&at, text[i])
				require.True(t, ok)
				states = append(states, st.Delta(states[i], text[i]))
				at = next
			}
			check(at, states[n])
			cost := 0
			for i, f := range held {
				check(f, states[i])
				if i > 0 && held[i-1].links != nil {
					next, _ := w.Move(&held[i-1], text[i-1])
					check(next, states[i])
				}
			}
			for _, s := range states {
				cost += limits.PartCost * prices.Row(st, s)
			}
			require.Equal(t, cost, w.Total(), "each state is counted once")
		}
	}
}
