package terminal

// A repetition that may still happen many times and need not happen at all looks the same to a token at every count from
// which the token cannot exhaust it. Generalise and RepeatsLeft let the mask package share one token set among such
// states.

// manyRepeats is the least number of repetitions left that Generalise takes for any number.
const manyRepeats = 16

// Generalise returns e with each optional repetition of which at least manyRepeats are left made unbounded, and the
// least number left among them. ok is false if there is none.
func (s *Store) Generalise(e Expr) (shape Expr, left uint32, ok bool) {
	if s.node(e).flags&fRepeat == 0 {
		return e, 0, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	left = Unbounded
	shape = s.generalise(e, &left)
	return shape, left, left != Unbounded
}

func (s *Store) generalise(e Expr, left *uint32) Expr {
	n := s.node(e)
	if n.flags&fRepeat == 0 || n.flags&fBoolean != 0 {
		return e
	}
	switch n.kind {
	case kConcat:
		a := s.generalise(Expr(n.a), left)
		return s.concat(a, s.generalise(Expr(n.b), left))
	case kOr:
		members := append([]Expr(nil), s.list(n)...)
		for i, x := range members {
			members[i] = s.generalise(x, left)
		}
		return s.or(members...)
	case kCount:
		return s.intern(kCount, uint32(s.generalise(Expr(n.a), left)), n.b, 0, nil)
	case kRepeat:
		if n.b == 0 && n.c != Unbounded && n.c >= manyRepeats {
			*left = min(*left, n.c)
			return s.star(Expr(n.a))
		}
	}
	return e
}

// GeneraliseHead is Generalise for what e may begin with alone: what follows stays as it is.
func (s *Store) GeneraliseHead(e Expr) (shape Expr, left uint32, ok bool) {
	if n := s.node(e); n.flags&fRepeat == 0 || n.flags&(fBoolean|fCount|fTag) != 0 {
		return e, 0, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	left = Unbounded
	shape = s.generaliseHead(e, &left)
	return shape, left, left != Unbounded
}

func (s *Store) generaliseHead(e Expr, left *uint32) Expr {
	switch n := s.node(e); n.kind {
	case kConcat:
		return s.concat(s.generaliseHead(Expr(n.a), left), Expr(n.b))
	case kOr:
		members := append([]Expr(nil), s.list(n)...)
		for i, x := range members {
			members[i] = s.generaliseHead(x, left)
		}
		return s.or(members...)
	case kRepeat:
		return s.generalise(e, left)
	}
	return e
}

// RepeatsLeft returns the least number of times that a bounded optional repetition in e may still happen, Unbounded if
// there is none.
func (s *Store) RepeatsLeft(e Expr) uint32 {
	n := s.node(e)
	if n.flags&fRepeat == 0 {
		return Unbounded
	}
	left := uint32(Unbounded)
	switch n.kind {
	case kConcat:
		left = min(s.RepeatsLeft(Expr(n.a)), s.RepeatsLeft(Expr(n.b)))
	case kOr:
		for _, x := range s.list(n) {
			left = min(left, s.RepeatsLeft(x))
		}
	case kCount:
		left = s.RepeatsLeft(Expr(n.a))
	case kRepeat:
		if n.b == 0 {
			left = n.c
		}
	}
	return left
}
