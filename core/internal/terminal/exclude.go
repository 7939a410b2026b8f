package terminal

import "github.com/sluice-engine/sluice/core/internal/terminal/expr"

// ExcludedTexts takes e apart, if it is text of a JSON string that never has to end, but not one of finitely many, and
// then a quote: base is e without the exclusion and texts what is excluded. As long as texts can go on e is alive, and
// it is where base is but for a quote right after one of the texts.
func (s *Store) ExcludedTexts(e Expr) (base, texts Expr, ok bool) {
	if s.x.Node(e).Flags&expr.FBoolean == 0 {
		return Empty, Empty, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	text, texts, tail, ok := s.a.Exclusion(e)
	if !ok || s.x.Nullable(tail) || s.x.Node(text).Subset>>JSONString&1 == 0 || !s.a.Outlasts(text, texts) {
		return Empty, Empty, false
	}
	if first := s.x.First(tail); first.Len() != 1 || !first.Has('"') {
		return Empty, Empty, false
	}
	return s.x.Concat(text, tail), texts, true
}

// SearchStart returns the state that e would be if none of what it must not contain had begun, and it could be any of
// the finitely many texts that it must not be, if e is "… but no text in which this or that occurs, then whatever":
// from there the two differ only as long as what has begun goes on.
func (s *Store) SearchStart(e Expr) (start Expr, ok bool) {
	n := s.x.Node(e)
	if n.Flags&expr.FBoolean == 0 || n.Flags&(expr.FTag|expr.FCount) != 0 {
		return Empty, false
	}
	tail := Epsilon
	if n.Kind == expr.KConcat {
		tail = Expr(n.B)
		n = s.x.Node(Expr(n.A))
	}
	if n.Kind != expr.KAnd {
		return Empty, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var parts []Expr
	for _, x := range s.x.List(n) {
		if m := s.x.Node(x); m.Kind == expr.KNot {
			searches := s.searches(Expr(m.A))
			ok = ok || searches != Empty
			if searches != Empty {
				x = s.x.Not(searches)
			} else if s.x.Node(Expr(m.A)).Subset&expr.ExtentFinite != 0 {
				continue
			}
		}
		parts = append(parts, x)
	}
	if !ok {
		return Empty, false
	}
	return s.x.Concat(s.x.And(parts...), tail), true
}

// searches returns the members of x that any text may stand before, Empty if there is none.
func (s *Store) searches(x Expr) Expr {
	list := []Expr{x}
	if n := s.x.Node(x); n.Kind == expr.KOr {
		list = s.x.List(n)
	}
	var members []Expr
	for _, y := range list {
		if m := s.x.Node(y); m.Kind == expr.KConcat && s.beginsAnywhere(Expr(m.A)) {
			members = append(members, y)
		}
	}
	return s.x.Or(members...)
}

// WithoutExclusions returns what state e would be without the complements in it, if e is an intersection of one
// expression that has none with complements, followed by whatever: "any key" for "any key but these".
func (s *Store) WithoutExclusions(e Expr) (Expr, bool) {
	n := s.x.Node(e)
	if n.Flags&expr.FBoolean == 0 || n.Flags&(expr.FTag|expr.FCount) != 0 {
		return Empty, false
	}
	tail := Epsilon
	if n.Kind == expr.KConcat {
		tail = Expr(n.B)
		n = s.x.Node(Expr(n.A))
	}
	if n.Kind != expr.KAnd || s.x.Node(tail).Flags&expr.FBoolean != 0 {
		return Empty, false
	}
	positive := Empty
	for _, x := range s.x.List(n) {
		switch m := s.x.Node(x); {
		case m.Kind == expr.KNot && s.x.Node(Expr(m.A)).Flags&expr.FBoolean == 0:
		case m.Flags&expr.FBoolean == 0 && positive == Empty:
			positive = x
		default:
			return Empty, false
		}
	}
	if positive == Empty {
		return Empty, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.x.Concat(positive, tail), true
}

// beginsAnywhere reports whether x can begin with any text.
func (s *Store) beginsAnywhere(x Expr) bool {
	any := s.x.AnyText[JSONString]
	if x == any {
		return true
	}
	n := s.x.Node(x)
	if n.Kind != expr.KOr {
		return false
	}
	for _, y := range s.x.List(n) {
		if m := s.x.Node(y); y == any || m.Kind == expr.KConcat && m.A == uint32(any) {
			return true
		}
	}
	return false
}

// Unanchored reports whether no code point can lead from state e to a dead end before tail, one literal byte: e differs
// from the returned "any text, then tail" only in where the tail is possible.
func (s *Store) Unanchored(e Expr) (anyText Expr, tail byte, ok bool) {
	if s.x.Node(e).Flags&(expr.FTag|expr.FCount) != 0 {
		return Empty, 0, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	end, whole := s.lastOf(e, expr.ContainedDepth)
	if !whole || s.x.Node(end).Kind != expr.KBytes || s.x.Sets.At(s.x.Node(end).A).Len() != 1 {
		return Empty, 0, false
	}
	if live, _ := s.a.IsLiveIn(e, JSONString); !live {
		return Empty, 0, false
	}
	return s.x.Concat(s.x.AnyText[JSONString], end), byte(s.x.Sets.At(s.x.Node(end).A).Next(0)), true
}

// lastOf returns the last part of concatenations, and whether it is the same for all members of unions, and all before
// it is made of whole code points of JSON strings.
func (s *Store) lastOf(x Expr, depth int) (last Expr, whole bool) {
	n := s.x.Node(x)
	for ; n.Kind == expr.KConcat; n = s.x.Node(x) {
		if s.x.Node(Expr(n.A)).Subset>>JSONString&1 == 0 {
			return Empty, false
		}
		x = Expr(n.B)
	}
	if n.Kind != expr.KOr {
		return x, true
	}
	if depth == 0 {
		return Empty, false
	}
	for i, y := range s.x.List(n) {
		end, ok := s.lastOf(y, depth-1)
		if !ok || i > 0 && end != last {
			return Empty, false
		}
		last = end
	}
	return last, true
}
