package analysis

import "github.com/sluice-engine/sluice/core/internal/terminal/expr"

// View reads expressions, and what has been found out of their lengths. It takes no lock.
type View struct {
	expr.View
	a *Analysis
}

// View returns a view of the expressions and what is known of them.
func (s *Analysis) View() View { return View{s.Store.View(), s} }

// LeastKnown is Least where that has been found out; it takes no lock.
func (v View) LeastKnown(p expr.Expr, phase uint8, enc expr.Encoding) (_ Shortest, cost int, ok bool) {
	if i := v.a.Fact(p, expr.FactLength); i != 0 {
		if sp := v.a.lengths.At(i - 1); sp.of(phase, enc) && !sp.late {
			return sp.shortest(), sp.searchCost(), true
		}
	}
	return Shortest{}, 0, false
}

// FitsKnown is canFit where that has been found out; it takes no lock.
func (v View) FitsKnown(p expr.Expr, c Counter, bd expr.Bounds) (fits, known, ok bool) {
	if i := v.a.Fact(p, expr.FactLength); i != 0 {
		// Where a search was given up there may still be room.
		if sp := v.a.lengths.At(i - 1); sp.of(c.Phase(), bd.Enc) && !sp.TooHard && !sp.open(c.Count(), bd) {
			return sp.Allows(c.Count(), bd), true, true
		}
	}
	return false, false, false
}
