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

	asked int     // depth of nested expansions that look for discriminators
	flats []*Flat // a free list: a flat takes three quarters of a kilobyte, and each expansion needs two
}

func newPlanner(r *schema.Reader, st func() *terminal.Store) *Planner {
	t := &goalTable{Reader: node.New(r), Patterns: pattern.NewBook(r, st)}
	t.single = make([]GoalID, 2*r.Tree.Len())
	t.Goals = make([]goal, 2, 6+r.Tree.Len()/16)
	t.Goals[NoneGoal].state = goalExpanded
	return &Planner{applier: applier{validator: &validator{goalTable: t}}}
}

// takeFlat returns an empty flat, for the expansion of a goal. giveFlats takes it back.
func (p *Planner) takeFlat() *Flat {
	var f *Flat
	if n := len(p.flats); n > 0 {
		f, p.flats = p.flats[n-1], p.flats[:n-1]
	} else {
		f = new(Flat)
	}
	*f = newFlat()
	return f
}

// giveFlats takes back the flats of takeFlat.
func (p *Planner) giveFlats(fs ...*Flat) { p.flats = append(p.flats, fs...) }
