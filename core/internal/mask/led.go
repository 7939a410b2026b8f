package mask

import (
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
)

// led is an item that a run may stand before.
type led struct {
	item pushdown.Item // without the run
	runs *tokenset.Runs
	most uint32 // bytes of the run
}

// lead splits an item into a run and the rest. It returns false if the item does not begin with a run.
func (e *Engine) lead(it pushdown.Item) (led, bool) {
	set, most, x, ok := relax.Lead(e.Store(), it.Terminal)
	if !ok {
		gap, x, ok := relax.Gap(e.Store(), it.Terminal)
		if !ok {
			return led{}, false
		}
		return led{pushdown.Item{Terminal: x, After: it.After}, e.GapRuns(gap), 0}, true
	}
	r := e.RunsOf(set)
	if r == nil || r.Longest == 0 {
		return led{}, false
	}
	return led{pushdown.Item{Terminal: x, After: it.After}, r, min(most, r.Longest)}, true
}

// layer returns the tokens that are runs and nothing else.
func (l *led) layer() layer { return layer{bits: l.runs.UpTo[l.most]} }

// walkLed adds to w.Ranges the tokens that are a run and then something of the item.
func (e *Engine) walkLed(a *pushdown.Automaton, l *led, w *scratch) {
	if w.Spent() {
		return
	}
	start, walk := w.FrameOf(l.item.Terminal, l.item.Counter), e.itemWalk(a, l.item.After, 0, w)
	for b := start.Alive.Next(0); b < terminal.TokenMark && !w.Over; b = start.Alive.Next(b + 1) {
		for _, x := range l.runs.After[b] {
			if x.Length <= l.most {
				walk.From(x.Node, walk.Trie.Nodes[x.Node].End, start)
			}
		}
	}
}
