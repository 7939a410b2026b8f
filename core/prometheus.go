package core

import (
	"strconv"
	"strings"
	"time"
)

// Prometheus returns Stats in the text format of Prometheus, version 0.0.4. docs/operations.md lists the metrics.
func (c *Compiler) Prometheus() string {
	s := c.Stats()
	return s.Prometheus()
}

// Prometheus returns the stats in the text format of Prometheus, version 0.0.4.
func (s *CompilerStats) Prometheus() string {
	var b promText
	b.histogram("compilation_duration_seconds", "Time of compilations, those that failed included.", &s.Compilations)
	b.family("cache_requests_total", "counter", "Compilations by the answer of the cache.")
	b.sample("cache_requests_total", `result="hit"`, s.Cache.Hits)
	b.sample("cache_requests_total", `result="joined"`, s.Cache.Joined)
	b.sample("cache_requests_total", `result="miss"`, s.Cache.Misses)
	b.single("cache_evictions_total", "counter", "Grammars that the cache dropped for lack of room.", s.Cache.Evictions)
	b.single("cache_entries", "gauge", "Grammars and errors in the cache.", uint64(s.Cache.Entries))
	b.single("cache_limit_bytes", "gauge", "Size of the cache.", uint64(s.Cache.Limit))
	b.single("masks_total", "counter", "Masks of tokens, known and computed.", s.Masks)
	b.histogram("mask_computation_duration_seconds", "Time of masks that were not known.", &s.MasksMade)
	b.histogram("warming_duration_seconds", "Time of warming a grammar.", &s.Warmed)
	b.single("warming_masks_total", "counter", "Masks that warming computed.", s.WarmedMasks)
	b.single("warming_dropped_total", "counter", "Grammars that left the full queue of warming.", s.WarmDropped)
	b.single("forced_bytes_total", "counter", "Bytes of forced text that callers were given.", s.ForcedBytes)
	b.single("forced_tokens_total", "counter", "Tokens of forced text that callers were given.", s.ForcedTokens)
	b.single("drafted_tokens_total", "counter", "Draft tokens that callers were given.", s.DraftedTokens)
	b.family("refusals_total", "counter", "Calls that failed, and tokens and texts that were rejected, by code.")
	for _, code := range refusals {
		b.sample("refusals_total", `error_type="`+code.String()+`"`, s.Refusals[code])
	}
	b.family("memory_bytes", "gauge", "Memory by kind, approximately.")
	for _, m := range []struct {
		kind  string
		bytes int
	}{
		{"states", s.Memory.States},
		{"masks", s.Memory.Masks},
		{"programs", s.Memory.Programs},
		{"token_sets", s.Memory.TokenSets},
		{"trie", s.Memory.Trie},
	} {
		b.sample("memory_bytes", `kind="`+m.kind+`"`, uint64(m.bytes))
	}
	return b.String()
}

// promText is a text in the format of Prometheus. The zero value is empty.
type promText struct{ strings.Builder }

func (b *promText) family(name, kind, help string) {
	b.WriteString("# HELP sluice_" + name + " " + help + "\n# TYPE sluice_" + name + " " + kind + "\n")
}

func (b *promText) sample(name, labels string, n uint64) {
	if labels != "" {
		labels = "{" + labels + "}"
	}
	b.WriteString("sluice_" + name + labels + " " + strconv.FormatUint(n, 10) + "\n")
}

func (b *promText) single(name, kind, help string, n uint64) {
	b.family(name, kind, help)
	b.sample(name, "", n)
}

// histogram writes the buckets as Prometheus has them: each counts the shorter ones too.
func (b *promText) histogram(name, help string, h *Histogram) {
	b.family(name, "histogram", help)
	sum := uint64(0)
	for i, bound := range h.Bounds {
		sum += h.Counts[i]
		b.sample(name+"_bucket", `le="`+seconds(bound)+`"`, sum)
	}
	b.sample(name+"_bucket", `le="+Inf"`, h.Count)
	b.WriteString("sluice_" + name + "_sum " + seconds(h.Sum) + "\n")
	b.sample(name+"_count", "", h.Count)
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'g', -1, 64) }
