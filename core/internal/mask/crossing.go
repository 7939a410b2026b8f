package mask

import (
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
)

// needsWithin reports whether what follows item it can begin with a byte that the terminal could have gone on with
// where it ended, so that the escapes of that part matter.
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

// tokensAtOnce is how many tokens are copied for one unit of work.
const tokensAtOnce = 16

func (e *Engine) walkAllEscapes(a *pushdown.Automaton, esc *tokenset.Escapes, it *pushdown.Item, w *scratch) {
	for i := range esc.Tries {
		t := &esc.Tries[i]
		if s := after(a, it, t.Tag); w.complete(a, it.After, s) {
			e.walkEscapes(a, t, s, it, w)
		}
	}
	for _, x := range esc.Wide {
		s := after(a, it, x.Tag)
		if !w.complete(a, it.After, s) || s <= pushdown.Over {
			continue
		}
		w.Ranges = w.Ranges[:0]
		e.walkAfter(a, s, x.Node+1, w.trie.Nodes[x.Node].End, 0, w)
		w.Charge(w.Ranges.Count() / tokensAtOnce)
		for i := 0; i < len(w.Ranges); i += 2 {
			w.extra = append(w.extra, w.trie.Order[w.Ranges[i]:w.Ranges[i+1]]...)
		}
	}
}

// walkEscapes adds to w.extra the escapes whose suffix state s accepts. It uses w.Ranges.
func (e *Engine) walkEscapes(
	a *pushdown.Automaton, t *tokenset.EscapeTrie, s pushdown.StateID, it *pushdown.Item, w *scratch,
) {
	if s <= pushdown.Over {
		return
	}
	w.Ranges, w.trie = w.Ranges[:0], t
	e.walkAfter(a, s, 1, t.Nodes[0].End, 0, w)
	w.trie = e.Tokens().Whole
	_, _, counting := counters.Bounds(e.Store(), it.Terminal)
	for i := 0; i < len(w.Ranges); i += 2 {
		for k := w.Ranges[i]; k < w.Ranges[i+1]; k++ {
			if !counting || counters.WithinBounds(e.Store(), it.Terminal, it.Counter.Count()+t.Counts[k]) {
				w.extra = append(w.extra, t.Order[k])
			}
		}
	}
}

// usePart adds to w.Ranges the tokens in nodes[i:end] that item it lets through, and returns true, if its terminal has
// a class there; else it adds nothing.
func (e *Engine) usePart(a *pushdown.Automaton, it *pushdown.Item, i, end uint32, level int, w *scratch) bool {
	c := e.PartClass(w.trie, i, end, it.Terminal, w.Scratch)
	if c == nil {
		return w.Over
	}
	parts, n := [2]*tokenset.Escapes{}, 0
	after := pushdown.Dead
	if len(c.Ends) > 0 {
		if after = a.After(it.After); !w.complete(a, it.After, after) {
			return true
		}
	}
	if after > pushdown.Over && a.Width(after) > 0 {
		parts[0], n = e.escapes(c, false, w), 1
		alive := w.alive(a, after)
		if alive == nil {
			return true
		}
		if alive.Intersects(&parts[0].GoesOn) {
			parts[1], n = e.escapes(c, true, w), 2
		}
	}
	for _, x := range parts[:n] {
		if x.TooMany {
			return false
		}
	}
	for k, inside := 0, c.Ranks(); k < len(inside); k += 2 {
		w.Ranges.Add(inside[k], inside[k+1])
	}
	for _, x := range parts[:n] {
		for k := range x.Tries {
			e.walkOutside(a, &x.Tries[k], after, level+1, w)
		}
		for _, end := range x.Wide {
			e.walkAfter(a, after, end.Node+1, w.trie.Nodes[end.Node].End, level+1, w)
		}
	}
	return true
}

// walkOutside adds to w.Ranges the tokens of which state s accepts what trie t has of them: the trie of escapes from a
// part of the one that is walked.
func (e *Engine) walkOutside(a *pushdown.Automaton, t *tokenset.EscapeTrie, s pushdown.StateID, level int, w *scratch) {
	trie, found, items := w.trie, w.Ranges, w.Items
	w.trie, w.Ranges, w.Items = t, nil, w.itemsAt(level)
	e.walkAfter(a, s, 1, t.Nodes[0].End, level, w)
	inner := w.Ranges
	w.trie, w.Ranges, w.Items = trie, found, items
	for i := 0; i < len(inner); i += 2 {
		for _, k := range t.Order[inner[i]:inner[i+1]] {
			w.Ranges.Add(k, k+1)
		}
	}
}

// itemsAt returns frames for the walk through a trie of escapes, in the middle of that through another one.
func (w *scratch) itemsAt(level int) []tokenset.ItemFrame {
	for len(w.outside) <= level {
		w.outside = append(w.outside, make([]tokenset.ItemFrame, len(w.Items)))
	}
	return w.outside[level]
}

// after returns the state of what follows item it once its terminal is complete with tag.
func after(a *pushdown.Automaton, it *pushdown.Item, tag uint32) pushdown.StateID {
	if tag == tokenset.NoTag {
		return a.After(it.After)
	}
	return a.AfterTag(it.After, tag)
}

// fillCounted adds the tokens of a counted class that depend on the count to w.extra, and returns the bitmap of those
// that need no more than there is room for.
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
