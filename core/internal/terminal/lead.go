package terminal

// Lead takes x apart into at most `most` bytes of a set, none at all included, and a rest that is not empty and does
// not begin with a byte of the set: whitespace before a token, above all. ok is false if x is not so.
func (s *Store) Lead(x Expr) (set ByteSet, most uint32, rest Expr, ok bool) {
	n := s.node(x)
	if n.kind != kConcat {
		return
	}
	run := s.node(Expr(n.a))
	switch {
	case run.kind == kRepeat && run.b == 0:
		most = run.c
	case run.kind == kStar:
		most = Unbounded
	default:
		return
	}
	body := s.node(Expr(run.a))
	rest = Expr(n.b)
	if body.kind != kBytes || s.nullable(rest) || s.maybe(rest) {
		return
	}
	set = *s.sets.At(body.a)
	if set.Intersects(s.Alive(rest)) {
		return
	}
	return set, most, rest, true
}

// AfterText returns what is left of x when the text is taken off that all its strings begin with, as far as x shows it;
// Epsilon where nothing is left that a choice could be in. It costs next to nothing, and makes no transitions.
func (s *Store) AfterText(x Expr) Expr {
	for {
		n := s.node(x)
		head, tail := n, Epsilon
		if n.kind == kConcat {
			head, tail = s.node(Expr(n.a)), Expr(n.b)
		}
		switch {
		case n.kind == kEps || n.kind == kTag:
			return Epsilon
		case head.kind == kText:
		case head.kind == kBytes && s.sets.At(head.a).Len() == 1:
		default:
			return x
		}
		x = tail
	}
}
