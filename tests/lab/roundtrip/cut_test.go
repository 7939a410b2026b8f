//go:build tokenizers

package roundtrip

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/tests/corpus"
)

// forced returns the forced tokens of a grammar with one text, and whether they reach its end.
func forced(t *testing.T, c *core.Compiler, text string) (ids []int32, whole bool) {
	t.Helper()
	spec, err := json.Marshal([]string{text})
	require.NoError(t, err)
	g, err := c.Compile(core.Choice, spec, nil)
	require.NoError(t, err)
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	require.NoError(t, err)
	for !m.Completed() {
		n := len(ids)
		ids, err = m.ForcedTokens(ids)
		require.NoError(t, err)
		if len(ids) == n {
			return ids, false
		}
		accepted, err := m.Accept(ids[n:])
		require.NoError(t, err)
		require.Equal(t, len(ids)-n, accepted)
	}
	return ids, true
}

// TestCut compares forced tokens with the library: they are its tokens, up to a character that a normalizer changes, or
// the name of a special token.
func TestCut(t *testing.T) {
	const seed = 20261128
	r := rand.New(rand.NewPCG(seed, 1))
	all := corpusTexts(t)
	for range 100 {
		all = append(all, random(r, 1+r.IntN(100)))
	}
	eachPair(t, func(t *testing.T, p *pair) {
		c := core.NewCompiler(p.ours, core.CompilerConfig{WarmBytes: -1, CacheBytes: 1})
		tokens, short := 0, 0
		before, known := "", 0
		if p.prefix != "" { // the library writes it before a text, and our text is the end of another one
			before = "\n"
			known = len(p.lib.EncodeWithOptions(before, false).IDs)
		}
		for _, text := range all {
			var want []int32
			for _, id := range p.lib.EncodeWithOptions(before+text, false).IDs[known:] {
				want = append(want, int32(id))
			}
			got, whole := forced(t, c, text)
			require.LessOrEqual(t, len(got), len(want), "%q", text)
			require.True(t, slices.Equal(want[:len(got)], got), "seed %d: %q", seed, text)
			require.True(t, !whole || len(got) == len(want), "seed %d: %q", seed, text)
			tokens += len(got)
			if !whole {
				short++
			}
		}
		t.Logf("%s: %d texts, %d tokens; %d texts are not cut to their ends", p.name, len(all), tokens, short)
		require.Less(t, 20*short, len(all))
	})
}

// corpusTexts returns the texts of this package, and outputs of MaskBench and BFCL in several layouts if they are there:
// some of them, or all of them if SLUICE_TEST_LONG is set.
func corpusTexts(t *testing.T) []string {
	list := slices.DeleteFunc(slices.Clone(texts), func(s string) bool { return s == "" })
	root, err := corpus.Checkout()
	require.NoError(t, err)
	data, err := corpus.Shared(filepath.Join(root, "..", "..", "..")) // this is a module of its own
	if errors.Is(err, corpus.ErrNoData) {
		return list
	}
	require.NoError(t, err)
	every, jobs, layouts := 100, 0, corpus.Layouts()
	if os.Getenv("SLUICE_TEST_LONG") != "" {
		every = 1
	}
	take := func(write func(l *corpus.Layout, text string) (string, int)) func(x *corpus.Job) {
		return func(x *corpus.Job) {
			if jobs++; jobs%every != 0 {
				return
			}
			for i := range x.Tests {
				if x.Tests[i].Valid {
					text, _ := write(&layouts[(jobs+i)%7], x.Tests[i].Text())
					list = append(list, text)
				}
			}
		}
	}
	require.NoError(t, corpus.BFCL(data, "dev", take((*corpus.Layout).Calls)))
	require.NoError(t, corpus.MaskBench(data, take((*corpus.Layout).Write)))
	return list
}
