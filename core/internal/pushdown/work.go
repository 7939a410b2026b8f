package pushdown

import (
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
)

// The cost of a text is the work of its transitions in a new automaton, in the unit of limits.Budgets.Mask. Work that
// several transitions share counts once. Nearly all texts stay far below their bound, so each transition has a price,
// an upper bound of its cost. Callers compute the exact cost only if the sum of the prices exceeds the bound.

// Work returns the number of items, frames and predictions so far, as limits.Budgets.Transition counts them.
func (a *Automaton) Work() int64 { return a.work.Load() }

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

// accounted runs f as a unit of work and returns its price, as Charge does.
func (a *Automaton) accounted(first func(x Counted) bool, f func() StateID) (s StateID, cost int) {
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

// keepTook sets took for the transition from s by b that the present unit has made. The transitions of wide states are
// dear, so that bytes which share one pay once.
func (a *Automaton) keepTook(s StateID, b byte, under int) {
	if a.took = a.most(under); a.Wide(s) {
		a.took = max(a.took, leastDear)
	}
	if key := transitionKey(s, b); effortOf(a.took) == dear {
		a.dearOf[key] = a.newPart(stepPart, under)
	}
}

// Charge returns the price of the transition from s by b to t in a new automaton, in the unit of limits.Budgets.Mask.
// The transition must have been taken. first reports whether a charge is new; other charges are free.
func (a *Automaton) Charge(s StateID, b byte, t StateID, first func(x Counted) bool) (cost int) {
	key := transitionKey(s, b)
	e := a.taken.effort(key)
	if e != dear {
		return stepCost(a, s, t) + e.cost()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	work := a.sum(a.dearOf[key], first)
	if work == 0 { // a byte like b has paid
		return limits.AlikeCost * a.Width(s)
	}
	return limits.StepCost*(1+a.Width(s)) + limits.ClosureCost*work // which counts the items of t
}

// ChargeAfter is Charge for After(k), which was called.
func (a *Automaton) ChargeAfter(k NodeID, first func(x Counted) bool) (cost int) {
	r := a.nodes.At(uint32(k))
	e := effort(r.start.Load() >> StateBits)
	if e != dear {
		return e.cost()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return limits.ClosureCost * a.sum(r.part, first)
}

const (
	pricedSides = 32  // costAtMost adds up the costs of at most so many sides of boolean nodes
	metSides    = 256 // costAtMost visits no side if sidesOf returns more
)

// costAtMost returns an upper bound of the cost of the transition from s by byte b to t. The caller holds the lock.
// Sides of boolean nodes may share the sides nested within them, so each is added once. If there are too many sides,
// the result is the highest price.
func (a *Automaton) costAtMost(s StateID, b byte, t StateID) int {
	first, many := func(Counted) bool { return true }, false
	if len(a.BooleanItems(s)) > 0 {
		if a.sidesOf(s) > metSides {
			return priceBound(lastPrice)
		}
		seen := &a.pricing
		seen.Clear()
		first = func(x Counted) bool {
			if kind := x >> 32 << 32; kind != countedSide && kind != countedStep {
				return true
			}
			many = many || seen.Len() == 2*pricedSides // a side and its transition are two charges
			return !many && seen.Add(x)
		}
	}
	key := transitionKey(s, b)
	e := a.taken.effort(key)
	work := e.cost()
	if e == dear {
		work = limits.ClosureCost * int(a.parts.At(uint32(a.dearOf[key])).most)
	}
	cost := stepCost(a, s, t) + work + a.sidesCost(s, b, first) + a.rowsCost(s, first)
	if many {
		return priceBound(lastPrice)
	}
	return cost
}

func stepCost(a *Automaton, s, t StateID) int {
	return limits.StepCost * (1 + a.Width(s) + a.Width(t))
}

// sideCost is stepCost for a side of a boolean node, as if the state after the transition were as large as the side.
func sideCost(a *Automaton, side StateID) int { return limits.SideCost * (1 + 2*a.Width(side)) }

// Cost returns the cost of the transition from s by byte b to t, which has been taken and is not free. Shared work
// counts if first reports that it is new.
func (a *Automaton) Cost(s StateID, b byte, t StateID, first func(x Counted) bool) (cost int) {
	if !first(countedStep | Counted(transitionKey(s, b))) {
		return 0
	}
	return a.Charge(s, b, t, first) + a.sidesCost(s, b, first) + a.rowsCost(s, first)
}

// sidesCost returns the cost of stepping the sides of boolean nodes in state s by byte b, for the transitions that are
// new to first. It omits the work of dear transitions, because the transition of s has paid for it (stepSide). A side
// may not have been stepped by byte b, because the other one failed. So the cost does not depend on the state after the
// transition.
func (a *Automaton) sidesCost(s StateID, b byte, first func(x Counted) bool) (cost int) {
	for _, it := range a.BooleanItems(s) {
		x := a.Boolean(it)
		for _, side := range [2]StateID{x.Left, x.Right} {
			if key := transitionKey(side, b); side > Over && first(countedStep|Counted(key)) {
				cost += sideCost(a, side) + a.sidesCost(side, b, first)
			}
		}
	}
	return cost
}

// rowsCost returns the cost of the transitions of the terminals of state s and of its sides that are new to first.
func (a *Automaton) rowsCost(s StateID, first func(x Counted) bool) (cost int) {
	for _, it := range a.BooleanItems(s) { // as deep as boolean nodes nest, which is limited
		b := a.Boolean(it)
		for _, side := range [2]StateID{b.Left, b.Right} {
			if side > Over && first(countedSide|Counted(side)) {
				cost += a.rowsCost(side, first)
			}
		}
	}
	for _, it := range a.Items(s) {
		if first(countedRow | Counted(it.Terminal)) {
			cost += limits.PartCost * prices.Row(a.st, it.Terminal)
		}
	}
	return cost
}
