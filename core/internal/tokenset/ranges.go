package tokenset

import "sort"

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
