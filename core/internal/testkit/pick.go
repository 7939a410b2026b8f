package testkit

import (
	"math/bits"
	"math/rand"
)

// Pick returns a random token of a nonempty mask, one that first prefers if there is any.
func Pick(r *rand.Rand, row []uint32, first func(id uint32) bool) uint32 {
	var all, preferred []uint32
	each(row, func(id uint32) {
		all = append(all, id)
		if first != nil && first(id) {
			preferred = append(preferred, id)
		}
	})
	if len(preferred) > 0 {
		return preferred[r.Intn(len(preferred))]
	}
	return all[r.Intn(len(all))]
}

func each(row []uint32, f func(id uint32)) {
	for w, x := range row {
		for ; x != 0; x &= x - 1 {
			f(uint32(w*32 + bits.TrailingZeros32(x)))
		}
	}
}
