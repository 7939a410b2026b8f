package pushdown

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
)

// Step returns the state after byte b in state s: Dead if there is none, Over if the transition exceeds the bounds.
// Lock-free for transitions that were taken before.
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
	t := a.take(s, b)
	if _, ok := a.taken.priced(key); !ok {
		a.taken.setPrice(key, priceOf(a.costAtMost(s, b, t)))
	}
	return t
}

// StepKnown follows text from s along transitions that were taken before. It returns the state after the first n bytes
// and an upper bound of their cost, in the unit of limits.Budgets.Mask. It stops at a new transition, and at Dead or
// Over. It takes no lock.
func (a *Automaton) StepKnown(s StateID, text []byte) (t StateID, n, cost int) {
	return a.taken.follow(s, text, false)
}

// StepFree is StepKnown along transitions that are free.
func (a *Automaton) StepFree(s StateID, text []byte) (t StateID, n int) {
	t, n, _ = a.taken.follow(s, text, true)
	return t, n
}

// take is Step under the lock. It leaves the price of a new transition to Step, since transitions of sides need none.
func (a *Automaton) take(s StateID, b byte) StateID {
	key := transitionKey(s, b)
	t, ok := a.taken.get(key)
	if ok {
		return t
	}
	t = a.step(s, b)
	var about uint32
	if t > Over {
		about = unpriced<<effortBits | uint32(effortOf(a.took))
	}
	a.taken.put(key, t, about)
	if a.taken.n%sizeEvery == 0 {
		a.held.Store(int64(a.size()))
	}
	return t
}

// StepBytes returns the state after all of text.
func (a *Automaton) StepBytes(s StateID, text []byte) StateID {
	for _, b := range text {
		if s = a.Step(s, b); s <= Over {
			return s
		}
	}
	return s
}

// step makes the transition of state s by byte b, as a unit of work.
func (a *Automaton) step(s StateID, b byte) StateID {
	return a.budgeted(func() StateID {
		c, under := a.open(), len(a.under)
		c.stepItems(s, b)
		t := c.finish()
		a.keepTook(transitionKey(s, b), under)
		return t
	})
}

// stepItems adds the items of state s after byte b.
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

// rowWithin reports whether the transitions of the terminals of state s up to item i are within the bound of one byte.
// It adds the terminal of item i to sum, which holds the terminals before it.
func (a *Automaton) rowWithin(s StateID, i uint32, sum *int) bool {
	first := a.states.At(uint32(s)).items
	x := a.items.At(first + i).Terminal
	if i == 0 || a.items.At(first+i-1).Terminal != x { // items are sorted by terminal
		*sum += prices.Row(a.st, x)
	}
	return *sum <= a.bounds.rows
}

// Steps reports whether the transitions of all terminals of state s together are within the bound of one byte. If not,
// each byte leads to Over. Call it before Alive, which makes all transitions.
func (a *Automaton) Steps(s StateID) bool {
	rows := 0
	for i := range a.states.At(uint32(s)).n {
		if !a.rowWithin(s, i, &rows) {
			return false
		}
	}
	return true
}

// Complete returns the state after terminal e, which is complete, above node k.
func (a *Automaton) Complete(e terminal.Expr, k NodeID) StateID {
	tagged := a.st.View().Tagged(e)
	if !tagged {
		return a.After(k)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.budgeted(func() StateID { return a.complete(e, true, k) })
}

// complete is Complete within a unit of work.
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

// startWithin is start within a unit that pays for it. The start is a unit of its own, so Over is kept too.
func (a *Automaton) startWithin(k nodeID) StateID {
	s := a.start(k)
	if s == Over {
		panic(budgetSpent{})
	}
	a.charge(a.nodes.At(uint32(k)).part, a.unit.depth)
	return s
}
