package tokenset

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

// classWalk is one walk for a class, of any terminal. plainWalk and countedWalk are faster where they are possible.
type classWalk struct {
	e        *Sets
	w        *Scratch
	c        *Class
	counting bool
	budget   int
	visited  int
}

// from walks the subtree of node i, start being the frame before the node's byte. It returns false if the budget is
// spent.
func (v *classWalk) from(i uint32, start termFrame) bool {
	e, w, c, counting := v.e, v.w, v.c, v.counting
	nodes := e.tokens.Trie.Nodes
	known := w.factsOf(&start)
	start.plain, start.open, start.to, start.inside = known.plain, known.Open, known.to, known.inside
	w.frames[nodes[i].Depth-1] = start
	for end := nodes[i].End; i < end; {
		n := &nodes[i]
		if v.visited++; v.budget >= 0 && v.visited > v.budget {
			return false
		}
		f := &w.frames[n.Depth-1]
		if !f.alive.Has(n.Byte) {
			i = n.End
			continue
		}
		if f.open && !counting {
			if !v.open(i, f.expr) {
				return false
			}
			i = n.End
			continue
		}
		t := v.step(f, n.Byte)
		if w.Over = w.Over || t.expr == terminal.TooHard; w.Spent() {
			return false
		}
		if t.expr == terminal.Empty {
			i = n.End
			continue
		}
		t.need = f.need
		if n.Byte&0xC0 != 0x80 {
			t.runes = f.runes + 1
		} else {
			t.runes = f.runes
		}
		into := &w.Ranges
		if counting {
			into = nil
			if c != nil && !t.exited {
				beyond, regular := v.needs(&t)
				if t.need == never {
					i = n.End
					continue
				}
				if regular {
					into = c.group(beyond)
				}
			}
		}
		facts := w.factsOf(&t)
		if c != nil {
			c.left = min(c.left, facts.left)
			if counting || !facts.plain || facts.complete {
				e.record(c, i, t.expr, t.counter, t.exited, into == nil)
			}
		}
		if into != nil {
			into.Add(n.Token, nodes[i+1].Token)
		}
		if n.Big >= 0 && (into != nil || c == nil) && v.skips(&t, facts, n.Big) {
			if into != nil {
				into.Add(nodes[i+1].Token, nodes[n.End].Token)
			}
			i = n.End
			continue
		}
		t.alive, t.plain, t.open, t.to, t.inside = facts.Alive, facts.plain, facts.Open, facts.to, facts.inside
		w.frames[n.Depth] = t
		i++
	}
	return true
}

// step moves a frame by one byte. A state that counts from the start runs without bounds.
func (v *classWalk) step(f *termFrame, b byte) (t termFrame) {
	known := false
	switch {
	case !v.counting:
		if f.plain {
			t.expr, known = f.to.To(b)
		}
		if !known {
			t.expr, t.counter = counters.Step(v.e.store, f.expr, f.counter, b)
		}
		return t
	case f.counter.Between() && b != '\\':
		if t.expr, known = f.to.To(b); !known {
			break
		}
		// What StepFree does where no escape begins.
		if t.counter = f.counter; t.expr == terminal.Empty || t.expr == terminal.TooHard {
			return t
		}
		t.exited = !v.w.factsAt(t.expr, t.counter).inside
		if !t.exited && f.inside && b&0xC0 != 0x80 {
			t.counter = t.counter.Begun()
		}
		return t
	}
	var inside bool
	t.expr, t.counter, inside = counters.StepFree(v.e.store, f.expr, f.counter, b)
	t.exited = !inside
	return t
}

// skips reports whether the subtree of a node is in the same group as the node itself.
func (v *classWalk) skips(t *termFrame, known *Facts, big int32) bool {
	e := v.e
	b := &e.tokens.Trie.Bigs[big]
	if !v.counting {
		return e.Covers(t.expr, t.counter, b)
	}
	if t.exited || !t.counter.Between() || !b.WellFormed {
		return false
	}
	if known.loop == nil {
		known.loop = e.store.Loop(t.expr)
	}
	if !holds(known.loop, b) {
		return false
	}
	_, regular := v.needs(t)
	if !regular || t.need != known.least+t.counter.Count() {
		return false
	}
	if v.c != nil {
		v.c.partial = v.c.partial || counters.Complete(e.store, t.expr) // see countedWalk.covers
	}
	return true
}

// needs returns how many code points the tokens at a frame of a counted walk need beyond their own, and false if that
// is not all there is to say. A state whose least completion took too much to find counts as complete, so that what a
// token needs is the most that any state on its way does.
func (v *classWalk) needs(t *termFrame) (beyond int, regular bool) {
	f := v.w.factsOf(t)
	if !f.known {
		short := counters.Least(v.e.store, t.expr, t.counter)
		v.w.Over = v.w.Over || !short.Known
		low, _, _ := counters.Bounds(v.e.store, t.expr)
		f.least, f.regular, f.loose, f.known = short.N, short.Regular || low == 0, short.Loose, true
	}
	if f.least == terminal.Unbounded {
		t.need = never
	} else {
		t.need = max(t.need, f.least+t.counter.Count())
		if f.loose && v.c != nil {
			v.c.Enough = max(v.c.Enough, t.need)
		}
	}
	return int(t.need) - int(t.runes), f.regular
}

// never is the need of a token that nothing completes.
const never = ^uint32(0)
