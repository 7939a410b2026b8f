package terminal

// A string whose length is counted, intersected with other strings or without them, keeps its count: the quotes are
// where texts begin and end, so that what is asked of the strings can be asked of the texts between them.

// andQuoted returns the intersection of xs if one of them is a counted text of JSON in quotes, and the others, or what
// they exclude, are such texts too, beside what does not begin with a quote.
func (s *Store) andQuoted(xs []Expr) (Expr, bool) {
	at := -1
	for i, x := range xs {
		switch n := s.node(x); {
		case n.flags&fTag != 0 || n.flags&fCount != 0 && at >= 0:
			return Empty, false
		case n.flags&fCount != 0:
			at = i
		}
	}
	if at < 0 || len(xs) == 1 {
		return Empty, false
	}
	n := s.node(xs[at])
	if n.kind != kConcat || s.node(Expr(n.b)).kind != kConcat {
		return Empty, false
	}
	quote, rest := Expr(n.a), s.node(Expr(n.b))
	k := s.node(Expr(rest.a))
	if rest.b != uint32(quote) || k.kind != kCount || s.bounds.At(k.b).enc != JSONString || quote != s.quote() {
		return Empty, false
	}
	bodies := []Expr{Expr(k.a)}
	for i, x := range xs {
		if i == at {
			continue
		}
		m := s.node(x)
		if m.kind == kNot {
			x = Expr(m.a)
		}
		y, ok := s.unquoted(x, quote)
		if !ok {
			return Empty, false
		}
		if m.kind == kNot {
			y = s.not(y)
		}
		bodies = append(bodies, y)
	}
	bd := s.bounds.At(k.b)
	return s.concat(quote, s.concat(s.counted(s.and(bodies...), bd.enc, bd.min, bd.max), quote)), true
}

func (s *Store) quote() Expr {
	var set ByteSet
	set.Add('"')
	return s.bytes(set)
}

// unquoted returns the texts that x matches within quotes. ok is false if x can begin with a quote in another way.
func (s *Store) unquoted(x, quote Expr) (texts Expr, ok bool) {
	n := s.node(x)
	switch {
	case n.kind == kConcat && n.a == uint32(quote):
		texts, ok = s.withoutEnd(Expr(n.b), quote, containedDepth)
		return texts, ok && s.node(texts).subset>>JSONString&1 != 0
	case n.kind == kOr:
		var all []Expr
		for _, y := range s.list(n) {
			text, ok := s.unquoted(y, quote)
			if !ok {
				return Empty, false
			}
			all = append(all, text)
		}
		return s.or(all...), true
	}
	first := s.first(x)
	return Empty, !first.Has('"') && n.flags&fMaybe == 0
}

// withoutEnd returns y where x is y followed by end.
func (s *Store) withoutEnd(x, end Expr, depth int) (y Expr, ok bool) {
	if x == end {
		return Epsilon, true
	}
	base := len(s.members)
	defer func() { s.members = s.members[:base] }()
	n := s.node(x)
	for ; n.kind == kConcat; n = s.node(x) {
		s.members = append(s.members, Expr(n.a))
		x = Expr(n.b)
	}
	switch {
	case x == end:
		y = Epsilon
	case n.kind != kOr || depth == 0:
		return Empty, false
	default:
		var all []Expr
		for _, z := range s.list(n) {
			text, ok := s.withoutEnd(z, end, depth-1)
			if !ok {
				return Empty, false
			}
			all = append(all, text)
		}
		y = s.or(all...)
	}
	for i := len(s.members) - 1; i >= base; i-- {
		y = s.concat(s.members[i], y)
	}
	return y, true
}
