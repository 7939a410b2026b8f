package tokenset

import (
	"math/bits"
	"sort"
)

// ranges is a set of tokens as half-open ranges of the trie's order, ascending.
type ranges []uint32

func (r *ranges) Add(from, to uint32) {
	if from == to {
		return
	}
	if n := len(*r); n > 0 && (*r)[n-1] == from {
		(*r)[n-1] = to
		return
	}
	*r = append(*r, from, to)
}

// Normalise sorts ranges that were gathered out of order and merges those that overlap.
func (r *ranges) Normalise() {
	x := *r
	sorted := true
	for i := 2; i < len(x) && sorted; i += 2 {
		sorted = x[i] >= x[i-1]
	}
	if sorted {
		return
	}
	if n := len(x) / 2; n >= manyRanges {
		*r = byBits(x)
		return
	}
	sort.Sort(byStart(x))
	out := x[:2]
	for i := 2; i < len(x); i += 2 {
		if last := len(out) - 1; x[i] <= out[last] {
			out[last] = max(out[last], x[i+1])
		} else {
			out = append(out, x[i], x[i+1])
		}
	}
	*r = out
}

// manyRanges is the number of ranges from which a bitmap is faster than sorting. Walks behind the ends of terminals
// find tokens one at a time.
const manyRanges = 4096

// byBits is Normalise with a bitmap of the tokens. It overwrites x.
func byBits(x ranges) ranges {
	most := uint32(0)
	for i := 1; i < len(x); i += 2 {
		most = max(most, x[i])
	}
	set := make([]uint64, most>>6+1)
	for i := 0; i < len(x); i += 2 {
		from, to := x[i], x[i+1]
		for first := from >> 6; first < to>>6; first = from >> 6 {
			set[first] |= ^uint64(0) << (from & 63)
			from = (first + 1) << 6
		}
		set[to>>6] |= (1<<(to&63) - 1) &^ (1<<(from&63) - 1)
	}
	out := x[:0] // not more of them than x has
	for i, word := range set {
		for at := uint32(0); word>>at != 0; {
			at += uint32(bits.TrailingZeros64(word >> at))
			n := uint32(bits.TrailingZeros64(^(word >> at)))
			out.Add(uint32(i)<<6+at, uint32(i)<<6+at+n)
			at += n
		}
	}
	return out
}

type byStart ranges

func (r byStart) Len() int           { return len(r) / 2 }
func (r byStart) Less(i, j int) bool { return r[2*i] < r[2*j] }
func (r byStart) Swap(i, j int) {
	r[2*i], r[2*j] = r[2*j], r[2*i]
	r[2*i+1], r[2*j+1] = r[2*j+1], r[2*i+1]
}

func (r ranges) Count() int {
	n := 0
	for i := 0; i < len(r); i += 2 {
		n += int(r[i+1] - r[i])
	}
	return n
}

func (r ranges) has(x uint32) bool {
	lo, hi := 0, len(r)/2
	for lo < hi {
		mid := (lo + hi) / 2
		if r[2*mid+1] <= x {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo < len(r)/2 && r[2*lo] <= x
}
