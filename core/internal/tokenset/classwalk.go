package tokenset

import (
	"iter"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
	"github.com/sluice-engine/sluice/core/internal/tokentrie"
)

// walkClass walks the trie with terminal state x alone, from the root and, if r is not nil, also from where a run ends.
// What it finds goes into c and w.Ranges. It returns false if the budget was spent.
func (e *Sets) walkClass(x terminal.Expr, r *Runs, w *Scratch, c *Class) bool {
	w.Ranges = w.Ranges[:0]
	_, _, c.Counted = counters.Bounds(e.store, x)
	c.left = relax.RepeatsLeft(e.store, x)
	switch {
	case c.Counted:
		e.walkCounted(x, w, c, stateLimit)
	case !e.walkPlain(x, r, w, c):
		e.walkAny(x, r, w, c)
	}
	w.Ranges.Normalise()
	return !w.Over
}

// starts returns the nodes at which a walk with terminal state x begins.
func (e *Sets) starts(x terminal.Expr, r *Runs) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		alive := e.store.Alive(x)
		for b := alive.Next(0); b < terminal.TokenMark; b = alive.Next(b + 1) {
			if i := e.tokens.Trie.Root[b]; i != 0 && !yield(i) {
				return
			}
			if r == nil {
				continue
			}
			for _, end := range r.After[b] {
				if !yield(end.Node) {
					return
				}
			}
		}
	}
}

// classWalk is a walk for the class of any terminal that is not counted itself. plainWalk is faster where nothing is
// counted later either.
type classWalk struct {
	e    *Sets
	w    *Scratch
	c    *Class
	trie *tokentrie.Trie
}

// walkAny is walkClass for a terminal that is not counted itself.
func (e *Sets) walkAny(x terminal.Expr, r *Runs, w *Scratch, c *Class) {
	v := classWalk{e, w, c, e.tokens.Trie}
	start := w.FrameOf(x, 0)
	for i := range e.starts(x, r) {
		if !v.from(i, e.tokens.Trie.Nodes[i].End, start) {
			return
		}
	}
}

// from walks the subtrees nodes[i:end], which have one parent, start being the frame there. It returns false if the
// budget is spent.
func (v *classWalk) from(i, end uint32, start ItemFrame) bool {
	w, c, nodes, frames := v.w, v.c, v.trie.Nodes, v.w.frames
	w.Meet(start.Facts)
	frames[nodes[i].Depth-1] = start
	for i < end {
		n := &nodes[i]
		w.Visited++
		f := &frames[n.Depth-1]
		if !f.Alive.Has(n.Byte) {
			i = n.End
			continue
		}
		if f.Open && !f.Tagged {
			if !v.open(i, f.Expr) {
				return false
			}
			i = n.End
			continue
		}
		t, ok := w.Move(f, n.Byte)
		if w.Spent() {
			return false
		}
		if !ok {
			i = n.End
			continue
		}
		c.left = min(c.left, t.left)
		if n.End > i+1 && w.Accepts(&t) {
			v.e.addEnds(c, i, t.Expr, 0, &completion{})
		}
		w.Ranges.Add(n.Token, nodes[i+1].Token)
		if n.Big >= 0 && w.Covers(&t, &v.trie.Bigs[n.Big]) {
			w.Ranges.Add(nodes[i+1].Token, nodes[n.End].Token)
			i = n.End
			continue
		}
		frames[n.Depth] = t
		i++
	}
	return true
}
