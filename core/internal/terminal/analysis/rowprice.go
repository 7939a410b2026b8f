package analysis

import (
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// rowBudget returns the budget of the derivatives of e: the budget of a mask if they are counted.
func (s *States) rowBudget(e expr.Expr) int {
	if n := s.Node(e); n.Metered() || n.Flags&expr.FBoolean != 0 {
		return s.Budgets.Mask / limits.PartCost
	}
	return expr.NoBudget
}

// rowCost returns the price of the row of e. derived is the number of derivatives that were made for it. The price is a
// sum, in units of 10 to 20 ns:
//
//   - the tally if e is metered, else the estimate;
//   - machineRow for each member that begins with a machine;
//   - with And or Not, twice the comparisons, since compared members are also made;
//   - for unions with And or Not, memberRow for each derivative of each member.
func (s *States) rowCost(e expr.Expr, tally *expr.Tally, derived int) int {
	n := s.Node(e)
	own := machineRow * s.machines(n)
	switch {
	case n.Metered():
		made := tally.Made()
		if n.Flags&expr.FRepeat == 0 { // all parts are sorted, and only some are visited
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

// memberRow is the price of each derivative of a member of a union with And or Not, besides its parts: 80 ns to find
// and place it.
const memberRow = 5

// machineRow is the price of a machine's row besides its weight: about 8 µs to make and name a dozen numbers.
const machineRow = 400

// estimate returns the price of a row that is not counted.
func (s *States) estimate(e expr.Expr) int { return expr.RowWeight * s.Weight(e) }
