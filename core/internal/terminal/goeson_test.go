package terminal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// GoesOn and MayBegin agree with the transitions, without making them.
func TestGoesOnIsWhatTransitionsSay(t *testing.T) {
	r := testkit.Seeded(t, 31)
	on, ends, spared := 0, 0, 0
	for range testkit.Rounds(4000, 200_000) {
		s := terminal.NewStore()
		x := testkit.Expr(r, s, testkit.ExprShape{Alphabet: "ab", Depth: 4, Boolean: true, Counted: r.Intn(4) == 0})
		if b := r.Intn(4); b < 2 && x != terminal.Empty {
			x = s.Delta(x, "ab"[b]) // a state in the middle of a text
		}
		goes, may, before := s.GoesOn(x), s.MayBegin(x, 'a'), s.Size().Rows
		alive := s.Alive(x)
		require.Equal(t, !alive.IsEmpty(), goes)
		require.True(t, may || !alive.Has('a'))
		if goes {
			on++
		} else {
			ends++
		}
		if s.Size().Rows > before {
			spared++
		}
	}
	require.Greater(t, on, 100)
	require.Greater(t, ends, 10)
	require.Greater(t, spared, 100)
}
