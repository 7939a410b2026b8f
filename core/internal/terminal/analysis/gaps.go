package analysis

import (
	"math/bits"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Lengths that are told apart where they have gaps. Most states have none: what can be taken from a state is zero where
// it is complete, and what can be taken from its successors, one more where a code point begins. Where some successors
// without gaps make one interval from the shortest to the longest together, there is no gap. That goes backwards from
// the loops, and from where one length is left. The lengths of what remains are written out.

// What a unit of the budget of a compilation is worth: 25 ns.
const (
	gapEdges = 8  // edges that are looked at
	gapWords = 32 // words of lengths that are moved
)

// fillGaps finds the states whose lengths are not one interval and writes their lengths out.
func fillGaps(s *Analysis, g []spectrumNode) {
	smooth := make([]bool, len(g))
	waits := newBackwards(len(g))
	for i, ok := waits.next(); ok; i, ok = waits.next() {
		if smooth[i] || g[i].Min == expr.Unbounded {
			continue
		}
		if smooth[i] = isSmooth(s, g, i, smooth); smooth[i] {
			for _, p := range g[i].pred {
				waits.add(p)
			}
		}
	}
	var rough []int32
	for i := range g {
		if !smooth[i] && g[i].Min != expr.Unbounded {
			rough = append(rough, int32(i))
		}
	}
	if len(rough) > 0 {
		writeLengths(s, g, smooth, rough)
	}
}

// isSmooth reports whether the lengths of state i are an interval, as far as its smooth successors show. What they add
// up to is never more than its lengths, which lie between Min and Max.
func isSmooth(s *Analysis, g []spectrumNode, i int32, smooth []bool) bool {
	n := &g[i]
	if n.loops || n.Min == n.Max {
		return true
	}
	end := uint64(n.Min) // the first length that is not covered
	if n.key.phase == PhaseBetween && s.Nullable(n.key.p) {
		end++
	}
	for grown := true; grown && end <= uint64(n.Max); {
		grown = false
		s.Work.Spend(1 + len(n.succ)/gapEdges)
		for _, e := range n.succ {
			to, w := edge(e)
			if !smooth[to] || uint64(g[to].Min)+uint64(w) > end {
				continue
			}
			if g[to].Max == expr.Unbounded {
				return true
			}
			if past := uint64(g[to].Max) + uint64(w) + 1; past > end {
				end, grown = past, true
			}
		}
	}
	return n.Max != expr.Unbounded && end > uint64(n.Max)
}

// writeLengths finds the sets of lengths of the rough states, their least fixed point.
func writeLengths(s *Analysis, g []spectrumNode, smooth []bool, rough []int32) {
	const words = spectrumCap / 64
	sets := make([][]uint64, len(g))
	for i := range g {
		if g[i].Min == expr.Unbounded {
			continue
		}
		s.Work.Spend(words / gapWords)
		sets[i] = make([]uint64, words)
		if smooth[i] {
			for n := g[i].Min; n <= g[i].Max && n < spectrumCap; n++ {
				sets[i][n>>6] |= 1 << (n & 63)
			}
		} else if g[i].key.phase == PhaseBetween && s.Nullable(g[i].key.p) {
			sets[i][0] |= 1
		}
	}
	work := 0
	waits := newBackwards(len(g))
	for i, ok := waits.next(); ok; i, ok = waits.next() {
		if smooth[i] || sets[i] == nil {
			continue
		}
		changed := false
		for _, e := range g[i].succ {
			to, w := edge(e)
			if sets[to] == nil {
				continue
			}
			s.Work.Spend(words / gapWords)
			if work += words; work > spectrumWork {
				return // every length counts as possible
			}
			changed = addLengths(sets[i], sets[to], w) || changed
		}
		if changed {
			for _, p := range g[i].pred {
				waits.add(p)
			}
		}
	}
	for _, i := range rough {
		g[i].Gaps = sets[i]
	}
}

// addLengths adds the lengths in from, each w more, and reports whether some were new.
func addLengths(set, from []uint64, w uint32) (changed bool) {
	carry := uint64(0)
	for k, x := range from {
		y := x
		if w == 1 {
			y, carry = x<<1|carry, x>>63
		}
		if y&^set[k] != 0 {
			set[k] |= y
			changed = true
		}
	}
	return changed
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
