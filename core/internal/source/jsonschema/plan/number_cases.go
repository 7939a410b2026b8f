package plan

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/number"
)

// checkDivisors returns an error for reached numbers that lowering cannot write.
func (p *Planner) checkDivisors(reached []GoalID, s *Solver) error {
	if !p.divides {
		return nil
	}
	for _, g := range reached {
		for a := range p.CasesOf(g) {
			types := a.Flat.Types & jsontype.Number
			if !s.Satisfied[g] || types == 0 || a.Flat.HasValues {
				continue
			}
			cases, ok := p.NumberCases(a)
			if len(a.Tests) == 0 || !ok {
				cases = []number.Case{{Types: types, Spec: a.Flat.Number}}
			}
			for k := range cases {
				c := &cases[k]
				if err := c.Check(p.Options.AllNumberForms); err != nil {
					return p.ErrorAt(diag.Unsupported, a.Divisor(), "multipleOf", "%s", err.Error())
				}
			}
		}
	}
	return nil
}

// NumberCases returns the numbers of a case. It reports false if they are more than limits.SchemaNumberCases.
func (p *Planner) NumberCases(a *Alternative) (cases []number.Case, ok bool) {
	f := &a.Flat
	if f.HasValues {
		for _, v := range f.Values {
			if p.TypeOf(v)&f.Types&jsontype.Number == 0 || !p.testsHold(v, a) {
				continue
			}
			if d, ok := number.Parse(p.Tree.Node(v).Text); ok {
				same := number.Bound{Value: d, Set: true}
				cases = append(cases, number.Case{Types: p.TypeOf(v), Spec: number.Spec{Low: same, High: same}})
			}
		}
		return cases, len(cases) <= limits.SchemaNumberCases
	}
	if f.Types&jsontype.Number == 0 {
		return nil, true
	}
	cases, ok = []number.Case{{Types: f.Types & jsontype.Number, Spec: f.Number}}, true
	for i := 0; i < len(a.Tests) && ok; i++ {
		t := &a.Tests[i]
		if t.Types&jsontype.Number == 0 {
			continue
		}
		union := p.numbersOf(t.Goal)
		switch ok = union.known; {
		case !t.Without && ok:
			cases, ok = number.Product(cases, union.cases)
		case ok:
			for k := 0; k < len(union.cases) && ok; k++ {
				cases, ok = number.Product(cases, union.cases[k].Opposite())
			}
		}
	}
	return cases, ok
}

// numbersOf returns the numbers of a goal, computed once. It recurses through tests, which have no cycle.
func (p *Planner) numbersOf(g GoalID) (n numbers) {
	if n, ok := p.numbers[g]; ok {
		return n
	}
	n.known = true
	for a := range p.CasesOf(g) {
		of, ok := p.NumberCases(a)
		n.cases, n.known = append(n.cases, of...), n.known && ok && len(n.cases) <= limits.SchemaNumberCases
	}
	if p.numbers == nil {
		p.numbers = map[GoalID]numbers{}
	}
	p.numbers[g] = n
	return n
}
