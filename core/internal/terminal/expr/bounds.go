package expr

// Bounds of a Counted; interned.
type Bounds struct {
	Min, Max uint32
	Enc      Encoding
}

// InternBounds returns the number of bounds.
func (s *Store) InternBounds(bd Bounds) uint32 {
	id, ok := s.boundsOf.Get(bd)
	if !ok {
		id = s.Bounds.Append(bd)
		s.boundsOf.Put(bd, id)
	}
	return id
}

// AllBytes adds every byte that occurs in x.
func (s *Store) AllBytes(x Expr, set *ByteSet, seen map[Expr]bool) {
	if seen[x] {
		return
	}
	seen[x] = true
	n := s.Node(x)
	switch n.Kind {
	case KBytes:
		set.Union(s.Sets.At(n.A))
	case KText:
		for _, b := range []byte(s.Texts.At(n.A).Str) {
			set.Add(b)
		}
		if n.Enc().HasEscapes() {
			escapes := BytesOf("\\\"/bfnrtu0123456789abcdefABCDEF")
			set.Union(&escapes)
		}
	case KConcat, KSpelled:
		s.AllBytes(n.Head(), set, seen)
		s.AllBytes(n.Tail(), set, seen)
	case KOr, KAnd:
		for _, y := range s.List(n) {
			s.AllBytes(y, set, seen)
		}
	case KNot, KTop, KScan:
		set.AddRange(0, 255)
	case KMachine:
		bytes := s.MachineOf(n.A).Bytes()
		set.Union(&bytes)
	case KStar, KRepeat, KCount:
		s.AllBytes(n.Body(), set, seen)
	}
}

// CountHead returns the KCount that state e is inside of, or nil.
func (s *Store) CountHead(e Expr) *Node {
	n := s.Node(e)
	if n.Flags&FHead == 0 {
		return nil
	}
	if n.Kind == KConcat {
		n = s.Node(n.Head())
	}
	return n
}

// LastPart returns what e ends with, if it is a concatenation: tags stand nowhere else.
func (s *Store) LastPart(e Expr) Expr {
	for n := s.Node(e); n.Kind == KConcat; n = s.Node(e) {
		e = n.Tail()
	}
	return e
}
