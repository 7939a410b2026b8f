package plan

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// A discriminator is a required property with few values or types in each alternative. It removes combinations of
// alternatives before their other choices multiply them. It only saves work: planObject and the solver would drop these
// cases later. Without it, Github_ultra---o48661 of MaskBench exceeds the budget of a compilation.

// fewValues bounds the values of a discriminator, each of which is checked against all schemas of the property. GeoJSON
// lists nine types of objects.
const fewValues = 64

// contradicts removes objects from f and returns true if a discriminator has no value that all its schemas allow. It
// examines the first SchemaNamesCompared names, and repeats this for a name only after another schema has declared it.
func (p *Planner) contradicts(f *Flat) bool {
	if len(f.facets) < 2 && len(f.named) == 0 || p.asked >= limits.SchemaEmptyDepth {
		return false
	}
	before := f.searched
	f.searched = searched{min(len(f.required), limits.SchemaNamesCompared), len(f.facets), len(f.named)}
	for k, u := range f.required[:f.searched.required] {
		if k < before.required && !p.speaks(f, u.name, before) {
			continue
		}
		if p.noValue(f, u.name) {
			p.noneFor(f, u, AnyGoal)
			return true
		}
	}
	return false
}

// noneFor removes the objects from f because a required property has no value. The conflict also names the other side,
// if noneFor finds it: a schema that forbids the property, propertyNames, or the last of several schemas that
// contradict each other. names is the goal of propertyNames.
func (p *Planner) noneFor(f *Flat, u nameUse, names GoalID) {
	use, forbidden := hasName(f.forbidden, u.name)
	other, extra, speak, text := use.node, false, 0, "no value is allowed for it"
	for i := 0; i < len(f.facets) && !forbidden; i++ {
		if c := p.schemaOf(&f.facets[i], u.name); c != 0 {
			other, extra, forbidden = c, c == f.facets[i].additional, p.trivial(positive(c)) == NoneGoal
			speak++
		}
	}
	switch {
	case forbidden && extra && p.Tree.Node(other).Key == "additionalProperties":
		text = "additionalProperties forbids it, since that keyword sees only the properties declared beside it; " +
			"declare it there"
	case forbidden:
	case names != AnyGoal && !p.nameSatisfies(u.name, names):
		other = f.nameAtoms[0].Node()
	case speak > 1 || slices.ContainsFunc(f.named, func(n namedAtom) bool { return n.name == u.name }):
		text = "the schemas for it contradict each other"
	default:
		other = 0
	}
	f.restrictBy(^jsontype.Object, u.node, other, "required", "the property "+schema.Quote(u.name)+" is required, but "+
		text)
}

// speaks reports whether a facet or literal that was added since then restricts a property.
func (p *Planner) speaks(f *Flat, name string, since searched) bool {
	return slices.ContainsFunc(f.facets[since.facets:], func(fc facet) bool { return p.schemaOf(&fc, name) != 0 }) ||
		slices.ContainsFunc(f.named[since.named:], func(n namedAtom) bool { return n.name == name })
}

// noValue reports whether the schemas of a property in f allow no common value, as far as their types and a few listed
// scalars of one of them tell.
func (p *Planner) noValue(f *Flat, name string) bool {
	var buffer [8]GoalID
	goals := buffer[:0]
	for i := range f.facets {
		if c := p.schemaOf(&f.facets[i], name); c != 0 {
			goals = append(goals, p.goalOf(positive(c)))
		}
	}
	for i := range f.named {
		if f.named[i].name == name {
			goals = append(goals, p.goalOf(f.named[i].atom))
		}
	}
	if len(goals) < 2 {
		return false
	}
	types, values, few := jsontype.All, []jsontext.ID(nil), false
	for _, g := range goals {
		of, listed := p.discriminator(g)
		if types &= of; listed != nil && !few {
			values, few = listed, true
		}
	}
	defer func(was bool) { p.unsure = was }(p.unsure)
	return types == 0 || few && !slices.ContainsFunc(values, func(v jsontext.ID) bool {
		p.unsure = false
		return !slices.ContainsFunc(goals, func(g GoalID) bool { return !p.satisfies(v, g) && !p.unsure })
	})
}

// discriminator returns the types of a goal, and its values if they are a few listed scalars.
func (p *Planner) discriminator(g GoalID) (types jsontype.Set, values []jsontext.ID) {
	switch {
	case g == NoneGoal:
		return 0, nil
	case g == AnyGoal || p.Goals[g].state == goalExpanding:
		return jsontype.All, nil
	}
	p.asked++
	p.expandGoal(g)
	p.asked--
	few := true
	for a := range p.CasesOf(g) {
		f := &a.Flat
		types |= f.Types
		few = few && f.HasValues && f.Types&^jsontype.Scalars == 0 && len(values)+len(f.Values) <= fewValues
		if few {
			values = append(values, f.Values...)
		}
	}
	if !few {
		values = nil
	}
	return types, values
}
