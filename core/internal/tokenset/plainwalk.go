package tokenset

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
	"github.com/sluice-engine/sluice/core/internal/tokentrie"
)

// plainWalk is what classWalk is, for terminals in which nothing is counted and whose transitions are made at once:
// most classes are of such, and the dearest. It numbers the states it meets, so that a step is two loads from tables of
// its own (15 ns a node instead of 40).
type plainWalk struct {
	e       *Sets
	w       *Scratch
	c       *Class
	visited int  // trie nodes, which count when the walk is over
	opened  bool // a state was met whose transitions are made one by one
	refused bool // a state was met that is not plain, or there are too many
}

// plainStates is the states of one walk; they are kept in the scratch for their memory.
type plainStates struct {
	states []plainState
	next   []uint16 // by state and class of bytes: the state after it, or one of the two below
	ids    map[terminal.Expr]uint16
	path   []uint16 // by depth
	ends   []ending // in which the class's are gathered
}

type plainState struct {
	to       terminal.Transitions
	alive    *terminal.ByteSet
	loop     *terminal.Loop // nil: not asked for yet
	expr     terminal.Expr
	first    uint32 // where its transitions begin in next
	complete bool
	open     bool // its transitions are made one by one, and it does not end with a tag
	completion
}

const (
	plainUnknown = 0
	plainDead    = 1
	// stateLimit bounds the states of one walk. What has more goes from state to state hardly ever to come back.
	stateLimit = 4096
)

// walkPlain is walkClass for a plain terminal. It returns false if x is none, or not all of what it leads to: then
// nothing has been found.
func (e *Sets) walkPlain(x terminal.Expr, r *Runs, w *Scratch, c *Class) bool {
	v := plainWalk{e: e, w: w, c: c}
	p := &w.plain
	p.states, p.next = append(p.states[:0], plainState{}, plainState{}), p.next[:0]
	clear(p.ids)
	c.Ends = p.ends[:0]
	left, start := c.left, v.state(x)
	for i := range e.starts(x, r) {
		if v.refused || !v.from(i, start) {
			break
		}
	}
	w.Visited += v.visited
	if v.refused {
		w.Ranges, c.Ends, c.goesOn, c.left = w.Ranges[:0], nil, nil, left
		return false
	}
	p.ends = c.Ends // settle copies them
	c.single = r == nil && !v.opened
	return true
}

// from walks the subtree of node i, start being the state before the node's byte. It returns false if the budget is
// spent or the walk has refused.
func (v *plainWalk) from(i uint32, start uint16) bool {
	e, w, p := v.e, v.w, &v.w.plain
	nodes, bigs, path := e.tokens.Trie.Nodes, e.tokens.Trie.Bigs, p.path
	path[nodes[i].Depth-1] = start
	for end := nodes[i].End; i < end; {
		n := &nodes[i]
		v.visited++
		s := path[n.Depth-1]
		if p.states[s].open {
			if p.states[s].alive.Has(n.Byte) && !v.open(i, p.states[s].expr) {
				return false
			}
			i = n.End
			continue
		}
		at := p.states[s].first + p.states[s].to.Class(n.Byte)
		t := p.next[at]
		if t == plainUnknown {
			if t = v.step(s, at, n.Byte); v.refused || w.Spent() {
				return false
			}
		}
		if t == plainDead {
			i = n.End
			continue
		}
		if n.End != i+1 && p.states[t].complete {
			e.addEnds(v.c, i, p.states[t].expr, 0, &p.states[t].completion)
		}
		w.Ranges.Add(n.Token, nodes[i+1].Token)
		if n.Big >= 0 && v.covers(t, &bigs[n.Big]) {
			w.Ranges.Add(nodes[i+1].Token, nodes[n.End].Token)
			i = n.End
			continue
		}
		path[n.Depth] = t
		i++
	}
	return true
}

// step finds the state that s goes to with byte b, and keeps it at its place in next.
func (v *plainWalk) step(s uint16, at uint32, b byte) uint16 {
	from := &v.w.plain.states[s]
	x, known := terminal.Empty, true
	if from.alive.Has(b) {
		x, known = from.to.To(b)
	}
	if !known {
		// INVARIANT: bytes of one class may then go on differently.
		switch x = v.e.store.Delta(from.expr, b); x {
		case terminal.TooHard:
			v.w.Over = true
			return plainDead
		case terminal.Empty:
			return plainDead
		}
		return v.state(x)
	}
	t := uint16(plainDead)
	v.w.Over = v.w.Over || x == terminal.TooHard
	if x != terminal.Empty && !v.w.Over {
		t = v.state(x)
	}
	v.w.plain.next[at] = t
	return t
}

// state returns the number of terminal state x, giving it one if it has none.
func (v *plainWalk) state(x terminal.Expr) uint16 {
	p, st := &v.w.plain, v.e.store
	if t, ok := p.ids[x]; ok {
		return t
	}
	s := plainState{expr: x, alive: st.Alive(x), complete: counters.Accepts(st, x, 0)}
	s.open = st.View().IsOpen(x) && !st.View().Tagged(x)
	if !s.open {
		var plain bool
		if s.to, plain = st.Transitions(x); !plain {
			v.refused = true
			return plainDead
		}
	}
	v.c.left = min(v.c.left, relax.RepeatsLeft(st, x))
	v.w.Term(st, x)
	return v.add(s)
}

// add gives a state a number.
func (v *plainWalk) add(s plainState) uint16 {
	p := &v.w.plain
	if len(p.states) == stateLimit {
		v.refused = true
		return plainDead
	}
	s.first = uint32(len(p.next))
	if !s.open {
		for range s.to.Classes() {
			p.next = append(p.next, plainUnknown)
		}
	}
	t := uint16(len(p.states))
	p.states = append(p.states, s)
	p.ids[s.expr] = t
	return t
}

// open is from for an open state: few tokens lead there, and classWalk takes them from it.
func (v *plainWalk) open(i uint32, x terminal.Expr) bool {
	v.opened = true
	walk := classWalk{v.e, v.w, v.c, v.e.tokens.Trie}
	return walk.open(i, x)
}

// covers reports whether state t stays inside the terminal with whatever stands below the node of b.
func (v *plainWalk) covers(t uint16, b *tokentrie.Big) bool {
	s := &v.w.plain.states[t]
	if s.loop == nil {
		s.loop = v.e.store.Loop(s.expr)
	}
	return b.WellFormed && holds(s.loop, b)
}
