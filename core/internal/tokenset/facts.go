package tokenset

import (
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
)

// Facts are the properties of a state that walks need. They are found once for a store and do not move.
type Facts struct {
	Expr    terminal.Expr
	counter counters.Counter // without its count

	complete   bool // it may end here, and is not counted itself
	Tagged     bool // it may end with a tag
	plain      bool // nothing is counted in it
	inside     bool // it is counted itself
	apart      bool // it is counted itself, and within an escape
	maybe      bool // it may end here at some count
	Open       bool // its transitions are made one by one, and nothing is counted in it
	Last       bool // no byte goes on
	price      int  // of its transitions
	Alive      *terminal.ByteSet
	to         terminal.Transitions
	links      []*Facts      // by class of bytes: the state after it, nil: not known; see moveCounted
	head       counters.Head // of one that is counted itself
	loop       cover         // nil: not asked yet
	rounds     *rounds       // nil: not asked yet
	Tags       []uint32      // those that a tagged one may end in, nil: not asked yet
	lengths                  // of one that is counted itself
	completion completion
	serial     uint64 // of the computation that met the state last
}

// rounds is a bounded repetition that a state begins with.
type rounds struct {
	each cover // code points that are a round each
	most uint32
}

// knownFacts is how many states a scratch knows facts of. A walk goes back and forth between some dozens of states, and
// the next one often between the same.
const knownFacts = 1024

// factTable finds facts by state: open addressing. They lie in chunks, so that walks can hold on to them.
type factTable struct {
	slots  [2 * knownFacts]*Facts
	chunks [][]Facts
	n      int
	links  []*Facts // that facts take theirs from
	linked int      // of those, how many are taken
}

const (
	factsAtOnce = 64   // a chunk
	linksAtOnce = 2048 // pointers
)

// forget empties the table in the middle of a walk. Facts that the walk holds stay valid.
func (t *factTable) forget() { *t = factTable{} }

// reset empties the table between walks, and keeps its memory.
func (t *factTable) reset() {
	clear(t.slots[:])
	clear(t.links[:t.linked])
	t.n, t.linked = 0, 0
}

// release is reset, and drops all references to the store.
func (t *factTable) release() {
	for i := 0; i < t.n; i += factsAtOnce {
		clear(t.chunks[i/factsAtOnce])
	}
	t.reset()
}

// add returns new facts, to be found at slot i.
func (t *factTable) add(i uint32) *Facts {
	if t.n%factsAtOnce == 0 && t.n/factsAtOnce == len(t.chunks) {
		t.chunks = append(t.chunks, make([]Facts, factsAtOnce))
	}
	f := &t.chunks[t.n/factsAtOnce][t.n%factsAtOnce]
	t.slots[i] = f
	t.n++
	return f
}

// linksOf returns room for so many links.
func (t *factTable) linksOf(n int) []*Facts {
	if t.linked+n > len(t.links) {
		t.links, t.linked = make([]*Facts, linksAtOnce), 0
	}
	t.linked += n
	return t.links[t.linked-n : t.linked : t.linked]
}

// linksIn returns the links of f, which table t has room for.
func (f *Facts) linksIn(t *factTable) []*Facts {
	if f.links == nil {
		f.links = t.linksOf(f.to.Classes())
	}
	return f.links
}

// lookUp returns the facts of a state.
func (w *Scratch) lookUp(x terminal.Expr, c counters.Counter) *Facts {
	t := &w.facts
	c = c.WithCount(0)
	const last = uint32(len(t.slots) - 1)
	h := (uint32(x) ^ uint32(c)<<6) * 0x9E3779B1 >> 8 & last
	i := h
	for ; t.slots[i] != nil; i = (i + 1) & last {
		if f := t.slots[i]; f.Expr == x && f.counter == c {
			return f
		}
	}
	if t.n == knownFacts {
		t.forget()
		i = h
	}
	f, st := t.add(i), w.Store
	*f = Facts{Expr: x, counter: c, Alive: st.Alive(x), Tagged: st.View().Tagged(x)}
	f.maybe = counters.Complete(st, x)
	if f.inside = counters.Inside(st, x); f.inside {
		f.apart = !c.Between()
		f.head = counters.HeadOf(st, x, c)
	} else {
		f.complete = counters.Accepts(st, x, 0)
	}
	f.price = prices.Row(st, x)
	f.Last = f.Alive.IsEmpty()
	if f.to, f.plain = st.Transitions(x); f.plain {
		f.Open = st.View().IsOpen(x)
	}
	return f
}

// Meet charges the transitions of a state once.
func (w *Scratch) Meet(f *Facts) {
	if f.serial == w.serial {
		return
	}
	f.serial = w.serial
	if w.terms.Add(uint32(f.Expr)) {
		w.Cost += limits.PartCost * f.price
	}
}

// ItemFrame is the state of a terminal at one depth of a walk.
type ItemFrame struct {
	*Facts
	Counter counters.Counter
}

// FrameOf returns the frame of an item's terminal.
func (w *Scratch) FrameOf(x terminal.Expr, c counters.Counter) ItemFrame {
	return ItemFrame{w.lookUp(x, c), c}
}

// Move returns the frame after byte b, which is alive, and false if there is no transition.
func (w *Scratch) Move(f *ItemFrame, b byte) (t ItemFrame, ok bool) {
	links, class := f.linksIn(&w.facts), f.to.Class(b)
	next := links[class]
	if !f.plain {
		return w.moveCounted(f, b, &links[class])
	}
	if next == nil {
		x, known := f.to.To(b)
		if !known {
			x = w.Store.Delta(f.Expr, b)
		}
		if !w.some(x) {
			return t, false
		}
		if next = w.lookUp(x, 0); known {
			links[class] = next
		}
	}
	w.Meet(next)
	return ItemFrame{Facts: next}, true
}

// moveCounted is Move for a state in which something is counted. link is the state after bytes of the class of b, nil if
// that is not known; it does not depend on the place within a code point.
//
// PERF: a node of a long walk takes 40 ns, and 90 if it calls Step each time. A plain one takes 10: when both counted
// alike, masks took 300 ms within the budget.
func (w *Scratch) moveCounted(f *ItemFrame, b byte, link **Facts) (t ItemFrame, ok bool) {
	w.Cost += limits.NodeCost - 1
	if next := *link; next != nil {
		if c, fits, known := f.follow(next, b); known {
			if !fits {
				return t, false
			}
			return w.arrive(next, c), true
		}
	}
	x, c := counters.Step(w.Store, f.Expr, f.Counter, b)
	if !w.some(x) {
		return t, false
	}
	next := w.lookUp(x, c)
	if to, known := f.to.To(b); known && to == x && c.Between() {
		*link = next
	}
	return w.arrive(next, c), true
}

// follow returns the counter after byte b, which leads to next, and whether the bounds can still be kept. known is false
// if the store has to decide.
func (f *ItemFrame) follow(next *Facts, b byte) (c counters.Counter, fits, known bool) {
	switch {
	case !f.inside:
		return 0, true, true
	case !next.inside:
		return 0, f.head.Holds(f.Counter), true
	}
	return next.head.After(f.Counter, b)
}

// arrive returns the frame of a state in which something is counted, which is met.
func (w *Scratch) arrive(f *Facts, c counters.Counter) ItemFrame {
	w.Meet(f)
	return ItemFrame{f, c}
}

// some reports whether x is a state. It sets Over if x is TooHard.
func (w *Scratch) some(x terminal.Expr) bool {
	w.Over = w.Over || x == terminal.TooHard
	return x != terminal.Empty && x != terminal.TooHard
}

// Accepts reports whether a frame is complete here.
func (w *Scratch) Accepts(t *ItemFrame) bool {
	if t.inside {
		return t.head.Accepts(t.Counter)
	}
	return t.complete
}
