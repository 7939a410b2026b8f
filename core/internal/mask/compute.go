package mask

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
)

// compute finds the mask of state s, which is in the middle of no boolean node.
func (m *Masks) compute(s pushdown.StateID, w *scratch) *record {
	e, a := m.e, m.a
	r := &record{end: a.Accepts(s)}
	w.extra, w.narrow, w.list = w.extra[:0], w.narrow[:0], nil
	w.placed, w.ends = w.placed[:0], w.ends[:0]
	for _, it := range a.Items(s) {
		w.placed = append(w.placed, placed{it: it})
	}
	var layers []layer
	add := func(y layer) {
		if y.bits != nil && !slices.ContainsFunc(layers, y.same) {
			layers = append(layers, y)
		}
	}
	for i := 0; ; i++ {
		if w.Spent() {
			return nil // each item may find a class and rows of transitions
		}
		if i == len(w.placed) { // the terminals behind wide ends come last
			if w.placeEnds(a); i == len(w.placed) {
				break
			}
		}
		x := w.placed[i]
		var c *tokenset.Class
		if x.node != 0 {
			c = e.usableClass(a, x.it, e.BelowClass(x.node, x.it.Terminal, w.Scratch), w)
		} else {
			if l, ok := e.lead(x.it); ok {
				x.it = l.it
				add(layer{bits: l.runs.Tokens})
				if c = e.usableClass(a, x.it, e.LedClass(l.runs, x.it.Terminal, w.Scratch), w); c == nil {
					w.narrow = append(w.narrow, l)
				}
			}
			if c == nil {
				c = e.itemClass(a, x.it, w)
			}
		}
		if c == nil {
			w.narrow = append(w.narrow, x)
			continue
		}
		add(e.useClass(a, c, &x, true, w))
	}
	w.Ranges = w.Ranges[:0]
	for i := range w.narrow {
		e.walkPlaced(a, &w.narrow[i], w)
	}
	if w.Spent() {
		return nil
	}
	e.walkNamed(a, s, w)
	e.assemble(r, layers, w)
	return r
}

// itemClass returns the class to use for an item, nil if the item must be walked.
func (e *Engine) itemClass(a *pushdown.Automaton, it pushdown.Item, w *scratch) *tokenset.Class {
	x := it.Terminal
	low, _, counting := counters.Bounds(e.Store(), x)
	if counting && !it.Counter.Between() {
		return nil // within an escape or a code point: few tokens go on, and classes start between code points
	}
	if !e.usable(a, it) {
		return nil
	}
	if low > 0 && it.Counter.Count()+1 >= low { // tokens that go on add a code point
		x = relax.WithoutMinimum(e.Store(), x)
	}
	return e.usableClass(a, it, e.Class(x, w.Scratch), w)
}

// usableClass returns c if it is of use for the item, else nil.
func (e *Engine) usableClass(a *pushdown.Automaton, it pushdown.Item, c *tokenset.Class, w *scratch) *tokenset.Class {
	if c == nil || !e.usable(a, it) {
		return nil
	}
	if len(c.Ends) == 0 {
		return c
	}
	whole := c
	if c.From != nil {
		whole = c.From
	}
	if !e.continues(a, it) {
		return c
	}
	found := e.escapes(whole, false, &w.stateMeter)
	if len(found.Wide) > 0 && c.From != nil {
		return nil // tokens to take out may pass a wide end
	}
	if !found.TooMany && e.needsWithin(a, whole, &it, w) {
		found = e.escapes(whole, true, &w.stateMeter)
	}
	if found.TooMany {
		return nil
	}
	return c
}

// continues reports whether anything can follow the item's terminal.
func (e *Engine) continues(a *pushdown.Automaton, it pushdown.Item) bool {
	if e.Store().View().Tagged(it.Terminal) {
		return true
	}
	s := a.After(it.After)
	return s == pushdown.Over || a.Width(s) > 0
}

// useClass adds the tokens of an item's class. It returns the class's bitmap, or appends a list to w.extra. If share is
// set, w.list may become the class's list.
func (e *Engine) useClass(a *pushdown.Automaton, c *tokenset.Class, x *placed, share bool, w *scratch) layer {
	if c.From != nil {
		before := len(w.extra)
		l := e.useClass(a, c.From, x, false, w)
		w.extra = append(w.extra[:before], e.TakeOut(w.extra[before:], c.Removed)...)
		l.clear = c.List
		return l
	}
	var l layer
	if c.Counted {
		l.bits = e.fillCounted(c, &x.it, w)
	} else if c.Bitmap != nil {
		l.bits = c.Bitmap
	} else if share && (w.text || !c.Special) {
		w.share(c.List)
	} else {
		w.extra = append(w.extra, c.List...)
	}
	if len(c.Ends) > 0 && e.continues(a, x.it) {
		e.walkAllEscapes(a, e.EscapesOf(c, false), x, w)
		if e.needsWithin(a, c, &x.it, w) {
			e.walkAllEscapes(a, e.EscapesOf(c, true), x, w)
		}
	}
	return l
}

// share adds the tokens of a class's list. A mask shares the longest such list as w.list and copies the others.
func (w *scratch) share(list []uint32) {
	if len(list) > len(w.list) {
		list, w.list = w.list, list
	}
	w.extra = append(w.extra, list...)
}

// assemble chooses the smallest form for the union of layers, w.Ranges, w.list and w.extra; named tokens come on top.
func (e *Engine) assemble(r *record, layers []layer, w *scratch) {
	order := e.Tokens().Trie.Order
	w.Ranges.Normalise()
	n := w.Ranges.Count()
	switch {
	case len(layers) == 0 && n+len(w.extra) <= tokenset.SparseTokens*2:
		r.set = make([]uint32, 0, n+len(w.extra)+len(w.named))
		for i := 0; i < len(w.Ranges); i += 2 {
			r.set = e.appendText(w.text, r.set, order[w.Ranges[i]:w.Ranges[i+1]])
		}
		r.set = e.appendText(w.text, r.set, w.extra)
	case len(layers) == 1 && n+len(w.extra) <= tokenset.SparseTokens:
		r.base, r.clear = layers[0].bits, layers[0].clear
		w.absent = w.absent[:0]
		for i := 0; i < len(w.Ranges); i += 2 {
			e.addAbsent(r, order[w.Ranges[i]:w.Ranges[i+1]], w)
		}
		e.addAbsent(r, w.extra, w)
		r.set = append(make([]uint32, 0, len(w.absent)+len(w.named)), w.absent...)
	default:
		e.assembleDense(r, layers, w)
	}
	r.set = append(r.set, w.named...)
	r.list = w.list
}

// addAbsent adds to w.absent the tokens that r's base lacks or that r.clear may take out.
func (e *Engine) addAbsent(r *record, ids []uint32, w *scratch) {
	for _, id := range ids {
		if len(r.clear) > 0 || r.base[id>>5]>>(id&31)&1 == 0 {
			if w.text || !e.Tokens().IsSpec[id] {
				w.absent = append(w.absent, id)
			}
		}
	}
}

func (e *Engine) assembleDense(r *record, layers []layer, w *scratch) {
	bm := make([]uint32, e.Tokens().Words())
	for _, l := range layers {
		part := l.bits
		if len(l.clear) > 0 {
			part = slices.Clone(l.bits)
			for _, id := range l.clear {
				part[id>>5] &^= 1 << (id & 31)
			}
		}
		for i, v := range part {
			bm[i] |= v
		}
	}
	if len(w.Ranges) > 0 {
		part := make([]uint32, e.Tokens().Words())
		e.Tokens().Spread(w.Ranges, part)
		for i, v := range part {
			bm[i] |= v
		}
	}
	put(bm, w.extra)
	put(bm, w.list)
	r.base, r.owned, w.list = bm, true, nil
}

// appendText appends tokens that are text in the present view.
func (e *Engine) appendText(text bool, dst, ids []uint32) []uint32 {
	if text || len(e.Tokens().Clear) == 0 {
		return append(dst, ids...)
	}
	for _, id := range ids {
		if !e.Tokens().IsSpec[id] {
			dst = append(dst, id)
		}
	}
	return dst
}

// usable reports whether the tokens of item it do not depend on registers, so that its class is exact.
func (e *Engine) usable(a *pushdown.Automaton, it pushdown.Item) bool {
	return !e.Store().View().Tagged(it.Terminal) || a.TakesAllTags(it.After)
}
