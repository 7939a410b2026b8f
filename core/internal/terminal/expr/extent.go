package expr

// What is known of how many strings an expression matches from its structure alone, kept in a node's subset above the
// bits of the encodings. Infinitely many less finitely many is never empty: that spares most searches for a string that
// an object's undeclared keys still match.
const (
	ExtentFinite   uint8 = 1 << Encodings
	ExtentInfinite uint8 = 2 << Encodings
)

// suffixClosed marks, beside the extents, a language that holds every suffix of its strings, as x* and x? of one byte
// do: its derivatives are parts of it.
const suffixClosed uint8 = 4 << Encodings

// closesSuffixes finds it for a new node. All that it reports as closed match the empty string.
func (s *Store) closesSuffixes(k Kind, a, b, c uint32, list []Expr) bool {
	closed := func(e uint32) bool { return s.Node(Expr(e)).Subset&suffixClosed != 0 }
	byteOrClosed := func(e uint32) bool { return s.Node(Expr(e)).Kind == KBytes || closed(e) }
	switch k {
	case KEps, KTop:
		return true
	case KConcat:
		return closed(a) && closed(b)
	case KStar:
		return byteOrClosed(a)
	case KRepeat:
		return b == 0 && byteOrClosed(a)
	case KOr:
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
func (s *Store) extent(k Kind, a, b, c uint32, list []Expr) uint8 {
	child := func(e uint32) *Node { return s.Node(Expr(e)) }
	matches := func(n *Node) bool { return n.Flags&FBoolean == 0 || n.Subset&ExtentInfinite != 0 }
	switch k {
	case KEps, KTag, KBytes, KText:
		return ExtentFinite
	case KConcat, KSpelled:
		x, y := child(a), child(b)
		out := x.Subset & y.Subset & ExtentFinite
		if (x.Subset|y.Subset)&ExtentInfinite != 0 && matches(x) && matches(y) {
			out |= ExtentInfinite
		}
		return out
	case KOr:
		all, some := ExtentFinite, uint8(0)
		for _, e := range list {
			all &= s.Node(e).Subset
			some |= s.Node(e).Subset
		}
		return all | some&ExtentInfinite
	case KAnd:
		return s.extentOfAnd(list)
	case KNot:
		if child(a).Subset&ExtentFinite != 0 {
			return ExtentInfinite
		}
	case KStar:
		if child(a).Flags&FBoolean == 0 {
			return ExtentInfinite
		}
	case KRepeat:
		x := child(a)
		switch {
		case c == 0:
			return ExtentFinite
		case c == Unbounded && x.Flags&FBoolean == 0:
			return ExtentInfinite
		case c == Unbounded:
			return x.Subset & ExtentInfinite
		}
		return x.Subset & (ExtentFinite | ExtentInfinite)
	case KCount:
		if s.Bounds.At(b).Max != Unbounded {
			return ExtentFinite
		}
	case KTop:
		return ExtentInfinite
	case KMachine:
		if s.wordsOf(a) != nil {
			return ExtentFinite
		}
	}
	return 0
}

// extentOfAnd: one finite part makes all of it finite; an infinite part is so still without finitely many strings.
func (s *Store) extentOfAnd(list []Expr) uint8 {
	infinite, others := 0, 0
	for _, e := range list {
		n := s.Node(e)
		switch {
		case n.Subset&ExtentFinite != 0:
			return ExtentFinite
		case n.Kind == KNot && s.Node(n.Body()).Subset&ExtentFinite != 0:
		case n.Subset&ExtentInfinite != 0:
			infinite++
		default:
			others++
		}
	}
	if infinite == 1 && others == 0 {
		return ExtentInfinite
	}
	return 0
}
