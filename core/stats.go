package core

import (
	"slices"
	"time"

	"github.com/sluice-engine/sluice/core/internal/metrics"
)

// CompilerStats is the work of a compiler, its grammars and their matchers since NewCompiler, and the memory that they
// hold. Plain data.
//
// Counts only grow. They are not read at one moment, so one count may include an event that another one lacks yet. Matchers
// pass on their counts of masks, forced text and drafts late; see Matcher.Flush.
type CompilerStats struct {
	// Compilations has the compilations that ran to their end or error. Their time includes the wait for other large ones.
	Compilations Histogram
	Cache        CacheStats // counts calls that found a grammar, or waited for an equal compilation

	Masks     uint64    // masks written to rows, rows of drafts included, and MaskKeys
	MasksMade Histogram // masks that calls computed, the first one of each grammar included; all others were known

	Warmed      Histogram // grammars warmed, with their pauses; see CompilerConfig.WarmBytes
	WarmedMasks uint64    // masks that warming computed
	WarmDropped uint64    // grammars that left the full queue of warming

	ForcedBytes   uint64 // bytes that ForcedBytes returned
	ForcedTokens  uint64 // tokens that ForcedTokens returned
	DraftedTokens uint64 // tokens that Drafts returned, forced ones included

	// Refusals counts errors of Compile and of calls of matchers and batches by their code. CodeRejected counts calls
	// that accepted not all of their tokens, or not their text. CodeUnfinished is not counted, since such a call is
	// made again, and CodeCancelled belongs to jobs.
	Refusals map[Code]uint64

	Memory Memory // bytes by kind
}

// Histogram is durations by bucket.
type Histogram struct {
	Bounds []time.Duration // the upper ends of the buckets, inclusive and ascending; 1 µs to 10 s
	Counts []uint64        // durations in each bucket alone; the last one is for those above all bounds
	Count  uint64          // the sum of Counts
	Sum    time.Duration   // of the durations
}

// Memory is the approximate bytes of a compiler by kind. The kinds do not overlap, so they can be added. Grammars that
// the cache has dropped, and that are still in use, are not in it.
type Memory struct {
	States    int // parser states of the grammars in the cache
	Masks     int // masks of the same grammars
	Programs  int // their programs, terminals, own token sets and constraints, and the entries of the cache
	TokenSets int // token sets that grammars share
	Trie      int // the vocabulary's trie
}

// Stats returns the work of the compiler so far. It takes a lock of the cache and looks at each of its grammars: call
// it every few seconds.
func (c *Compiler) Stats() CompilerStats {
	x := c.c.Metrics()
	s := CompilerStats{
		Compilations: histogram(&x.Compiled), Cache: c.CacheStats(),
		Masks: x.Masks.Load(), MasksMade: histogram(&x.Made),
		Warmed: histogram(&x.Warmed), WarmedMasks: x.WarmedMasks.Load(), WarmDropped: x.WarmDropped.Load(),
		ForcedBytes: x.ForcedBytes.Load(), ForcedTokens: x.ForcedTokens.Load(),
		DraftedTokens: x.DraftedTokens.Load(), Refusals: make(map[Code]uint64, len(refusals)),
	}
	for _, code := range refusals {
		s.Refusals[code] = x.Refused[code].Load()
	}
	m := Memory{TokenSets: s.Cache.TokenSetBytes, Trie: c.c.TrieBytes()}
	if c.cache != nil {
		c.cache.Each(func(o outcome) {
			if o.grammar != nil {
				states, masks := o.grammar.HeldBy()
				m.States, m.Masks = m.States+states, m.Masks+masks
			}
		})
	}
	m.Programs = max(s.Cache.Bytes-m.States-m.Masks, 0)
	s.Memory = m
	return s
}

func histogram(h *metrics.Histogram) Histogram {
	counts, sum := h.Counts()
	out := Histogram{Bounds: slices.Clone(metrics.Bounds[:]), Counts: counts[:], Sum: sum}
	for _, n := range counts {
		out.Count += n
	}
	return out
}

// refusals are the codes that Refusals has.
var refusals = [...]Code{
	CodeArgument, CodeBusy, CodeSyntax, CodeInvalid, CodeUnsupported, CodeUnsatisfiable, CodeLimit, CodeInternal,
	CodeRejected,
}

// refused counts the error of a call.
func refused(x *metrics.Metrics, err error) {
	if e, ok := err.(*Error); ok && e.Code != CodeUnfinished {
		x.Refused[e.Code].Add(1)
	}
}

// rejected counts a call that accepted less than it was given.
func (g *Grammar) rejected(yes bool, err error) {
	if yes && err == nil {
		g.g.Metrics().Refused[CodeRejected].Add(1)
	}
}

// countItem counts the refusal of an item of a batch.
func (g *Grammar) countItem(do operation, it *BatchItem) {
	switch {
	case it.Err != nil:
		refused(g.g.Metrics(), it.Err)
	case do == opAccept:
		g.rejected(it.Done < len(it.IDs), nil)
	case do == opAcceptBytes:
		g.rejected(it.Done == 0, nil)
	}
}

// Flush adds the counts of the matcher to its compiler's Stats. Matchers do that by themselves after 64 masks, at the
// end of the sequence and in Reset. Call it for a matcher that you drop earlier, if its last counts matter; it stays
// usable. A matcher in use is left alone.
func (m *Matcher) Flush() { m.m.Tell() }
