package plan

import (
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
)

// namesOf returns the keys of a class of undeclared ones, if they are few: listed by propertyNames, or the texts that a
// pattern allows.
func (p *Planner) namesOf(c *ExtraPlan) (names []string, few bool) {
	var candidates []string
	switch listed, ok := p.listedNames(c.Names); {
	case ok:
		candidates = listed
	case len(c.With) > 0:
		if candidates, ok = p.Patterns.Texts(c.With[0]); !ok {
			return nil, false
		}
	default:
		return nil, false
	}
	for _, name := range candidates {
		if p.inKeyClass(c, name) {
			names = append(names, name)
		}
	}
	return names, true
}

// listedNames returns the strings of a goal whose every case lists its values.
func (p *Planner) listedNames(g GoalID) (names []string, ok bool) {
	if g == AnyGoal {
		return nil, false
	}
	p.expand(g)
	for a := range p.CasesOf(g) {
		f := &a.Flat
		if f.Types&jsontype.String == 0 {
			continue
		}
		if !f.HasValues || len(names)+len(f.Values) > limits.SchemaFewNames {
			return nil, false
		}
		for _, v := range f.Values {
			if p.TypeOf(v) == jsontype.String {
				names = append(names, p.Tree.Node(v).Text)
			}
		}
	}
	return names, true
}
