package relax_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
)

// Heads.Generalise maps a state before many repetitions to the state without their bound, at the beginning of a
// character and after each of its bytes. It leaves a state alone in which a text precedes them.
func TestHeadsOfStatesWithinCharacters(t *testing.T) {
	st := terminal.NewStore()
	char := st.Runes([]rune{'a', 'z', 0x4e00, 0x9fff, 0x10000, 0x20000}, terminal.UTF8)
	end := st.Text("\"", terminal.UTF8)
	bounded, unbounded := st.Concat(st.Repeat(char, 0, 100), end), st.Concat(st.Star(char), end)
	var heads relax.Heads
	left := uint32(100)
	for _, b := range []byte("\u5b57a\U0001f600") {
		shape, n, ok := heads.Generalise(st, bounded)
		require.True(t, ok)
		require.Equal(t, unbounded, shape)
		require.Equal(t, left, n)
		if b&0xc0 != 0x80 {
			left--
		}
		bounded, unbounded = st.Delta(bounded, b), st.Delta(unbounded, b)
	}
	_, _, ok := heads.Generalise(st, st.Concat(end, st.Repeat(char, 0, 100)))
	require.False(t, ok)
}
