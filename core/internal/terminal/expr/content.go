package expr

import (
	"cmp"
	"slices"
)

// leastOrder is the least hash of an expression that is not one of the constants Empty, Epsilon and TooHard. Constants
// come first in every list.
const leastOrder = 2

// contentHash returns a hash of a node's content, the same in every store. Lists are ordered by it: ids depend on the
// order of requests, and results must not.
func (s *Nodes) contentHash(k Kind, a, b, c uint32, list []Expr) uint64 {
	h := mix(uint64(k)+1, uint64(c))
	child := func(x uint32) uint64 { return s.Node(Expr(x)).order }
	switch k {
	case KBytes:
		for _, w := range s.Sets.At(a) {
			h = mix(h, w)
		}
	case KConcat, KSpelled:
		h = mix(mix(h, child(a)), child(b))
	case KNot, KStar:
		h = mix(h, child(a))
	case KRepeat:
		h = mix(mix(h, child(a)), uint64(b))
	case KCount:
		bd := s.Bounds.At(b)
		h = mix(mix(mix(h, child(a)), uint64(bd.Min)|uint64(bd.Max)<<32), uint64(bd.Enc))
	case KText:
		h = mix(mix(h, s.Texts.At(a).hash), uint64(b))
	case KMachine:
		h = mix(mix(h, s.NamedMachine(a).hash), s.Texts.At(b).hash)
	case KScan:
		h = mix(mix(h, (*s.Scans.At(a)).hash), uint64(b))
	default:
		h = mix(mix(h, uint64(a)), uint64(b))
	}
	for _, x := range list {
		h = mix(h, s.Node(x).order)
	}
	return max(h^h>>32, leastOrder)
}

// CompareContent orders expressions by the hash of their content, in the same way in every store; by id if two hashes
// are equal.
func (s *Nodes) CompareContent(x, y Expr) int {
	if x == y {
		return 0
	}
	if c := cmp.Compare(s.Node(x).order, s.Node(y).order); c != 0 {
		return c
	}
	return cmp.Compare(x, y)
}

// SortedSet sorts l by content and drops duplicates.
func (s *Nodes) SortedSet(l []Expr) []Expr {
	switch {
	case len(l) < 2:
		return l
	case len(l) <= sortInPlace:
		slices.SortFunc(l, s.CompareContent)
		return slices.Compact(l)
	}
	var room [sortRoom]ordered
	keys := room[:0]
	for _, x := range l {
		keys = append(keys, ordered{s.Node(x).order, x})
	}
	slices.SortFunc(keys, func(x, y ordered) int {
		if c := cmp.Compare(x.order, y.order); c != 0 {
			return c
		}
		return cmp.Compare(x.e, y.e)
	})
	for i, k := range keys {
		l[i] = k.e
	}
	return slices.Compact(l)
}

// ordered is an expression with its hash.
//
// PERF: unions of hundreds of members spent most of their time fetching nodes to compare them.
type ordered struct {
	order uint64
	e     Expr
}

const (
	sortInPlace = 8   // members up to which each comparison fetches the nodes
	sortRoom    = 128 // members that need no allocation
)
