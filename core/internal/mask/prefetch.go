package mask

import (
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/pushdown"
)

// Lookup is a state whose mask, or whose successor by a token, a call is about to read. The zero Lookup is none.
type Lookup struct {
	m      *Masks
	s      pushdown.StateID
	id     uint32
	a      *pushdown.Automaton
	table  *[]atomic.Uint64
	number uint32
	r      *record
}

// Lookup returns the lookup of state s, with the token that is about to be followed.
func (m *Masks) Lookup(s pushdown.StateID, id uint32) Lookup { return Lookup{m: m, s: s, id: id} }

// PrefetchMasks reads the memory with which FillStops begins, so that it is in the cache by then. Each address is found
// through the one before, so a call waits for memory again and again; here the calls wait together, an address at a
// time. The sum only keeps the reads from being optimised away.
func PrefetchMasks(lookups []Lookup) (sum int) {
	for i := range lookups {
		if x := &lookups[i]; x.m != nil {
			x.a = x.m.a
		}
	}
	for i := range lookups {
		if x := &lookups[i]; x.m != nil {
			x.number = x.a.Aux(x.s)
		}
	}
	for i := range lookups {
		if x := &lookups[i]; x.m != nil && x.number != 0 {
			x.r = *x.m.records.At(x.number - 1)
		}
	}
	for i := range lookups {
		r := lookups[i].r
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

// PrefetchTokens is PrefetchMasks for After.
func PrefetchTokens(lookups []Lookup) (sum int) {
	for i := range lookups {
		if x := &lookups[i]; x.m != nil {
			x.a, x.table = x.m.a, x.m.followed.table.Load()
		}
	}
	for i := range lookups {
		if x := &lookups[i]; x.table != nil {
			sum += len(*x.table)
		}
	}
	for i := range lookups {
		if x := &lookups[i]; x.m != nil {
			if x.a.Accepts(x.s) {
				sum++
			}
			x.s, _ = x.m.After(x.s, x.id)
		}
	}
	for i := range lookups {
		if x := &lookups[i]; x.m != nil && x.a.Accepts(x.s) {
			sum++
		}
	}
	return sum
}
