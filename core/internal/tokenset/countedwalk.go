package tokenset

import (
	"slices"

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
	limit   int // so many states beside those of its path, and it forgets the others
	visited int // trie nodes, which count when the walk is over
}

// countedStates is the states of one walk; they are kept in the scratch for their memory.
type countedStates struct {
	states []countedState
	// by state and what it tells apart, see countedState.place: the state after it, plainUnknown or plainDead
	next []uint32
	ids  map[countedKey]uint32
	path []countedFrame // by depth
	ends []ending       // in which the class's are gathered
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
}

// countedState is a state. What is known of those within the counted body holds whatever the count is.
type countedState struct {
	to      terminal.Transitions
	first   uint32 // where its transitions begin in next
	least   uint32 // code points to the body's end
	inside  bool   // within the counted body, otherwise after it
	between bool   // between code points
	regular bool   // the body can end after any number of code points from least on, or that does not matter
	asked   bool   // least and regular are known
	ends    bool   // the terminal may be complete here
	// it has a transition for every byte: within an escape, bytes of one class may differ in what they leave to come
	apart bool
	completion
	countedKey
	alive *terminal.ByteSet
	loop  *terminal.Loop // nil: not asked for yet
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
	v := countedWalk{e: e, w: w, c: c, limit: limit}
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
			if n.Big >= 0 && f.need == s.least+f.count && v.covers(s, &bigs[n.Big]) {
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
			short := counters.Least(st, s.expr, s.counter)
			v.w.Over = v.w.Over || !short.Known
			s.least = short.N
			s.regular = short.Regular || low == 0
		}
		if s.least != terminal.Unbounded {
			v.c.left = min(v.c.left, relax.RepeatsLeft(st, s.expr))
		}
	}
	return s.least != terminal.Unbounded
}

// state returns the number of a terminal's state, giving it one if it has none.
func (v *countedWalk) state(x terminal.Expr, counter counters.Counter) uint32 {
	p, st := &v.w.counted, v.e.store
	key := countedKey{x, counter}
	if t, ok := p.ids[key]; ok {
		return t
	}
	s := countedState{countedKey: key, alive: st.Alive(x), inside: counters.Inside(st, x), between: counter.Between()}
	s.to, _ = st.Transitions(x)
	s.ends = counters.Complete(st, x) && (!s.inside || s.between)
	s.apart = s.inside && !s.between
	v.w.Term(st, x)
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
