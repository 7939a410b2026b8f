package core_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// A compilation that is stopped between two of its stages is unfinished. Made again, it succeeds and means the same,
// and later lowering by its grammar no longer calls stop.
func TestStoppedCompilations(t *testing.T) {
	for _, spec := range []struct {
		kind core.Kind
		text string
	}{
		{core.Regex, `[ab]+c`},
		{core.JSONSchema, `{"type":"object","properties":{"a":{"type":"integer"}}}`},
		{
			core.StructuralTag,
			`{"type":"structural_tag","format":{"type":"triggered_tags","triggers":["<f"],"tags":[{"begin":"<f>",` +
				`"content":{"type":"json_schema","json_schema":{"type":"integer"}},"end":"</f>"}]}}`,
		},
	} {
		c := core.NewCompiler(smallVocabulary(), core.CompilerConfig{})
		asked := 0
		stopping := true
		compile := func(after int) (*core.Grammar, error) {
			asked = 0
			return c.Compile(spec.kind, []byte(spec.text), &core.Options{Stop: func() bool {
				asked++
				return stopping && asked > after
			}})
		}
		stages := 0
		for ; ; stages++ {
			g, err := compile(stages)
			if err == nil {
				before := asked
				m, err := core.NewMatcher(g, core.MatcherOptions{})
				require.NoError(t, err)
				stopping = true
				ok, err := m.AcceptBytes([]byte(map[core.Kind]string{
					core.Regex: "abc", core.JSONSchema: `{"a":1}`, core.StructuralTag: "x<f>12</f>",
				}[spec.kind]))
				require.NoError(t, err)
				require.True(t, ok, "%v", spec.kind)
				require.Equal(t, before, asked, "nobody asks after the compilation")
				break
			}
			require.Equal(t, core.CodeUnfinished, core.AsError(err).Code)
			require.Less(t, stages, 1000)
		}
		require.GreaterOrEqual(t, stages, 4, "it asks between its stages")
	}
}

// A batch that ends early has filled some rows and left the others untouched; all threads stop.
func TestStoppedBatch(t *testing.T) {
	for _, threads := range []int{1, 4} {
		v := smallVocabulary()
		c := core.NewCompiler(v, core.CompilerConfig{})
		const n = 60
		var b core.Batch
		for i := range n {
			g, err := c.Compile(core.Regex, fmt.Appendf(nil, "[a-z]{%d}x[0-9]{2,%d}", i+1, i+5), nil)
			require.NoError(t, err)
			m, err := core.NewMatcher(g, core.MatcherOptions{})
			require.NoError(t, err)
			_, err = m.AcceptBytes([]byte("a"))
			require.NoError(t, err)
			b.Items = append(b.Items, core.BatchItem{Matcher: m, Row: i})
		}
		memory := make([]uint32, n*v.Words())
		rows := core.Rows{Words: memory, Count: n, Stride: v.Words(), Width: v.Words()}
		rounds := 0
		for left := n; left > 0; rounds++ {
			for i := range memory {
				memory[i] = 0xDEADBEEF
			}
			asked := 0
			b.Stop = func() bool { asked++; return asked > 5 }
			b.Fill(rows, threads)
			left = 0
			for i := range b.Items {
				row := memory[i*v.Words():][:v.Words()]
				if err := b.Items[i].Err; err != nil {
					require.Equal(t, core.CodeUnfinished, core.AsError(err).Code)
					for _, w := range row {
						require.EqualValues(t, 0xDEADBEEF, w)
					}
					left++
					continue
				}
				alone := make([]uint32, v.Words())
				_, err := b.Items[i].Matcher.Until(core.AtOnce).Fill(alone)
				require.NoError(t, err, "it has been found")
				require.Equal(t, alone, row)
			}
			require.Less(t, rounds, 2*n)
		}
		require.Greater(t, rounds, 0)
		b.Stop = nil
		b.Keys(threads)
		for i := range b.Items {
			require.NoError(t, b.Items[i].Err)
		}
	}
}
