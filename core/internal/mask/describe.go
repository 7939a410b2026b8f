package mask

import (
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
)

// Describe returns the token sets of the mask of state s, one for each item. Boolean nodes have none: their masks are
// computed from the masks of their sides.
func (m *Masks) Describe(s pushdown.StateID) (sets []tokenset.Provenance) {
	if m.record(s).over {
		return nil
	}
	w := m.e.take()
	defer m.e.give(w)
	w.text = m.text
	w.start(m.e.Store().Budgets().Mask)
	for _, it := range m.a.Items(s) {
		set := tokenset.Provenance{Terminal: it.Terminal, How: "walked"}
		if c := m.e.itemClass(m.a, it, w); c != nil {
			m.e.Describe(c, &set)
		}
		sets = append(sets, set)
	}
	return sets
}
