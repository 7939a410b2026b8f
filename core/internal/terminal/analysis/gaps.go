package analysis

import (
	"math/bits"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// The lengths of a state are zero if it is complete, and the lengths of its successors, plus one if the edge begins a
// code point. A state is smooth if the intervals of smooth successors join to one from Min to Max (Lemma 123). The
// lengths of the other states, called rough, are computed one by one, in spectrumCap passes over their edges.

// gapsWork bounds the edges that fillGaps looks at: 0.1 s.
const gapsWork = 50_000_000

// gapEdges is the number of edges for a unit of a compilation's budget: 25 ns.
const gapEdges = 8

// gapFinder finds the states of one exploration whose lengths are not one interval.
type gapFinder struct {
	s      *expr.Store
	g      []spectrumNode
	smooth []bool
	looked int // edges
}

// fillGaps sets Gaps of the states that have gaps. whole is false if it exceeds gapsWork.
func fillGaps(s *expr.Store, g []spectrumNode) (whole bool) {
	f := gapFinder{s: s, g: g, smooth: make([]bool, len(g))}
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
		if f.looked > gapsWork {
			return false
		}
	}
	var rough []int32
	for i := range g {
		if !f.smooth[i] && g[i].Min != expr.Unbounded {
			rough = append(rough, int32(i))
		}
	}
	return len(rough) == 0 || f.fillRough(rough)
}

// isSmooth reports whether smooth successors, or a loop (Lemma 124), show that the lengths of state i are an interval.
func (f *gapFinder) isSmooth(i int32) bool {
	n := &f.g[i]
	if n.loops || n.Min == n.Max {
		return true
	}
	end := uint64(n.Min) // the first length that is not covered
	if n.key.phase == PhaseBetween && f.s.Nullable(n.key.p) {
		end++
	}
	for grown := true; grown && end <= uint64(n.Max) && f.looked <= gapsWork; {
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

// backwards is a set of states, taken from the last to the first: most states were found before their successors.
type backwards struct {
	waiting []uint64
	last    int // later words are empty
}

// newBackwards returns the set of states 0 to n-1.
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

// next removes and returns the last state. ok is false if there is none.
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

// fillRough sets Gaps of the rough states. whole is false if it exceeds gapsWork.
func (f *gapFinder) fillRough(rough []int32) (whole bool) {
	longest := uint32(0)
	for _, i := range rough {
		longest = max(longest, min(f.g[i].Max, spectrumCap-1))
		f.g[i].Gaps = make([]uint64, spectrumCap/64)
	}
	edges := 0
	for _, i := range rough {
		edges += 1 + len(f.g[i].succ)
	}
	var queue []int32
	for n := uint32(0); n <= longest; n++ {
		f.s.Work.Spend(1 + edges/gapEdges)
		if f.looked += edges; f.looked > gapsWork {
			return false
		}
		for _, i := range rough {
			if f.hasBySuccessor(i, n) {
				queue = append(queue, i)
			}
		}
		for len(queue) > 0 {
			i := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			if f.has(i, n) {
				continue
			}
			f.g[i].Gaps[n>>6] |= 1 << (n & 63)
			for _, p := range f.g[i].pred {
				if !f.smooth[p] && f.g[p].Min != expr.Unbounded && slices.Contains(f.g[p].succ, i) {
					queue = append(queue, p)
				}
			}
		}
	}
	for _, i := range rough {
		if isInterval(f.g[i].Gaps) {
			f.g[i].Gaps = nil
		}
	}
	return true
}

// hasBySuccessor reports whether smooth states and shorter lengths show that rough state i can take n code points.
func (f *gapFinder) hasBySuccessor(i int32, n uint32) bool {
	x := &f.g[i]
	if n == 0 && x.key.phase == PhaseBetween && f.s.Nullable(x.key.p) {
		return true
	}
	return slices.ContainsFunc(x.succ, func(e int32) bool {
		to, w := edge(e)
		return w <= n && (w == 1 || f.smooth[to]) && f.has(to, n-w)
	})
}

// has reports whether state i is known to take n code points.
func (f *gapFinder) has(i int32, n uint32) bool {
	x := &f.g[i]
	if f.smooth[i] || x.Gaps == nil {
		return x.Min <= n && n <= x.Max
	}
	return x.Gaps[n>>6]>>(n&63)&1 != 0
}

// isInterval reports whether the members of a set, which is not empty, are consecutive.
func isInterval(set []uint64) bool {
	begins, before := 0, uint64(0)
	for _, x := range set {
		begins += bits.OnesCount64(x &^ (x<<1 | before))
		before = x >> 63
	}
	return begins <= 1
}
