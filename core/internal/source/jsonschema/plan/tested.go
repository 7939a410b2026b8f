package plan

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// testPlan is a test of a case, laid out: the values of these types satisfy the goal, or do not.
type testPlan struct {
	Types   jsontype.Set
	Goal    GoalID
	Without bool
	room    bool        // it excludes a few of many values
	node    jsontext.ID // the node of the test
	keyword string
}

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

// deferChoice makes a test of a choice, so that its alternatives do not multiply with those of others.
func (p *Planner) deferChoice(f *Flat, c *choice) {
	t := p.Tree
	around := t.Node(c.node).Parent
	d := test{types: jsontype.All, node: c.node, keyword: t.Node(c.node).Key}
	switch c.keyword {
	case schema.Not:
		d.atom, d.without = positive(c.node), true
	case schema.If:
		d.atom = positive(p.Only(around, "if", "then", "else"))
	case schema.Dependencies:
		d.atom = positive(p.DependencyOnly(c.node))
	case schema.AdditionalProperties:
		d.types, d.atom, d.without = jsontype.Object, positive(p.ExtrasOnly(around)), true
	default:
		d.atom = positive(p.Only(around, d.keyword))
	}
	f.tests = append(f.tests, d)
}

// testsHold says whether a value passes the tests of a case.
func (p *Planner) testsHold(v jsontext.ID, a *Alternative) bool {
	for i := range a.Tests {
		if t := &a.Tests[i]; p.TypeOf(v)&t.Types != 0 && p.satisfies(v, t.Goal) == t.Without {
			return false
		}
	}
	return true
}

// TestedTypes returns the types whose values have tests to pass.
func (a *Alternative) TestedTypes() jsontype.Set {
	types := jsontype.Set(0)
	for i := range a.Tests {
		types |= a.Tests[i].Types
	}
	return types
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

// refuseCircles refuses tests that are decided by themselves: alternatives that lead back to themselves, where there
// are so many that they are tested.
func (p *Planner) refuseCircles(reached []GoalID) {
	asked := make([]int32, len(p.Goals)) // by how many tests that are not known to end
	each := func(g GoalID, visit func(*testPlan)) {
		for a := range p.CasesOf(g) {
			for i := range a.Tests {
				visit(&a.Tests[i])
			}
		}
	}
	some := false
	for _, g := range reached {
		each(g, func(t *testPlan) {
			asked[t.Goal]++
			some = true
		})
	}
	if !some {
		return
	}
	var free []GoalID
	for _, g := range reached {
		if asked[g] == 0 {
			free = append(free, g)
		}
	}
	for len(free) > 0 {
		g := free[len(free)-1]
		free = free[:len(free)-1]
		each(g, func(t *testPlan) {
			if asked[t.Goal]--; asked[t.Goal] == 0 {
				free = append(free, t.Goal)
			}
		})
	}
	circle, many := NoneGoal, false // many: there are too many alternatives to tell apart, so they are tested
	for _, g := range reached {
		if asked[g] == 0 {
			continue
		}
		if circle == NoneGoal {
			circle = g
		}
		each(g, func(t *testPlan) { many = many || asked[t.Goal] > 0 && !t.Without })
	}
	switch {
	case circle == NoneGoal:
	case many:
		p.Fail(p.ErrorAt(diag.Limit, p.Goals[circle].Atoms[0].Node(), "", "alternatives lead back to themselves "+
			"here and combine to more than %d cases; list each alternative once, in an anyOf without keywords "+
			"beside it",
			limits.SchemaCases))
	default:
		p.endless(p.Goals[circle].Atoms[0].Node())
	}
}

// decideTests removes the types that a test decides from the cases of all goals: the tested schema allows every value of
// them, or none. What becomes of one goal may decide tests of others. Without it not.json#8 of the suite allows the
// beginning of an array that cannot end.
func (p *Planner) decideTests(reached []GoalID) {
	for changed := true; changed; {
		changed = false
		for i := len(reached) - 1; i >= 0; i-- {
			cases := p.Goals[reached[i]].Cases
			for k := range cases {
				if a := &cases[k]; len(a.Tests) > 0 {
					changed = p.decideTestsOf(a) || changed
				}
			}
		}
	}
}

func (p *Planner) decideTestsOf(a *Alternative) (changed bool) {
	f := &a.Flat
	exclude := func(gone jsontype.Set, t *testPlan) {
		if gone&f.Types != 0 {
			f.restrict(^gone, t.node, t.keyword, "it excludes every value that the other keywords allow")
			p.valuesOfTypes(f)
		}
	}
	for i := range a.Tests {
		t := &a.Tests[i]
		fails, holds := jsontype.All, jsontype.Set(0)
		for c := range p.CasesOf(t.Goal) {
			fails &^= c.Flat.Types
			holds |= c.Flat.free() &^ c.TestedTypes()
		}
		if t.Without {
			fails, holds = holds, fails
		}
		left := t.Types & f.Types &^ (fails | holds)
		changed = changed || left != t.Types
		exclude(t.Types&fails, t)
		t.Types = left
	}
	a.Tests = slices.DeleteFunc(a.Tests, func(t testPlan) bool { return t.Types == 0 })
	if types := a.TestedTypes() & f.Types & jsontype.Number; types != 0 {
		if cases, ok := p.NumberCases(a); ok {
			gone := types
			for i := range cases {
				gone &^= cases[i].Types
			}
			changed = changed || gone != 0
			exclude(gone, &a.Tests[0])
		}
	}
	return changed
}

// free returns the types of which the keywords of a case, without its tests, allow every value.
func (f *Flat) free() (types jsontype.Set) {
	if f.HasValues {
		return f.Types & jsontype.Null
	}
	types = jsontype.Null
	if f.Bools == 3 {
		types |= jsontype.Bool
	}
	if f.Number.IsFree() {
		types |= jsontype.Number
	}
	if len(f.NotValues) > 0 {
		return f.Types & types
	}
	if f.MinLength == 0 && f.MaxLength == NoMaximum && len(f.Patterns) == 0 {
		types |= jsontype.String
	}
	if len(f.lists)+len(f.counts) == 0 && f.unique == 0 && f.minItems == 0 && f.maxItems == NoMaximum {
		types |= jsontype.Array
	}
	if len(f.facets)+len(f.required)+len(f.forbidden)+len(f.named)+len(f.nameAtoms) == 0 && f.minProps == 0 &&
		f.maxProps == NoMaximum {
		types |= jsontype.Object
	}
	return f.Types & types
}

// noteDeadEnds notes where a test may turn out to have no value left after part of it was written: what a test and
// the keywords beside it have in common is not worked out beforehand.
func (p *Planner) noteDeadEnds(reached []GoalID) {
	for _, g := range reached {
		for a := range p.CasesOf(g) {
			for i := range a.Tests {
				if t := &a.Tests[i]; !t.room && t.Types&(jsontype.Array|jsontype.Object) != 0 {
					p.Note(t.node, t.keyword, diag.DeadEnd, deadEndText)
				}
			}
			l := a.List
			if l == nil || a.Flat.Types&jsontype.Array == 0 {
				continue
			}
			for i := range l.Counts {
				p.Note(l.Counts[i].node, "", diag.DeadEnd, deadEndText)
			}
			if l.Unique != 0 && !p.roomForUnlike(l) {
				p.Note(l.Unique, "uniqueItems", diag.DeadEnd, deadEndText)
			}
		}
	}
}

const deadEndText = "this is checked while the value is written, so together with the keywords beside it, it may " +
	"leave no way to complete a value"
