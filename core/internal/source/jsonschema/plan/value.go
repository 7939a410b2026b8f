package plan

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/number"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// spendValue counts one step of comparing or validating values; it says whether there are steps left.
func (p *Planner) spendValue(v jsontext.ID) bool {
	p.valueSteps++
	p.Options.Work.Spend(nameWork)
	if p.valueSteps == limits.SchemaValueSteps {
		p.Fail(p.ErrorAt(diag.Limit, v, "", "checking the values of enum and const against the other keywords takes "+
			"more than %d steps; list fewer of them, or leave out keywords that they meet anyway",
			limits.SchemaValueSteps))
	}
	return p.valueSteps < limits.SchemaValueSteps
}

// equal says whether two values are the same by JSON Schema's rules: numbers by value, objects whatever their order.
// Recursion follows the nesting of values, which the reader has bounded.
func (p *Planner) equal(a, b jsontext.ID) bool {
	if a == b {
		return true
	}
	if !p.spendValue(a) {
		return false
	}
	t := p.Tree
	x, y := t.Node(a), t.Node(b)
	if x.Kind != y.Kind || x.Count != y.Count {
		return false
	}
	switch x.Kind {
	case jsontext.String:
		return x.Text == y.Text
	case jsontext.Number:
		if x.Text == y.Text {
			return true
		}
		d, ok1 := number.Parse(x.Text)
		e, ok2 := number.Parse(y.Text)
		return ok1 && ok2 && d.Compare(e) == 0
	case jsontext.Array:
		for c, d := x.First, y.First; c != 0; c, d = t.Node(c).Next, t.Node(d).Next {
			if !p.equal(c, d) {
				return false
			}
		}
	case jsontext.Object:
		for c := range t.From(x.First) {
			d := t.Get(b, t.Node(c).Key)
			if d == 0 || !p.equal(c, d) {
				return false
			}
		}
	}
	return true
}

func (p *Planner) isOneOf(v jsontext.ID, list []jsontext.ID) bool {
	return slices.ContainsFunc(list, func(w jsontext.ID) bool { return p.equal(v, w) })
}

// commonValues returns the values of a that are in b, in a's order. Strings, which are most of large enums, are
// looked up in a map.
func (p *Planner) commonValues(a, b []jsontext.ID) []jsontext.ID {
	t := p.Tree
	var common, others []jsontext.ID
	var texts map[string]bool
	if len(a)*len(b) > 256 {
		texts = make(map[string]bool, len(b))
		for _, v := range b {
			if t.Kind(v) == jsontext.String {
				texts[t.Node(v).Text] = true
			} else {
				others = append(others, v)
			}
		}
	}
	for _, v := range a {
		switch {
		case texts == nil && p.isOneOf(v, b), texts != nil && t.Kind(v) == jsontext.String && texts[t.Node(v).Text],
			texts != nil && t.Kind(v) != jsontext.String && p.isOneOf(v, others):
			common = append(common, v)
		}
	}
	return common
}

// satisfies says whether a value satisfies the goal.
func (p *Planner) satisfies(v jsontext.ID, g GoalID) bool {
	if g == AnyGoal {
		return true
	}
	p.expand(g)
	p.unsure = p.unsure || p.Goals[g].state == goalExpanding
	for a := range p.CasesOf(g) {
		if p.fits(v, a) {
			return true
		}
	}
	return false
}

// fits says whether a value belongs to one case of a goal.
func (p *Planner) fits(v jsontext.ID, a *Alternative) bool {
	if !p.spendValue(v) || p.Err != nil {
		return false
	}
	if a.Flat.HasValues {
		// Whether a listed array or object satisfies the keywords beside it is known only when all is planned.
		whole := p.TypeOf(v)&(jsontype.Array|jsontype.Object) == 0 || p.fitsFlat(v, &a.Flat, a.Object, a.List)
		return whole && p.isOneOf(v, a.Flat.Values) && p.testsHold(v, a)
	}
	return p.fitsFlat(v, &a.Flat, a.Object, a.List) && p.testsHold(v, a)
}

// fitsFlat checks everything but enum.
func (p *Planner) fitsFlat(v jsontext.ID, f *Flat, object *ObjectPlan, list *ListPlan) bool {
	n := p.Tree.Node(v)
	if p.TypeOf(v)&f.Types == 0 || p.isOneOf(v, f.NotValues) {
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

func (p *Planner) fitsString(text string, f *Flat) bool {
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

func (p *Planner) fitsList(n *jsontext.Node, list *ListPlan) bool {
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
				if p.equal(c, d) {
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

// fitsCount says whether as many items match as a count demands.
func (p *Planner) fitsCount(n *jsontext.Node, count *CountPlan) bool {
	i, found := 0, uint64(0)
	for c := range p.Tree.From(n.First) {
		if i >= count.From && p.satisfies(c, count.Match) {
			found++
		}
		i++
	}
	return found >= count.Min && found <= count.Max
}

func (p *Planner) fitsObject(v jsontext.ID, o *ObjectPlan) bool {
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
func (p *Planner) extraGoal(o *ObjectPlan, key string) GoalID {
	for i := range o.Extras {
		e := &o.Extras[i]
		if p.inKeyClass(e, key) {
			return e.Goal
		}
	}
	return NoneGoal
}

func (p *Planner) inKeyClass(e *ExtraPlan, key string) bool {
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

// nameSatisfies says whether a property name, as a string, satisfies a goal of propertyNames.
func (p *Planner) nameSatisfies(name string, g GoalID) bool {
	p.expand(g)
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

func (p *Planner) namesValue(values []jsontext.ID, name string) bool {
	return slices.ContainsFunc(values, func(v jsontext.ID) bool {
		n := p.Tree.Node(v)
		return n.Kind == jsontext.String && n.Text == name
	})
}

// TypeOf returns the type of a value.
func (p *Planner) TypeOf(v jsontext.ID) jsontype.Set {
	n := p.Tree.Node(v)
	switch n.Kind {
	case jsontext.Null:
		return jsontype.Null
	case jsontext.True, jsontext.False:
		return jsontype.Bool
	case jsontext.Number:
		if d, ok := number.Parse(n.Text); ok && !d.IsInteger() {
			return jsontype.Fraction
		}
		return jsontype.Integer
	case jsontext.String:
		return jsontype.String
	case jsontext.Array:
		return jsontype.Array
	}
	return jsontype.Object
}

// HasOrders says whether a value has members that can be written in another order. Recursion follows the nesting of the
// value, which the reader has bounded.
func (p *Planner) HasOrders(v jsontext.ID) bool {
	n := p.Tree.Node(v)
	if n.Kind == jsontext.Object && n.Count > 1 {
		return true
	}
	if n.Kind == jsontext.Array || n.Kind == jsontext.Object {
		for c := range p.Tree.From(n.First) {
			if p.HasOrders(c) {
				return true
			}
		}
	}
	return false
}
