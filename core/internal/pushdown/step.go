package pushdown

import (
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
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
	t, ok := a.taken.get(key)
	if !ok {
		t = a.take(s, b)
	}
	if _, ok = a.taken.priced(key); !ok {
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

// take makes a new transition, under the lock. Step sets its price later, since transitions of sides need none.
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

// Work returns the number of items, frames and predictions so far, as limits.Budgets.Transition counts them.
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

// budgeted runs f as a unit of work. It returns Over if that exceeds the bounds.
func (a *Automaton) budgeted(f func() StateID) (s StateID) {
	found, gathered := a.found.level(), len(a.gathered)
	under, charged := len(a.under), len(a.charged)
	outer := a.unit
	a.newUnit()
	defer func() {
		a.work.Add(int64(a.unit.fresh))
		a.under, a.charged = a.under[:under], a.charged[:charged]
		a.unit = outer
		if r := recover(); r != nil {
			if _, ok := r.(budgetSpent); !ok {
				panic(r)
			}
			a.found.cut(found)
			a.gathered = a.gathered[:gathered]
			s = Over
		}
	}()
	return f()
}

// keepTook keeps the price of the transition that the present unit has made.
func (a *Automaton) keepTook(key uint32, under int) {
	if a.took = a.most(under); effortOf(a.took) == dear {
		a.dearOf[key] = a.newPart(stepPart, under)
	}
}

// Charge returns the cold price of the transition of s by b, which was taken, in the unit of limits.Budgets.Mask.
// Parts that first knows are free; first(p) reports whether p is new.
func (a *Automaton) Charge(s StateID, b byte, first func(part uint32) bool) (cost int) {
	key := transitionKey(s, b)
	e := a.taken.effort(key)
	if e != dear {
		return e.cost()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return limits.ClosureCost * a.sum(a.dearOf[key], first)
}

// ChargeAfter is Charge for After(k), which was called.
func (a *Automaton) ChargeAfter(k NodeID, first func(part uint32) bool) (cost int) {
	r := a.nodes.At(uint32(k))
	e := effort(r.start.Load() >> StateBits)
	if e != dear {
		return e.cost()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return limits.ClosureCost * a.sum(r.part, first)
}

// accounted runs f as a unit of work and returns its price, as Charge does.
func (a *Automaton) accounted(first func(part uint32) bool, f func() StateID) (s StateID, cost int) {
	s = a.budgeted(func() StateID {
		under := len(a.under)
		s := f()
		if e := effortOf(a.most(under)); e != dear {
			cost = e.cost()
			return s
		}
		work := a.unit.own
		for _, p := range a.under[under:] {
			work += a.sum(p, first)
		}
		cost = limits.ClosureCost * work
		return s
	})
	return s, cost
}
