package terminal

// Within a code point, everything that is asked of a text goes on with the same bytes: the members of an intersection
// begin alike, and what follows is the state that they are in after any other code point. Taking the beginning out
// makes the states within code points sequences that lead there, about which nothing has to be found out anew.

// headMembers bounds the intersections that are looked at, prefixDepth how deep a common beginning is.
const (
	headMembers = 16
	prefixDepth = 32
)

// factorAnd turns x·a ∧ x·b ∧ ¬(x·c) into x·(a ∧ b ∧ ¬c), where no string of x begins another one: then it is the same
// one in all of them. Of one byte each, the beginnings may differ.
func (s *Store) factorAnd(l []Expr) (Expr, bool) {
	if len(l) > headMembers {
		return Empty, false
	}
	common, set, bytes := Empty, ByteSet{}, true
	for _, x := range l {
		n := s.node(x)
		if n.kind == kNot {
			continue
		}
		if n.kind != kConcat || common != Empty && n.a != uint32(common) && !bytes {
			return Empty, false
		}
		head := s.node(Expr(n.a))
		switch {
		case common == Empty:
			common, bytes = Expr(n.a), head.kind == kBytes
			if bytes {
				set = *s.sets.At(head.a)
			}
		case n.a == uint32(common):
		case head.kind != kBytes:
			return Empty, false
		default:
			for i := range set {
				set[i] &= s.sets.At(head.a)[i]
			}
		}
	}
	if common == Empty || !bytes && !s.prefixFree(common, prefixDepth) {
		return Empty, false
	}
	var buf [headMembers]Expr
	rest := buf[:0]
	for _, x := range l {
		n := s.node(x)
		if n.kind != kNot {
			rest = append(rest, Expr(n.b))
			continue
		}
		m := s.node(Expr(n.a))
		switch {
		case m.kind != kConcat:
			return Empty, false
		case !bytes:
			if m.a != uint32(common) {
				return Empty, false
			}
		default:
			head := s.node(Expr(m.a))
			if head.kind != kBytes {
				return Empty, false
			}
			if other := s.sets.At(head.a); !other.Intersects(&set) {
				continue // nothing of it is in the others
			} else if !other.Contains(&set) {
				return Empty, false
			}
		}
		rest = append(rest, s.not(Expr(m.b)))
	}
	if bytes {
		common = s.bytes(set)
	}
	return s.concat(common, s.and(rest...)), true
}

// prefixFree reports whether no string of x begins another one.
func (s *Store) prefixFree(x Expr, depth int) bool {
	n := s.node(x)
	switch n.kind {
	case kBytes:
		return true
	case kConcat, kSpelled:
		return depth > 0 && s.prefixFree(Expr(n.a), depth-1) && s.prefixFree(Expr(n.b), depth-1)
	case kOr:
		var firsts ByteSet
		for _, y := range s.list(n) {
			first := s.first(y)
			if depth == 0 || first.Intersects(&firsts) || !s.prefixFree(y, depth-1) {
				return false
			}
			firsts.Union(&first)
		}
		return true
	}
	return false
}
