package plan

import (
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// planTests turns the tests of a case into goals. Decided tests are left out.
func (p *Planner) planTests(f *Flat) []testPlan {
	var plans []testPlan
	defer p.within(true)()
	for i := range f.tests {
		t := &f.tests[i]
		types := t.types & f.Types
		if types == 0 {
			continue
		}
		switch g := p.goalOf(t.atom); {
		case g == NoneGoal && t.without, g == AnyGoal && !t.without:
		case g <= NoneGoal:
			f.restrict(^types, t.node, t.keyword, "it excludes every value that the other keywords allow")
		default:
			plans = append(plans, testPlan{Types: types, Goal: g, Without: t.without, node: t.node, keyword: t.keyword})
		}
	}
	return plans
}

// excludeByTest excludes arrays and objects that must not occur (by not or oneOf), unless the other keywords exclude
// them already. The empty ones are excluded by a least count.
func (p *Planner) excludeByTest(a *Alternative, f *Flat) {
	if f.HasValues {
		return // listed values are compared one by one
	}
	var values []jsontext.ID
	var types jsontype.Set
	for _, v := range f.NotValues {
		t := p.TypeOf(v)
		if t&f.Types&(jsontype.Array|jsontype.Object) == 0 || p.Tree.Node(v).Count == 0 {
			continue
		}
		g := *f
		g.NotValues = nil
		p.unsure = false
		if p.fitsFlat(v, &g, a.Object, a.List) || p.unsure {
			values = append(values, v)
			types |= t
		}
	}
	if values != nil {
		a.Tests = append(a.Tests, testPlan{
			Types: types, Goal: p.goalOf(positive(p.EnumOf(values[0], values))), Without: true, node: values[0],
			room: (a.List == nil || types&jsontype.Array == 0 || a.List.hasRoom()) &&
				(a.Object == nil || types&jsontype.Object == 0 || a.Object.hasRoom()),
		})
	}
}
