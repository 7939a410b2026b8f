package plan

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
)

// A test is decided for a type of which the tested schema allows every value or none: then nothing of it is left to be
// found out while a value is written, and what is excluded whole is known to be.

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

// decideTests takes decided tests out of the cases of all goals. What becomes of one goal may decide tests of others.
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
	for i := range a.Tests {
		t := &a.Tests[i]
		some, all := p.extent(t.Goal)
		gone, decided := t.Types&^some, t.Types&all // fails, holds
		if t.Without {
			gone, decided = decided, gone
		}
		if left := t.Types & f.Types &^ (gone | decided); left != t.Types {
			t.Types, changed = left, true
		}
		if gone&f.Types != 0 {
			f.restrict(^gone, t.node, t.keyword, "it excludes every value that the other keywords allow")
			p.valuesOfTypes(f)
		}
	}
	a.Tests = slices.DeleteFunc(a.Tests, func(t testPlan) bool { return t.Types == 0 })
	if types := a.TestedTypes() & f.Types & jsontype.Number; types != 0 {
		if cases, ok := p.NumberCases(a, 0); ok {
			left := ^jsontype.Number
			for i := range cases {
				left |= cases[i].Types
			}
			changed = changed || f.Types&^left != 0
			f.restrict(left, a.Tests[0].node, a.Tests[0].keyword,
				"it excludes every value that the other keywords allow")
			p.valuesOfTypes(f)
		}
	}
	return changed
}

// extent returns the types of which a goal has values, or perhaps has, and those of which it has all.
func (p *Planner) extent(g GoalID) (some, all jsontype.Set) {
	if g == AnyGoal {
		return jsontype.All, jsontype.All
	}
	for a := range p.CasesOf(g) {
		some |= a.Flat.Types
		all |= a.Flat.Types & a.whole() &^ a.TestedTypes()
	}
	return some, all
}

// whole returns types of which the keywords of a case, leaving tests aside, allow every value if they allow the type.
func (a *Alternative) whole() (types jsontype.Set) {
	f := &a.Flat
	types = jsontype.Null
	if f.HasValues {
		return types
	}
	if f.Bools == 3 {
		types |= jsontype.Bool
	}
	if f.Number.IsFree() {
		types |= jsontype.Number
	}
	if f.MinLength == 0 && f.MaxLength == NoMaximum && len(f.Patterns) == 0 && len(f.NotValues) == 0 {
		types |= jsontype.String
	}
	if l := a.List; l != nil && l.isFree() && len(f.NotValues) == 0 {
		types |= jsontype.Array
	}
	if o := a.Object; o != nil && o.isFree() && len(f.NotValues) == 0 {
		types |= jsontype.Object
	}
	return types
}

// isFree says whether the list is any array.
func (l *ListPlan) isFree() bool {
	for _, g := range l.Prefix {
		if g != AnyGoal {
			return false
		}
	}
	return l.Rest == AnyGoal && l.Min == 0 && l.Max == NoMaximum && l.Witness == nil && l.Counted == nil &&
		len(l.Counts) == 0 && l.Unique == 0
}

// isFree says whether the object is any object.
func (o *ObjectPlan) isFree() bool {
	for i := range o.Properties {
		if q := &o.Properties[i]; q.Goal != AnyGoal || q.Required {
			return false
		}
	}
	if len(o.Extras) != 1 || o.Min > 0 || o.Max != NoMaximum {
		return false
	}
	e := &o.Extras[0]
	return e.Goal == AnyGoal && e.Names == AnyGoal && len(e.With) == 0 && len(e.Without) == 0
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
