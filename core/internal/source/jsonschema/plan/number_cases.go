package plan

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/number"
)

// checkDivisors reports numbers that lowering cannot write, where they are reached.
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
			cases, ok := p.NumberCases(a, 0)
			if len(a.Tests) == 0 || !ok {
				cases = []number.Case{{Types: types, Spec: a.Flat.Number}}
			}
			for k := range cases {
				c := &cases[k]
				if err := c.Check(p.Options.AllNumberForms); err != nil {
					return p.ErrorAt(diag.Unsupported, a.Flat.Why.Node, "multipleOf", "%s", err.Error())
				}
			}
		}
	}
	return nil
}

// NumberCases returns the numbers of a case. Depth counts tests within tests.
func (p *Planner) NumberCases(a *Alternative, depth int) (cases []number.Case, ok bool) {
	if depth > limits.SchemaTestDepth {
		return nil, false
	}
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
	cases = []number.Case{{Types: f.Types & jsontype.Number, Spec: f.Number}}
	for i := range a.Tests {
		t := &a.Tests[i]
		if t.Types&jsontype.Number == 0 {
			continue
		}
		var union []number.Case
		for c := range p.CasesOf(t.Goal) {
			of, ok := p.NumberCases(c, depth+1)
			if !ok {
				return nil, false
			}
			union = append(union, of...)
		}
		if !t.Without {
			cases, ok = number.Product(cases, union)
		} else {
			ok = true
			for k := 0; k < len(union) && ok; k++ {
				cases, ok = number.Product(cases, union[k].Opposite())
			}
		}
		if !ok {
			return nil, false
		}
	}
	return cases, true
}
