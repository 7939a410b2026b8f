// Package metrics counts the work of one compiler, its grammars and their matchers.
//
// Invariant: counts only grow, and no answer depends on them. The package knows nothing of the work. Start reading at
// Metrics.
package metrics

import (
	"sync/atomic"
	"time"
)

// Codes is the number of codes that Refused counts; codes of errors are below it.
const Codes = 17

// Metrics is the work of one compiler. Shared and growing; safe for concurrent use.
//
// PERF: a mask that is known takes some 100 ns, an atomic addition 5 to 50. So matchers count masks by themselves and
// add them here a few at a time, see matcher.counted. Durations are measured only for work that takes microseconds.
type Metrics struct {
	Compiled                                 Histogram // compilations that ran
	Made                                     Histogram // masks that calls computed
	Warmed                                   Histogram // grammars warmed
	WarmedMasks                              atomic.Uint64
	WarmDropped                              atomic.Uint64 // grammars that left the full queue
	Masks                                    atomic.Uint64 // masks written or named
	ForcedBytes, ForcedTokens, DraftedTokens atomic.Uint64
	Refused                                  [Codes]atomic.Uint64
}

// Bounds are the upper ends of a histogram's buckets, inclusive.
var Bounds = [...]time.Duration{
	1 * time.Microsecond, 2500 * time.Nanosecond, 5 * time.Microsecond,
	10 * time.Microsecond, 25 * time.Microsecond, 50 * time.Microsecond,
	100 * time.Microsecond, 250 * time.Microsecond, 500 * time.Microsecond,
	1 * time.Millisecond, 2500 * time.Microsecond, 5 * time.Millisecond,
	10 * time.Millisecond, 25 * time.Millisecond, 50 * time.Millisecond,
	100 * time.Millisecond, 250 * time.Millisecond, 500 * time.Millisecond,
	1 * time.Second, 2500 * time.Millisecond, 5 * time.Second, 10 * time.Second,
}

// Histogram counts durations by bucket. Shared and growing; safe for concurrent use.
type Histogram struct {
	counts [len(Bounds) + 1]atomic.Uint64 // the last: longer than all bounds
	nanos  atomic.Uint64
}

// Observe counts a duration.
func (h *Histogram) Observe(d time.Duration) {
	i := 0
	for i < len(Bounds) && d > Bounds[i] {
		i++
	}
	h.counts[i].Add(1)
	h.nanos.Add(uint64(max(d, 0)))
}

// Instant is a time that Since takes.
type Instant time.Time

// Now returns the present time. Packages that decide which tokens are allowed read no clock but this one.
func Now() Instant { return Instant(time.Now()) }

// Since counts the duration since begin.
func (h *Histogram) Since(begin Instant) { h.Observe(time.Since(time.Time(begin))) }

// Counts returns the number of durations in each bucket, and their sum.
func (h *Histogram) Counts() (counts [len(Bounds) + 1]uint64, sum time.Duration) {
	sum = time.Duration(h.nanos.Load())
	for i := range counts {
		counts[i] = h.counts[i].Load()
	}
	return counts, sum
}
