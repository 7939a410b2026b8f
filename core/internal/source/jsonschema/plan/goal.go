package plan

import (
	"iter"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/node"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/pattern"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// goalTable interns goals and holds their cases. One sequence: it belongs to one compilation.
type goalTable struct {
	*node.Reader
	Patterns *pattern.Book
	Tagged   *tagged // nil: JSON

	expandGoal func(GoalID) // computes the cases of an inner goal: Planner.expand, on which no file below it depends

	Goals  []goal
	single []GoalID          // closed goals of one atom, by atom; zero: not made yet
	plain  [5]GoalID         // goals of schemas with one scalar type alone; see plainOf
	multi  map[string]GoalID // goals of several atoms, and open ones
	open   bool              // new goals are open; see closed.go
	arena  []atom            // backs goal.Atoms
}

// WorkOn makes goal g the place of errors about the budget, and counts the work of a goal.
func (p *goalTable) WorkOn(g GoalID) {
	if atoms := p.Goals[g].Atoms; len(atoms) > 0 {
		p.Now = atoms[0].Node()
	}
	p.Options.Work.Spend(goalWork)
}

// goalOf interns the conjunction of atoms. It drops repetitions, and keeps the order of the others, which decides the
// order of properties.
func (p *goalTable) goalOf(atoms ...atom) GoalID {
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

// plainOf returns a pointer to the cached goal of all schemas with the atom's one scalar type and nothing else. For
// other atoms it returns nil. Most properties of tools have such a schema, and its plan does not depend on its place.
func (p *goalTable) plainOf(a atom) *GoalID {
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
func (p *goalTable) CasesOf(g GoalID) iter.Seq[*Alternative] {
	cases := p.Goals[g].Cases
	return func(yield func(*Alternative) bool) {
		for i := 0; i < len(cases) && yield(&cases[i]); i++ {
		}
	}
}

// BodiesOf returns the cases of a goal that a style writes as a body: an array or object, member by member. If a case
// lists values, the plans of these values replace it.
func (p *goalTable) BodiesOf(g GoalID) iter.Seq[*Alternative] {
	return func(yield func(*Alternative) bool) {
		for a := range p.CasesOf(g) {
			if !a.Flat.HasValues && !yield(a) {
				return
			}
			for _, v := range a.Flat.Values {
				if b := p.Tagged.Listed[v]; b != nil && !yield(b) {
					return
				}
			}
		}
	}
}

func (p *goalTable) newGoal(atoms []atom) GoalID {
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

// trivial returns AnyGoal or NoneGoal for an atom that allows everything or nothing, else another number.
func (p *goalTable) trivial(a atom) GoalID {
	switch truth, known := p.Trivial(a.Node()); {
	case !known:
		return NoneGoal + 1
	case truth != a.negated():
		return AnyGoal
	}
	return NoneGoal
}

// PatternFor returns the pattern or format of a use.
func (p *goalTable) PatternFor(u *PatternUse) *pattern.Pattern {
	if u.Format {
		return p.Patterns.Format(u.Text)
	}
	return p.Patterns.Of(u.Text, u.Node)
}

// within makes new goals open or closed until the caller calls undo.
func (p *goalTable) within(open bool) (undo func()) {
	before := p.open
	p.open = p.Options.Closed && open
	return func() { p.open = before }
}

// patternAt returns the value of the keyword pattern, or nil for a malformed one.
func (p *goalTable) patternAt(c jsontext.ID) *pattern.Pattern {
	if !p.IsString(c) {
		return nil
	}
	return p.Patterns.Of(p.Tree.Node(c).Text, c)
}
