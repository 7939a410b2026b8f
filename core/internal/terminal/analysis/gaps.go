package analysis

import (
	"math/bits"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Lengths that are told apart where they have gaps. Most states have none. What can be taken from a state is zero where
// it is complete, and what can be taken from its successors, one more where a code point begins. Where the intervals of
// some successors without gaps make one interval together, from the shortest length to the longest, the state has no
// gap. That is found backwards, from the loops and from the states with a single length. What remains, the rough states,
// is looked at length by length: which of them can take n follows from which can take n-1, so that lengths recur from
// where two such sets are equal, mostly soon.

// gapEdges is how many edges or words are looked at for a unit of the budget of a compilation: 25 ns.
const gapEdges = 8

// gapFinder finds the states of one exploration whose lengths are not one interval.
type gapFinder struct {
	s      *Analysis
	g      []spectrumNode
	smooth []bool
	most   int // edges and words that may be looked at
	looked int // how many were
}

// fillGaps writes out the lengths of the states that have gaps. whole is false if it gave up.
func fillGaps(s *Analysis, g []spectrumNode) (whole bool) {
	f := gapFinder{s: s, g: g, smooth: make([]bool, len(g)), most: s.Budgets.Search * gapsOfSearch}
	waits := newBackwards(len(g))
	for i, ok := waits.next(); ok; i, ok = waits.next() {
		if f.smooth[i] || g[i].Min == expr.Unbounded {
			continue
		}
		if f.smooth[i] = f.isSmooth(i); f.smooth[i] {
			for _, p := range g[i].pred {
				waits.add(p)
			}
		}
		if f.looked > f.most {
			return false
		}
	}
	var rough []int32
	for i := range g {
		if !f.smooth[i] && g[i].Min != expr.Unbounded {
			rough = append(rough, int32(i))
		}
	}
	return len(rough) == 0 || f.tellApart(rough)
}

// isSmooth reports whether the lengths of state i are an interval, as far as its smooth successors show. Their lengths
// are among those of i, so the lengths of i that they show lie between its Min and Max.
func (f *gapFinder) isSmooth(i int32) bool {
	n := &f.g[i]
	if n.loops || n.Min == n.Max {
		return true
	}
	end := uint64(n.Min) // the first length that is not covered
	if n.key.phase == PhaseBetween && f.s.Nullable(n.key.p) {
		end++
	}
	for grown := true; grown && end <= uint64(n.Max) && f.looked <= f.most; {
		grown = false
		f.looked += 1 + len(n.succ)
		f.s.Work.Spend(1 + len(n.succ)/gapEdges)
		for _, e := range n.succ {
			to, w := edge(e)
			if !f.smooth[to] || uint64(f.g[to].Min)+uint64(w) > end {
				continue
			}
			if f.g[to].Max == expr.Unbounded {
				return true
			}
			if past := uint64(f.g[to].Max) + uint64(w) + 1; past > end {
				end, grown = past, true
			}
		}
	}
	return n.Max != expr.Unbounded && end > uint64(n.Max)
}

// backwards is a set of states that are to be looked at, from the last to the first: most states were found before
// those that they lead to. It begins with all of them.
type backwards struct {
	waiting []uint64
	last    int // no word after it has any
}

func newBackwards(n int) backwards {
	b := backwards{waiting: make([]uint64, (n+63)/64)}
	for i := range n {
		b.add(int32(i))
	}
	return b
}

func (b *backwards) add(i int32) {
	b.waiting[i>>6] |= 1 << (i & 63)
	b.last = max(b.last, int(i>>6))
}

// next takes the last of them out. ok is false if there is none.
func (b *backwards) next() (i int32, ok bool) {
	for ; b.last >= 0; b.last-- {
		if x := b.waiting[b.last]; x != 0 {
			k := bits.Len64(x) - 1
			b.waiting[b.last] &^= 1 << k
			return int32(b.last<<6 + k), true
		}
	}
	return 0, false
}
