package plan

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
)

// refuseCycles refuses tests that depend on themselves: a negation that leads back to itself, or alternatives that lead
// back to themselves and are tests because they are too many to split.
func (p *Planner) refuseCycles(reached []GoalID) {
	state := make([]goalState, len(p.Goals))
	var visit func(g GoalID, alternatives bool)
	visit = func(g GoalID, alternatives bool) {
		switch {
		case p.Err != nil || state[g] == goalExpanded:
			return
		case state[g] == goalNew:
		case alternatives:
			p.Fail(p.ErrorAt(diag.Limit, p.Goals[g].Atoms[0].Node(), "", "alternatives lead back to themselves "+
				"here and combine to more than %d cases; list each alternative once, in an anyOf without keywords "+
				"beside it", limits.SchemaCases))
			return
		default:
			p.endless(p.Goals[g].Atoms[0].Node())
			return
		}
		state[g] = goalExpanding
		for a := range p.CasesOf(g) {
			for i := range a.Tests {
				visit(a.Tests[i].Goal, alternatives || !a.Tests[i].Without)
			}
		}
		state[g] = goalExpanded
	}
	for _, g := range reached {
		visit(g, false)
	}
}

// decideTests decides tests by type. A test is decided for a type if its schema allows every value of the type, or
// none. If the test holds then, it no longer concerns the type; else its case loses the type. decideTests repeats that,
// since a changed goal may decide tests of others. If tests stay undecided, case not.json#8 of the
// JSON-Schema-Test-Suite allows an array that cannot end.
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

// noteDeadEnds notes tests that may leave no way to complete a value that was begun. They may, because no automaton
// intersects a test with the keywords beside it.
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
