package plan

import (
	"slices"
	"strconv"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// expand computes the cases of a goal, once. A goal has no cases while it is being expanded. Callers that may meet such
// a goal check its state, or validator.unsure.
//
// It separates all alternatives if it can, since then no output runs into a dead end. If that makes too many cases, it
// tests negations instead of merging them. If that is not enough, it splits one choice and tests the others.
func (p *Planner) expand(g GoalID) {
	if p.Goals[g].state != goalNew || p.Err != nil {
		return
	}
	p.Goals[g].state = goalExpanding
	defer func(before jsontext.ID) { p.Now = before }(p.Now)
	defer p.within(p.Goals[g].open)()
	p.WorkOn(g)
	if p.asked > 0 {
		p.caseSteps += 4 // only to look for a contradiction
	}
	f := newFlat()
	for _, a := range p.Goals[g].Atoms {
		p.apply(f, a, noPath)
	}
	var s splitter
	for effort := allApart; effort <= oneApart && p.overlapping == 0; effort++ {
		s = splitter{p: p, effort: effort}
		whole := f // split changes it
		if len(f.choices) > 0 {
			whole = f.fork()
		}
		if s.split(whole, 0); !s.spent {
			break
		}
	}
	if s.spent && p.tooManyCases(g) {
		// Lenient: keywords that hold in every case are enforced, the alternatives are not.
		f.choices = nil
		s = splitter{p: p}
		s.finish(f)
	}
	gg := &p.Goals[g]
	gg.Cases, gg.why, gg.state = s.cases, s.why, goalExpanded
}

// tooManyCases refuses a goal with too many alternatives to separate, unless the caller is lenient.
func (p *Planner) tooManyCases(g GoalID) bool {
	if node := p.overlapping; node != 0 {
		p.overlapping = 0
		return p.Unsupported(node, "oneOf", "more than "+strconv.Itoa(limits.SchemaOverlaps)+" pairs of its "+
			strconv.Itoa(int(p.Tree.Node(node).Count))+" members overlap; use anyOf, or give each member a required "+
			"property with a const of its own")
	}
	return p.Unsupported(p.Goals[g].Atoms[0].Node(), "", "the alternatives here (anyOf, oneOf, if, dependencies) combine "+
		"to more than "+strconv.Itoa(limits.SchemaCases)+" cases, or separating them takes too many steps; give each "+
		"alternative a required property with a const of its own")
}

// split decides the choices of f one after another; depth counts the split ones. It changes f. A branch that
// contradicts earlier ones adds nothing to s.steps. So a hundred if-schemas cost few steps if each compares the same
// property with a constant.
func (s *splitter) split(f *Flat, depth int) {
	p := s.p
	if p.Err != nil || s.spent {
		return
	}
	f.settle()
	if f.Types == 0 {
		s.blame(f)
		return
	}
	at := nextChoice(f.choices)
	if at < 0 {
		s.finish(f)
		return
	}
	if !s.spend(f) {
		return
	}
	if f.Types&jsontype.Object != 0 && p.contradicts(f) {
		if f.Types == 0 {
			s.steps--
			s.blame(f)
			return
		}
	}
	c := f.choices[at]
	if at == 0 {
		f.choices = f.choices[1:]
	} else {
		f.choices = append(slices.Clip(f.choices[:at]), f.choices[at+1:]...)
	}
	if s.effort == oneApart && depth > 0 || s.effort == noOpposite && c.keyword == schema.Not {
		if c.keyword != schema.Not && p.isSeen(f, c.path) {
			p.refuse(f, jsontype.Array|jsontype.Object, c.node, "unevaluatedProperties or unevaluatedItems depends on "+
				"too many alternatives")
		}
		s.deferChoice(f, &c)
		s.split(f, depth)
		return
	}
	branches, decided := s.branches(f, &c)
	if s.spent = s.spent || p.overlapping != 0 || p.caseSteps > limits.SchemaCaseSteps; s.spent {
		return
	}
	if decided {
		s.split(f, depth)
		return
	}
	s.count(&c, len(branches))
	for _, b := range branches {
		h := f.fork()
		p.applyBranch(h, b, c.path, oneBranch)
		s.split(h, depth+1)
		if p.Err != nil || s.spent {
			return
		}
	}
	if len(branches) == 0 && s.why.Node == 0 {
		text := "none of its alternatives is possible"
		if c.keyword == schema.OneOf {
			text = "no value satisfies exactly one of its members"
		}
		s.why = Conflict{c.node, p.Tree.Node(c.node).Key, text, 0}
	}
}

// nextChoice picks the choice to decide: in order, but choices that need all declared properties last.
func nextChoice(choices []choice) int {
	for i := range choices {
		if choices[i].keyword != schema.AdditionalProperties {
			return i
		}
	}
	return len(choices) - 1
}

func (s *splitter) blame(f *Flat) {
	if s.why.Node == 0 && f.Why.Text != "" {
		s.why = f.Why
	}
}

// finish lays out objects and arrays of a case without choices and keeps it if it is possible.
func (s *splitter) finish(f *Flat) {
	p := s.p
	p.scalarValues(f)
	if len(f.rest) > 0 {
		p.applyRest(f)
	}
	if f.Types&jsontype.Object != 0 {
		p.contradicts(f)
	}
	a := Alternative{}
	if len(f.tests) > 0 {
		a.Tests = p.planTests(f)
	}
	if f.Types&jsontype.Array != 0 {
		a.List = p.planList(f)
	}
	if f.Types&jsontype.Object != 0 {
		a.Object = p.planObject(f)
	}
	p.valuesOfTypes(f)
	if f.Types == 0 {
		s.blame(f)
		return
	}
	if p.Err != nil {
		return
	}
	if a.Object != nil {
		s.size += len(a.Object.Properties)
	}
	p.excludeByTest(&a, f)
	for _, r := range f.refusals {
		if r.types&f.Types != 0 && !p.Unsupported(r.node, r.keyword, r.reason) {
			return
		}
	}
	if n := len(s.cases); n == cap(s.cases) { // a case takes three quarters of a kilobyte: copy seldom, leave little room
		s.cases = slices.Grow(s.cases, max(min(7*n+1, s.room-n+1), n/4+1))
	}
	s.cases = append(s.cases, a)
	s.cases[len(s.cases)-1].Flat = *f
}
