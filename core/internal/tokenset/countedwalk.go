package tokenset

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
	"github.com/sluice-engine/sluice/core/internal/tokentrie"
)

// countedWalk is what classWalk is, for the class of a terminal that is counted. As plainWalk does, it numbers the
// states it meets, here pairs of an expression and of a place within an escape, so that a step is two loads from tables
// of its own, and keeps how far the count has come apart from them, by depth.
type countedWalk struct {
	e       *Sets
	w       *Scratch
	c       *Class
	limit   int  // so many states beside those of its path, and it forgets the others
	visited int  // trie nodes, which count when the walk is over
	bounded bool // repetitions keep their bounds
}

// countedStates is the states of one walk; they are kept in the scratch for their memory.
type countedStates struct {
	states []countedState
	// by state and what it tells apart, see countedState.place: the state after it, plainUnknown or plainDead
	next   []uint32
	ids    map[countedKey]uint32
	path   []countedFrame // by depth
	opened []opened       // by depth, for frames that are open
	ends   []ending       // in which the class's are gathered
}

type countedKey struct {
	expr    terminal.Expr
	counter counters.Counter // without its count
}

// countedFrame is what a walk knows at one depth beside the state.
type countedFrame struct {
	need  uint32 // code points that a token takes to be complete
	count uint32 // those of the counted body on the way here
	runes uint32 // those that begin on the way here
	state uint32
	open  bool // state has repetitions without their bounds, see opened
}

// opened is where repetitions have lost their bounds on the way to a node.
type opened struct {
	expr  terminal.Expr // the state as it is
	since uint16        // at which depth
	left  uint32        // how many repetitions were left there

	bounded terminal.Expr // the state at this depth as it is, Empty: it is not known
}

// Where labels of up to 63 characters follow each other, nearly every byte leads to another state, and each of them
// takes longer to make than thousands of nodes to visit. But tokens tell hardly any of those states apart: where many
// repetitions are left, their number does not matter until a token has used up nearly all of them. So up to there the
// walk takes the state for the one without bounds (relax.UnboundedBody), in which mostly whole subtrees loop, and the
// few tokens that go further are followed in the state as it is. "Nearly all" is all but as many as code points
// complete the state: by the lemma there, up to then both go on alike and need the same.

// countedState is a state. What is known of those within the counted body holds whatever the count is.
type countedState struct {
	to      terminal.Transitions
	first   uint32 // where its transitions begin in next
	least   uint32 // code points to the body's end
	inside  bool   // within the counted body, otherwise after it
	between bool   // between code points
	loose   bool   // fewer than least may do
	regular bool   // the body can end after any number of code points from least on, or that does not matter
	asked   bool   // least and regular are known
	ends    bool   // the terminal may be complete here
	// it has a transition for every byte: within an escape, bytes of one class may differ in what they leave to come
	apart bool
	completion
	countedKey
	alive *terminal.ByteSet
	loop  *terminal.Loop // nil: not asked for yet
	open  terminal.Expr  // it without bounds for its repetitions, see relax.UnboundedBody
	left  uint32         // of those, 0 if there are none
	shape uint32         // the state of open, 0: not asked for yet
}

// slashes is how many places a state has in next before those of its classes: one for the backslash, which may begin an
// escape where other bytes of its class do not.
const slashes = 1

// place returns where in next the transition of byte b is.
func (s *countedState) place(b byte) uint32 {
	switch {
	case b == '\\':
		return s.first
	case s.apart:
		return s.first + slashes + uint32(b)
	}
	return s.first + slashes + s.to.Class(b)
}

// walkCounted is walkClass for a counted terminal. limit bounds the states that it knows at a time.
func (e *Sets) walkCounted(x terminal.Expr, w *Scratch, c *Class, limit int) {
	low, _, _ := counters.Bounds(e.store, x)
	v := countedWalk{e: e, w: w, c: c, limit: limit, bounded: low > 0}
	v.walk(x)
}

func (v *countedWalk) walk(x terminal.Expr) {
	p := &v.w.counted
	p.states, p.next = append(p.states[:0], countedState{}, countedState{}), p.next[:0]
	clear(p.ids)
	v.c.Ends = p.ends[:0]
	p.path[0] = countedFrame{state: v.state(x, 0)}
	for i := range v.e.starts(x, nil) {
		if !v.from(i) {
			break
		}
	}
	v.w.Visited += v.visited
	p.ends = v.c.Ends // settle copies them
}

// from walks the subtree of node i, which begins a token. It returns false if the budget is spent.
func (v *countedWalk) from(i uint32) bool {
	e, w, c, p := v.e, v.w, v.c, &v.w.counted
	nodes, bigs, path := e.tokens.Trie.Nodes, e.tokens.Trie.Bigs, p.path
	for end := nodes[i].End; i < end; {
		n := &nodes[i]
		v.visited++
		if len(p.states) > v.limit+int(n.Depth) {
			v.forget(path[:n.Depth])
		}
		f := path[n.Depth-1]
		from := &p.states[f.state]
		at := from.place(n.Byte)
		t := p.next[at]
		if t == plainUnknown {
			if t = v.step(f.state, at, n.Byte); w.Spent() {
				return false
			}
		}
		if t == plainDead {
			i = n.End
			continue
		}
		s := &p.states[t]
		if f.open || s.left >= manyLeft {
			if t = v.unbounded(t, n, &f); w.Spent() {
				return false
			}
			if t == plainDead {
				i = n.End
				continue
			}
			s = &p.states[t]
		}
		if n.Byte&0xC0 != 0x80 {
			f.runes++
			if from.inside && from.between && s.inside {
				f.count++
			}
		}
		f.state = t
		var into *ranges
		if s.inside {
			f.need = max(f.need, s.least+f.count)
			if s.loose {
				c.Enough = max(c.Enough, f.need)
			}
			if s.regular {
				into = c.group(int(f.need) - int(f.runes))
			}
		}
		if s.ends && n.End != i+1 {
			e.addEnds(c, i, s.expr, f.count, &s.completion)
		}
		if into == nil {
			v.single(i, s, f.count)
		} else {
			into.Add(n.Token, nodes[i+1].Token)
			if n.Big >= 0 && f.need == s.least+f.count && (!f.open || v.lasts(n, s.least)) &&
				v.covers(s, &bigs[n.Big]) {
				into.Add(nodes[i+1].Token, nodes[n.End].Token)
				i = n.End
				continue
			}
		}
		path[n.Depth] = f
		i++
	}
	return true
}

// step finds the state that s goes to with byte b, and keeps it at its place in next.
func (v *countedWalk) step(s uint32, at uint32, b byte) uint32 {
	st, p := v.e.store, &v.w.counted
	from := &p.states[s]
	if !from.alive.Has(b) {
		p.next[at] = plainDead
		return plainDead
	}
	single := from.apart || b == '\\'
	x, counter, known := terminal.Empty, from.counter, true
	if single {
		x, counter, _ = counters.StepFree(st, from.expr, from.counter, b)
		counter = counter.WithCount(0)
	} else if x, known = from.to.To(b); !known {
		x = st.Delta(from.expr, b)
	}
	t := uint32(plainDead)
	v.w.Over = v.w.Over || x == terminal.TooHard
	if x != terminal.Empty && !v.w.Over {
		t = v.state(x, counter)
	}
	if t != plainDead && !v.alive(t) {
		t = plainDead
	}
	// INVARIANT: where the store had to be asked, bytes of one class may go on differently.
	if single || known {
		p.next[at] = t
	}
	return t
}

// alive finds out what remains to be known of state t, which something leads to, and reports whether anything completes
// it.
func (v *countedWalk) alive(t uint32) bool {
	st, s := v.e.store, &v.w.counted.states[t]
	if !s.asked {
		s.asked = true
		if s.inside {
			low, _, _ := counters.Bounds(st, s.expr)
			short, _ := counters.Least(st, s.expr, s.counter)
			v.w.Over = v.w.Over || !short.Known
			s.least, s.loose = short.N, short.Loose
			s.regular = short.Regular || low == 0
		}
		if s.least != terminal.Unbounded {
			v.c.left = min(v.c.left, relax.RepeatsLeft(st, s.expr))
		}
	}
	return s.least != terminal.Unbounded
}

// manyLeft is from how many repetitions left on they count as unbounded, beside those that complete the state. Hardly
// any token exhausts as many.
const manyLeft = 32

// unbounded returns the state that stands for t, which the byte of node n leads to from frame f: t without bounds for
// its repetitions, as long as more than a few of them are left, and from there on t as it is. It notes in f which it
// is.
func (v *countedWalk) unbounded(t uint32, n *tokentrie.Node, f *countedFrame) uint32 {
	p := &v.w.counted
	var o opened
	used := uint32(0)
	if f.open {
		o = p.opened[n.Depth-1]
		if used = uint32(n.Depth - o.since); o.left <= used+p.states[t].least {
			x := v.bounds(n, &o)
			if f.open = false; x == terminal.Empty || v.w.Over {
				return plainDead
			}
			if t = v.state(x, p.states[t].counter); !v.alive(t) {
				return plainDead
			}
		}
	}
	if s := &p.states[t]; s.left >= manyLeft {
		if !f.open {
			o, used = opened{expr: s.expr, since: n.Depth, left: s.left}, 0
		}
		many, left := s.left, min(o.left, s.left+used)
		if id := v.open(t); many >= manyLeft+p.states[id].least && left > used+p.states[id].least {
			f.open, o.left, t = true, left, id
		}
	}
	if f.open {
		o.bounded = terminal.Empty
		p.opened[n.Depth] = o
		v.c.left = min(v.c.left, o.left-used)
	}
	return t
}

// bounds returns the state after the byte of node n with all bounds, o being what is known above it.
func (v *countedWalk) bounds(n *tokentrie.Node, o *opened) terminal.Expr {
	p := &v.w.counted
	from, x := n.Depth-1, o.expr // the nearest place where it is known
	for from > o.since && p.opened[from].bounded == terminal.Empty {
		from--
	}
	if from > o.since {
		x = p.opened[from].bounded
	}
	text := v.e.tokens.Trie.Bytes[v.e.tokens.Trie.Order[n.Token]][from:n.Depth]
	t, between, cost := relax.AfterBytes(v.e.store, x, text, v.w.between[:0])
	for i, y := range between {
		p.opened[int(from)+1+i].bounded = y
	}
	v.w.between = between
	v.w.Charge(limits.PartCost * cost)
	v.w.Over = v.w.Over || t == terminal.TooHard
	return t
}

// open returns the state that t is without bounds for its repetitions.
func (v *countedWalk) open(t uint32) uint32 {
	p := &v.w.counted
	if p.states[t].shape == 0 {
		id := v.state(p.states[t].open, p.states[t].counter)
		p.states[t].shape = id
		v.alive(id)
	}
	return p.states[t].shape
}

// lasts reports whether no token below node n, to which an open frame has come, can exhaust a repetition that counts as
// unbounded, while least code points complete the state.
func (v *countedWalk) lasts(n *tokentrie.Node, least uint32) bool {
	o := &v.w.counted.opened[n.Depth]
	used := uint32(n.Depth-o.since) + uint32(n.Below)
	if n.Below == 255 || used+least >= o.left {
		return false
	}
	v.c.left = min(v.c.left, o.left-used)
	return true
}

// state returns the number of a terminal's state, giving it one if it has none.
func (v *countedWalk) state(x terminal.Expr, counter counters.Counter) uint32 {
	p, st := &v.w.counted, v.e.store
	key := countedKey{x, counter}
	if t, ok := p.ids[key]; ok {
		return t
	}
	s := countedState{countedKey: key, alive: st.Alive(x), inside: counters.Inside(st, x), between: counter.Between()}
	if s.inside && !v.bounded {
		s.open, s.left = relax.UnboundedBody(st, x, manyLeft)
	}
	s.to, _ = st.Transitions(x)
	s.ends = counters.Complete(st, x) && (!s.inside || s.between)
	s.apart = s.inside && !s.between
	v.w.Term(st, x)
	v.w.Length(st, x, counter)
	return v.add(s)
}

// add gives a state a number.
func (v *countedWalk) add(s countedState) uint32 {
	p := &v.w.counted
	places := slashes + s.to.Classes()
	if s.apart {
		places = slashes + 256
	}
	s.first = uint32(len(p.next))
	p.next = slices.Grow(p.next, places)[:len(p.next)+places]
	clear(p.next[s.first:])
	t := uint32(len(p.states))
	p.states = append(p.states, s)
	p.ids[s.countedKey] = t
	return t
}

// forget keeps the states of a path alone: what has very many goes from state to state hardly ever to come back.
func (v *countedWalk) forget(path []countedFrame) {
	p := &v.w.counted
	old := slices.Clone(p.states)
	p.states, p.next = p.states[:2], p.next[:0]
	clear(p.ids)
	for d := range path {
		s := old[path[d].state]
		t, ok := p.ids[s.countedKey]
		if !ok {
			s.shape = 0
			t = v.add(s)
		}
		path[d].state = t
	}
}

// single adds the tokens of node i, which state s is after with so many code points, one by one.
func (v *countedWalk) single(i uint32, s *countedState, count uint32) {
	trie := v.e.tokens.Trie
	from, to := trie.Tokens(i)
	for _, id := range trie.Order[from:to] {
		if s.inside {
			v.c.Irregular = append(v.c.Irregular, counted{id, count, s.expr, s.counter.WithCount(count)})
		} else {
			v.c.Exits = append(v.c.Exits, exit{id, count})
		}
	}
}

// covers reports whether all of a subtree leaves s, in which a token needs what its end does, as it is. Where the
// terminal may be complete, a token for which there is no room may end it anywhere, with a byte that could go on: such
// escapes are then not all known.
func (v *countedWalk) covers(s *countedState, b *tokentrie.Big) bool {
	if !s.between || !b.WellFormed {
		return false
	}
	if s.loop == nil {
		s.loop = v.e.store.Loop(s.expr)
	}
	if !holds(s.loop, b) {
		return false
	}
	v.c.partial = v.c.partial || s.ends
	return true
}
