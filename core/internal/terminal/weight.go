package terminal

import (
	"math"
	"slices"
)

// The weight of an expression is how many of its parts a transition looks at. What is shared among them counts as often as
// it is met, but for the parts that members of a union or intersection begin with: searches all begin with any text. The
// weight is fixed when the expression is made, and says what a transition costs before anybody takes it. Budgets are sums of
// weights, and so the same whoever asks, and whatever was asked before.

// weight returns the weight of e.
func (s *Store) weight(e Expr) int { return int(s.node(e).weight) }

// Weight returns how many parts of e a transition looks at.
func (s *Store) Weight(e Expr) int { return s.weight(e) }

// weightOf returns the weight of a new node.
func (s *Store) weightOf(k kind, a, b uint32, list []Expr) uint32 {
	w := uint64(1)
	switch k {
	case kConcat, kSpelled:
		w += uint64(s.weight(Expr(a)))
		if s.maybe(Expr(a)) {
			w += uint64(s.weight(Expr(b)))
		}
	case kOr, kAnd:
		w += s.weightOfMembers(list)
	case kNot, kStar, kRepeat, kCount:
		w += uint64(s.weight(Expr(a)))
	case kMachine:
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
		n := s.node(x)
		w += uint64(n.weight)
		if n.kind != kConcat || n.weight == math.MaxInt32 {
			continue
		}
		switch head := Expr(n.a); {
		case slices.Contains(known, head):
			w -= uint64(s.weight(head))
		case len(known) < sharedHeads:
			known = append(known, head)
		}
	}
	return w
}

// machineWeight is the weight of a state of a machine: some do arithmetic on large numbers, which takes a microsecond, about
// as much time as so many derivatives of parts.
const machineWeight = 10

// TooHard is where a transition leads of which it is not known whether anything can follow, or that is heavier than
// the budget of an expression. It is no dead end: who comes to it has to say that a limit was met.
const TooHard Expr = 2

// targets finds out for the derivatives of one row which of them are empty.
type targets struct {
	s     *Store
	asked []Expr
	cost  int
}

// target returns what stands in a row for derivative t.
func (x *targets) target(t Expr) Expr {
	s := x.s
	n := s.node(t)
	if int(n.weight) > s.budgets.Expression {
		return TooHard
	}
	if n.flags&fBoolean == 0 {
		return t
	}
	if !slices.Contains(x.asked, t) {
		if x.cost > s.budgets.Row {
			return TooHard
		}
		x.asked = append(x.asked, t)
		s.emptiness(t)
		x.cost += s.emptinessCost(t)
	}
	switch s.emptiness(t) {
	case empty:
		return Empty
	case tooHard:
		return TooHard
	}
	return t
}

// rowWeight is how often a row looks at each part of an expression, about: once for each class of bytes.
const rowWeight = 6

// RowCost returns what the transitions of e take when nobody has made them before, in parts that are looked at. They have
// been asked for.
func (s *Store) RowCost(e Expr) int {
	if r := s.fact(e, factRow); r != 0 {
		return int(s.rows.At(r).cost)
	}
	return rowWeight * s.weight(e)
}

// sharedWeight is from which weight on the parts of an expression that are the same are told apart.
const sharedWeight = 256

const (
	// memberParts is what a member of a union or intersection counts for besides its parts: what becomes of the members
	// is sorted, and made one.
	memberParts = 5
	// pairsAsOne is how many pairs of members that are compared count for one part.
	pairsAsOne = 6
)

// distinctParts returns how many different parts of e a transition looks at, or e's weight where that is small. It
// visits what they share once, as derivatives do: of a sequence of a thousand optional parts, each twice as heavy, all
// the tails.
func (s *Store) distinctParts(e Expr) int {
	if s.weight(e) < sharedWeight {
		return s.weight(e)
	}
	s.epochs++
	before := s.epoch
	s.epoch = s.epochs
	n := s.countParts(e)
	s.epoch = before
	return n
}

func (s *Store) countParts(e Expr) (parts int) {
	for ; ; parts++ {
		m, n := s.mark(e), s.node(e)
		if m.signed == s.epoch {
			return parts
		}
		m.signed = s.epoch
		switch n.kind {
		case kConcat, kSpelled: // a loop: sequences are longer than stacks should be deep
			parts += s.countParts(Expr(n.a))
			if !s.maybe(Expr(n.a)) {
				return parts + 1
			}
			e = Expr(n.b)
			continue
		case kOr, kAnd:
			parts += memberParts * int(n.n)
			if n.flags&fRepeat != 0 && n.n <= containedMembers {
				parts += int(min(n.n*n.n, unionSteps)) / pairsAsOne
			}
			for _, x := range s.list(n) {
				parts += s.countParts(x)
			}
		case kNot, kStar, kRepeat, kCount:
			parts += s.countParts(Expr(n.a))
		case kMachine:
			parts += machineWeight
		}
		return parts + 1
	}
}
