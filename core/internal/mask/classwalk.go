package mask

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// classWalk is one walk for a class.
type classWalk struct {
	e        *Engine
	w        *scratch
	c        *class
	counting bool
	budget   int
	visited  int
}

// from walks the subtree of node i, start being the frame before the node's byte. It returns false if the budget is spent.
func (v *classWalk) from(i uint32, start termFrame) bool {
	e, w, c, counting := v.e, v.w, v.c, v.counting
	nodes := e.tokens.Trie.Nodes
	w.terms[nodes[i].Depth-1] = start
	if !counting {
		w.terms[nodes[i].Depth-1].plain, w.terms[nodes[i].Depth-1].to = w.factsOf(&start).plain, w.factsOf(&start).to
	}
	for end := nodes[i].End; i < end; {
		n := &nodes[i]
		if v.visited++; v.budget >= 0 && v.visited > v.budget {
			return false
		}
		if v.visited&63 == 0 || w.fresh {
			if w.fresh = false; e.spent(w) {
				return false
			}
		}
		f := &w.terms[n.Depth-1]
		if !f.alive.Has(n.Byte) {
			i = n.End
			continue
		}
		var t termFrame
		known := false
		if f.plain {
			t.expr, known = f.to.To(n.Byte)
		}
		if !known {
			t = e.stepClass(f, n.Byte, counting)
		}
		if t.expr == terminal.Empty {
			i = n.End
			continue
		}
		if n.Byte&0xC0 != 0x80 {
			t.runes = f.runes + 1
		} else {
			t.runes = f.runes
		}
		into := &w.ranges
		if counting {
			into = nil
			if c != nil && !t.exited {
				if beyond, regular := v.needs(&t); regular {
					into = c.group(beyond)
				}
			}
		}
		facts := w.factsOf(&t)
		if c != nil {
			c.left = min(c.left, facts.left)
			if counting || !facts.plain || facts.complete {
				e.record(c, i, &t, into == nil)
			}
		}
		if into != nil {
			into.add(n.Token, nodes[i+1].Token)
		}
		if n.Big >= 0 && (into != nil || c == nil) && e.skips(&t, n.Big, counting) {
			if into != nil {
				into.add(nodes[i+1].Token, nodes[n.End].Token)
			}
			i = n.End
			continue
		}
		t.alive, t.plain, t.to = facts.alive, facts.plain && !counting, facts.to
		w.terms[n.Depth] = t
		i++
	}
	return true
}

// stepClass moves a frame by one byte. A state that counts from the start runs without bounds.
func (e *Engine) stepClass(f *termFrame, b byte, counting bool) (t termFrame) {
	if counting {
		var inside bool
		t.expr, t.counter, inside = e.store.StepFree(f.expr, f.counter, b)
		t.exited = !inside
	} else {
		t.expr, t.counter = e.store.Step(f.expr, f.counter, b)
	}
	return t
}

// needs returns how many code points the tokens at a frame of a counted walk need beyond their own, and false if that is
// not all there is to say.
func (v *classWalk) needs(t *termFrame) (beyond int, regular bool) {
	f := v.w.factsOf(t)
	if !f.known {
		f.least, f.regular = v.e.store.Least(t.expr, t.counter)
		low, _, _ := v.e.store.Counting(t.expr)
		f.regular, f.known = f.regular || low == 0, true
	}
	return int(f.least) + int(t.counter.Count()) - int(t.runes), f.regular
}
