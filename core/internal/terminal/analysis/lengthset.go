package analysis

import (
	"cmp"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// lengthSet is a set of numbers of code points: disjoint, sorted intervals with gaps between them. It does not
// distinguish the numbers from lengthMost on.
type lengthSet []interval

type interval struct{ low, high uint32 } // high may be Unbounded

const (
	// lengthIntervals bounds the intervals of a set. Lengths of real patterns have one, lists of counted lines a
	// handful.
	lengthIntervals = 64
	lengthMost      = 1 << 28
)

// addLengths returns x+y, Unbounded from lengthMost on.
func addLengths(x, y uint32) uint32 {
	if x == expr.Unbounded || y == expr.Unbounded || x+y >= lengthMost {
		return expr.Unbounded
	}
	return x + y
}

// normal sorts and merges intervals. ok is false if too many are left.
func (l lengthSet) normal() (lengthSet, bool) {
	slices.SortFunc(l, func(x, y interval) int { return cmp.Compare(x.low, y.low) })
	out := l[:0]
	for _, x := range l {
		if n := len(out); n > 0 && (out[n-1].high == expr.Unbounded || x.low <= out[n-1].high+1) {
			out[n-1].high = max(out[n-1].high, x.high)
			continue
		}
		out = append(out, x)
	}
	return out, len(out) <= lengthIntervals
}

// or returns the union of two sets.
func (l lengthSet) or(m lengthSet) (lengthSet, bool) {
	return append(slices.Clone(l), m...).normal()
}

// plus returns the sums of a member of l and a member of m.
func (l lengthSet) plus(m lengthSet) (lengthSet, bool) {
	sums := make(lengthSet, 0, len(l)*len(m))
	for _, x := range l {
		for _, y := range m {
			sums = append(sums, interval{min(addLengths(x.low, y.low), lengthMost), addLengths(x.high, y.high)})
		}
	}
	return sums.normal()
}

// times returns the sums of low to high members of l; high may be Unbounded.
func (l lengthSet) times(low, high uint32) (lengthSet, bool) {
	sum, ok := l.power(low)
	if !ok || high == low {
		return sum, ok
	}
	if high != expr.Unbounded {
		some, ok := l.or(lengthSet{{0, 0}})
		if !ok {
			return nil, false
		}
		if some, ok = some.power(high - low); !ok {
			return nil, false
		}
		return sum.plus(some)
	}
	any, ok := l.closure()
	if !ok {
		return nil, false
	}
	return sum.plus(any)
}

// power returns the sums of n members of l.
func (l lengthSet) power(n uint32) (sum lengthSet, ok bool) {
	sum = lengthSet{{0, 0}}
	for square := l; ; n >>= 1 {
		if n&1 != 0 {
			if sum, ok = sum.plus(square); !ok {
				return nil, false
			}
		}
		if n <= 1 {
			return sum, true
		}
		if square, ok = square.plus(square); !ok {
			return nil, false
		}
	}
}

// closure returns the sums of any number of members of l. It contains every number from spectrumCap on.
func (l lengthSet) closure() (lengthSet, bool) {
	if i := slices.IndexFunc(l, func(x interval) bool { return x.high > 0 }); i < 0 {
		return lengthSet{{0, 0}}, true
	} else if max(l[i].low, 1) == 1 {
		return lengthSet{{0, expr.Unbounded}}, true
	}
	var sums [spectrumCap + 1]uint16 // by number: how many smaller sums there are
	all := lengthSet{{0, 0}}
	sums[1] = 1
	for n := uint32(1); n < spectrumCap; n++ {
		sums[n+1] = sums[n]
		for _, x := range l {
			if x.low = max(x.low, 1); x.low > n {
				break
			}
			if sums[n-x.low+1] == sums[n-min(x.high, n)] {
				continue
			}
			sums[n+1]++
			if last := &all[len(all)-1]; last.high+1 == n {
				last.high = n
			} else if all = append(all, interval{n, n}); len(all) > lengthIntervals {
				return nil, false
			}
			break
		}
	}
	return append(all, interval{spectrumCap, expr.Unbounded}).normal()
}

// spectrum returns the set as a Spectrum.
func (l lengthSet) spectrum(phase uint8, enc expr.Encoding) Spectrum {
	if len(l) == 0 {
		return Spectrum{Min: expr.Unbounded, Max: expr.Unbounded, phase: phase, enc: enc}
	}
	sp := Spectrum{Min: l[0].low, Max: l[len(l)-1].high, phase: phase, enc: enc}
	if len(l) == 1 {
		return sp
	}
	sp.Gaps = make([]uint64, spectrumCap/64)
	for _, x := range l {
		for n := x.low; n <= x.high && n < spectrumCap; n++ {
			sp.Gaps[n>>6] |= 1 << (n & 63)
		}
	}
	return sp
}
