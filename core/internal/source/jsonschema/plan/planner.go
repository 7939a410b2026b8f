package plan

import (
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/node"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/pattern"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Planner turns schema nodes into goals and cases. One sequence: it belongs to one compilation.
type Planner struct {
	applier

	freeTexts   bool        // texts of a pattern were listed one by one
	overlapping jsontext.ID // the oneOf of which too many members overlap, until it has been refused

	numbers map[GoalID]numbers // see numbersOf

	Excludes  []string // texts that strings do not contain
	Arguments bool     // see arguments.go

	asked int // depth of nested expansions that look for discriminators
}

func newPlanner(r *schema.Reader, st func() *terminal.Store) *Planner {
	t := &goalTable{Reader: node.New(r), Patterns: pattern.NewBook(r, st)}
	t.single = make([]GoalID, 2*r.Tree.Len())
	t.Goals = make([]goal, 2, 6+r.Tree.Len()/16)
	t.Goals[NoneGoal].state = goalExpanded
	return &Planner{applier: applier{validator: &validator{goalTable: t}}}
}
