package tokenset

import (
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
)

// Facts are what walks ask of a state again and again. They are found once for a store, and stay where they are.
type Facts struct {
	Expr    terminal.Expr
	counter counters.Counter // without its count
	left    uint32           // repetitions left

	complete bool // it may end here, and is not counted itself
	Tagged   bool // it may end with a tag
	plain    bool // nothing is counted in it
	inside   bool // it is counted itself
	Open     bool // its transitions are made one by one, and nothing is counted in it
	Last     bool // no byte goes on
	price    int  // of its transitions
	Alive    *terminal.ByteSet
	to       terminal.Transitions
	links    []*Facts       // by class of bytes: where that leads, nil: not asked yet; see moveCounted
	head     counters.Head  // of one that is counted itself
	loop     *terminal.Loop // nil: not asked yet
	Tags     []uint32       // those that a tagged one may end in, nil: not asked yet
	serial   uint64         // of the computation that met the state last
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

// forget empties the table while a walk is going on, which keeps what it holds.
func (t *factTable) forget() { *t = factTable{} }

// reset empties the table where no walk is going on. Its memory is used again.
func (t *factTable) reset() {
	clear(t.slots[:])
	clear(t.links[:t.linked])
	t.n, t.linked = 0, 0
}

// release is reset, and lets go of the store that the facts are of.
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

// lookUp returns what is known of a state.
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
	*f = Facts{Expr: x, counter: c, left: relax.RepeatsLeft(st, x), Alive: st.Alive(x), Tagged: st.View().Tagged(x)}
	if f.inside = counters.Inside(st, x); f.inside {
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

// ItemFrame is where the terminal of an item is at one depth of a walk.
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
	if f.links == nil {
		f.links = w.facts.linksOf(f.to.Classes())
	}
	class := f.to.Class(b)
	next := f.links[class]
	if !f.plain {
		return w.moveCounted(f, b, &f.links[class])
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
			f.links[class] = next
		}
	}
	w.Meet(next)
	return ItemFrame{Facts: next}, true
}

// moveCounted is Move for a state in which something is counted. link is where bytes of the class of b lead, as far as is
// known; they lead there at other places within a code point, too.
//
// PERF: where a walk of a million nodes goes along it, a node takes 40 ns with all that the walk does, and 90 if Step is
// asked each time. A plain one takes 10: when both counted alike, masks took 300 ms within the budget.
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
// where the store has to be asked.
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

// some reports whether x is a state that goes on, and notes where that is too hard to know.
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
