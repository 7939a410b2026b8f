package expr

import (
	"slices"
)

// largeAnd is the number of members of an intersection beyond which manySteps are counted for each: sorting and
// comparing them takes most of the time.
const largeAnd = 16

// And returns the intersection of expressions that count nothing.
func (s *Store) And(xs ...Expr) Expr {
	var buf [largeAnd]Expr
	l := buf[:0]
	for _, x := range xs {
		n := s.Node(x)
		switch n.Kind {
		case KEmpty:
			return Empty
		case KTop:
		case KAnd:
			l = append(l, s.List(n)...)
		default:
			l = append(l, x)
		}
	}
	l = s.SortedSet(l)
	if len(l) > largeAnd {
		s.steps += manySteps * len(l)
	}
	var room [largeAnd]Expr
	l, others := s.dropImplied(l, room[:0])
	if s.excludesItself(l, others) {
		return Empty
	}
	switch len(l) {
	case 0:
		return s.top()
	case 1:
		return l[0]
	}
	if l[0] == Epsilon {
		for _, x := range l[1:] {
			if !s.Nullable(x) {
				return Empty
			}
		}
		return Epsilon
	}
	set := ByteSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	for _, x := range l {
		n := s.Node(x)
		if n.Kind != KBytes {
			return s.Intern(KAnd, 0, 0, 0, l)
		}
		t := s.Sets.At(n.A)
		set.Intersect(t)
	}
	return s.Bytes(set)
}

// dropImplied drops "any text" beside a member that is text, and "not the empty string" beside one that does not match
// it. It appends to others the members that are no exclusions: they are mostly few, beside hundreds of exclusions.
func (s *Nodes) dropImplied(l, others []Expr) (kept, positive []Expr) {
	for e, star := range s.AnyText {
		i := slices.Index(l, star)
		if i < 0 || len(l) < 2 {
			continue
		}
		for j, x := range l {
			if j != i && s.Node(x).Subset>>e&1 != 0 {
				l = slices.Delete(l, i, i+1)
				break
			}
		}
	}
	notEmpty := -1
	for i, x := range l {
		if n := s.Node(x); n.Kind != KNot {
			others = append(others, x)
		} else if n.A == uint32(Epsilon) {
			notEmpty = i
		}
	}
	if notEmpty >= 0 && slices.ContainsFunc(l, func(y Expr) bool { return y != l[notEmpty] && !s.Nullable(y) }) {
		l = slices.Delete(l, notEmpty, notEmpty+1)
	}
	return l, others
}
