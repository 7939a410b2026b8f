package plan

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// Contradictory cases are found early, before the remaining choices multiply them: mostly alternatives with a required
// property that has a const of its own. A name is checked again only if a keyword restricts it further; and if it has
// few values left, only they are tried.

// searched is how much of required, facets and named was there when contradictions were last looked for. All of them
// only grow.
type searched struct{ required, facets, named int }

// pinned are the few values that are left for a property.
type pinned struct {
	name   string
	values []jsontext.ID
}

// fewValues is how many values are tried one by one.
const fewValues = 8

// contradicts looks for a required property whose value cannot exist, because several schemas speak about it. Then no
// object is possible.
func (p *Planner) contradicts(f *Flat) bool {
	if len(f.facets) < 2 && len(f.named) == 0 || p.emptyDepth >= limits.SchemaEmptyDepth {
		return false
	}
	// It only saves work to find a contradiction here (satisfaction is decided exactly when all is planned), so a long
	// list of names is not searched to its end.
	before := f.searched
	f.searched = searched{min(len(f.required), limits.SchemaNamesCompared), len(f.facets), len(f.named)}
	for k, u := range f.required[:f.searched.required] {
		since := before
		if k >= before.required {
			since = searched{}
		}
		var buffer [8]atom
		atoms := p.atomsFor(f, u.name, since, buffer[:0])
		if len(atoms) > 0 && p.noValue(f, u.name, since, atoms) {
			f.restrict(^jsontype.Object, u.node, "required", "the property "+schema.Quote(u.name)+" is required, but "+
				"the schemas for it contradict each other")
			return true
		}
	}
	return false
}

// atomsFor appends the atoms of a property by name, since then.
func (p *Planner) atomsFor(f *Flat, name string, since searched, atoms []atom) []atom {
	for i := since.facets; i < len(f.facets); i++ {
		if c := p.declared(f.facets[i].properties, name); c != 0 {
			atoms = append(atoms, positive(c))
		}
	}
	for i := since.named; i < len(f.named); i++ {
		if f.named[i].name == name {
			atoms = append(atoms, f.named[i].atom)
		}
	}
	return atoms
}

// noValue says whether it can be proved that no value is left for a property of which the atoms were said since then.
func (p *Planner) noValue(f *Flat, name string, since searched, atoms []atom) bool {
	for i := len(f.pinned) - 1; i >= 0; i-- {
		if f.pinned[i].name == name {
			return p.pin(f, name, f.pinned[i].values, atoms)
		}
	}
	if since != (searched{}) {
		atoms = p.atomsFor(f, name, searched{}, nil)
	}
	if len(atoms) < 2 {
		return false
	}
	for _, a := range atoms {
		if values, few := p.scalarsOf(p.goalOf(a)); few {
			return p.pin(f, name, values, atoms)
		}
	}
	return p.isEmpty(p.goalOf(atoms...))
}

// pin keeps the values of a property that satisfy the atoms; it reports whether none are left.
func (p *Planner) pin(f *Flat, name string, values []jsontext.ID, atoms []atom) bool {
	defer func(was bool) { p.unsure = was }(p.unsure)
	var left []jsontext.ID
	for _, v := range values {
		p.unsure = false
		if !slices.ContainsFunc(atoms, func(a atom) bool { return !p.satisfies(v, p.goalOf(a)) && !p.unsure }) {
			left = append(left, v)
		}
	}
	f.pinned = append(f.pinned, pinned{name, left})
	return len(left) == 0
}

// scalarsOf returns the values of a goal if they are a few listed scalars.
func (p *Planner) scalarsOf(g GoalID) (values []jsontext.ID, few bool) {
	if g <= NoneGoal || p.Goals[g].state == goalExpanding {
		return nil, false
	}
	p.emptyDepth++
	p.expand(g)
	p.emptyDepth--
	for a := range p.CasesOf(g) {
		f := &a.Flat
		if !f.HasValues || f.Types&^jsontype.Scalars != 0 || len(values)+len(f.Values) > fewValues {
			return nil, false
		}
		values = append(values, f.Values...)
	}
	return values, len(values) > 0
}
