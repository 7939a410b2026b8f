package pushdown

import (
	"math"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/limits"
)

// A transition has an effort, the class of its work, and a price, an upper bound of its cost in a few bits. The table
// of transitions stores both in the bits above the id of the state that the transition leads to.
const (
	effortBits = 2
	priceBits  = 32 - StateBits - effortBits
	unpriced   = 1<<priceBits - 1 // the price is not known yet
	lastPrice  = unpriced - 1     // the price of all greater costs
)

// effort is a class of the work of a transition or a start, its parts included.
type effort uint32

// The efforts. Only dear ones are charged exactly, each part once.
const (
	little effort = iota // below 8, which stepCost covers
	modest               // below 24
	much                 // below leastDear
	dear
)

// leastDear is the least work of a dear transition.
const leastDear = 64

func effortOf(work uint32) effort {
	switch {
	case work < 8:
		return little
	case work < 24:
		return modest
	case work < leastDear:
		return much
	}
	return dear
}

// cost returns the flat charge for an effort. It is near the upper bound, because each transition of some grammars
// takes that much.
func (e effort) cost() int {
	return limits.ItemCost * [...]int{little: 0, modest: 20, much: 56, dear: 0}[e]
}

// free is the cost up to which a transition is free: some microseconds. The text's length bounds their sum.
const free = 128

// priceBounds holds the greatest cost of each price, a fifth above the cost of the price before.
var priceBounds = func() (bounds [lastPrice + 1]int) {
	for p, cost := 0, free; p < lastPrice; p++ {
		bounds[p] = cost
		cost += cost / 5
	}
	bounds[lastPrice] = math.MaxInt32
	return bounds
}()

// priceBound returns the greatest cost of price p.
func priceBound(p uint32) int { return priceBounds[p] }

// priceOf returns the lowest price that stands for a cost.
func priceOf(cost int) uint32 {
	p, _ := slices.BinarySearch(priceBounds[:], cost)
	return uint32(min(p, lastPrice))
}
