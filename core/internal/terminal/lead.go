package terminal

// Lead takes x apart into at most `most` bytes of a set, none at all included, and a rest that is not empty and does not
// begin with a byte of the set: whitespace before a token, above all. ok is false if x is not so.
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
