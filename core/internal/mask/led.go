package mask

import (
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
)

// layer is a shared bitmap and the tokens to take out of it.
type layer struct{ bits, clear []uint32 }

func (l layer) same(m layer) bool { return &l.bits[0] == &m.bits[0] && len(l.clear)+len(m.clear) == 0 }

// lead splits an item into a run and the rest. It returns false if the item does not begin with a run.
func (e *Engine) lead(it pushdown.Item) (placed, bool) {
	gap, x, ok := relax.Gap(e.Store(), it.Terminal, uint32(e.Tokens().Trie.MaxLen))
	if !ok {
		return placed{}, false
	}
	return placed{it: pushdown.Item{Terminal: x, After: it.After}, runs: e.RunsOf(gap)}, true
}
