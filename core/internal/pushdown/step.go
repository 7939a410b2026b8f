package pushdown

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

// Step returns the state after byte b in state s: Dead if there is none, Over if a budget was spent. Lock-free when the
// transition has been taken before.
func (a *Automaton) Step(s StateID, b byte) StateID {
	if s <= Over {
		return s
	}
	key := transitionKey(s, b)
	if t, ok := a.taken.priced(key); ok {
		return t
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	t, ok := a.taken.get(key)
	if !ok {
		t = a.take(s, b)
	}
	if _, ok = a.taken.priced(key); !ok {
		a.taken.setPrice(key, priceOf(a.costAtMost(s, b, t)))
	}
	return t
}

// StepKnown goes on from s along transitions that have been taken before. It returns the state after the first n bytes
// of text: all of them, those before a transition that nobody has taken yet, or those up to Dead or Over; and what
// these cost at most, in the unit of limits.Budgets.Mask. It takes no lock.
func (a *Automaton) StepKnown(s StateID, text []byte) (t StateID, n, cost int) {
	return a.taken.follow(s, text, false)
}

// StepFree is StepKnown as far as transitions are taken that cost nothing.
func (a *Automaton) StepFree(s StateID, text []byte) (t StateID, n int) {
	t, n, _ = a.taken.follow(s, text, true)
	return t, n
}

// take finds a transition that is not there yet, under the lock. Its price is left to Step: many transitions are taken for
// sides of boolean nodes, and nobody asks for the prices of those.
func (a *Automaton) take(s StateID, b byte) StateID {
	t := a.step(s, b)
	var about uint32
	if t > Over {
		about = unpriced<<effortBits | uint32(effortOf(a.took))
	}
	a.taken.put(transitionKey(s, b), t, about)
	if a.taken.n%sizeEvery == 0 {
		a.held.Store(int64(a.size()))
	}
	return t
}

// Work returns how many items, frames and predictions have been found so far, as limits.Budgets.Transition counts them.
func (a *Automaton) Work() int64 { return a.work.Load() }

// StepBytes returns the state after all of text.
func (a *Automaton) StepBytes(s StateID, text []byte) StateID {
	for _, b := range text {
		if s = a.Step(s, b); s <= Over {
			return s
		}
	}
	return s
}

// step finds the transition of state s by byte b, as a unit of work.
func (a *Automaton) step(s StateID, b byte) StateID {
	return a.budgeted(func() StateID {
		c, under := a.open(), len(a.under)
		c.stepItems(s, b)
		t := c.finish()
		a.keepTook(transitionKey(s, b), under)
		return t
	})
}

// stepItems adds what byte b makes of what state s is in the middle of, and reports whether the output may end there.
func (c *closure) stepItems(s StateID, b byte) {
	rec := c.states.At(uint32(s))
	rows := 0
	for i := uint32(0); i < rec.n; i++ {
		it := *c.items.At(rec.items + i)
		e, n := counters.Step(c.st, it.Terminal, it.Counter, b)
		if !c.rowWithin(s, i, &rows) || e == terminal.TooHard {
			panic(budgetSpent{})
		}
		if e == terminal.Empty {
			continue
		}
		tagged := c.st.View().Tagged(e)
		if tagged && !c.MayEnd(it.After, c.st.ReachableTags(e)) {
			continue
		}
		if c.st.GoesOn(e) {
			c.found.items = append(c.found.items, Item{e, n, it.After})
		}
		if counters.Accepts(c.st, e, n) {
			c.merge(c.complete(e, tagged, it.After))
		}
	}
	for _, it := range c.BooleanItems(s) {
		c.stepBoolean(it, b)
	}
}

// Steps reports whether state s can be stepped at all: whether the transitions of its terminals together are within what
// one byte may take. Where they are not, every byte leads to Over. Callers ask before Alive, which would make them all.
func (a *Automaton) Steps(s StateID) bool {
	rows := 0
	for i := range a.states.At(uint32(s)).n {
		if !a.rowWithin(s, i, &rows) {
			return false
		}
	}
	return true
}

// Complete returns the state of what follows terminal state e, which is complete, above node k.
func (a *Automaton) Complete(e terminal.Expr, k NodeID) StateID {
	tagged := a.st.View().Tagged(e)
	if !tagged {
		return a.After(k)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.budgeted(func() StateID { return a.complete(e, true, k) })
}

// complete returns the state of what follows terminal state e, which is complete, above node k, within a unit of work.
func (a *Automaton) complete(e terminal.Expr, tagged bool, k nodeID) StateID {
	if !tagged {
		return a.startWithin(k)
	}
	c := a.open()
	var buf [4]uint32
	tags, bare := a.st.View().Tags(e, buf[:0])
	for _, t := range tags {
		s := a.startTagged(k, t)
		if s == Over {
			panic(budgetSpent{})
		}
		a.charge(a.tagged[taggedKey{k, t}].part, 0)
		c.merge(s)
	}
	if bare {
		c.merge(a.startWithin(k))
	}
	return c.finish()
}

// startWithin is start for a unit of work that is charged for it. What takes too much is found out as a unit of its
// own, so that it is kept.
func (a *Automaton) startWithin(k nodeID) StateID {
	s := a.start(k)
	if s == Over {
		panic(budgetSpent{})
	}
	a.charge(a.nodes.At(uint32(k)).part, a.unit.depth)
	return s
}
