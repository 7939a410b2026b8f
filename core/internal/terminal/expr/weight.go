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

// Metered reports whether the price of the row of n is counted while the row is made: n has repetitions or is large,
// and contains neither And nor Not. Rows with And or Not combine other rows.
func (n *Node) Metered() bool {
	switch n.Flags & (FBoolean | FRepeat) {
	case FRepeat:
		return true
	case 0:
		return n.Weight >= meteredWeight
	}
	return false
}
