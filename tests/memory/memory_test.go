package main

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/tests/corpus"
)

// Every kind compiles, and its texts are what it takes: what is refused at once keeps nothing and shows nothing.
func TestTextsAreFollowed(t *testing.T) {
	root, err := corpus.Checkout()
	require.NoError(t, err)
	v, err := corpus.Vocabulary(root, corpus.Small)
	require.NoError(t, err)
	c := core.NewCompiler(v, core.CompilerConfig{})
	for _, k := range kinds {
		g, err := c.Compile(k.kind, []byte(k.spec), nil)
		require.NoError(t, err, k.name)
		r := rand.New(rand.NewSource(1))
		followed := 0
		for range 5 {
			m, err := core.NewMatcher(g, core.MatcherOptions{})
			require.NoError(t, err)
			text := k.text(r)
			for i := range len(text) {
				if ok, err := m.AcceptBytes([]byte(text[i : i+1])); !ok || err != nil {
					break
				}
				followed++
			}
		}
		require.Greater(t, followed, 10, k.name)
	}
}

func TestReport(t *testing.T) {
	root, err := corpus.Checkout()
	require.NoError(t, err)
	v, err := corpus.Vocabulary(root, corpus.Small)
	require.NoError(t, err)
	g, err := core.NewCompiler(v, core.CompilerConfig{}).Compile(core.Choice, []byte(`["a"]`), nil)
	require.NoError(t, err)
	flat := []sample{{5, 1, 10}, {10, 30, 20}, {100, 31, 200}}
	require.True(t, report(kinds[0], g, flat, 100, 10, nil))
	grows := append(flat, sample{110, 31 + slack, 300})
	require.False(t, report(kinds[0], g, grows, 100, 10, nil), "it grows by more than caches may")
	require.False(t, report(kinds[0], g, []sample{{5, most + 1, 10}}, 100, 10, nil))
}
