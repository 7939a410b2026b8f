package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// With keys, rows have the masks of single calls at every step: matchers change rows, rows are overwritten, and some
// matchers end, fail, think or have a limit of tokens.
func TestRowsWithKeysEqualSingles(t *testing.T) {
	unchanged, written, failed := 0, 0, 0
	for seed := range dice(4) {
		l := newLot(t, 40, seed*53+3)
		l.rows.Keys = make([]core.MaskKey, l.rows.Count)
		for _, it := range l.b.Items {
			if n, err := it.Matcher.MinTokens(); err == nil && l.d.roll(4) == 0 {
				require.NoError(t, it.Matcher.SetMaxTokens(n+l.d.roll(20)))
			}
		}
		l.mark()
		for step := range 40 {
			for range 3 {
				i, j := l.d.roll(len(l.b.Items)), l.d.roll(len(l.b.Items))
				l.b.Items[i].Row, l.b.Items[j].Row = l.b.Items[j].Row, l.b.Items[i].Row
			}
			at := l.d.roll(l.rows.Count)
			l.at(at)[0], l.rows.Keys[at] = marked, core.MaskKey{}
			keys := append([]core.MaskKey(nil), l.rows.Keys...)
			l.b.Fill(l.rows, step%4)
			for i, it := range l.b.Items {
				single, err := it.Matcher.Fork()
				require.NoError(t, err)
				constrained, err := single.Fill(l.row)
				require.Equal(t, statusOf(err), statusOf(it.Err))
				if err != nil {
					require.Equal(t, keys[it.Row], l.rows.Keys[it.Row], "a row that was not written keeps its key")
					require.False(t, it.Unchanged)
					failed++
					continue
				}
				require.Equal(t, constrained, it.Constrained)
				require.Equal(t, l.row, l.at(it.Row))
				if it.Unchanged {
					require.Equal(t, keys[it.Row], l.rows.Keys[it.Row])
					require.NotZero(t, keys[it.Row])
					unchanged++
				} else {
					written++
				}
				if l.d.roll(3) > 0 {
					l.b.Items[i].IDs = []int32{l.d.choose(t, l.row)}
				} else {
					l.b.Items[i].IDs = nil
				}
			}
			l.b.Accept(0)
		}
	}
	require.Greater(t, unchanged, 500)
	require.Greater(t, written, 500)
	require.Greater(t, failed, 20)
}

// Rows that are not written are not even looked at: their memory is the caller's.
func TestUnchangedRowsAreNotWritten(t *testing.T) {
	v, gs := grammars(t)
	m, err := core.NewMatcher(gs[0], core.MatcherOptions{})
	require.NoError(t, err)
	words := make([]uint32, v.Words())
	rows := core.Rows{Words: words, Count: 1, Stride: v.Words(), Width: v.Words(), Keys: make([]core.MaskKey, 1)}
	b := core.Batch{Items: []core.BatchItem{{Matcher: m}}}
	b.Fill(rows, 1)
	require.NoError(t, b.Items[0].Err)
	require.False(t, b.Items[0].Unchanged)
	words[0] = marked
	b.Fill(rows, 1)
	require.True(t, b.Items[0].Unchanged)
	require.Equal(t, uint32(marked), words[0])

	b.Items[0].IDs = nil
	b.FillChains(rows, 1)
	require.NoError(t, b.Items[0].Err)
	require.Zero(t, rows.Keys[0], "rows of drafts have no key")
	words[0] = marked
	b.Fill(rows, 1)
	require.NotEqual(t, uint32(marked), words[0])
	words[0] = marked
	rows.Keys[0].High++ // the key of another compiler's mask
	b.Fill(rows, 1)
	require.False(t, b.Items[0].Unchanged)
	require.NotEqual(t, uint32(marked), words[0])

	rows.Keys = rows.Keys[:0:0]
	b.Fill(rows, 1)
	require.Equal(t, core.CodeArgument, core.AsError(b.Items[0].Err).Code)
}

// A row that is left as it is has no constraint if its mask allows every token.
func TestUnchangedRowsMayAllowEveryToken(t *testing.T) {
	v, err := core.NewVocabulary(core.VocabularyConfig{
		Tokens: [][]byte{[]byte("a"), []byte("b"), []byte("$")}, Special: []uint32{2}, EndTokens: []uint32{2},
	})
	require.NoError(t, err)
	g, err := core.NewCompiler(v, core.CompilerConfig{}).Compile(core.Regex, []byte("[ab]*"), nil)
	require.NoError(t, err)
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	require.NoError(t, err)
	rows := core.Rows{Words: make([]uint32, 1), Count: 1, Stride: 1, Width: 1, Keys: make([]core.MaskKey, 1)}
	b := core.Batch{Items: []core.BatchItem{{Matcher: m}}}
	for _, unchanged := range []bool{false, true} {
		b.Fill(rows, 1)
		require.NoError(t, b.Items[0].Err)
		require.Equal(t, unchanged, b.Items[0].Unchanged)
		require.False(t, b.Items[0].Constrained)
	}
}
