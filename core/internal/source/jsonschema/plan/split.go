package plan

import (
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// effort says which choices a splitter merges, and which become tests.
type effort uint8

const (
	allApart   effort = iota // all choices are split, none is tested
	noOpposite               // the opposites of schemas are tested
	oneApart                 // the first choice is split, the others are tested
)

// splitter splits a flat into cases, depth first.
type splitter struct {
	p       *Planner
	cases   []Alternative
	why     Conflict
	effort  effort
	steps   int
	size    int                  // properties, forbidden names and facets copied from case to case
	written map[jsontext.ID]bool // the choices split so far
	room    int                  // how many alternatives they have
	spent   bool
}

// spend counts the choice that is decided next, and reports whether the budgets allow it. A flat without choices does
// not call it.
func (s *splitter) spend(f *Flat) bool {
	p := s.p
	p.caseSteps++
	s.steps++
	size := len(f.required) + len(f.forbidden) + len(f.facets)
	s.size += size
	p.Options.Work.Spend(applyWork + nameWork*size)
	most, steps := limits.SchemaCases+s.room, limits.SchemaGoalSteps
	if s.effort == oneApart {
		most, steps = limits.SchemaCasesTested, limits.SchemaCaseSteps
	} else if p.caseSteps > limits.SchemaCaseSteps/2 {
		steps = limits.SchemaGoalSteps / 16 // many goals of this kind: no more than a try for each
	}
	large := s.effort < oneApart && s.size > limits.SchemaCaseSize+16*p.Tree.Len()
	s.spent = s.spent || large || s.steps > steps || len(s.cases) > most || p.caseSteps > limits.SchemaCaseSteps
	return !s.spent
}

// count adds the alternatives of a choice to room: a schema may have as many cases as it writes alternatives.
func (s *splitter) count(c *choice, branches int) {
	if s.written[c.node] {
		return
	}
	if s.written == nil {
		s.written = map[jsontext.ID]bool{}
	}
	s.written[c.node] = true
	s.room += branches
}
