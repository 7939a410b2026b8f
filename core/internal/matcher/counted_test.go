package matcher

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/metrics"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// BenchmarkCounting measures how much of a mask is the counting of it, in percent: for a known mask the count, for a
// mask that is made two looks at the clock and its place in the histogram. The parts alternate, and the fastest of their
// rounds are compared, without the loop around them.
//
//	go test ./core/internal/matcher -run '^$' -bench Counting
func BenchmarkCounting(b *testing.B) {
	v, err := vocab.FromFile("../../../tests/data/tokenizer.json.gz", vocab.Options{})
	require.NoError(b, err)
	g, err := compiler.New(v, compiler.Config{}).Compile(source.JSONSchema, []byte(
		`{"properties":{"name":{"type":"string"},"age":{"type":"integer"},"tags":{"items":{"enum":["a","b"]}}},`+
			`"required":["name","age"],"additionalProperties":false}`), &source.Options{})
	require.NoError(b, err)
	m, err := New(g, Options{})
	require.NoError(b, err)
	row := make([]uint32, v.Words())
	const times = 1000
	rounds := map[string]time.Duration{}
	round := func(name string, call func()) {
		begin := time.Now()
		for range times {
			call()
		}
		if took := time.Since(begin) * 1000 / times; rounds[name] == 0 || took < rounds[name] {
			rounds[name] = took // in thousandths
		}
	}
	var h metrics.Histogram
	fill := func() { _, _ = m.Fill(row) }
	text := []byte(`{"name": "x", "age": 12, "tags": ["a"]}`)
	for b.Loop() {
		for i := range text {
			fill()
			round("known", fill)
			round("nothing", func() {})
			round("count", func() { m.countMasks(1) })
			round("clock", func() {
				begin := time.Now()
				h.Observe(time.Since(begin) + 30*time.Microsecond)
			})
			ok, err := m.AcceptBytes(text[i : i+1])
			require.True(b, ok)
			require.NoError(b, err)
		}
		require.NoError(b, m.Reset())
	}
	counts, sum := m.g.Metrics().Made.Counts()
	made := uint64(0)
	for _, n := range counts {
		made += n
	}
	mean := sum * 1000 / time.Duration(made)
	b.ReportMetric(100*float64(rounds["count"]-rounds["nothing"])/float64(rounds["known"]), "%known")
	b.ReportMetric(100*float64(rounds["clock"]-rounds["nothing"])/float64(mean), "%made")
	b.ReportMetric(float64(rounds["known"])/1000, "ns/known")
	b.ReportMetric(float64(mean)/1000, "ns/made")
	b.ReportMetric(0, "ns/op")
}

// A matcher in use keeps its counts, and Tell leaves its position alone.
func TestTell(t *testing.T) {
	g := fresh(t, "a*")
	m, err := New(g, Options{})
	require.NoError(t, err)
	row := make([]uint32, 1)
	_, err = m.Fill(row)
	require.NoError(t, err)
	_, err = m.Accept([]int32{0})
	require.NoError(t, err)
	h, ok := m.Hold()
	require.True(t, ok)
	m.Tell()
	require.Zero(t, g.Metrics().Masks.Load())
	h.Release()
	m.Tell()
	m.Tell()
	require.EqualValues(t, 1, g.Metrics().Masks.Load())
	require.Equal(t, 1, m.Len())
}
