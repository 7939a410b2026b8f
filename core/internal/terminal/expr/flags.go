package expr

// flagsOf returns the flags and encodings of a new node from its children.
func (s *Nodes) flagsOf(k Kind, a, b, c uint32, list []Expr) (flags, subset uint8) {
	child := func(e uint32) *Node { return s.Node(Expr(e)) }
	const inherited = FBoolean | FRepeat | FTag | FCount
	switch k {
	case KEps, KTag:
		flags, subset = FNullable|FMaybe, allEncodings
		if k == KTag {
			flags |= FTag
		}
	case KBytes:
		subset = ByteSubset(*s.Sets.At(a))
	case KText:
		subset = s.Texts.At(a).subset(b, Encoding(c))
	case KConcat, KSpelled:
		x, y := child(a), child(b)
		flags = x.Flags&y.Flags&(FNullable|FMaybe) | (x.Flags|y.Flags)&inherited | x.Flags&FHead
		if x.Kind == KMachine && flags&(FBoolean|FCount) == 0 {
			flags |= x.Flags & FSprawls
		}
		subset = x.Subset & y.Subset
	case KOr, KAnd:
		all, some := FNullable|FMaybe, uint8(0)
		inAll, inSome, open := allEncodings, uint8(0), uint8(0)
		for _, e := range list {
			n := s.Node(e)
			all &= n.Flags
			some |= n.Flags
			inAll &= n.Subset
			inSome |= n.Subset
			if n.Kind == KMachine {
				open |= n.Flags & (FSprawls | FTag)
			}
		}
		flags, subset = some&^(FHead|FSprawls), inAll
		if flags&(FBoolean|FCount) == 0 && flags&FTag == open&FTag {
			flags |= open
		}
		if k == KAnd {
			flags, subset = some&inherited|all&(FNullable|FMaybe)|FBoolean, inSome
		}
	case KNot:
		flags = child(a).Flags&inherited | FBoolean | ^child(a).Flags&(FNullable|FMaybe)
	case KStar:
		flags, subset = child(a).Flags&inherited|FNullable|FMaybe, child(a).Subset
	case KRepeat:
		flags, subset = child(a).Flags&(inherited|FNullable|FMaybe)|FRepeat, child(a).Subset
		if b == 0 {
			flags |= FNullable | FMaybe
		}
	case KCount:
		flags, subset = FCount|FHead|child(a).Flags&(inherited|FMaybe), child(a).Subset
		if s.Bounds.At(b).Min == 0 {
			flags |= child(a).Flags & FNullable
		}
	case KScan:
		flags = FTag
		if between(c) {
			flags |= FNullable | FMaybe
		}
	case KTop:
		flags = FNullable | FMaybe
	case KMachine:
		if c == 1 {
			flags = FNullable | FMaybe
		}
		if _, ok := s.MachineOf(a).(Sprawling); ok {
			flags |= FSprawls
		}
		if w := s.wordsOf(a); w != nil {
			if w.tags != nil {
				flags |= FTag
			}
			subset = w.subsetOfWords(s.Texts.At(b).Str)
		}
	}
	return flags, subset
}

// extentOf returns the extent of a new node. Expressions without And and Not match something, since constructors return
// Empty otherwise.
func (s *Nodes) extentOf(k Kind, a, b, c uint32, list []Expr) uint8 {
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

// extentOfAnd returns the extent of an intersection (Lemma 117).
func (s *Nodes) extentOfAnd(list []Expr) uint8 {
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
