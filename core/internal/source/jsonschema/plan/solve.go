package plan

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/style"
)

// Solver finds the goals that no finite value satisfies: goals without cases, and goals whose every case demands a
// value of such a goal. It starts from "none is satisfied" and adds satisfied goals until nothing changes.
type Solver struct {
	p *Planner
	// Satisfied is indexed by goal.
	Satisfied []bool
	// Values and Bodies are indexed by goal, too. They tell the goals that a value or a body of a style satisfies
	// (style_plan.go). Within is the list for the goals of members: Values for members in tags, else Satisfied.
	Values, Bodies, Within []bool
	InTags                 bool // Within is Values
	// found holds facts about texts. Nil: none yet.
	found *Found
}

// Found holds the facts about the texts of a schema that only automata decide.
type Found struct {
	NoString func(*Alternative) bool // the string keywords of a case contradict each other
	NoValue  func(*Alternative) bool // none of the values listed can be written
	NoText   func(*Alternative) bool // no string of a case can be written as it is
	NoName   func(name string, inTags bool) bool
}

// Solve runs to the fixed point. It visits goals in reverse order of discovery, because the demands of a goal are
// mostly discovered after it: then one pass does nearly all.
func (p *Planner) Solve(reached []GoalID, f *Found) *Solver {
	s := &Solver{p: p, Satisfied: make([]bool, len(p.Goals)), found: f}
	s.Within = s.Satisfied
	if p.Tagged != nil {
		s.Values, s.Bodies = make([]bool, len(p.Goals)), make([]bool, len(p.Goals))
	}
	for changed := true; changed; {
		changed = p.Tagged != nil && s.tagged(reached)
		for i := len(reached) - 1; i >= 0; i-- {
			g := reached[i]
			if s.Satisfied[g] {
				continue
			}
			for a := range p.CasesOf(g) {
				if s.possibleCase(a) {
					s.Satisfied[g], changed = true, true
					break
				}
			}
		}
	}
	return s
}

// scalars returns the scalar types of which the case has values.
func (s *Solver) scalars(a *Alternative) jsontype.Set {
	types := a.Flat.Types & jsontype.Scalars
	if types&jsontype.String != 0 && s.found != nil && s.found.NoString(a) {
		types &^= jsontype.String
	}
	return types
}

func (s *Solver) possibleCase(a *Alternative) bool {
	if a.Flat.HasValues {
		return len(a.Flat.Values) > 0 && (s.scalars(a) != 0 || a.Flat.Types&(jsontype.Array|jsontype.Object) != 0) &&
			(s.found == nil || !s.found.NoValue(a))
	}
	return s.scalars(a) != 0 || s.List(a) || s.Object(a)
}

// List reports whether the case has a finite array.
func (s *Solver) List(a *Alternative) bool {
	l := a.List
	if l == nil || a.Flat.Types&jsontype.Array == 0 {
		return false
	}
	if !s.passes(a, jsontype.Array) || l.Counted != nil && l.Counted.Min > 0 && !s.Within[l.Counted.Match] {
		return false
	}
	for i := range l.Counts {
		if l.Counts[i].Min > 0 && !s.Within[l.Counts[i].Match] {
			return false
		}
	}
	if l.Witness == nil {
		return s.Items(l)
	}
	for i := l.Witness.From; i <= max(len(l.Prefix), l.Witness.From); i++ {
		if o := l.WitnessAt(i); o != nil && s.Items(o) {
			return true
		}
	}
	return false
}

// passes reports whether, for each test of values of these types, some value passes it.
func (s *Solver) passes(a *Alternative, types jsontype.Set) bool {
	for i := range a.Tests {
		if t := &a.Tests[i]; t.Types&types != 0 && !t.Without && !s.Satisfied[t.Goal] {
			return false
		}
	}
	return true
}

// Items reports whether there are finite values for all items that have to be there.
func (s *Solver) Items(l *ListPlan) bool {
	for i := 0; i < len(l.Prefix) && uint64(i) < l.Min; i++ {
		if !s.Within[l.Prefix[i]] {
			return false
		}
	}
	return l.Min <= uint64(len(l.Prefix)) || s.Within[l.Rest]
}

// Object reports whether the case has a finite object.
func (s *Solver) Object(a *Alternative) bool {
	o := a.Object
	if o == nil || a.Flat.Types&jsontype.Object == 0 || !s.passes(a, jsontype.Object) {
		return false
	}
	for i := range o.Properties {
		if o.Properties[i].Required && !s.May(&o.Properties[i]) {
			return false
		}
	}
	if o.Min <= uint64(o.Required) {
		return true
	}
	for i := range o.Extras {
		if s.Within[o.Extras[i].Goal] {
			return true
		}
	}
	possible := uint64(0)
	for i := range o.Properties {
		if s.May(&o.Properties[i]) {
			possible++
		}
	}
	return possible >= o.Min
}

// May reports whether a property has a value and a spelling of its name.
func (s *Solver) May(q *PropertyPlan) bool {
	return s.Within[q.Goal] && (s.found == nil || !s.found.NoName(q.Name, s.InTags))
}

// tagged adds the goals that have values in the style, and reports whether it added any.
func (s *Solver) tagged(reached []GoalID) (changed bool) {
	t := s.p.Tagged
	s.Within, s.InTags = s.Values, true
	for i := len(reached) - 1; i >= 0; i-- {
		if g := reached[i]; t.bodies[g] && !s.Bodies[g] && s.body(g) {
			s.Bodies[g], changed = true, true
		}
	}
	s.Within, s.InTags = s.Satisfied, false
	for i := len(t.Values) - 1; i >= 0; i-- {
		g := t.Values[i]
		for k := 0; k < len(t.Style.Forms) && !s.Values[g]; k++ {
			s.Values[g] = s.form(&t.Style.Forms[k], t.Forms[g][k])
			changed = changed || s.Values[g]
		}
	}
	return changed
}

// Start reports whether the goal of the outermost value has a value, which may be a body without members.
func (s *Solver) Start(g GoalID) bool {
	switch t := s.p.Tagged; {
	case t == nil:
		return s.Satisfied[g]
	case t.Alone:
		return s.Values[g]
	}
	return s.Bodies[g]
}

// hasMembers reports whether a goal has a body that is not empty, or a text that stands alone.
func (s *Solver) hasMembers(g GoalID) bool {
	if s.p.Tagged.Alone {
		return s.Values[g]
	}
	s.Within, s.InTags = s.Values, true
	defer func() { s.Within, s.InTags = s.Satisfied, false }()
	for a := range s.p.BodiesOf(g) {
		l, o := a.List, a.Object
		if s.List(a) && l.Max > 0 && s.Within[l.At(0)] {
			return true
		}
		if s.Object(a) && o.Max > 0 &&
			(slices.ContainsFunc(o.Extras, func(e ExtraPlan) bool { return s.Within[e.Goal] }) ||
				slices.ContainsFunc(o.Properties, func(q PropertyPlan) bool { return s.May(&q) })) {
			return true
		}
	}
	return false
}

// form reports whether a goal has a value in a form.
func (s *Solver) form(f *style.Form, g GoalID) bool {
	switch f.How {
	case style.AsMembers:
		return s.Bodies[g]
	case style.AsJSON:
		return s.Satisfied[g]
	}
	for a := range s.p.CasesOf(g) {
		if a.Flat.Types&jsontype.String != 0 && (s.found == nil || !s.found.NoText(a)) {
			return true
		}
	}
	return false
}

// body reports whether a goal has an array or object whose members can be written.
func (s *Solver) body(g GoalID) bool {
	for a := range s.p.BodiesOf(g) {
		if s.List(a) || s.Object(a) {
			return true
		}
	}
	return false
}

// Unsatisfiable explains why the goal start has no values, following demands down to a conflict.
func (p *Planner) Unsatisfiable(s *Solver, start GoalID) *diag.Error {
	g := start
	seen := map[GoalID]bool{}
	for !seen[g] {
		seen[g] = true
		if len(p.Goals[g].Cases) == 0 {
			if w := p.Goals[g].why; w.Node != 0 {
				return p.conflictError(&w)
			}
			break
		}
		next := s.culprit(&p.Goals[g].Cases[0])
		if next == NoneGoal || next == AnyGoal {
			break
		}
		g = next
	}
	node := p.Root
	if len(p.Goals[g].Atoms) > 0 {
		node = p.Goals[g].Atoms[0].Node()
	}
	if len(p.Goals[g].Cases) > 0 {
		if w := p.Goals[g].Cases[0].Flat.Why; w.Text != "" {
			return p.conflictError(&w)
		}
		return p.ErrorAt(diag.Unsatisfiable, node, "", "nothing can satisfy the schema: its requirements here "+
			"exclude themselves, or require themselves again without end")
	}
	return p.ErrorAt(diag.Unsatisfiable, node, "", "nothing can satisfy the schema here")
}

// conflictError returns the error of a conflict, with its one or two places. It also lists the keywords beside it that
// have no effect, since the author of the schema may have relied on them.
func (p *Planner) conflictError(w *Conflict) *diag.Error {
	e := p.ErrorAt(diag.Unsatisfiable, w.Node, w.Keyword, "nothing can satisfy the schema: %s", w.Text)
	if w.other != 0 {
		e.Other = diag.At(p.Pointer(w.other))
	}
	beside := p.Pointer(p.Tree.Node(w.Node).Parent) + "/"
	for _, n := range p.Notes {
		if n.Effect == diag.Ignored && n.Pointer == beside+n.Keyword {
			e.Message += "; beside it, " + n.Keyword + ": " + n.Text
		}
	}
	return e
}

// culprit returns a goal without values that the case demands.
func (s *Solver) culprit(a *Alternative) GoalID {
	if o := a.Object; o != nil {
		for i := range o.Properties {
			if o.Properties[i].Required && !s.Satisfied[o.Properties[i].Goal] {
				return o.Properties[i].Goal
			}
		}
	}
	if l := a.List; l != nil {
		for i := 0; uint64(i) < l.Min && i <= len(l.Prefix); i++ {
			if g := l.At(i); !s.Satisfied[g] {
				return g
			}
		}
	}
	return NoneGoal
}
