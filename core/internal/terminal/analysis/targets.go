package analysis

import (
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// targets finds the targets of one row: derivatives, and which of them are empty.
type targets struct {
	expr.Tally
	expr.Inquiry
	s       *Analysis
	targets expr.Numbers // that have been asked about
}

// newTargets begins a row, with a budget for its derivatives.
func (s *Analysis) newTargets(budget int) targets {
	return targets{Tally: s.Count(budget), Inquiry: expr.Inquiry{S: s.Store}, s: s}
}

// rowBudget is what the derivatives of e may take: as much as a mask, where they are counted.
func (s *Analysis) rowBudget(e expr.Expr) int {
	if n := s.Node(e); n.Counted() || n.Flags&expr.FBoolean != 0 {
		return s.Budgets.Mask / limits.PartCost
	}
	return expr.NoBudget
}

// derive returns what stands in the row of e for byte b.
func (x *targets) derive(e expr.Expr, b byte) expr.Expr {
	s := x.s
	if s.Spent() {
		return expr.TooHard
	}
	t := s.Derive(e, b)
	if s.Spent() {
		return expr.TooHard
	}
	return x.target(t)
}

// target returns what stands in a row for derivative t.
func (x *targets) target(t expr.Expr) expr.Expr {
	s := x.s
	n := s.Node(t)
	if int(n.Weight) > s.Budgets.Expression {
		return expr.TooHard
	}
	if n.Flags&expr.FBoolean == 0 {
		return t
	}
	if x.targets.Add(uint32(t)) {
		if x.Spent() > s.Budgets.Row {
			return expr.TooHard
		}
		aside := s.Count(expr.NoBudget)
		s.Emptiness(t)
		aside.Close()
		x.Ask(s.AskedEmptiness(t))
	}
	switch s.Emptiness(t) {
	case expr.Nothing:
		return expr.Empty
	case expr.GivenUp:
		return expr.TooHard
	}
	return t
}

// rowCost returns what making the row of e has taken, beside what it asked. It is counted, see expr.Node.Counted, or the
// parts that e has, and of an intersection or complement what comparing the members of unions takes, twice, since what
// is compared is put together too, and something for each derivative of each member of a union: so a part of either kind
// of row takes 10 to 20 ns. A row that is counted is a question, which the rows that are put together from it ask: many
// share it.
func (x *targets) rowCost(e expr.Expr, derived int) int {
	s := x.s
	n := s.Node(e)
	switch {
	case n.IsHeavyClass():
		x.Own = s.estimate(e)
		return 1
	case n.Counted():
		if x.Own = x.Made(); n.Flags&expr.FRepeat == 0 { // it has more parts than are looked at, of which each is sorted
			x.Own = max(x.Own, s.estimate(e))
		}
		x.Own += x.askHeavy(e)
		return 1
	case n.Flags&expr.FBoolean != 0:
		machines := 0
		s.plainParts(e, map[expr.Expr]bool{}, func(part expr.Expr) {
			if s.needsRow(part) {
				x.Ask(s.Rows.At(s.Fact(part, expr.FactRow)).By)
				machines += x.askHeavy(part)
			}
		})
		own := s.estimate(e) + 2*x.Compared() + machines
		if n.Kind == expr.KOr {
			own += memberRow * int(n.N) * derived
		}
		return own
	}
	return s.estimate(e) + x.askHeavy(e)
}

// askHeavy notes the rows of the heavy classes that the transitions of e look at, and returns what its machines take.
func (x *targets) askHeavy(e expr.Expr) (machines int) {
	classes, n := x.s.HeavyParts(e)
	for _, class := range classes {
		x.Ask(x.s.Rows.At(x.s.Fact(class, expr.FactRow)).By)
	}
	return machineRow * n
}

// memberRow is what each derivative of a member of a union takes, beside its parts, where members have intersections and
// complements: 80 ns, to find it and to put it in its place.
const memberRow = 5

// machineRow is what the row of a machine takes beside its weight, in parts: about 8 µs, for a dozen numbers that are
// made and named.
const machineRow = 400

// estimate is rowCost where nothing is counted.
func (s *Analysis) estimate(e expr.Expr) int { return expr.RowWeight * s.DistinctParts(e) }

// Settle returns what stands in a row for state e, come to without a row, and what finding that out took.
func (s *Analysis) Settle(e expr.Expr) (t expr.Expr, cost int) {
	found := s.newTargets(expr.NoBudget)
	t = found.target(e)
	found.Close()
	return t, found.Inquiry.Spent()
}
