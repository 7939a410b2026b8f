package mask

import "github.com/sluice-engine/sluice/core/internal/pushdown"

// Name names a mask without writing it. Among all Masks over one Tokens, equal names mean equal masks. Equal masks may
// have different names. The zero Name names none.
type Name struct {
	Masks  uint64
	Record uint32
}

// Name returns the name of the mask that FillStops would write, with its results some and inBudget. own says that stops
// differ from the vocabulary's end tokens. If the mask depends on such stops, the name is zero.
func (m *Masks) Name(s pushdown.StateID, stops Stops, own bool) (n Name, some, inBudget bool) {
	r := m.record(s)
	if r.over {
		return Name{}, false, false
	}
	n = Name{Masks: m.number, Record: m.a.Aux(s)}
	switch {
	case r.end && own:
		return Name{}, r.some() || len(stops.Tokens) > 0, true
	case r.end:
		return n, r.some() || len(stops.Tokens) > 0, true
	case !r.some():
		return n, false, true
	}
	var buf [8]uint32
	if texts := m.stopTexts(s, r, stops, buf[:0]); len(texts) > 0 {
		return Name{}, m.moreThan(r, texts), true
	}
	return n, true, true
}
