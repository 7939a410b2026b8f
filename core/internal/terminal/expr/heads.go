package expr

// Within a code point, everything that is asked of a text goes on with the same bytes: the members of an intersection
// begin alike, and what follows is the state that they are in after any other code point. Taking the beginning out
// makes the states within code points sequences that lead there, about which nothing has to be found out anew.

// headMembers bounds the intersections that are looked at, prefixDepth how deep a common beginning is.
const (
	headMembers = 16
	prefixDepth = 32
)

// factorAnd turns x·a ∧ x·b ∧ ¬(x·c) into x·(a ∧ b ∧ ¬c), where no string of x begins another one: then
// it is the same one in all of them. Of one byte each, the beginnings may differ.
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
			for i := range set {
				set[i] &= s.Sets.At(head.A)[i]
			}
		}
	}
	if common == Empty || !bytes && !s.prefixFree(common, prefixDepth) {
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
				continue // nothing of it is in the others
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

// prefixFree reports whether no string of x begins another one.
func (s *Store) prefixFree(x Expr, depth int) bool {
	n := s.Node(x)
	switch n.Kind {
	case KBytes:
		return true
	case KConcat, KSpelled:
		return depth > 0 && s.prefixFree(n.Head(), depth-1) && s.prefixFree(n.Tail(), depth-1)
	case KOr:
		var firsts ByteSet
		for _, y := range s.List(n) {
			first := s.First(y)
			if depth == 0 || first.Intersects(&firsts) || !s.prefixFree(y, depth-1) {
				return false
			}
			firsts.Union(&first)
		}
		return true
	}
	return false
}
