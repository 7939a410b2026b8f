package analysis

import (
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// rowBudget returns what the derivatives of e may take: as much as a mask if they are counted.
func (s *States) rowBudget(e expr.Expr) int {
	if n := s.Node(e); n.Counted() || n.Flags&expr.FBoolean != 0 {
		return s.Budgets.Mask / limits.PartCost
	}
	return expr.NoBudget
}

// rowCost returns the price of the row of e, which has so many derivatives: what was counted, see expr.Node.Counted, or
// the parts that e has, and for an intersection or complement twice the comparisons of members of unions, since what is
// compared is also made, and memberRow for each derivative of a member of a union. A part of either kind of row takes
// 10 to 20 ns.
func (s *States) rowCost(e expr.Expr, tally *expr.Tally, derived int) int {
	n := s.Node(e)
	own := machineRow * s.machines(n)
	switch {
	case n.Counted():
		made := tally.Made()
		if n.Flags&expr.FRepeat == 0 { // it has more parts than are looked at, each of which is sorted
			made = max(made, s.estimate(e))
		}
		return own + made
	case n.Flags&expr.FBoolean != 0:
		own += 2 * tally.Compared()
		if n.Kind == expr.KOr {
			own += memberRow * int(n.N) * derived
		}
	}
	return own + s.estimate(e)
}

// machines returns the number of members of n that begin with a machine.
func (s *States) machines(n *expr.Node) (machines int) {
	switch n.Kind {
	case expr.KConcat:
		return s.machines(s.Node(n.Head()))
	case expr.KOr:
		for _, x := range s.List(n) {
			machines += s.machines(s.Node(x))
		}
	case expr.KMachine:
		machines = 1
	}
	return machines
}

// memberRow is the price of each derivative of a member of a union with intersections and complements, besides its
// parts: 80 ns, to find it and to put it in its place.
const memberRow = 5

// machineRow is the price of the row of a machine besides its weight, in parts: about 8 µs, for a dozen numbers that
// are made and named.
const machineRow = 400

// estimate returns the price of a row of which nothing is counted.
func (s *States) estimate(e expr.Expr) int { return expr.RowWeight * s.DistinctParts(e) }
