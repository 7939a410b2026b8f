package terminal

// What is known of how many strings an expression matches from its structure alone, kept in a node's subset above the
// bits of the encodings. Infinitely many less finitely many is never empty: that spares most searches for a string that
// an object's undeclared keys still match.
const (
	extentFinite   uint8 = 1 << 2
	extentInfinite uint8 = 1 << 3
)

// suffixClosed marks, beside the extents, a language that holds every suffix of its strings, as x* and x? of one byte
// do: its derivatives are parts of it.
const suffixClosed uint8 = 1 << 4

// closesSuffixes finds it for a new node. All that it reports as closed match the empty string.
func (s *Store) closesSuffixes(k kind, a, b, c uint32, list []Expr) bool {
	closed := func(e uint32) bool { return s.node(Expr(e)).subset&suffixClosed != 0 }
	byteOrClosed := func(e uint32) bool { return s.node(Expr(e)).kind == kBytes || closed(e) }
	switch k {
	case kEps, kTop:
		return true
	case kConcat:
		return closed(a) && closed(b)
	case kStar:
		return byteOrClosed(a)
	case kRepeat:
		return b == 0 && byteOrClosed(a)
	case kOr:
		empty := false
		for _, e := range list {
			if !byteOrClosed(uint32(e)) {
				return false
			}
			empty = empty || closed(uint32(e))
		}
		return empty
	}
	return false
}

// extent finds it for a new node. Expressions without And and Not match something, as they are never made otherwise.
func (s *Store) extent(k kind, a, b, c uint32, list []Expr) uint8 {
	child := func(e uint32) *node { return s.node(Expr(e)) }
	matches := func(n *node) bool { return n.flags&fBoolean == 0 || n.subset&extentInfinite != 0 }
	switch k {
	case kEps, kTag, kBytes, kText:
		return extentFinite
	case kConcat, kSpelled:
		x, y := child(a), child(b)
		out := x.subset & y.subset & extentFinite
		if (x.subset|y.subset)&extentInfinite != 0 && matches(x) && matches(y) {
			out |= extentInfinite
		}
		return out
	case kOr:
		all, some := extentFinite, uint8(0)
		for _, e := range list {
			all &= s.node(e).subset
			some |= s.node(e).subset
		}
		return all | some&extentInfinite
	case kAnd:
		return s.extentOfAnd(list)
	case kNot:
		if child(a).subset&extentFinite != 0 {
			return extentInfinite
		}
	case kStar:
		if child(a).flags&fBoolean == 0 {
			return extentInfinite
		}
	case kRepeat:
		x := child(a)
		switch {
		case c == 0:
			return extentFinite
		case c == Unbounded && x.flags&fBoolean == 0:
			return extentInfinite
		case c == Unbounded:
			return x.subset & extentInfinite
		}
		return x.subset & (extentFinite | extentInfinite)
	case kCount:
		if s.bounds.At(b).max != Unbounded {
			return extentFinite
		}
	case kTop:
		return extentInfinite
	}
	return 0
}

// extentOfAnd: one finite part makes all of it finite; an infinite part is so still without finitely many strings.
func (s *Store) extentOfAnd(list []Expr) uint8 {
	infinite, others := 0, 0
	for _, e := range list {
		n := s.node(e)
		switch {
		case n.subset&extentFinite != 0:
			return extentFinite
		case n.kind == kNot && s.node(Expr(n.a)).subset&extentFinite != 0:
		case n.subset&extentInfinite != 0:
			infinite++
		default:
			others++
		}
	}
	if infinite == 1 && others == 0 {
		return extentInfinite
	}
	return 0
}
