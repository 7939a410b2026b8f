package core_test

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// committedVocabulary is the 32k vocabulary of tests/data.
func committedVocabulary(tb testing.TB) *core.Vocabulary {
	const path = "../tests/data/tokenizer.json.gz"
	if _, err := os.Stat(path); err != nil {
		tb.Skipf("%s is not there: %v", path, err)
	}
	v, err := core.LoadVocabulary(path, core.VocabularyOptions{})
	require.NoError(tb, err)
	return v
}

// BenchmarkBatch is what one step of n sequences costs with rows that were met before, per row: where a second thread
// begins to pay says what helpAfter should be.
func BenchmarkBatch(b *testing.B) {
	v := committedVocabulary(b)
	g, err := core.NewCompiler(v, core.CompilerConfig{}).Compile(core.AnyJSON, nil, nil)
	require.NoError(b, err)
	for _, n := range []int{1, 8, 16, 32, 64, 128, 256, 1024} {
		var batch core.Batch
		for i := range n {
			m, err := core.NewMatcher(g, core.MatcherOptions{})
			require.NoError(b, err)
			_, err = m.AcceptBytes([]byte([]string{`{"a": [1, 2, "x`, `[`, `"text `, `{"k": 1`}[i%4]))
			require.NoError(b, err)
			batch.Items = append(batch.Items, core.BatchItem{Matcher: m, Row: i})
		}
		rows := core.Rows{Words: make([]uint32, n*v.Words()), Count: n, Stride: v.Words(), Width: v.Words()}
		for threads := 1; threads <= runtime.GOMAXPROCS(0); threads *= 2 {
			b.Run(fmt.Sprintf("rows=%d/threads=%d", n, threads), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					batch.Fill(rows, threads)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/row")
			})
		}
	}
}
