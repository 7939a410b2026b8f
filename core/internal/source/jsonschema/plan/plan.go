// Package plan finds the demands of a JSON Schema at each place of the output.
//
//	schema.Reader ── apply, expand ──► goals and their cases ── solve ──► Plan
//
// A goal (goal.go) is a set of subschemas that one value has to satisfy together. The planner merges schemas by putting
// them into one goal: for allOf, for $ref with siblings, or if two schemas declare the same property. Expanding a goal
// (expand.go) applies the keywords of its subschemas to a flat conjunction (flat.go, apply.go), splits alternatives
// (choice.go; negations in negate.go) and leaves cases without alternatives (case.go).
//
// Files use one another in one direction, except that expanding a goal may expand an inner one, by
// goalTable.expandGoal.
//
// If splitting all alternatives makes too many cases, schemas are tested instead of merged (tested.go). Types decide a
// test (decide.go). Otherwise it becomes an intersection of regular languages or a boolean node of the grammar.
//
// Invariant: a value satisfies a goal exactly if it satisfies one of its cases, or there is a note. The package must
// not know grammars. Start reading at New.
package plan

import (
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/style"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Plan is a planned schema: its goals, and the goals that values reach. It grows while it is lowered, by one goroutine
// at a time.
type Plan struct {
	Planner *Planner
	Start   GoalID
	Reached []GoalID

	Members, Empty bool // of a style: whether some outermost value has members, and whether one has none
}

// Writing says how values are written, besides the compile options. The zero Writing is JSON.
type Writing struct {
	Style    string   // of package style, or empty
	Ends     []string // the ends of the tag around the value, if the tag ends right after it; none is empty
	Excludes []string // texts that strings do not contain
	// Arguments says that the value is the arguments of a call: an object, written so that readers of calls find the
	// same values again; see arguments.go.
	Arguments bool
}

// New plans a schema, and finds the errors that need no automata. It answers questions about patterns in the store of
// st, or in a store of its own if st is nil.
func New(r *schema.Reader, st func() *terminal.Store, w Writing) (*Plan, error) {
	p := newPlanner(r, st)
	defer r.Options.Work.At(p.Here)()
	p.expandGoal, p.Excludes, p.Arguments = p.expand, w.Excludes, w.Arguments
	c := &Plan{Planner: p}
	switch {
	case w.Style != "":
		c.Start = p.planRoot(style.Of(w.Style), w.Ends)
	case w.Arguments:
		c.Start = p.goalOf(positive(r.Root), positive(p.Typed(jsontype.Object)))
	default:
		c.Start = p.goalOf(positive(r.Root))
	}
	c.Reached = p.plan(c.Start)
	if p.Err != nil {
		return nil, p.Err
	}
	if p.Arguments {
		p.noteArguments(c.Reached)
	}
	s := p.Solve(c.Reached, nil)
	if p.Tagged != nil {
		c.Members, c.Empty = s.hasMembers(c.Start), p.hasEmpty(c.Start)
	}
	if !c.Members && !c.Empty && (p.Tagged != nil || !s.Satisfied[c.Start]) {
		if err := p.noneOfStyle(); err != nil {
			return nil, err
		}
		return nil, p.Unsatisfiable(s, c.Start)
	}
	if err := p.checkDivisors(c.Reached, s); err != nil {
		return nil, err
	}
	return c, nil
}

// plan expands every goal that can be reached from start and returns them, in the order in which they were found. It
// works through a list and not by recursion, so that nesting costs no stack.
func (p *Planner) plan(start GoalID) []GoalID {
	reached := []GoalID{start}
	seen := make([]bool, len(p.Goals), 2*len(p.Goals)+8)
	mark := func(g GoalID) {
		for int(g) >= len(seen) {
			seen = append(seen, false)
		}
		if !seen[g] {
			seen[g] = true
			reached = append(reached, g)
		}
	}
	seen[start] = true
	for i := 0; i < len(reached) && p.Err == nil; i++ {
		p.expand(reached[i])
		for a := range p.CasesOf(reached[i]) {
			a.Children(mark)
		}
		if p.Tagged != nil {
			p.planTagged(reached[i], mark)
		}
	}
	if p.Err == nil {
		p.refuseCycles(reached)
	}
	if p.Err == nil {
		p.decideTests(reached)
		p.planUnlike(reached)
		p.checkValues(reached)
		if p.python() {
			p.checkUnique(reached)
		}
		p.noteDeadEnds(reached)
	}
	return reached
}

// checkValues drops the values of enum and const that a test excludes, and the arrays and objects that the other
// keywords exclude.
func (p *Planner) checkValues(reached []GoalID) {
	for _, g := range reached {
		for a := range p.CasesOf(g) {
			p.keepListed(&a.Flat, a.Flat.Why.Node, func(v jsontext.ID) bool {
				return (p.isScalar(v) || p.fitsFlat(v, &a.Flat, a.Object, a.List)) && p.testsHold(v, a)
			})
		}
	}
}
