package plan

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/number"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// validator checks values against goals.
type validator struct {
	*goalTable
	unsure bool // a value was checked against a goal whose cases are not known yet
}

// satisfies reports whether a value satisfies the goal.
func (p *validator) satisfies(v jsontext.ID, g GoalID) bool {
	if g == AnyGoal {
		return true
	}
	p.expandGoal(g)
	p.unsure = p.unsure || p.Goals[g].state == goalExpanding
	for a := range p.CasesOf(g) {
		if p.fits(v, a) {
			return true
		}
	}
	return false
}

// fits reports whether a value belongs to one case of a goal.
func (p *validator) fits(v jsontext.ID, a *Alternative) bool {
	if !p.Spend(v) || p.Err != nil {
		return false
	}
	if a.Flat.HasValues {
		// scalarValues has already checked scalars against the other keywords.
		whole := p.isScalar(v) || p.fitsFlat(v, &a.Flat, a.Object, a.List)
		return whole && p.IsOneOf(v, a.Flat.Values) && p.testsHold(v, a)
	}
	return p.fitsFlat(v, &a.Flat, a.Object, a.List) && p.testsHold(v, a)
}

// fitsFlat checks everything but enum and tests.
func (p *validator) fitsFlat(v jsontext.ID, f *Flat, object *ObjectPlan, list *ListPlan) bool {
	n := p.Tree.Node(v)
	if p.TypeOf(v)&f.Types == 0 || p.IsOneOf(v, f.NotValues) {
		return false
	}
	switch n.Kind {
	case jsontext.False:
		return f.Bools&2 != 0
	case jsontext.True:
		return f.Bools&1 != 0
	case jsontext.Number:
		d, ok := number.Parse(n.Text)
		return ok && f.Number.Contains(d)
	case jsontext.String:
		return p.fitsString(n.Text, f)
	case jsontext.Array:
		return p.fitsList(n, list)
	case jsontext.Object:
		return p.fitsObject(v, object)
	}
	return true
}

func (p *validator) fitsString(text string, f *Flat) bool {
	if f.MinLength > 0 || f.MaxLength != NoMaximum {
		if n := uint64(len([]rune(text))); n < f.MinLength || n > f.MaxLength {
			return false
		}
	}
	for i := range f.Patterns {
		u := &f.Patterns[i]
		if p.Patterns.Matches(p.PatternFor(u), text) == u.Negated {
			return false
		}
	}
	return true
}

func (p *validator) fitsList(n *jsontext.Node, list *ListPlan) bool {
	if count := uint64(n.Count); count < list.Min || count > list.Max {
		return false
	}
	i, seen := 0, list.Witness == nil
	for c := range p.Tree.From(n.First) {
		if !p.satisfies(c, list.At(i)) {
			return false
		}
		seen = seen || i >= list.Witness.From && p.satisfies(c, list.Witness.at(list, i))
		if list.Unique != 0 {
			for d := n.First; d != c; d = p.Tree.Node(d).Next {
				if p.Equal(c, d) {
					return false
				}
			}
		}
		i++
	}
	if list.Counted != nil && !p.fitsCount(n, list.Counted) {
		return false
	}
	for i := range list.Counts {
		if !p.fitsCount(n, &list.Counts[i]) {
			return false
		}
	}
	return seen
}

// fitsCount reports whether as many items match as a count demands.
func (p *validator) fitsCount(n *jsontext.Node, count *CountPlan) bool {
	i, found := 0, uint64(0)
	for c := range p.Tree.From(n.First) {
		if i >= count.From && p.satisfies(c, count.Match) {
			found++
		}
		i++
	}
	return found >= count.Min && found <= count.Max
}

func (p *validator) fitsObject(v jsontext.ID, o *ObjectPlan) bool {
	t := p.Tree
	n := t.Node(v)
	if count := uint64(n.Count); count < o.Min || count > o.Max {
		return false
	}
	found := 0
	for c := range t.From(n.First) {
		g := NoneGoal
		if i := o.find(t.Node(c).Key); i >= 0 {
			g = o.Properties[i].Goal
			if o.Properties[i].Required {
				found++
			}
		} else {
			g = p.extraGoal(o, t.Node(c).Key)
		}
		if g == NoneGoal || !p.satisfies(c, g) {
			return false
		}
	}
	return found == o.Required
}

// extraGoal returns the goal of the value of an undeclared key.
func (p *validator) extraGoal(o *ObjectPlan, key string) GoalID {
	for i := range o.Extras {
		e := &o.Extras[i]
		if p.inKeyClass(e, key) {
			return e.Goal
		}
	}
	return NoneGoal
}

func (p *validator) inKeyClass(e *ExtraPlan, key string) bool {
	for _, q := range e.With {
		if !p.Patterns.Matches(q, key) {
			return false
		}
	}
	for _, q := range e.Without {
		if p.Patterns.Matches(q, key) {
			return false
		}
	}
	return e.Names == AnyGoal || p.nameSatisfies(key, e.Names)
}

// nameSatisfies reports whether a property name, as a string, satisfies a goal of propertyNames.
func (p *validator) nameSatisfies(name string, g GoalID) bool {
	p.expandGoal(g)
	for a := range p.CasesOf(g) {
		f := &a.Flat
		if f.Types&jsontype.String == 0 {
			continue
		}
		if f.HasValues && p.namesValue(f.Values, name) ||
			!f.HasValues && p.fitsString(name, f) && !p.namesValue(f.NotValues, name) {
			return true
		}
	}
	return false
}

func (p *validator) namesValue(values []jsontext.ID, name string) bool {
	return slices.ContainsFunc(values, func(v jsontext.ID) bool {
		n := p.Tree.Node(v)
		return n.Kind == jsontext.String && n.Text == name
	})
}

// testsHold reports whether a value passes the tests of a case.
func (p *validator) testsHold(v jsontext.ID, a *Alternative) bool {
	for i := range a.Tests {
		if t := &a.Tests[i]; p.TypeOf(v)&t.Types != 0 && p.satisfies(v, t.Goal) == t.Without {
			return false
		}
	}
	return true
}

// keepListed drops the values of enum and const whose types are not possible, or for which keep does not hold. If it
// drops all, the error names the node.
func (p *validator) keepListed(f *Flat, node jsontext.ID, keep func(v jsontext.ID) bool) {
	if !f.HasValues {
		return
	}
	var types jsontype.Set
	drop := func(v jsontext.ID) bool {
		t := p.TypeOf(v)
		if t&f.Types == 0 || !keep(v) {
			return true
		}
		types |= t
		return false
	}
	if i := slices.IndexFunc(f.Values, drop); i >= 0 { // other cases may share the list
		f.Values = append(slices.Clip(f.Values[:i]), slices.DeleteFunc(slices.Clone(f.Values[i+1:]), drop)...)
	}
	f.restrict(types, node, "enum", "none of the listed values satisfies the other keywords")
}

// scalarValues drops the scalar values of enum and const that the keywords beside them exclude. Arrays and objects are
// checked later, when every goal has its cases.
func (p *validator) scalarValues(f *Flat) {
	node := f.Why.Node
	if len(f.Values) > 0 {
		node = f.Values[0]
	}
	p.keepListed(f, node, func(v jsontext.ID) bool { return !p.isScalar(v) || p.fitsFlat(v, f, nil, nil) })
}

// valuesOfTypes drops the values of types that are not possible any more.
func (p *validator) valuesOfTypes(f *Flat) {
	p.keepListed(f, f.Why.Node, func(jsontext.ID) bool { return true })
}

func (p *validator) isScalar(v jsontext.ID) bool { return p.TypeOf(v)&jsontype.Scalars != 0 }
