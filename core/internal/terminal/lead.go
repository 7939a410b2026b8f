package terminal

import "github.com/sluice-engine/sluice/core/internal/terminal/expr"

// Lead takes x apart into at most `most` bytes of a set, none at all included, and a rest that is not empty and does
// not begin with a byte of the set: whitespace before a token, above all. ok is false if x is not so.
func (s *Store) Lead(x Expr) (set ByteSet, most uint32, rest Expr, ok bool) {
	n := s.x.Node(x)
	if n.Kind != expr.KConcat {
		return
	}
	run := s.x.Node(Expr(n.A))
	switch {
	case run.Kind == expr.KRepeat && run.B == 0:
		most = run.C
	case run.Kind == expr.KStar:
		most = Unbounded
	default:
		return
	}
	body := s.x.Node(Expr(run.A))
	rest = Expr(n.B)
	if body.Kind != expr.KBytes || s.x.Nullable(rest) || s.x.Maybe(rest) {
		return
	}
	set = *s.x.Sets.At(body.A)
	if set.Intersects(s.Alive(rest)) {
		return
	}
	return set, most, rest, true
}

// AfterText returns what is left of x when the text is taken off that all its strings begin with, as far as x shows it;
// Epsilon where nothing is left that a choice could be in. It costs next to nothing, and makes no transitions.
func (s *Store) AfterText(x Expr) Expr {
	for {
		n := s.x.Node(x)
		head, tail := n, Epsilon
		if n.Kind == expr.KConcat {
			head, tail = s.x.Node(Expr(n.A)), Expr(n.B)
		}
		switch {
		case n.Kind == expr.KEps || n.Kind == expr.KTag:
			return Epsilon
		case head.Kind == expr.KText:
		case head.Kind == expr.KBytes && s.x.Sets.At(head.A).Len() == 1:
		default:
			return x
		}
		x = tail
	}
}

// Triggers returns the texts of the patterns that free text e may be ended by, nil if e is anything else or some
// pattern has begun.
func (s *Store) Triggers(e Expr) []string {
	n := s.x.Node(e)
	if n.Kind != expr.KScan || n.B != 0 {
		return nil
	}
	var out []string
	for _, p := range (*s.x.Scans.At(n.A)).Patterns {
		if !p.Kill {
			out = append(out, p.Text)
		}
	}
	return out
}

// EndsInScan reports whether e is free text, or ends in it.
func (s *Store) EndsInScan(e Expr) bool { return s.x.Node(s.x.LastPart(e)).Kind == expr.KScan }
