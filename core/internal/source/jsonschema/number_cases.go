package jsonschema

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// numberCase is numbers of some types within a spec. What tests leave of the numbers of a case is a union of such: the
// opposite of a spec is that one of its bounds fails. So numbers are never intersected as automata, which would have
// states for every combination of digits.
type numberCase struct {
	types typeMask
	spec  numberSpec
}

// checkDivisors reports numbers that lowering cannot write, where they are reached.
func (p *planner) checkDivisors(reached []goalID, s *solver) error {
	if !p.divides {
		return nil
	}
	for _, g := range reached {
		for i := range p.goals[g].cases {
			a := &p.goals[g].cases[i]
			types := a.flat.types & tNumber
			if !s.satisfied[g] || types == 0 || a.flat.hasValues {
				continue
			}
			cases, ok := p.numberCases(a, 0)
			if len(a.tests) == 0 || !ok {
				cases = []numberCase{{types, a.flat.number}}
			}
			for k := range cases {
				c := &cases[k]
				if _, err := divisorsOf(c.types, &c.spec, c.types == tInteger && !p.o.AllNumberForms); err != nil {
					return p.errorAt(diag.Unsupported, a.flat.why.node, "multipleOf", "%s", err.Error())
				}
			}
		}
	}
	return nil
}

// testedNumbers returns the numbers of a case that pass its tests, or false if they are too many cases.
func (l *lowerer) testedNumbers(a *alternative) (terminal.Expr, bool) {
	cases, ok := l.p.numberCases(a, 0)
	if !ok {
		return terminal.Empty, false
	}
	xs := make([]terminal.Expr, 0, len(cases))
	for i := range cases {
		xs = append(xs, l.numbersOf(a, cases[i].types, &cases[i].spec))
	}
	return l.st.Or(xs...), true
}

// numberCases returns the numbers of a case. Depth counts tests within tests.
func (p *planner) numberCases(a *alternative, depth int) (cases []numberCase, ok bool) {
	if depth > limits.SchemaTestDepth {
		return nil, false
	}
	f := &a.flat
	if f.hasValues {
		for _, v := range f.values {
			if p.typeOf(v)&f.types&tNumber == 0 || !p.testsHold(v, a) {
				continue
			}
			if d, ok := parseDecimal(p.tree.Node(v).Text); ok {
				same := bound{value: d, set: true}
				cases = append(cases, numberCase{p.typeOf(v), numberSpec{low: same, high: same}})
			}
		}
		return cases, len(cases) <= limits.SchemaNumberCases
	}
	if f.types&tNumber == 0 {
		return nil, true
	}
	cases = []numberCase{{f.types & tNumber, f.number}}
	for i := range a.tests {
		t := &a.tests[i]
		if t.types&tNumber == 0 {
			continue
		}
		var union []numberCase
		for k := range p.goals[t.goal].cases {
			of, ok := p.numberCases(&p.goals[t.goal].cases[k], depth+1)
			if !ok {
				return nil, false
			}
			union = append(union, of...)
		}
		if !t.without {
			cases, ok = product(cases, union)
		} else {
			ok = true
			for k := 0; k < len(union) && ok; k++ {
				cases, ok = product(cases, union[k].opposite())
			}
		}
		if !ok {
			return nil, false
		}
	}
	return cases, true
}

// product returns what is in some case of a and some case of b, or false if those are too many.
func product(a, b []numberCase) ([]numberCase, bool) {
	var out []numberCase
	seen := map[string]bool{}
	for i := range a {
		for k := range b {
			c := a[i].and(&b[k])
			if c.types &= c.spec.possible(); c.types == 0 {
				continue
			}
			if key := numberKey(c.types, &c.spec, true); !seen[key] {
				seen[key] = true
				out = append(out, c)
			}
		}
	}
	return out, len(out) <= limits.SchemaNumberCases
}

// and returns the numbers of both cases.
func (c *numberCase) and(d *numberCase) numberCase {
	return numberCase{c.types & d.types, numberSpec{
		low: tighterLow(c.spec.low, d.spec.low), high: tighterHigh(c.spec.high, d.spec.high),
		multiples:    slices.Concat(c.spec.multiples, d.spec.multiples),
		notMultiples: slices.Concat(c.spec.notMultiples, d.spec.notMultiples),
		notEqual:     slices.Concat(c.spec.notEqual, d.spec.notEqual),
	}}
}

// opposite returns the cases of all numbers that are not in c, which overlap.
func (c *numberCase) opposite() []numberCase {
	s := &c.spec
	if s.low.set && s.high.set && s.low.value.compare(s.high.value) == 0 && s.contains(s.low.value) {
		return []numberCase{{tNumber, numberSpec{notEqual: []decimal{s.low.value}}}}
	}
	var out []numberCase
	add := func(types typeMask, s numberSpec) { out = append(out, numberCase{types, s}) }
	if types := tNumber &^ c.types; types != 0 {
		add(types, numberSpec{})
	}
	if b := s.low; b.set {
		add(c.types, numberSpec{high: bound{value: b.value, set: true, excl: !b.excl}})
	}
	if b := s.high; b.set {
		add(c.types, numberSpec{low: bound{value: b.value, set: true, excl: !b.excl}})
	}
	for _, m := range s.multiples {
		add(c.types, numberSpec{notMultiples: []decimal{m}})
	}
	for _, m := range s.notMultiples {
		add(c.types, numberSpec{multiples: []decimal{m}})
	}
	for _, e := range s.notEqual {
		same := bound{value: e, set: true}
		add(c.types, numberSpec{low: same, high: same})
	}
	return out
}
