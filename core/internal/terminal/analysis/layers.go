package analysis

import (
	"math/bits"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// layers says of each length which rough states can take it. The states of a layer follow from those of the one before,
// and from the smooth states that they lead to, so that layers recur once two of them are equal.
type layers struct {
	f        *gapFinder
	rough    []int32
	before   [2][][]int32 // by weight and state: places in rough of those with an edge of that weight to the state
	complete []int32      // places of those that can take nothing
	border   []int32      // the smooth states that rough ones lead to
	settled  uint32       // from here on each of those can take every length, or none

	sets  [][]uint64          // of places, by length
	alike map[uint64][]uint32 // by the sum of a set, from settled on: the lengths that have it
	queue []int32
}

// tellApart finds the lengths of the rough states. whole is false if it gave up.
func (f *gapFinder) tellApart(rough []int32) (whole bool) {
	w := f.newLayers(rough)
	first, recurs := uint32(0), false
	for n := uint32(0); n < spectrumCap && !recurs; n++ {
		w.add(n)
		first, recurs = w.earlier(n)
		if f.looked > f.most {
			return false
		}
	}
	gaps := make([][]uint64, len(rough))
	for at := range rough {
		gaps[at] = w.gaps(at, first, recurs)
		if f.looked > f.most {
			return false
		}
	}
	for at, i := range rough {
		f.g[i].Gaps = gaps[at]
	}
	return true
}

// look counts n edges or words that are looked at.
func (f *gapFinder) look(n int) {
	f.looked += n
	f.s.Work.Spend(1 + n/gapEdges)
}

func (f *gapFinder) newLayers(rough []int32) *layers {
	w := &layers{f: f, rough: rough, alike: map[uint64][]uint32{}}
	for weight := range w.before {
		w.before[weight] = make([][]int32, len(f.g))
	}
	met := make([]bool, len(f.g))
	for at, i := range rough {
		n := &f.g[i]
		f.look(1 + len(n.succ))
		if n.key.phase == PhaseBetween && f.s.Nullable(n.key.p) {
			w.complete = append(w.complete, int32(at))
		}
		for _, e := range n.succ {
			to, weight := edge(e)
			w.before[weight][to] = append(w.before[weight][to], int32(at))
			if !f.smooth[to] || met[to] {
				continue
			}
			met[to] = true
			w.border = append(w.border, to)
			if w.settled = max(w.settled, f.g[to].Min); f.g[to].Max != expr.Unbounded {
				w.settled = max(w.settled, f.g[to].Max+1)
			}
		}
	}
	return w
}

// add finds the states that can take n code points.
func (w *layers) add(n uint32) {
	set := make([]uint64, (len(w.rough)+63)/64)
	w.sets = append(w.sets, set)
	looked := len(set) + len(w.border)
	put := func(places []int32) {
		looked += len(places)
		for _, at := range places {
			if set[at>>6]>>(at&63)&1 == 0 {
				set[at>>6] |= 1 << (at & 63)
				w.queue = append(w.queue, at)
			}
		}
	}
	if n == 0 {
		put(w.complete)
	}
	for _, i := range w.border {
		for weight := range min(n, 1) + 1 {
			if to := &w.f.g[i]; to.Min <= n-weight && n-weight <= to.Max {
				put(w.before[weight][i])
			}
		}
	}
	if n > 0 {
		for at := range places(w.sets[n-1]) {
			put(w.before[1][w.rough[at]])
		}
	}
	for len(w.queue) > 0 {
		at := w.queue[len(w.queue)-1]
		w.queue = w.queue[:len(w.queue)-1]
		put(w.before[0][w.rough[at]])
	}
	w.f.look(looked)
}

// earlier returns the length before n whose layer is equal, so that all behind are those behind it.
func (w *layers) earlier(n uint32) (m uint32, ok bool) {
	if n < w.settled {
		return 0, false
	}
	set, sum := w.sets[n], uint64(0)
	for _, x := range set {
		sum = (sum ^ x) * 0x9E3779B97F4A7C15
		sum ^= sum >> 29
	}
	for _, m := range w.alike[sum] {
		if w.f.look(len(set)); slices.Equal(w.sets[m], set) {
			return m, true
		}
	}
	w.alike[sum] = append(w.alike[sum], n)
	return 0, false
}

// gaps returns the lengths that a rough state can take, nil if they are one interval. Where layers recur, the last of them
// is that of length first again.
func (w *layers) gaps(at int, first uint32, recurs bool) []uint64 {
	set := make([]uint64, spectrumCap/64)
	last := uint32(len(w.sets))
	if recurs {
		last--
	}
	for n, layer := range w.sets[:last] {
		set[n>>6] |= layer[at>>6] >> (at & 63) & 1 << (n & 63)
	}
	w.f.look(int(last) + len(set))
	for recurs && last < spectrumCap {
		w.f.look(len(set))
		repeat(set, first, last-first)
		last += last - first
	}
	// An interval begins once.
	begins, before := 0, uint64(0)
	for _, x := range set {
		begins += bits.OnesCount64(x &^ (x<<1 | before))
		before = x >> 63
	}
	if begins <= 1 {
		return nil
	}
	return set
}

// repeat adds the members of a set from first on, each by more.
func repeat(set []uint64, first, by uint32) {
	words, shift := int(by>>6), by&63
	from := func(k int) uint64 {
		switch {
		case k < int(first>>6):
			return 0
		case k == int(first>>6):
			return set[k] &^ (1<<(first&63) - 1)
		}
		return set[k]
	}
	for k := len(set) - 1; k >= words; k-- { // from the end, so that what is read has not been added to
		set[k] |= from(k-words) << shift
		if shift > 0 && k > words {
			set[k] |= from(k-words-1) >> (64 - shift)
		}
	}
}

// places goes through the members of a set.
func places(set []uint64) func(yield func(at int32) bool) {
	return func(yield func(at int32) bool) {
		for k, x := range set {
			for ; x != 0; x &= x - 1 {
				if !yield(int32(k<<6 + bits.TrailingZeros64(x))) {
					return
				}
			}
		}
	}
}
