package terminal

import "github.com/sluice-engine/sluice/core/internal/terminal/expr"

// The quotes of a counted string delimit its text. So an intersection of strings is the intersection of their texts,
// which keeps the counter. Without this, the MaskBench schema allany16 exceeds limits.GraphStates.

// andQuoted returns the intersection of xs. Exactly one member must be counted, and be a Counted between two quotes.
// Each string of another member, or of its body if it is a Not, must be in quotes or begin with another byte than a
// quote. ok is false for other xs.
func (s *Store) andQuoted(xs []Expr) (Expr, bool) {
	at := -1
	for i, x := range xs {
		switch n := s.x.Node(x); {
		case n.Flags&expr.FTag != 0 || n.Flags&expr.FCount != 0 && at >= 0:
			return Empty, false
		case n.Flags&expr.FCount != 0:
			at = i
		}
	}
	if at < 0 || len(xs) == 1 {
		return Empty, false
	}
	n := s.x.Node(xs[at])
	if n.Kind != expr.KConcat || s.x.Node(n.Tail()).Kind != expr.KConcat {
		return Empty, false
	}
	quote, rest := n.Head(), s.x.Node(n.Tail())
	k := s.x.Node(rest.Head())
	if rest.B != uint32(quote) || k.Kind != expr.KCount || !s.x.Bounds.At(k.B).Enc.HasEscapes() || quote != s.x.ByteOf('"') {
		return Empty, false
	}
	bodies := []Expr{k.Body()}
	for i, x := range xs {
		if i == at {
			continue
		}
		m := s.x.Node(x)
		if m.Kind == expr.KNot {
			x = m.Body()
		}
		y, ok := s.unquoted(x, quote)
		if !ok {
			return Empty, false
		}
		if m.Kind == expr.KNot {
			y = s.x.Not(y)
		}
		bodies = append(bodies, y)
	}
	bd := s.x.Bounds.At(k.B)
	return s.x.Concat(quote, s.x.Concat(s.counted(s.x.And(bodies...), bd.Enc, bd.Min, bd.Max), quote)), true
}

// unquoted returns the texts that x matches within quotes. ok is false if x may match the empty string, or a string
// that begins with a quote and is no text in quotes.
func (s *Store) unquoted(x, quote Expr) (texts Expr, ok bool) {
	n := s.x.Node(x)
	switch {
	case n.Kind == expr.KConcat && n.A == uint32(quote):
		texts, ok = s.withoutEnd(n.Tail(), quote, expr.ContainedDepth)
		return texts, ok && s.x.Node(texts).Subset>>JSONString&1 != 0
	case n.Kind == expr.KOr:
		var all []Expr
		for _, y := range s.x.List(n) {
			text, ok := s.unquoted(y, quote)
			if !ok {
				return Empty, false
			}
			all = append(all, text)
		}
		return s.x.Or(all...), true
	}
	first := s.x.First(x)
	return Empty, !first.Has('"') && n.Flags&expr.FMaybe == 0
}

// withoutEnd returns y if x is y·end.
func (s *Store) withoutEnd(x, end Expr, depth int) (y Expr, ok bool) {
	if x == end {
		return Epsilon, true
	}
	base := len(s.x.Members)
	defer func() { s.x.Members = s.x.Members[:base] }()
	n := s.x.Node(x)
	for ; n.Kind == expr.KConcat; n = s.x.Node(x) {
		s.x.Members = append(s.x.Members, n.Head())
		x = n.Tail()
	}
	switch {
	case x == end:
		y = Epsilon
	case n.Kind != expr.KOr || depth == 0:
		return Empty, false
	default:
		var all []Expr
		for _, z := range s.x.List(n) {
			text, ok := s.withoutEnd(z, end, depth-1)
			if !ok {
				return Empty, false
			}
			all = append(all, text)
		}
		y = s.x.Or(all...)
	}
	for i := len(s.x.Members) - 1; i >= base; i-- {
		y = s.x.Concat(s.x.Members[i], y)
	}
	return y, true
}
