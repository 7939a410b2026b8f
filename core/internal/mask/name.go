package mask

import "github.com/sluice-engine/sluice/core/internal/pushdown"

// Name names a mask without writing it: equal names are equal masks, among all that were ever made for one Tokens. Masks
// that are equal may have different names. The zero Name names none.
type Name struct {
	Masks  uint64
	Record uint32
}

// Name returns the name of the mask of state s; end tells whether the end tokens belong to it, which are the caller's.
// some and inBudget are those of Fill, but for the end tokens.
func (m *Masks) Name(s pushdown.StateID) (n Name, end, some, inBudget bool) {
	r := m.record(s)
	if r.over {
		return Name{}, false, false, false
	}
	return Name{Masks: m.number, Record: m.a.Aux(s)}, r.end, r.some(), true
}
