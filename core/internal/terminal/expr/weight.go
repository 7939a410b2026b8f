package expr

import (
	"math"
	"slices"
)

// weightOf returns the weight of a new node: the number of parts that a transition looks at. A part that occurs twice
// counts twice. But a head that several members share counts once: searches without anchors all begin with any text.
//
// The weight is fixed when the node is made, so that budgets, which are sums of weights, do not depend on earlier work.
// It does not show the parts that derivatives of repetitions make. Tally counts those.
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

// sharedHeads bounds the heads that weightOfMembers compares.
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

// machineWeight is the weight of a state of a machine: a microsecond of arithmetic on large numbers.
const machineWeight = 10

// meteredWeight is the least weight of an expression without bounded repetitions whose row is counted.
//
// PERF: a row of a union of thirteen overlapping sequences of twenty parts, as in ((.*a)(?=.*ab).{3,})*, takes 2 to 5
// ms, nine times as long as its weight says. Rows of 159 parts in 1,000 times \p{L}+\p{N} take 1 ms, 14 times as long,
// and masks of them took 102 ms within their budget.
const meteredWeight = 128

// Metered reports whether the price of the row of n is counted while it is made: n has repetitions or is large, and
// neither And nor Not. Rows with And or Not combine other rows.
func (n *Node) Metered() bool {
	switch n.Flags & (FBoolean | FRepeat) {
	case FRepeat:
		return true
	case 0:
		return n.Weight >= meteredWeight
	}
	return false
}

// sharedWeight is the least weight of an expression whose different parts are counted.
const sharedWeight = 256

// memberParts is the cost of a member of a union or intersection besides its parts: derivatives are sorted and merged.
const memberParts = 5

// DistinctParts returns the number of different parts of e that a transition looks at, or the weight of a light e. A
// sequence of a thousand optional parts shares all its tails.
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

// countParts counts the parts of e that this traversal has not visited.
func (s *Nodes) countParts(e Expr) (parts int) {
	for ; ; parts++ {
		m, n := s.mark(e), s.Node(e)
		if m.signed == s.epoch {
			return parts
		}
		m.signed = s.epoch
		switch n.Kind {
		case KConcat, KSpelled: // a loop: sequences may be longer than the stack is deep
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
