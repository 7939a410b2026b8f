package tokenset

import (
	"encoding/binary"
	"iter"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
)

// Class returns the class of terminal state x, nil if its masks are better walked.
func (e *Sets) Class(x terminal.Expr, w *Scratch) *Class {
	switch v := e.store.Aux(x); v {
	case auxUnknown:
		if e.store.View().Sprawls(x) {
			e.store.SetAux(x, auxNarrow) // an output seldom reaches the same place of a long list again
			w.Charge(narrowCost)
			return nil
		}
		return e.newClass(x, w)
	case auxNarrow:
		w.Charge(narrowCost)
		return nil
	default:
		k := e.classes.At(v - auxClass)
		if w.counts(v, k.cost) { // package mask may ask twice in one computation
			w.Charge(k.cost)
		}
		return k.c
	}
}

func (e *Sets) newClass(x terminal.Expr, w *Scratch) *Class {
	if shape := relax.AsStar(e.store, relax.Uncounted(e.store, x)); shape != x {
		c := e.Class(shape, w)
		e.store.SetAux(x, e.store.Aux(shape))
		return c
	}
	var c *Class
	known := false
	cost := w.unit(func() { c, known = e.findClass(x, w) })
	if !known {
		return nil
	}
	if c == nil {
		cost = w.narrow(cost)
	}
	c = e.keepClass(x, c, cost)
	if v := e.store.Aux(x); v >= auxClass {
		w.counts(v, cost) // it has been charged
	}
	return c
}

// findClass returns the class of x, nil if it deserves none, and known = false if the budget was spent before that was
// known.
func (e *Sets) findClass(x terminal.Expr, w *Scratch) (c *Class, known bool) {
	if d := e.differenceClass(x, w); d != nil {
		return d, true
	}
	if d := e.searchClass(x, w); d != nil {
		return d, true
	}
	if d := e.anyTextClass(x, w); d != nil {
		return d, true
	}
	w.unit(func() { c, known = e.walkNewClass(x, nil, w) })
	return c, known && !w.Over
}

// differenceClass returns the class of x as a difference from another one, nil if x is not of that shape.
func (e *Sets) differenceClass(x terminal.Expr, w *Scratch) *Class {
	base, texts, ok := relax.ExcludedTexts(e.store, x)
	if !ok {
		return nil
	}
	c := e.Class(base, w)
	if c == nil || c.Counted || !e.walkExcluded(texts, w) {
		return nil
	}
	if c.From != nil {
		w.Ranges = append(w.Ranges, c.Removed...)
		w.Ranges.Normalise()
		c = c.From
	}
	return e.without(c, w.Ranges)
}

// anyTextClass returns the class of x, a text of a JSON string, as a difference from the class of any text (Lemma 180).
// It returns nil if x is no such text or differs in many places. A key under several conditions, such as pattern
// properties beside declared ones, is any text after a few bytes.
//
// PERF: a mask of such a key visits 500 nodes instead of 14,600.
func (e *Sets) anyTextClass(x terminal.Expr, w *Scratch) *Class {
	base, ok := relax.AnyText(e.store, x)
	if !ok || base == x || e.firstDiffer(x, base) > firstBytes {
		return nil
	}
	c := e.Class(base, w)
	if c == nil || c.From != nil || !e.walkDifference(x, base, w) {
		return nil
	}
	return e.without(c, w.Ranges)
}

// firstBytes bounds the first bytes after which two states differ. If there are more, a class of its own is cheaper.
const firstBytes = 32

// searchClass returns the class of a state inside a search ("any text that contains …") as a difference from the class
// of any text, nil for any other state. No code point is a dead end in it, so only tokens with the closing byte are
// tried.
//
// PERF: 400 schemas of MaskBench without it: p99.9 of masks 1.16 times as much.
func (e *Sets) searchClass(x terminal.Expr, w *Scratch) *Class {
	base, ok := relax.Unanchored(e.store, x)
	if !ok || base == x {
		return nil
	}
	c := e.Class(base, w)
	if c == nil || c.From != nil {
		return nil
	}
	nodes := e.tokens.Trie.Nodes
	w.Ranges = w.Ranges[:0]
	closing, ok := e.closingNodes(c, base, w)
	if !ok {
		return nil
	}
	for _, i := range closing {
		n := &nodes[i]
		path := e.tokens.Trie.Bytes[e.tokens.Trie.Order[n.Token]][:n.Depth]
		s := x
		for _, b := range path {
			w.Term(e.store, s)
			if s = e.store.Delta(s, b); s == terminal.Empty || s == terminal.TooHard {
				break
			}
		}
		if w.Over = w.Over || s == terminal.TooHard; w.Spent() {
			return nil
		}
		if s == terminal.Empty {
			w.Ranges.Add(n.Token, nodes[n.End].Token)
		}
	}
	return e.without(c, w.Ranges)
}

// LedClass returns the class of the tokens in which terminal state x begins, at their first byte or behind a run. It
// returns nil if there is none.
func (e *Sets) LedClass(r *Runs, x terminal.Expr, w *Scratch) *Class {
	return e.placedClass(&r.places, x, w)
}

// BelowClass returns the class of the tokens in which terminal state x begins right below a node, nil if there is none.
func (e *Sets) BelowClass(node uint32, x terminal.Expr, w *Scratch) *Class {
	p := places{below: node}
	binary.LittleEndian.PutUint32(p.digest[:], node)
	return e.placedClass(&p, x, w)
}

// placedClass returns the class of the tokens in which terminal state x begins in some places, nil if there is none.
func (e *Sets) placedClass(p *places, x terminal.Expr, w *Scratch) *Class {
	if _, _, counting := counters.Bounds(e.store, x); counting {
		return nil
	}
	key := placedKey{p.digest, x}
	if k, ok := e.knownPlaced(key); ok {
		w.Charge(k.cost)
		return k.c
	}
	var c *Class
	found := false
	cost := w.unit(func() { c, found = e.walkNewClass(x, p, w) })
	if !found {
		return nil
	}
	if c == nil {
		cost = w.narrow(cost)
	}
	return e.keepPlaced(key, keptClass{c, cost})
}

// walkNewClass returns the class of x in some places, or at the root if p is nil. It returns nil if x deserves none,
// and known = false if a budget was spent before that was known.
func (e *Sets) walkNewClass(x terminal.Expr, p *places, w *Scratch) (c *Class, known bool) {
	if len(e.store.ReachableTags(x)) > classTags {
		return nil, true
	}
	key, named := e.keyOf(x, p)
	if named {
		if c = e.tokens.sets.find(key); c != nil {
			w.Charge(c.walked)
			if c.narrow {
				return nil, true
			}
			return e.withStates(c, x), true
		}
	}
	shared := named && e.mayGive()
	before, visited := w.Total(), w.Visited
	c = &Class{}
	if !e.walkClass(x, p, w, c) {
		return nil, false
	}
	if w.Visited-visited <= narrowNodes {
		w.narrow(w.Total() - before)
		if shared {
			e.give(key, narrowClass)
		}
		return nil, true
	}
	e.settle(c, w)
	c.walked = w.Total() - before
	if shared {
		c.isShared = true
		e.give(key, c)
	}
	return c, true
}

// walkClass walks the trie with terminal state x from some places, or from the root if p is nil. It fills c and
// w.Ranges, and returns false if the budget is spent.
func (e *Sets) walkClass(x terminal.Expr, p *places, w *Scratch, c *Class) bool {
	w.Ranges = w.Ranges[:0]
	_, _, c.Counted = counters.Bounds(e.store, x)
	w.walks++
	c.Ends = w.ends[:0]
	v := classVisit{e, w, e.tokens.Trie, c, w.walks}
	walk := Walk{Scratch: w, Trie: e.tokens.Trie, free: c.Counted, Visitor: &v}
	if c.Counted {
		walk.Visitor = &countedVisit{classVisit: v}
	}
	start := w.FrameOf(x, 0)
	for i := range e.starts(x, p) {
		if walk.From(i, e.tokens.Trie.Nodes[i].End, start); w.Over {
			break
		}
	}
	w.ends = c.Ends // settle copies them
	w.Ranges.Normalise()
	return !w.Over
}

// starts returns the nodes at which a walk with terminal state x begins.
func (e *Sets) starts(x terminal.Expr, p *places) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		if nodes := e.tokens.Trie.Nodes; p != nil && p.below != 0 {
			for i := p.below + 1; i < nodes[p.below].End && yield(i); i = nodes[i].End {
			}
			return
		}
		alive := e.store.Alive(x)
		for b := alive.Next(0); b < terminal.TokenMark; b = alive.Next(b + 1) {
			if i := e.tokens.Trie.Root[b]; i != 0 && !yield(i) {
				return
			}
			if p == nil {
				continue
			}
			for _, i := range p.After[b] {
				if !yield(i) {
					return
				}
			}
		}
	}
}
