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

// weightOf returns the weight of a new node.
func (s *Nodes) weightOf(k Kind, a, b uint32, list []Expr) uint32 {
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
func (s *Nodes) weightOfMembers(list []Expr) (w uint64) {
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

// sharedWeight is from which weight on the parts of an expression that are the same are told apart.
const sharedWeight = 256

// memberParts is what a member of a union or intersection counts for besides its parts: what becomes of the members is
// sorted, and made one.
const memberParts = 5

// DistinctParts returns how many different parts of e a transition looks at, or e's weight where that is small. It
// visits what they share once, as derivatives do: of a sequence of a thousand optional parts, each twice as heavy, all
// the tails.
func (s *Nodes) DistinctParts(e Expr) int {
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
func (s *Nodes) countParts(e Expr) (parts int) {
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
