package expr

import (
	"math"
	"slices"
)

// The weight of an expression is how many of its parts a transition looks at. What is shared among them counts as often
// as it is met, but for the parts that members of a union or intersection begin with: searches all begin with any text.
// The weight is fixed when the expression is made, and says what a transition costs before anybody takes it. Budgets
// are sums of weights, and so the same whoever asks, and whatever was asked before. Only what repetitions lead to is
// not seen before: it is counted while it is made, see rowCost.

// Weight returns the weight of e.
func (s *Store) Weight(e Expr) int { return int(s.Node(e).Weight) }

// weightOf returns the weight of a new node.
func (s *Store) weightOf(k Kind, a, b uint32, list []Expr) uint32 {
	w := uint64(1)
	switch k {
	case KConcat, KSpelled:
		w += uint64(s.Weight(Expr(a)))
		if s.Maybe(Expr(a)) {
			w += uint64(s.Weight(Expr(b)))
		}
	case KOr, KAnd:
		w += s.weightOfMembers(list)
	case KNot, KStar, KRepeat, KCount:
		w += uint64(s.Weight(Expr(a)))
	case KMachine:
		w += machineWeight
	}
	return uint32(min(w, math.MaxInt32))
}

// sharedHeads is of how many beginnings of members it is noted that they are the same.
const sharedHeads = 4

// weightOfMembers returns the weight of the members of a union or intersection.
func (s *Store) weightOfMembers(list []Expr) (w uint64) {
	var heads [sharedHeads]Expr
	known := heads[:0]
	for _, x := range list {
		n := s.Node(x)
		w += uint64(n.Weight)
		if n.Kind != KConcat || n.Weight == math.MaxInt32 {
			continue
		}
		switch head := n.Head(); {
		case slices.Contains(known, head):
			w -= uint64(s.Weight(head))
		case len(known) < sharedHeads:
			known = append(known, head)
		}
	}
	return w
}

// machineWeight is the weight of a state of a machine: some do arithmetic on large numbers, which takes a microsecond,
// about as much time as so many derivatives of parts.
const machineWeight = 10

// TooHard is where a transition leads of which it is not known whether anything can follow, or that is heavier than
// the budget of an expression. It is no dead end: who comes to it has to say that a limit was met.
const TooHard Expr = 2

// What the work on derivatives counts for in steps: one is a comparison of two parts, which takes 6 ns. The others are
// from unions of hundreds of sequences that are new with every byte, where what is looked at is seldom in a cache.
const (
	partSteps   = 14  // a derivative of a part
	signSteps   = 25  // the signature of a part
	internSteps = 35  // looking for an expression, or making it
	listSteps   = 8   // each of its members
	memberSteps = 20  // a member of a union that is sorted
	manySteps   = 100 // a member of an intersection of many, which is sorted and compared with what others exclude
	// stepsAtOnePart is how many of them count for one part. Unions of hundreds of sequences take 50 to 70 ms within
	// the budget of a mask, and of some that are looked at again and again 20.
	stepsAtOnePart = 3
	// searchSteps is how many steps other than comparisons count for one unit of a search, whose states are small: they
	// take 2 to 3 ns each there, a unit 18 to 32 ns.
	searchSteps = 10
	// rowSteps is the same for one part of the row of an expression that repeats something.
	rowSteps = 5
)

// Tally counts the steps of one row, or of one search. When they come to more than that may take, the store stops
// comparing the members of unions, and what it makes is given up.
type Tally struct {
	s          *Store
	begin, end int    // of s.steps
	pairs      int    // s.pairs at its begin
	unions     unions // of the tally that it interrupts
	outer      int    // the end of that tally
}

// Spent reports whether there have been too many steps.
func (s *Store) Spent() bool { return s.stepsEnd != 0 && s.steps > s.stepsEnd }

// Count begins a tally that ends at a budget, in parts.
func (s *Store) Count(budget int) Tally {
	t := Tally{s: s, begin: s.steps, pairs: s.pairs, outer: s.stepsEnd, unions: s.unions}
	t.end = t.begin + stepsAtOnePart*budget
	s.stepsEnd, s.unions, s.spare = t.end, s.spare, unions{}
	return t
}

// Close ends the tally. The one that it interrupted does not count its steps.
func (t *Tally) Close() {
	s := t.s
	s.steps, s.pairs, s.stepsEnd = t.begin, t.pairs, t.outer
	s.unions.forget()
	s.unions, s.spare = t.unions, s.unions
}

// Parts returns how much has been counted, in parts. Where that is more than the budget it is the budget: how far a
// step goes beyond it is of no interest.
func (t *Tally) Parts() int { return (min(t.s.steps, t.end) - t.begin) / stepsAtOnePart }

// Compared returns the part of it that comparisons were; all of it, where the budget is spent.
func (t *Tally) Compared() int {
	if t.s.steps > t.end {
		return t.Parts()
	}
	return (t.s.pairs - t.pairs) / stepsAtOnePart
}

// Searched returns how much has been counted in the unit of limits.Budgets.Search.
func (t *Tally) Searched() int { return t.counted(searchSteps) }

// Made returns how much has been counted for the row of an expression that repeats something, in parts.
func (t *Tally) Made() int { return t.counted(rowSteps) }

// counted returns what has been counted where so many steps other than comparisons count for one.
func (t *Tally) counted(steps int) int {
	if t.s.steps > t.end {
		return t.Parts()
	}
	pairs := t.s.pairs - t.pairs
	return pairs/stepsAtOnePart + (t.s.steps-t.begin-pairs)/steps
}

// NoBudget is the budget where rows of parts are used that may be there or not, so that what is counted is history.
const NoBudget = math.MaxInt32

// countedWeight is from which weight on the row of an expression is counted that repeats nothing between bounds.
//
// PERF: a row of a union of thirteen sequences of twenty parts that overlap, as of ((.*a)(?=.*ab).{3,})*, takes 2 to 5
// ms for what becomes of its members, nine times as much as its parts tell.
const countedWeight = 512

// Counted reports whether what the row of n takes is counted: what becomes of unions of repetitions, and of large unions,
// cannot be seen before. Of intersections and complements it is not, whose rows are put together from those of others.
func (n *Node) Counted() bool {
	switch n.Flags & (FBoolean | FRepeat) {
	case FRepeat:
		return true
	case 0:
		return n.Weight >= countedWeight
	}
	return false
}

// RowWeight is how often a row looks at each part of an expression, about: once for each class of bytes.
const RowWeight = 6

// RowPrice returns the price of the transitions of e, in parts.
func (s *Store) RowPrice(e Expr) int {
	if r := s.Fact(e, FactRow); r != 0 {
		if price := s.Rows.At(r).Price; price > 0 {
			return int(price)
		}
	}
	return RowWeight * s.Weight(e)
}

// sharedWeight is from which weight on the parts of an expression that are the same are told apart.
const sharedWeight = 256

// memberParts is what a member of a union or intersection counts for besides its parts: what becomes of the members is
// sorted, and made one.
const memberParts = 5

// DistinctParts returns how many different parts of e a transition looks at, or e's weight where that is small. It
// visits what they share once, as derivatives do: of a sequence of a thousand optional parts, each twice as heavy, all
// the tails.
func (s *Store) DistinctParts(e Expr) int {
	if s.Weight(e) < sharedWeight {
		return s.Weight(e)
	}
	s.epochs++
	before := s.epoch
	s.epoch = s.epochs
	n := s.countParts(e)
	s.epoch = before
	return n
}

// countParts counts the parts of e that this traversal has not met.
func (s *Store) countParts(e Expr) (parts int) {
	for ; ; parts++ {
		m, n := s.mark(e), s.Node(e)
		if m.signed == s.epoch {
			return parts
		}
		m.signed = s.epoch
		switch n.Kind {
		case KConcat, KSpelled: // a loop: sequences are longer than stacks should be deep
			parts += s.countParts(n.Head())
			if !s.Maybe(n.Head()) {
				return parts + 1
			}
			e = n.Tail()
			continue
		case KOr, KAnd:
			parts += memberParts * int(n.N)
			for _, x := range s.List(n) {
				parts += s.countParts(x)
			}
		case KNot, KStar, KRepeat, KCount:
			parts += s.countParts(n.Body())
		case KMachine:
			parts += machineWeight
		}
		return parts + 1
	}
}
