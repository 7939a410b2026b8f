package mask

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// openWalk walks a subtree of the trie along an open state, one whose transitions are made one by one: each token
// leads to another state, which hardly anybody comes to, so that none is made here. What follows where the state's
// machine is complete is the caller's to walk.
type openWalk struct {
	e      *Engine
	w      *scratch
	reader terminal.Reader

	visited int
	budget  int // nodes it may visit, negative: any number
	// after walks the subtrees nodes[i:end] below a node at which the machine is complete. It returns false to end
	// the walk.
	after func(i, end uint32) bool
}

// from walks the subtree of node i, the state being the one before the node's byte. It returns false if the budget is
// spent.
func (v *openWalk) from(i uint32) bool {
	nodes, w := v.e.tokens.Trie.Nodes, v.w
	above := int(nodes[i].Depth) - 1
	for end := nodes[i].End; i < end; {
		n := &nodes[i]
		if v.visited++; v.budget >= 0 && v.visited > v.budget {
			return false
		}
		depth := int(n.Depth) - above
		if !v.reader.Step(depth-1, n.Byte) {
			i = n.End
			continue
		}
		w.ranges.add(n.Token, nodes[i+1].Token)
		switch {
		case n.End == i+1:
			i++
			continue
		case v.reader.Accepts(depth) && !v.after(i+1, n.End):
			return false
		case n.Big >= 0 && v.passes(depth, n.Big):
			w.ranges.add(nodes[i+1].Token, nodes[n.End].Token)
			i = n.End
			continue
		}
		i++
	}
	return true
}

// passes reports whether the state at a depth goes on with all of a subtree.
func (v *openWalk) passes(depth int, big int32) bool {
	b := &v.e.tokens.Trie.Bigs[big]
	bytes, room := v.reader.Room(depth)
	return int(b.MaxRunes) <= room && b.Leads == 0 && b.WellFormed && b.ASCII[0]&^bytes[0]|b.ASCII[1]&^bytes[1] == 0
}

// openRuns returns the runs of bytes that are all let through by state x, if it is open, no token that begins with
// one of these bytes is anything but a run, and they are few; else nil.
func (e *Engine) openRuns(x terminal.Expr, w *scratch) *runs {
	if !e.store.IsOpen(x) || e.store.Tagged(x) {
		return nil
	}
	parts, _ := e.store.Open(x)
	for _, o := range parts {
		bytes, room := o.Reader.Room(0)
		if room == 0 {
			continue
		}
		r := e.runsOf(bytes)
		if r == nil || r.deepest > 0 || int(r.longest) > room || len(r.tokens) > sparseTokens {
			continue
		}
		if w.text || !slices.ContainsFunc(r.tokens, func(id uint32) bool { return e.tokens.isSpec[id] }) {
			return r
		}
	}
	return nil
}

// walkOpen is walkItemAt for a frame whose state x is open.
func (e *Engine) walkOpen(a *pushdown.Automaton, it *pushdown.Item, x terminal.Expr, i uint32, level int, w *scratch) {
	nodes := e.tokens.Trie.Nodes
	within := func(t terminal.Expr, i, end uint32) {
		item, start := pushdown.Item{Terminal: t, After: it.After}, w.frameOf(t, 0)
		for frame := w.items[nodes[i].Depth-1]; i < end; i = nodes[i].End {
			if start.alive.Has(nodes[i].Byte) {
				e.walkItemAt(a, &item, start, i, level, w)
				w.items[nodes[i].Depth-1] = frame
			}
		}
	}
	parts, rest := e.store.Open(x)
	within(rest, i, nodes[i].End)
	for _, o := range parts {
		if o.Reader.Accepts(0) {
			within(o.Tail, i, nodes[i].End)
		}
		ends := e.store.Nullable(o.Tail)
		v := openWalk{e: e, w: w, reader: o.Reader, budget: -1, after: func(i, end uint32) bool {
			within(o.Tail, i, end)
			if ends {
				s := a.Complete(o.Tail, it.After)
				if w.complete(a, it.After, s) && s > pushdown.Over && len(a.Items(s)) > 0 {
					e.walkAfter(a, s, i, end, level+1, w)
				}
			}
			return !w.spent()
		}}
		v.from(i)
		w.visited += v.visited
	}
}

// open is from for a frame whose state x is open.
func (v *classWalk) open(i uint32, x terminal.Expr) bool {
	e, w := v.e, v.w
	nodes := e.tokens.Trie.Nodes
	within := func(t terminal.Expr, i, end uint32) bool {
		alive := e.store.Alive(t)
		for frame := w.frames[nodes[i].Depth-1]; i < end; i = nodes[i].End {
			if alive.Has(nodes[i].Byte) {
				ok := v.from(i, termFrame{expr: t, alive: alive})
				w.frames[nodes[i].Depth-1] = frame
				if !ok {
					return false
				}
			}
		}
		return true
	}
	parts, rest := e.store.Open(x)
	ok := within(rest, i, nodes[i].End)
	for _, o := range parts {
		ok = ok && (!o.Reader.Accepts(0) || within(o.Tail, i, nodes[i].End))
		ends := e.store.Nullable(o.Tail)
		walk := openWalk{e: e, w: w, reader: o.Reader, visited: v.visited, budget: v.budget}
		walk.after = func(i, end uint32) bool {
			if ends && v.c != nil {
				// few tokens leave a number
				v.c.ends = append(v.c.ends, ending{i - 1, 0, noTag, v.c.goesOnWith(&terminal.ByteSet{})})
			}
			v.visited = walk.visited
			ok := within(o.Tail, i, end)
			walk.visited = v.visited
			return ok
		}
		ok = ok && walk.from(i)
		v.visited = walk.visited
	}
	return ok
}
