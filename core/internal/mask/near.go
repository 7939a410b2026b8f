package mask

import (
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/pushdown"
)

// Spot is a state whose mask, or whose successor by a token, a call is about to read. The zero Spot is none.
type Spot struct {
	m      *Masks
	s      pushdown.StateID
	id     uint32
	a      *pushdown.Automaton
	table  *[]atomic.Uint64
	number uint32
	r      *record
}

// Spot returns the spot of state s, with the token that is about to be followed.
func (m *Masks) Spot(s pushdown.StateID, id uint32) Spot { return Spot{m: m, s: s, id: id} }

// NearMasks reads what FillStops begins with in these places, so that it is in the cache by then. Each thing is found
// through the one before, so a call waits for memory again and again; here the calls wait together, a thing at a time.
// The number means nothing.
func NearMasks(spots []Spot) (sum int) {
	for i := range spots {
		if x := &spots[i]; x.m != nil {
			x.a = x.m.a
		}
	}
	for i := range spots {
		if x := &spots[i]; x.m != nil {
			x.number = x.a.Aux(x.s)
		}
	}
	for i := range spots {
		if x := &spots[i]; x.m != nil && x.number != 0 {
			x.r = *x.m.records.At(x.number - 1)
		}
	}
	for i := range spots {
		r := spots[i].r
		if r == nil {
			continue
		}
		sum += len(r.clear)
		for _, part := range [...][]uint32{r.base, r.list, r.set} {
			if len(part) > 0 {
				sum += int(part[0])
			}
		}
	}
	return sum
}

// NearTokens is NearMasks for After.
func NearTokens(spots []Spot) (sum int) {
	for i := range spots {
		if x := &spots[i]; x.m != nil {
			x.a, x.table = x.m.a, x.m.followed.table.Load()
		}
	}
	for i := range spots {
		if x := &spots[i]; x.table != nil {
			sum += len(*x.table)
		}
	}
	for i := range spots {
		if x := &spots[i]; x.m != nil {
			if x.a.Accepts(x.s) {
				sum++
			}
			x.s, _ = x.m.After(x.s, x.id)
		}
	}
	for i := range spots {
		if x := &spots[i]; x.m != nil && x.a.Accepts(x.s) {
			sum++
		}
	}
	return sum
}
