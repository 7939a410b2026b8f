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
	if e, ok := s.factorAnd(l); ok {
		return e
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

// headMembers bounds the members of a factored intersection, headLooks the parts of the common head.
const (
	headMembers = 16
	headLooks   = 64
)

// factorAnd turns x·a ∧ x·b ∧ ¬(x·c) into x·(a ∧ b ∧ ¬c) if x is prefix-free, or if the heads are sets of bytes (Lemma
// 116). ok is false for other members. Within a code point all members have the same head, so states there become
// sequences that need no search.
func (s *Store) factorAnd(l []Expr) (Expr, bool) {
	if len(l) > headMembers {
		return Empty, false
	}
	common, set, bytes := Empty, ByteSet{}, true
	for _, x := range l {
		n := s.Node(x)
		if n.Kind == KNot {
			continue
		}
		if n.Kind != KConcat || common != Empty && n.A != uint32(common) && !bytes {
			return Empty, false
		}
		head := s.Node(n.Head())
		switch {
		case common == Empty:
			common, bytes = n.Head(), head.Kind == KBytes
			if bytes {
				set = *s.Sets.At(head.A)
			}
		case n.A == uint32(common):
		case head.Kind != KBytes:
			return Empty, false
		default:
			set.Intersect(s.Sets.At(head.A))
		}
	}
	looks := headLooks
	// A text stays: Exclusion has to find the whole string in front of a Not.
	if common == Empty || !bytes && (s.Node(common).Kind == KText || !s.PrefixFree(common, &looks)) {
		return Empty, false
	}
	var buf [headMembers]Expr
	rest := buf[:0]
	for _, x := range l {
		n := s.Node(x)
		if n.Kind != KNot {
			rest = append(rest, n.Tail())
			continue
		}
		m := s.Node(n.Body())
		switch {
		case m.Kind != KConcat:
			return Empty, false
		case !bytes:
			if m.A != uint32(common) {
				return Empty, false
			}
		default:
			head := s.Node(m.Head())
			if head.Kind != KBytes {
				return Empty, false
			}
			if other := s.Sets.At(head.A); !other.Intersects(&set) {
				continue // it excludes nothing
			} else if !other.Contains(&set) {
				return Empty, false
			}
		}
		rest = append(rest, s.Not(m.Tail()))
	}
	if bytes {
		common = s.Bytes(set)
	}
	return s.Concat(common, s.And(rest...)), true
}
