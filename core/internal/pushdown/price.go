package pushdown

import (
	"math"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
)

// The cost of a text is the work of its transitions in an automaton that has met nothing before, in the unit of
// limits.Budgets.Mask; work that several transitions share counts once. Nearly all texts stay far below their bound, so
// each transition has a price, an upper bound of its cost. The exact cost is computed if the sum of the prices exceeds
// the bound.

// free is the cost up to which a transition is free: some microseconds, which the length of a text bounds.
const free = 128

const (
	lastPrice   = unpriced - 1 // the price of all greater costs
	pricedSides = 32           // the most sides of boolean nodes that a price adds up
	metSides    = 256          // the most visits of sides for a price: a side within two others is visited twice
)

// priceBounds holds the greatest cost of each price, a fifth above the cost of the price before.
var priceBounds = func() (bounds [lastPrice + 1]int) {
	for p, cost := 0, free; p < lastPrice; p++ {
		bounds[p] = cost
		cost += cost / 5
	}
	bounds[lastPrice] = math.MaxInt32
	return bounds
}()

// priceBound returns the greatest cost of price p.
func priceBound(p uint32) int { return priceBounds[p] }

// priceOf returns the lowest price that stands for a cost.
func priceOf(cost int) uint32 {
	p, _ := slices.BinarySearch(priceBounds[:], cost)
	return uint32(min(p, lastPrice))
}

// costAtMost returns an upper bound of the cost of the transition from s by byte b to t. The caller holds the lock. Sides
// of boolean nodes may share the sides nested within them, so each is added once. The result is the highest price if
// there are too many sides or visits of them.
func (a *Automaton) costAtMost(s StateID, b byte, t StateID) int {
	first, many := func(Counted) bool { return true }, false
	if len(a.BooleanItems(s)) > 0 {
		if a.sidesOf(s) > metSides {
			return priceBound(lastPrice)
		}
		seen := &a.pricing
		seen.clear()
		first = func(x Counted) bool {
			if x.what != countedSide && x.what != countedStep {
				return true
			}
			many = many || seen.n == 2*pricedSides // each with its transition
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

// sideCost is stepCost for a side of a boolean node. It does not depend on the state after the transition.
func sideCost(a *Automaton, side StateID) int { return limits.SideCost * (1 + 2*a.Width(side)) }

// Cost returns the cost of the transition from s by byte b to t, which has been taken and is not free. Shared work counts
// if first reports that it is new.
func (a *Automaton) Cost(s StateID, b byte, t StateID, first func(x Counted) bool) (cost int) {
	if !first(Counted{countedStep, transitionKey(s, b)}) {
		return 0
	}
	part := func(p uint32) bool { return first(Counted{countedPart, p}) }
	return stepCost(a, s, t) + a.Charge(s, b, part) + a.sidesCost(s, b, first) + a.rowsCost(s, first)
}

// sidesCost returns the cost of stepping the sides of boolean nodes in state s by byte b, for the transitions that are
// new to first. The expensive part, Charge, is charged with the transition of s. A side may not have been stepped by
// byte b, because the other one has failed. The cost must not depend on that, so it takes the state after the transition
// to have as many items as the side.
func (a *Automaton) sidesCost(s StateID, b byte, first func(x Counted) bool) (cost int) {
	for _, it := range a.BooleanItems(s) {
		x := a.Boolean(it)
		for _, side := range [2]StateID{x.Left, x.Right} {
			if key := transitionKey(side, b); side > Over && first(Counted{countedStep, key}) {
				cost += sideCost(a, side) + a.sidesCost(side, b, first)
			}
		}
	}
	return cost
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

// rowsCost returns the cost of the transitions of the terminals of state s and of its sides that are new to first.
func (a *Automaton) rowsCost(s StateID, first func(x Counted) bool) (cost int) {
	for _, it := range a.BooleanItems(s) { // as deep as boolean nodes nest, which is limited
		b := a.Boolean(it)
		for _, side := range [2]StateID{b.Left, b.Right} {
			if side > Over && first(Counted{countedSide, uint32(side)}) {
				cost += a.rowsCost(side, first)
			}
		}
	}
	for _, it := range a.Items(s) {
		if first(Counted{countedRow, uint32(it.Terminal)}) {
			cost += limits.PartCost * prices.Row(a.st, it.Terminal)
		}
	}
	return cost
}
