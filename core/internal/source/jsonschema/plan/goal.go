package plan

import (
	"iter"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/node"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/pattern"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Planner turns schema nodes into goals and cases. One sequence: it belongs to one compilation.
type Planner struct {
	*node.Reader
	Patterns *pattern.Book

	expandGoal func(GoalID) // computes the cases of an inner goal: expand, on which no other file depends

	Goals  []goal
	single []GoalID          // closed goal of one atom, indexed by atom; zero means not made yet
	plain  [5]GoalID         // goals of schemas with one scalar type and nothing else; see plainOf
	multi  map[string]GoalID // goals of several atoms, and open ones
	open   bool              // goals that are made now are open; see closed.go
	arena  []atom            // backs goal.atoms
	paths  []pathNode

	// unsure is set when a value was checked against a goal whose cases are not known yet.
	unsure bool

	// freeTexts is set when texts of a pattern were listed one by one.
	freeTexts bool

	// divides is set when some number must be, or must not be, a multiple of another.
	divides bool
	// overlapping is the oneOf of which too many members overlap, until it has been refused.
	overlapping jsontext.ID

	numbers map[GoalID]numbers // see numbersOf

	Tagged    *tagged  // nil: JSON
	Excludes  []string // texts that strings do not contain
	Arguments bool     // see arguments.go

	caseSteps int
	walked    int     // back along paths, since that was last counted as steps
	asked     int     // how many expansions for discriminators are inside one another
	flats     []*Flat // not in use; each takes a kilobyte, and each goal needs two for a while
}

// Work of the planner, in the unit of the budget of a compilation.
const (
	goalWork  = 100 // expanding a goal, making its rule
	applyWork = 40  // applying a schema, forking a case
	nameWork  = 5   // visiting the name of a property, a key, a value, a member of a list
)

func newPlanner(r *schema.Reader, st func() *terminal.Store) *Planner {
	p := &Planner{Reader: node.New(r), Patterns: pattern.NewBook(r, st)}
	p.single = make([]GoalID, 2*r.Tree.Len())
	p.Goals = make([]goal, 2, 6+r.Tree.Len()/16)
	p.Goals[NoneGoal].state = goalExpanded
	return p
}

// WorkOn notes that goal g is being worked on, and counts that.
func (p *Planner) WorkOn(g GoalID) {
	if atoms := p.Goals[g].Atoms; len(atoms) > 0 {
		p.Now = atoms[0].Node()
	}
	p.Options.Work.Spend(goalWork)
}

// goalOf interns the conjunction of atoms. It drops repetitions, and keeps the order of the others, which decides the
// order of properties.
func (p *Planner) goalOf(atoms ...atom) GoalID {
	kept := atoms[:0:0]
	var buffer [8]atom
	if len(atoms) <= len(buffer) {
		kept = buffer[:0]
	}
	for _, a := range atoms {
		a = signed(p.Follow(a.Node()), a.negated())
		switch g := p.trivial(a); {
		case g == NoneGoal:
			return NoneGoal
		case g == AnyGoal || slices.Contains(kept, a):
			continue
		}
		if slices.Contains(kept, a.not()) {
			return NoneGoal
		}
		kept = append(kept, a)
	}
	switch len(kept) {
	case 0:
		return AnyGoal
	case 1:
		if p.open {
			break
		}
		for int(kept[0]) >= len(p.single) {
			p.single = append(p.single, make([]GoalID, 2*p.Tree.Len()-len(p.single))...)
		}
		g := &p.single[kept[0]]
		if *g > NoneGoal {
			return *g
		}
		if plain := p.plainOf(kept[0]); plain == nil {
			*g = p.newGoal(kept)
		} else {
			if *plain == 0 {
				*plain = p.newGoal(kept)
			}
			*g = *plain
		}
		return *g
	}
	key := make([]byte, 0, 4*len(buffer)+1)
	if p.open {
		key = append(key, 'o') // of another length than keys of closed goals
	}
	for _, a := range kept {
		key = append(key, byte(a), byte(a>>8), byte(a>>16), byte(a>>24))
	}
	if g, ok := p.multi[string(key)]; ok {
		return g
	}
	if p.multi == nil {
		p.multi = map[string]GoalID{}
	}
	g := p.newGoal(kept)
	p.multi[string(key)] = g
	return g
}

// plainOf returns the place of the cached goal of an atom with one scalar type and nothing else, nil for others. Most
// properties of tools are such, and their plan does not depend on where they stand.
func (p *Planner) plainOf(a atom) *GoalID {
	n := p.Tree.Node(a.Node())
	if a.negated() || p.Tagged != nil || n.Kind != jsontext.Object || n.Count > 3 ||
		p.DialectAt(a.Node()) != p.DialectAt(p.Root) {
		return nil
	}
	var plain *GoalID
	for c := n.First; c != 0; {
		m := p.Tree.Node(c)
		c = m.Next
		switch m.Key {
		case "description", "title":
		case "type":
			if at := slices.Index(plainTypes[:], m.Text); at >= 0 && m.Kind == jsontext.String {
				plain = &p.plain[at]
				continue
			}
			return nil
		default:
			return nil
		}
	}
	return plain
}

var plainTypes = [...]string{"string", "integer", "number", "boolean", "null"}

// CasesOf returns the cases of a goal.
func (p *Planner) CasesOf(g GoalID) iter.Seq[*Alternative] {
	cases := p.Goals[g].Cases
	return func(yield func(*Alternative) bool) {
		for i := 0; i < len(cases) && yield(&cases[i]); i++ {
		}
	}
}

func (p *Planner) newGoal(atoms []atom) GoalID {
	if len(p.Goals) >= limits.SchemaGoals {
		p.Fail(p.ErrorAt(diag.Limit, atoms[0].Node(), "",
			"the schema leads to more than %d combinations of subschemas; use additionalProperties for some, or "+
				"write repeated parts once and refer to them", limits.SchemaGoals))
		return NoneGoal
	}
	start := len(p.arena)
	p.arena = append(p.arena, atoms...)
	p.Goals = append(p.Goals, goal{Atoms: p.arena[start:len(p.arena):len(p.arena)], open: p.open})
	return GoalID(len(p.Goals) - 1)
}

// trivial returns AnyGoal or NoneGoal for an atom that is one of them, else another number.
func (p *Planner) trivial(a atom) GoalID {
	switch truth, known := p.Trivial(a.Node()); {
	case !known:
		return NoneGoal + 1
	case truth != a.negated():
		return AnyGoal
	}
	return NoneGoal
}

// PatternFor returns the pattern or format of a use.
func (p *Planner) PatternFor(u *PatternUse) *pattern.Pattern {
	if u.Format {
		return p.Patterns.Format(u.Text)
	}
	return p.Patterns.Of(u.Text, u.Node)
}

// takeFlat returns a flat that nothing has been applied to, for a goal that is expanded.
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

// giveFlats returns the flats of takeFlat.
func (p *Planner) giveFlats(fs ...*Flat) { p.flats = append(p.flats, fs...) }
