package tokenset

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A walk for closing nodes that a budget ends is not kept, and a whole one costs the same on every call.
func TestClosingNodesAreWhole(t *testing.T) {
	tokens := denseVocabulary(rand.New(rand.NewSource(3)), 5000)
	e := New(NewTokens(Config{Bytes: tokens, Words: (len(tokens) + 31) / 32}), terminal.NewStore())
	st := e.store
	base := st.Concat(st.Star(st.AnyRune(terminal.JSONString)), st.Literal(`"`))
	c := e.Class(base, started(e))
	require.NotNil(t, c)
	w := e.Take()
	w.Start(500)
	_, ok := e.closingNodes(c, base, w)
	require.False(t, ok)
	require.Nil(t, c.closing.Load())
	var costs []int
	for range 2 {
		w = started(e)
		nodes, ok := e.closingNodes(c, base, w)
		require.True(t, ok)
		require.Greater(t, len(nodes), 100)
		costs = append(costs, w.Total())
	}
	require.Equal(t, costs[0], costs[1])
	require.Greater(t, costs[0], 500)
}
