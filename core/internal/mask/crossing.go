package mask

import (
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
)

// needsWithin reports whether the continuation of item it can begin with a byte that the terminal could have gone on
// with. Then the second part of the escapes matters.
func (e *Engine) needsWithin(a *pushdown.Automaton, c *tokenset.Class, it *pushdown.Item, w *scratch) bool {
	if e.Store().View().Tagged(it.Terminal) {
		return true
	}
	s := a.After(it.After)
	if s <= pushdown.Over {
		return false
	}
	alive := w.alive(a, s)
	return alive != nil && alive.Intersects(&e.EscapesOf(c, false).GoesOn)
}

func (e *Engine) walkAllEscapes(a *pushdown.Automaton, esc *tokenset.Escapes, x *placed, w *scratch) {
	for i := range esc.Tries {
		t := &esc.Tries[i]
		if s := after(a, &x.it, t.Tag); w.complete(a, x.it.After, s) {
			e.walkEscapes(a, t, s, x, w)
		}
	}
	for _, end := range esc.Wide {
		if s := after(a, &x.it, end.Tag); w.complete(a, x.it.After, s) && s > pushdown.Over {
			w.endAt(a, s, end.Node, x.level+1)
		}
	}
}

// endAt adds state s, which begins below a node, to w.ends. States that begin below one node become their union, so
// that the trie below it is walked once.
//
// PERF: if words adjoin, several terminals end at the node of a blank, and a third of all tokens begins there.
func (w *scratch) endAt(a *pushdown.Automaton, s pushdown.StateID, node uint32, level int) {
	for i := range w.ends {
		if x := &w.ends[i]; x.node == node {
			x.state, x.level = w.united(a, x.state, s), max(x.level, level)
			w.reached(x.state)
			return
		}
	}
	w.ends = append(w.ends, placed{state: s, node: node, level: level})
}

// placeEnds moves the states of w.ends to w.placed: their items, with the node below which they begin. It moves a state
// with too many items to w.narrow.
func (w *scratch) placeEnds(a *pushdown.Automaton) {
	for _, x := range w.ends {
		if !byItems(a, x.state, x.level) {
			w.narrow = append(w.narrow, x)
			continue
		}
		for _, it := range a.Items(x.state) {
			w.placed = append(w.placed, placed{it: it, node: x.node, level: x.level})
		}
	}
	w.ends = w.ends[:0]
}

// walkEscapes adds to w.extra the escapes whose suffix state s accepts. It uses w.Ranges.
func (e *Engine) walkEscapes(
	a *pushdown.Automaton, t *tokenset.EscapeTrie, s pushdown.StateID, x *placed, w *scratch,
) {
	if s <= pushdown.Over {
		return
	}
	it := &x.it
	w.Ranges, w.trie = w.Ranges[:0], &t.Trie
	e.walkAfter(a, s, 1, t.Nodes[0].End, x.level, w)
	w.trie = e.Tokens().Trie
	_, _, counting := counters.Bounds(e.Store(), it.Terminal)
	for i := 0; i < len(w.Ranges); i += 2 {
		for k := w.Ranges[i]; k < w.Ranges[i+1]; k++ {
			if !counting || counters.WithinBounds(e.Store(), it.Terminal, it.Counter.Count()+t.Counts[k]) {
				w.extra = append(w.extra, t.Order[k])
			}
		}
	}
}

// after returns the state behind item it, whose terminal is complete with tag.
func after(a *pushdown.Automaton, it *pushdown.Item, tag uint32) pushdown.StateID {
	if tag == tokenset.NoTag {
		return a.After(it.After)
	}
	return a.AfterTag(it.After, tag)
}

// fillCounted returns the bitmap of the tokens that need at most the code points left. It adds to w.extra the exits and
// irregular tokens that fit the count.
func (e *Engine) fillCounted(c *tokenset.Class, it *pushdown.Item, w *scratch) []uint32 {
	count := it.Counter.Count()
	w.Charge(len(c.Exits) + len(c.Irregular))
	for _, t := range c.Exits {
		if counters.WithinBounds(e.Store(), it.Terminal, count+t.N) {
			w.extra = append(w.extra, t.Token)
		}
	}
	for _, t := range e.IrregularOf(c) {
		fits, known := counters.FitsRest(e.Store(), it.Terminal, count+t.N, t.State, t.C)
		if !known {
			w.Over = true
			return nil
		}
		if fits {
			w.extra = append(w.extra, t.Token)
		}
	}
	_, limit, _ := counters.Bounds(e.Store(), it.Terminal)
	room := terminal.Unbounded
	if limit != terminal.Unbounded {
		room = int(limit - min(limit, count))
	}
	return e.Room(c, uint32(min(room, 1<<30)))
}
