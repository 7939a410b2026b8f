package enginetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/matcher"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// BenchmarkWalks compiles constraints from practice and follows their valid instances, with a mask before every token.
// Each iteration has a new compiler, so masks are as cold as on a new server.
func BenchmarkWalks(b *testing.B) {
	v := testkit.CommittedTokenizer(b)
	jobs := testkit.Jobs(b, 12, "maskbench", "dev.jsonl.gz")
	jobs = append(jobs, testkit.Jobs(b, 60, "bfcl", "dev.jsonl.gz")...)
	ids := map[string]int32{}
	for id := range v.Size() {
		if text := v.Bytes(uint32(id)); len(text) > 0 && !v.IsSpecial(uint32(id)) {
			ids[string(text)] = int32(id)
		}
	}
	row := make([]uint32, v.Words())
	masks := 0
	for b.Loop() {
		c := compiler.New(v, compiler.Config{})
		masks = 0
		for i := range jobs {
			masks += walkJob(b, c, v, ids, row, &jobs[i])
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(masks), "us/mask")
}

// walkJob returns the number of masks.
func walkJob(
	b *testing.B, c *compiler.Compiler, v *vocab.Vocabulary, ids map[string]int32, row []uint32, j *testkit.Job,
) (masks int) {
	kind, ok := source.ParseKind(j.Kind)
	require.True(b, ok)
	g, err := c.Compile(kind, j.Spec, &source.Options{})
	if err != nil {
		return 0
	}
	for _, text := range j.Accept {
		m, err := matcher.New(g, matcher.Options{})
		require.NoError(b, err)
		for len(text) > 0 {
			n := min(len(text), v.MaxTokenLen())
			for ; n > 1 && ids[string(text[:n])] == 0; n-- {
			}
			masks++
			if _, err := m.Fill(row); err != nil {
				break
			}
			if taken, err := m.Accept([]int32{ids[string(text[:n])]}); err != nil || taken == 0 {
				break
			}
			text = text[n:]
		}
	}
	return masks
}
