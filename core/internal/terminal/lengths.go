package terminal

import "github.com/sluice-engine/sluice/core/internal/terminal/expr"

// Least returns how few code points complete the body of counted state e, for a counter in phase of c. Lock-free once
// known.
func (s *Store) Least(e Expr, c Counter) Shortest {
	head := s.x.CountHead(e)
	p, phase, enc := Expr(head.A), c.Phase(), s.x.Bounds.At(head.B).Enc
	if known, ok := s.a.LeastKnown(p, phase, enc); ok {
		return known
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.a.Least(p, phase, enc)
}

// LengthCost returns what it takes to find out how few code points complete counted state e, for a counter in phase of
// c, when nothing is known: a fact about e, in the unit of the budget of a search.
func (s *Store) LengthCost(e Expr, c Counter) int {
	head := s.x.CountHead(e)
	p, phase, enc := Expr(head.A), c.Phase(), s.x.Bounds.At(head.B).Enc
	if cost, ok := s.a.LengthCostKnown(p, phase, enc); ok {
		return cost
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.a.LengthCost(p, phase, enc)
}

// RoomCost returns what it takes beside LengthCost to find out whether counted state e can be completed within its
// bounds, which its room may not tell.
func (s *Store) RoomCost(e Expr, c Counter) int {
	head := s.x.CountHead(e)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.a.RoomCost(Expr(head.A), c, *s.x.Bounds.At(head.B))
}

// fits reports whether body state p with counter c can still be completed within the bounds. known is false if finding
// out was given up.
func (s *Store) fits(p Expr, c Counter, bd expr.Bounds) (fits, known bool) {
	if fits, known, ok := s.a.FitsKnown(p, c, bd); ok {
		return fits, known
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.a.CanFit(p, c, bd)
}
