package tokenset

import (
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
	"github.com/sluice-engine/sluice/core/internal/tokentrie"
)

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
		f.sprawls = st.View().Sprawls(x)
	}
	return f
}

// FrameOf returns the frame of an item's terminal.
func (w *Scratch) FrameOf(x terminal.Expr, c counters.Counter) ItemFrame {
	return ItemFrame{w.lookUp(x, c), c}
}

// Meet charges the transitions of a state once.
func (w *Scratch) Meet(f *Facts) {
	if f.serial == w.serial {
		return
	}
	f.serial = w.serial
	w.term(f.Expr, f.price)
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

// moveCounted is Move for a state in which something is counted. link caches the state after all bytes of b's class,
// nil if it is not known. It holds no states within a backslash sequence.
//
// PERF: a node of a long walk takes 40 ns, and 90 with a call of Step. A node without counts takes 10 and costs less:
// at one cost for both, masks of 300 ms stayed within the budget.
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

// arrive charges the transitions of a state in which something is counted, and returns its frame.
func (w *Scratch) arrive(f *Facts, c counters.Counter) ItemFrame {
	w.Meet(f)
	return ItemFrame{f, c}
}

// moveFree is Move without bounds. It returns false if nothing completes the state after b.
func (w *Scratch) moveFree(f *Facts, b byte) (t ItemFrame, ok bool) {
	x, counter, known := terminal.Empty, f.counter, false
	if f.apart || b == '\\' {
		x, counter, _ = counters.StepFree(w.Store, f.Expr, f.counter, b)
	} else if x, known = f.to.To(b); !known {
		x = w.Store.Delta(f.Expr, b)
	}
	if !w.some(x) {
		return t, false
	}
	next := w.lookUp(x, counter)
	if w.Meet(next); next.inside && w.lengthsOf(next).least == terminal.Unbounded {
		return t, false
	}
	if known {
		f.linksIn(&w.facts)[f.to.Class(b)] = next
	}
	return ItemFrame{next, next.counter}, true
}

// lengthsOf returns the lengths of a state inside the body.
func (w *Scratch) lengthsOf(f *Facts) *lengths {
	if l := &f.lengths; !l.known {
		low, _, _ := counters.Bounds(w.Store, f.Expr)
		short := counters.Least(w.Store, f.Expr, f.counter)
		w.Over = w.Over || !short.Known
		*l = lengths{short.Known, short.N, short.Regular || low == 0}
	}
	return &f.lengths
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

// Covers reports whether the terminal of a frame lets through all texts below node i: its state loops on them or has a
// round for each code point.
func (w *Scratch) Covers(t *ItemFrame, trie *tokentrie.Trie, i uint32) bool {
	if t.loop.Loop == nil {
		t.loop = coverOf(w.Store.Loop(t.Expr))
	}
	if trie.Nodes[i].Kinds&^t.loop.all == 0 && !t.inside {
		return true
	}
	if ok, runes := t.loop.holds(trie, i); ok {
		return !t.inside || t.head.RunsFor(t.Counter, runes)
	}
	return t.plain && !t.Tagged && w.hasRounds(t.Facts, trie, i)
}

// hasRounds reports whether f begins with a repetition whose rounds suffice for all texts below node i (Lemma 170).
//
// PERF: every character of an e-mail address or host name leads to a state with one round less. Its token set took
// 75,000 nodes (1.2 ms), now 6,000.
func (w *Scratch) hasRounds(f *Facts, trie *tokentrie.Trie, i uint32) bool {
	if f.rounds == nil {
		f.rounds = &rounds{}
		if body, most, ok := relax.Rounds(w.Store, f.Expr); ok {
			*f.rounds = rounds{coverOf(w.Store.Loop(w.Store.Star(body))), most}
		}
	}
	if f.rounds.most == 0 {
		return false
	}
	ok, runes := f.rounds.each.holds(trie, i)
	return ok && runes <= f.rounds.most
}
