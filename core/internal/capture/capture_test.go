package capture

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A search that fails bounds the finder's memory as one that succeeds does.
func TestFailedSearchesBoundMemory(t *testing.T) {
	f, err := New(terminal.NewStore, func(st *terminal.Store) (*grammar.Grammar, error) {
		g := grammar.New()
		g.Start = g.NewRule("")
		g.Add(g.Start, grammar.T(st.Literal("ab")))
		return g, nil
	}, 1, 0)
	require.NoError(t, err)
	for text, fits := range map[string]bool{"ab": true, "aa": false} {
		before := f.current.Load()
		_, err = f.Find([]Piece{{Text: []byte(text), Spell: true}}, true)
		require.Equal(t, fits, err == nil, text)
		require.NotSame(t, before, f.current.Load(), text)
	}
}
