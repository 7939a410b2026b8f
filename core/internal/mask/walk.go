package mask

import (
	"sort"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/tokentrie"
)

// ranges is a set of tokens as half-open ranges of the trie's order, ascending.
type ranges []uint32

func (r *ranges) add(from, to uint32) {
	if from == to {
		return
	}
	if n := len(*r); n > 0 && (*r)[n-1] == from {
		(*r)[n-1] = to
		return
	}
	*r = append(*r, from, to)
}

// normalise sorts ranges that were gathered out of order and merges those that overlap.
func (r *ranges) normalise() {
	x := *r
	sorted := true
	for i := 2; i < len(x) && sorted; i += 2 {
		sorted = x[i] >= x[i-1]
	}
	if sorted {
		return
	}
	sort.Sort(byStart(x))
	out := x[:2]
	for i := 2; i < len(x); i += 2 {
		if last := len(out) - 1; x[i] <= out[last] {
			out[last] = max(out[last], x[i+1])
		} else {
			out = append(out, x[i], x[i+1])
		}
	}
	*r = out
}

type byStart ranges

func (r byStart) Len() int           { return len(r) / 2 }
func (r byStart) Less(i, j int) bool { return r[2*i] < r[2*j] }
func (r byStart) Swap(i, j int) {
	r[2*i], r[2*j] = r[2*j], r[2*i]
	r[2*i+1], r[2*j+1] = r[2*j+1], r[2*i+1]
}

func (r ranges) count() int {
	n := 0
	for i := 0; i < len(r); i += 2 {
		n += int(r[i+1] - r[i])
	}
	return n
}

// walkFrame is the state at one depth of a walk.
type walkFrame struct {
	state pushdown.StateID
	alive *terminal.ByteSet
}

// scratch is what one computation of a mask works with. One goroutine at a time.
type scratch struct {
	ranges ranges
	stack  []walkFrame
	frames []termFrame
	extra  []uint32 // tokens found one by one
	list   []uint32 // tokens of a class
	narrow []narrow
	leads  []led
	named  []uint32 // tokens that the grammar names as tokens
	meter
	spare   []meter // for units
	serials uint64  // of computations
	ahead   bool    // no answer depends on the computation: it prepares others
	a       *pushdown.Automaton
	text    bool // special tokens are text
	counts  []pushdown.Item
	both    []pushdown.Item
	store   *terminal.Store
	facts   factTable // of states of the store
	items   []itemFrame
	plain   plainStates
	counted countedStates
	between []terminal.Expr
}

// walkNodes adds to w.ranges the tokens in nodes[i:end] that keep the state above them alive, which w.stack holds. It
// leaves out what is dead, and what loops: a subtree that an item leaves unchanged is allowed as a whole.
func (e *Engine) walkNodes(a *pushdown.Automaton, i, end uint32, w *scratch) {
	nodes := e.tokens.Trie.Nodes
	stack := w.stack
	for i < end {
		n := &nodes[i]
		w.visited++
		f := &stack[n.Depth-1]
		if !f.alive.Has(n.Byte) {
			i = n.End
			continue
		}
		t := a.Step(f.state, n.Byte)
		if !w.step(a, f.state, n.Byte, t) || w.spent() {
			return
		}
		if t == pushdown.Dead {
			i = n.End
			continue
		}
		w.ranges.add(n.Token, nodes[i+1].Token)
		if n.End == i+1 {
			i++
			continue
		}
		if n.Big >= 0 && e.loops(a, t, &e.tokens.Trie.Bigs[n.Big]) {
			w.ranges.add(nodes[i+1].Token, nodes[n.End].Token)
			i = n.End
			continue
		}
		stack[n.Depth] = walkFrame{t, a.Alive(t)}
		i++
	}
}

// walkItem adds to w.ranges the tokens that one item lets through. It walks the trie along with the item's terminal,
// whose transitions all grammars share, and goes on with states only where the terminal is complete. The ranges may
// then overlap and be in no order. Tokens that begin with bytes of known runs are left out.
func (e *Engine) walkItem(a *pushdown.Automaton, it *pushdown.Item, known *runs, w *scratch) {
	start := w.frameOf(it.Terminal, it.Counter)
	for b := start.alive.Next(0); b < terminal.TokenMark; b = start.alive.Next(b + 1) {
		if known != nil && known.set.Has(byte(b)) {
			continue
		}
		if i := e.tokens.Trie.Root[b]; i != 0 {
			e.walkItemAt(a, it, start, i, 0, w)
		}
	}
}

const (
	// itemLevels is how many terminals within one token are walked item by item. An item's transitions are shared by
	// all grammars and mostly known, those of a state are its own; but what two items have in common is walked twice,
	// so that further on it is states.
	itemLevels = 3
	// itemsAtOnce bounds the items of a state that is walked item by item.
	itemsAtOnce = 6
)

// byItems reports whether state s, which so many terminals of a token lead to, is walked item by item.
func byItems(a *pushdown.Automaton, s pushdown.StateID, level int) bool {
	items := a.Items(s)
	n := len(items)
	return level < itemLevels && n <= itemsAtOnce && (n == 0 || !items[n-1].IsBoolean()) // they sort last
}

// walkAfter adds to w.ranges the tokens in nodes[i:end], the subtrees below a node after which the state is s.
func (e *Engine) walkAfter(a *pushdown.Automaton, s pushdown.StateID, i, end uint32, level int, w *scratch) {
	if w.spent() {
		return
	}
	nodes := e.tokens.Trie.Nodes
	if !byItems(a, s, level) {
		w.stack[nodes[i].Depth-1] = walkFrame{s, a.Alive(s)}
		e.walkNodes(a, i, end, w)
		return
	}
	for k := range a.Items(s) {
		it := &a.Items(s)[k]
		start := w.frameOf(it.Terminal, it.Counter)
		for j := i; j < end; j = nodes[j].End {
			if start.alive.Has(nodes[j].Byte) {
				e.walkItemAt(a, it, start, j, level, w)
			}
		}
	}
}

// walkItemAt is walkItem for the tokens in the subtree of node i, the item's terminal being at start before the node's
// byte, after level other terminals.
func (e *Engine) walkItemAt(
	a *pushdown.Automaton, it *pushdown.Item, start itemFrame, i uint32, level int, w *scratch,
) {
	nodes, frames := e.tokens.Trie.Nodes, w.items
	w.meet(start.facts)
	frames[nodes[i].Depth-1] = start
	for end := nodes[i].End; i < end; {
		n := &nodes[i]
		w.visited++
		f := &frames[n.Depth-1]
		if !f.alive.Has(n.Byte) {
			i = n.End
			continue
		}
		if f.open {
			e.walkOpen(a, it, f.expr, i, level, w)
			i = n.End
			continue
		}
		t, ok := w.move(f, n.Byte)
		if w.spent() {
			return
		}
		if !ok || t.tagged && !w.mayEnd(&t, a, it.After) {
			i = n.End
			continue
		}
		after := pushdown.Dead
		if (n.End > i+1 || t.last) && w.accepts(&t) {
			after = a.Complete(t.expr, it.After)
			if !w.complete(a, it.After, after) {
				return
			}
		}
		if t.last && after <= pushdown.Over {
			i = n.End // what follows cannot go on
			continue
		}
		w.ranges.add(n.Token, nodes[i+1].Token)
		if n.End == i+1 {
			i++
			continue
		}
		if n.Big >= 0 && e.covers(t.expr, t.counter, &e.tokens.Trie.Bigs[n.Big]) {
			w.ranges.add(nodes[i+1].Token, nodes[n.End].Token)
			i = n.End
			continue
		}
		if after > pushdown.Over && len(a.Items(after)) > 0 {
			if s := e.together(a, &t, it, after, w); s != pushdown.Dead {
				if !w.reached(s) {
					return
				}
				w.stack[n.Depth] = walkFrame{s, a.Alive(s)}
				e.walkNodes(a, i+1, n.End, w)
				i = n.End
				continue
			}
			e.walkAfter(a, after, i+1, n.End, level+1, w)
		}
		if t.last {
			i = n.End
			continue
		}
		frames[n.Depth] = t
		i++
	}
}

// together returns the state of being at t, within item it, or in state after, which comes after the item. It returns
// Dead where no byte goes on with both: then it takes no more steps to walk them one after the other, and those of t
// are steps that all grammars share. Where some byte does, the ways to read a token would be walked one by one, and
// they multiply.
func (e *Engine) together(
	a *pushdown.Automaton, t *itemFrame, it *pushdown.Item, after pushdown.StateID, w *scratch,
) pushdown.StateID {
	if t.last || !t.alive.Intersects(a.Alive(after)) {
		return pushdown.Dead
	}
	w.both = append(append(w.both[:0], a.Items(after)...),
		pushdown.Item{Terminal: t.expr, Counter: t.counter, After: it.After})
	s, work := a.InternItems(w.both, false, w.parts.add)
	w.charge(limits.StepCost*len(w.both) + limits.ClosureCost*work)
	return s
}

// loops reports whether some item of state s stays what it is through all of a subtree. A boolean node does if its
// sides do; what its right side could deny is decided at the node's end or, of distinct items, at theirs, and those lie
// beyond.
func (e *Engine) loops(a *pushdown.Automaton, s pushdown.StateID, b *tokentrie.Big) bool {
	if !b.WellFormed {
		return false
	}
	for _, it := range a.Items(s) {
		if it.IsBoolean() {
			n := a.Boolean(it)
			if e.loops(a, n.Left, b) && (n.Is != grammar.Both || e.loops(a, n.Right, b)) {
				return true
			}
			continue
		}
		if e.covers(it.Terminal, it.Counter, b) {
			return true
		}
	}
	return false
}

// holds reports whether the text of a subtree, which is well-formed, is made of code points that loop.
func holds(l *terminal.Loop, b *tokentrie.Big) bool {
	return b.ASCII[0]&^l.ASCII[0]|b.ASCII[1]&^l.ASCII[1]|b.Leads&^l.Leads == 0
}

// covers reports whether terminal state x stays what it is through all of a subtree, its counter running within bounds.
func (e *Engine) covers(x terminal.Expr, c terminal.Counter, b *tokentrie.Big) bool {
	if !b.WellFormed || !holds(e.store.Loop(x), b) {
		return false
	}
	low, high, counting := e.store.Counting(x)
	if !counting || high == terminal.Unbounded {
		return true
	}
	if !c.Between() {
		return false
	}
	short := e.store.Least(x, c)
	return short.Known && (short.Regular || c.Count() >= low) && c.Count()+uint32(b.MaxRunes) <= high-min(short.N, high)
}

// walkNamed finds the tokens that state s allows as tokens, whatever text they spell, and those of which no walk
// through the trie knows.
func (e *Engine) walkNamed(a *pushdown.Automaton, s pushdown.StateID, w *scratch) {
	w.named = w.named[:0]
	if !a.Alive(s).Has(terminal.TokenMark) {
		return
	}
	first := a.Step(s, terminal.TokenMark)
	w.step(a, s, terminal.TokenMark, first)
	each := func(s pushdown.StateID, f func(s pushdown.StateID, b uint32)) {
		if s <= pushdown.Over {
			return
		}
		alive := a.Alive(s)
		for b := alive.Next(0); b < 256 && !w.spent(); b = alive.Next(b + 1) {
			t := a.Step(s, byte(b))
			w.visited++
			if w.step(a, s, byte(b), t) && t > pushdown.Over {
				f(t, uint32(b))
			}
		}
	}
	each(first, func(s pushdown.StateID, hi uint32) {
		if hi<<16 >= e.tokens.size {
			return
		}
		each(s, func(s pushdown.StateID, mid uint32) {
			if hi<<16|mid<<8 >= e.tokens.size {
				return
			}
			each(s, func(_ pushdown.StateID, lo uint32) {
				if id := hi<<16 | mid<<8 | lo; id < e.tokens.size {
					w.named = append(w.named, id)
				}
			})
		})
	})
	for _, m := range e.tokens.marked {
		if e.tokens.isSpec[m.id] && !w.text {
			continue
		}
		t := s
		for _, b := range m.text {
			from := t
			if t = a.Step(from, b); !w.step(a, from, b, t) || t <= pushdown.Over {
				break
			}
			w.visited++
		}
		if t > pushdown.Over && !w.spent() {
			w.named = append(w.named, m.id)
		}
	}
}

// termFrame is a terminal's state at one depth of a walk through a class.
type termFrame struct {
	expr    terminal.Expr
	other   terminal.Expr // of a difference walk
	ended   bool          // of a difference walk: expr is complete here or further up
	counter terminal.Counter
	alive   *terminal.ByteSet
	open    bool // transitions are made one by one, nothing is counted, and no tag is waited for
	plain   bool // nothing is counted, and to is the state's transitions
	to      terminal.Transitions
	runes   uint32 // code points that begin on the way here
	need    uint32 // code points that a counted token takes to be complete
	inside  bool   // it is counted
	exited  bool   // the counted body is over; count holds how long it was
}
