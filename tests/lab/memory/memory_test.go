package main

import (
	"math/rand"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/tests/corpus"
)

// Every kind compiles and accepts its texts: a text that is refused at once would show nothing.
func TestTextsAreFollowed(t *testing.T) {
	root, err := corpus.Checkout()
	require.NoError(t, err)
	v, err := corpus.Vocabulary(root, corpus.Small)
	require.NoError(t, err)
	c := core.NewCompiler(v, core.CompilerConfig{})
	for _, k := range kinds {
		g, err := k.compile(c)
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
	flat := []sample{{5, 1, 10}, {10, 30, 20}, {100, 31, 200}}
	require.True(t, report(kinds[0], statistics{}, flat, 100, 10, nil))
	grows := append(flat, sample{110, 31 + slack, 300})
	require.False(t, report(kinds[0], statistics{}, grows, 100, 10, nil), "it grows by more than caches may")
	require.False(t, report(kinds[0], statistics{}, []sample{{5, most + 1, 10}}, 100, 10, nil))
}

// A grammar's figure of its memory is close to the growth of the live heap, and shared memory stays within its bound.
func TestStatistics(t *testing.T) {
	root, err := corpus.Checkout()
	require.NoError(t, err)
	v, err := corpus.Vocabulary(root, corpus.Small)
	require.NoError(t, err)
	for _, k := range kinds {
		c := core.NewCompiler(v, core.CompilerConfig{WarmBytes: -1}) // warming holds memory while it works
		before, setsBefore := settledHeap(), c.CacheStats().TokenSetBytes
		g, err := k.compile(c)
		require.NoError(t, err, k.name)
		f := follower{g: g, row: make([]uint32, v.Words())}
		r := rand.New(rand.NewSource(1))
		for range 60 {
			f.follow(k.text(r))
		}
		holds, says := settledHeap()-before, float64(g.Stats().Bytes)/(1<<20)
		sets := float64(c.CacheStats().TokenSetBytes-setsBefore) / (1 << 20)
		g, f.g = nil, nil
		c.ClearCache()
		// token sets that other grammars may use; the grammar's figure includes the ones in use
		shared := settledHeap() - before
		runtime.KeepAlive(c)
		t.Logf("%-24s says %6.2f MiB, holds %6.2f, %6.2f of it shared, says %6.2f", k.name, says, holds, shared, sets)
		require.InDelta(t, holds, says, 0.15+holds/4, k.name)
		require.InDelta(t, shared, sets, 0.2+shared/5, k.name)
	}
}

// settledHeap returns the live heap in MiB without pooled memory, which the second collection frees.
func settledHeap() float64 {
	heapMiB()
	heapMiB()
	return heapMiB()
}
