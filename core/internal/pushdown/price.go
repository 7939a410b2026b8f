package pushdown

import (
	"math"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
)

// What a text costs is the sum of what its transitions take where nothing has been found before, in the unit of
// limits.Budgets.Mask, what several of them need counted once. Nearly all texts stay far below what they may cost, so
// each transition has a price, which is at least what it takes: only where the prices come to too much the cost is
// found.

// free is up to which cost a transition is free: some microseconds, which the length of a text bounds.
const free = 128

const (
	lastPrice   = unpriced - 1 // of all that costs more than the others stand for
	pricedSides = 32           // sides of boolean nodes that are looked at for a price
	metSides    = 256          // how often sides may be met for it: one that is within two others is met twice
)

// priceBounds holds the greatest cost that each price stands for, a fifth above that of the price before.
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

// costAtMost returns what the transition from s by byte b to t costs at most, under the lock. Sides of boolean nodes
// may share the sides nested within them, so each is looked at once. Where there are too many to remember, or they are
// met too often, the result is the highest price.
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

// sideCost is stepCost for a side of a boolean node, of which the state after the transition is not asked for.
func sideCost(a *Automaton, side StateID) int { return limits.SideCost * (1 + 2*a.Width(side)) }

// Cost returns what the transition from s by byte b to t costs, which has been taken and is not free, but for what
// first knows; first reports whether it has not seen something.
func (a *Automaton) Cost(s StateID, b byte, t StateID, first func(x Counted) bool) (cost int) {
	if !first(Counted{countedStep, transitionKey(s, b)}) {
		return 0
	}
	part := func(p uint32) bool { return first(Counted{countedPart, p}) }
	return stepCost(a, s, t) + a.Charge(s, b, part) + a.sidesCost(s, b, first) + a.rowsCost(s, first)
}

// sidesCost returns what byte b takes to step the sides of boolean nodes in state s, except for the transitions that
// first knows. The expensive part, Charge, is charged with the transition of s. A side may not have been stepped by
// byte b at all: once one side has failed, nobody asks for the other. The cost must not depend on that, so the state
// after the transition is taken to have as many items as the side itself.
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

// rowWithin reports whether the transitions of the terminals of state s up to item i are within what one byte may
// take, of which sum holds those before i.
func (a *Automaton) rowWithin(s StateID, i uint32, sum *int) bool {
	first := a.states.At(uint32(s)).items
	x := a.items.At(first + i).Terminal
	if i == 0 || a.items.At(first+i-1).Terminal != x { // items are sorted by terminal
		*sum += prices.Row(a.st, x)
	}
	return *sum <= a.bounds.rows
}

// rowsCost returns what the transitions of the terminals of state s cost, its sides' among them, but for what first
// knows.
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
