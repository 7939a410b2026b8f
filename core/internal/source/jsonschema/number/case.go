package number

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
)

// Case is a set of numbers of some types within a spec. Tests reduce the numbers of a case to a union of cases, since
// the opposite of a spec is that one of its bounds fails. An intersection of automata would have states for every
// combination of digits.
type Case struct {
	Types jsontype.Set
	Spec  Spec
}

// Product returns the numbers in a case of a and a case of b, or false for too many cases.
func Product(a, b []Case) ([]Case, bool) {
	var out []Case
	seen := map[string]bool{}
	for i := range a {
		for k := range b {
			c := a[i].and(&b[k])
			if c.Types &= c.Spec.Possible(); c.Types == 0 {
				continue
			}
			if key := numberKey(c.Types, &c.Spec, true); !seen[key] {
				seen[key] = true
				out = append(out, c)
			}
		}
	}
	return out, len(out) <= limits.SchemaNumberCases
}

func (c *Case) and(d *Case) Case {
	return Case{c.Types & d.Types, Spec{
		Low: TighterLow(c.Spec.Low, d.Spec.Low), High: TighterHigh(c.Spec.High, d.Spec.High),
		Multiples:    slices.Concat(c.Spec.Multiples, d.Spec.Multiples),
		NotMultiples: slices.Concat(c.Spec.NotMultiples, d.Spec.NotMultiples),
		NotEqual:     slices.Concat(c.Spec.NotEqual, d.Spec.NotEqual),
	}}
}

// Opposite returns overlapping cases of all numbers outside of c.
func (c *Case) Opposite() []Case {
	s := &c.Spec
	if s.Low.Set && s.High.Set && s.Low.Value.Compare(s.High.Value) == 0 && s.Contains(s.Low.Value) {
		return []Case{{jsontype.Number, Spec{NotEqual: []Decimal{s.Low.Value}}}}
	}
	var out []Case
	add := func(types jsontype.Set, s Spec) { out = append(out, Case{types, s}) }
	if types := jsontype.Number &^ c.Types; types != 0 {
		add(types, Spec{})
	}
	if b := s.Low; b.Set {
		add(c.Types, Spec{High: Bound{Value: b.Value, Set: true, Exclusive: !b.Exclusive}})
	}
	if b := s.High; b.Set {
		add(c.Types, Spec{Low: Bound{Value: b.Value, Set: true, Exclusive: !b.Exclusive}})
	}
	for _, m := range s.Multiples {
		add(c.Types, Spec{NotMultiples: []Decimal{m}})
	}
	for _, m := range s.NotMultiples {
		add(c.Types, Spec{Multiples: []Decimal{m}})
	}
	for _, e := range s.NotEqual {
		same := Bound{Value: e, Set: true}
		add(c.Types, Spec{Low: same, High: same})
	}
	return out
}

// Check returns an error if some numbers of a case cannot be written, in every spelling if all is set.
func (c *Case) Check(all bool) error {
	_, err := divisorsOf(c.Types, &c.Spec, c.Types == jsontype.Integer && !all)
	return err
}
