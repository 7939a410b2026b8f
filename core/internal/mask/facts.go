package mask

import "github.com/sluice-engine/sluice/core/internal/terminal"

// facts are what a walk asks of a state again and again.
type facts struct {
	expr    terminal.Expr
	counter terminal.Counter // without its count
	left    uint32           // repetitions left
	regular bool             // it can end after any number of code points from least on, or that does not matter
	least   uint32
	loose   bool // fewer than least may do
	known   bool // regular and least are

	alive    *terminal.ByteSet
	complete bool // it is plain and may end here
	tagged   bool // it may end with a tag
	plain    bool // nothing is counted in it
	inside   bool // it is counted itself
	open     bool // its transitions are made one by one, nothing is counted in it, and it does not end with a tag
	to       terminal.Transitions
	loop     *terminal.Loop // nil: not asked for yet
	serial   uint64         // of the computation that met the state last
}

// knownFacts is how many facts a scratch keeps. A walk goes back and forth between some dozens of states, and the next one
// often between the same.
const knownFacts = 1024

// forget empties the facts, which are of another store.
func (w *scratch) forget() {
	for _, f := range w.used {
		*f = facts{}
	}
	w.used = w.used[:0]
}

// factsOf returns what is known of the state of a frame.
func (w *scratch) factsOf(t *termFrame) *facts {
	return w.factsAt(t.expr, t.counter)
}

func (w *scratch) factsAt(x terminal.Expr, c terminal.Counter) *facts {
	c = c.WithCount(0)
	f := &w.facts[(uint32(x)^uint32(c)<<6)%knownFacts]
	if f.expr != x || f.counter != c {
		st := w.store
		if f.expr == terminal.Empty {
			w.used = append(w.used, f)
		}
		*f = facts{expr: x, counter: c, left: st.RepeatsLeft(x), alive: st.Alive(x), tagged: st.Tagged(x), inside: st.Inside(x)}
		if f.to, f.plain = st.Transitions(x); f.plain {
			f.complete, f.open = st.Accepts(x, 0), st.IsOpen(x) && !f.tagged
		}
	}
	if f.serial != w.serial {
		f.serial = w.serial
		w.term(w.store, x)
		if f.inside {
			w.length(w.store, x, c)
		}
	}
	return f
}

// move returns the frame after byte b of a frame that facts have been put into, and what is known of it, nil if there is
// no transition.
func (w *scratch) move(f *termFrame, b byte) (t termFrame, known *facts) {
	ok := false
	if f.plain {
		t.expr, ok = f.to.To(b)
	}
	if !ok {
		t.expr, t.counter = w.store.Step(f.expr, f.counter, b)
	}
	switch t.expr {
	case terminal.TooHard:
		w.over = true
		return t, nil
	case terminal.Empty:
		return t, nil
	}
	known = w.factsOf(&t)
	if known.inside {
		w.room(w.store, t.expr, t.counter)
	}
	t.alive, t.plain, t.open, t.to = known.alive, known.plain, known.open, known.to
	return t, known
}

// frameOf returns the frame of an item's terminal.
func (w *scratch) frameOf(x terminal.Expr, c terminal.Counter) termFrame {
	t := termFrame{expr: x, counter: c}
	known := w.factsOf(&t)
	t.alive, t.plain, t.open, t.to = known.alive, known.plain, known.open, known.to
	return t
}

// accepts reports whether a frame is complete here.
func (w *scratch) accepts(t *termFrame, known *facts) bool {
	if known.plain {
		return known.complete
	}
	return w.store.Accepts(t.expr, t.counter)
}
