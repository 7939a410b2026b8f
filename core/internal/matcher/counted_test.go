package matcher

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/mask"
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

// A row that is written and named at once is one mask.
func TestRefillCountsOnce(t *testing.T) {
	g := fresh(t, "a*b")
	m, err := New(g, Options{})
	require.NoError(t, err)
	h, ok := m.Hold()
	require.True(t, ok)
	row := make([]uint32, 1)
	name, _, err := h.Refill(row, mask.Name{}, nil)
	require.NoError(t, err)
	again, _, err := h.Refill(row, name, nil)
	require.NoError(t, err)
	require.Equal(t, name, again)
	h.Release()
	m.Tell()
	require.EqualValues(t, 2, g.Metrics().Masks.Load())
}

// Calls that do not move a matcher bound the grammar's memory too, and so do tokens that are rejected.
func TestEveryCallBoundsMemory(t *testing.T) {
	c := compiler.New(letters(t), compiler.Config{StateCap: 1})
	for name, call := range map[string]func(m *Matcher) error{
		"validate": func(m *Matcher) error { _, err := m.Validate([]int32{0, 1, 0, 1}); return err },
		"rejected": func(m *Matcher) error { _, err := m.Accept([]int32{0, 1, 0, 1, 1}); return err },
		"forced":   func(m *Matcher) error { _, err := m.ForcedBytes(nil); return err },
	} {
		g := compile(t, c, "abab(ab)*")
		m, err := New(g, Options{})
		require.NoError(t, err)
		before := g.Stats().Renewals
		require.NoError(t, call(m), name)
		require.Greater(t, g.Stats().Renewals, before, name)
	}
}
