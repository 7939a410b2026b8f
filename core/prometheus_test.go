package core_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// statsExample has another number in each member.
func statsExample() core.CompilerStats {
	n := uint64(0)
	next := func() uint64 { n++; return n }
	histogram := func() core.Histogram {
		h := core.NewCompiler(smallVocabulary(), core.CompilerConfig{}).Stats().MasksMade
		for i := range h.Counts {
			h.Counts[i] = next()
			h.Count += h.Counts[i]
		}
		h.Sum = time.Duration(next()) * 1500 * time.Microsecond
		return h
	}
	s := core.CompilerStats{
		Compilations: histogram(),
		Cache: core.CacheStats{
			Hits: next(), Misses: next(), Joined: next(), Evictions: next(), Entries: int(next()), Bytes: int(next()),
			Limit: int(next()), TokenSetBytes: int(next()),
		},
		Masks: next(), MasksMade: histogram(), Warmed: histogram(), WarmedMasks: next(), WarmDropped: next(),
		ForcedBytes: next(), Refusals: map[core.Code]uint64{},
		Memory: core.Memory{
			States: int(next()), Masks: int(next()), Programs: int(next()), TokenSets: int(next()), Trie: int(next()),
		},
	}
	for code := range core.CodeCancelled {
		s.Refusals[code+1] = next()
	}
	s.ForcedTokens, s.DraftedTokens = next(), next()
	return s
}

// The whole text, with another number in each member. SLUICE_UPDATE=1 rewrites the file.
func TestPrometheusText(t *testing.T) {
	const path = "testdata/prometheus.txt"
	s := statsExample()
	got := s.Prometheus()
	if os.Getenv("SLUICE_UPDATE") != "" {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// docs/operations.md lists the metrics.
func TestPrometheusDocs(t *testing.T) {
	page, err := os.ReadFile("../docs/operations.md")
	require.NoError(t, err)
	c := core.NewCompiler(smallVocabulary(), core.CompilerConfig{})
	found := 0
	for line := range strings.Lines(c.Prometheus()) {
		if rest, ok := strings.CutPrefix(line, "# TYPE "); ok {
			name, kind, _ := strings.Cut(strings.TrimSpace(rest), " ")
			require.Contains(t, string(page), "| `"+name+"` | "+kind+" |")
			found++
		}
	}
	rows := regexp.MustCompile("(?m)^\\| `sluice_[a-z_]+` \\| (counter|gauge|histogram) \\|")
	require.Len(t, rows.FindAll(page, -1), found)
}
