package plan

import (
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// Lists without equal items (uniqueItems). If all items are listed, an array is a choice of them. Else the grammar
// compares items, which may lead to a dead end.

// planUnlike lists the possible items of arrays with uniqueItems, and bounds the lengths of the arrays by their number.
func (p *Planner) planUnlike(reached []GoalID) {
	for _, g := range reached {
		for a := range p.CasesOf(g) {
			l := a.List
			if l == nil || l.Unique == 0 || a.Flat.Types&jsontype.Array == 0 || len(l.Prefix) > 0 || l.Witness != nil ||
				l.Counted != nil || a.Flat.HasValues { // arrays that are listed are judged one by one
				continue
			}
			p.freeTexts = false
			items, known := p.valuesOf(l.Rest)
			if !known {
				continue
			}
			l.Items, l.Free, l.Max = items, p.freeTexts, min(l.Max, uint64(len(items)))
			if l.Min > l.Max {
				a.Flat.restrictBy(^jsontype.Array, orElse(a.Flat.ends.items[0], l.Unique), l.Unique, "uniqueItems",
					"more items are required than different ones exist")
			}
		}
	}
}

// valuesOf returns the values of a goal without repetition, if they are known one by one and not too many.
func (p *Planner) valuesOf(g GoalID) (values []jsontext.ID, known bool) {
	if g == AnyGoal {
		return nil, false
	}
	for a := range p.CasesOf(g) {
		listed, known := p.valuesOfCase(a, p.Goals[g].Atoms[0].Node())
		if !known || len(values)+len(listed) > limits.SchemaSeenValues {
			return nil, false
		}
		for _, v := range listed {
			switch i := slices.IndexFunc(values, func(w jsontext.ID) bool { return p.Equal(v, w) }); {
			case i < 0:
				values = append(values, v)
			case strings.ContainsAny(p.Tree.Node(v).Text, ".eE") && p.Tree.Kind(v) == jsontext.Number:
				values[i] = v // equal to an earlier value, and written in any spelling
			}
		}
	}
	return values, len(values) > 0
}

// valuesOfCase is valuesOf for one case. A value that is made here has the place of node at.
func (p *Planner) valuesOfCase(a *Alternative, at jsontext.ID) (values []jsontext.ID, known bool) {
	f := &a.Flat
	if f.HasValues {
		if len(f.Values) > limits.SchemaSeenValues {
			return nil, false
		}
		for _, v := range f.Values {
			if p.fits(v, a) {
				values = append(values, v)
			}
		}
		return values, true
	}
	add := func(v jsontext.ID) {
		if p.testsHold(v, a) {
			values = append(values, v)
		}
	}
	if f.Types&jsontype.Null != 0 {
		add(p.Tree.NewNull(at))
	}
	for i, b := range [...]bool{true, false} {
		if f.Types&jsontype.Bool != 0 && f.Bools>>i&1 != 0 {
			add(p.Tree.NewBool(at, b))
		}
	}
	if f.Types&jsontype.Number != 0 && !p.addNumbers(f, at, add) || f.Types&jsontype.String != 0 &&
		!p.addTexts(f, at, add) {
		return nil, false
	}
	if f.Types&jsontype.Array != 0 {
		if a.List.Max > 0 && !(a.List.Rest == NoneGoal && len(a.List.Prefix) == 0) {
			return nil, false
		}
		add(p.Tree.NewArray(at))
	}
	if f.Types&jsontype.Object != 0 {
		if o := a.Object; o.Max > 0 && len(o.Properties)+len(o.Extras) > 0 {
			return nil, false
		}
		add(p.Tree.NewObject(at))
	}
	return values, len(values) <= limits.SchemaSeenValues
}

// addNumbers adds the integers between bounds; it reports false if there are too many, or other numbers.
func (p *Planner) addNumbers(f *Flat, at jsontext.ID, add func(jsontext.ID)) bool {
	low, high := f.Number.IntegerRange()
	if f.Types&jsontype.Fraction != 0 || !low.Set || !high.Set ||
		low.Value.Plus(limits.SchemaSeenValues).Compare(high.Value) < 0 {
		return false
	}
	for d := low.Value; d.Compare(high.Value) <= 0; d = d.Plus(1) {
		if f.Number.Contains(d) {
			text := d.String()
			if !f.Integer {
				text += ".0" // stands for every spelling of the number
			}
			add(p.Tree.NewNumber(at, text))
		}
	}
	return true
}

// addTexts adds the strings of a pattern, or the empty one; it reports false if there may be more.
func (p *Planner) addTexts(f *Flat, at jsontext.ID, add func(jsontext.ID)) bool {
	texts, known := []string{""}, f.MaxLength == 0
	for i := range f.Patterns {
		if u := &f.Patterns[i]; !known && !u.Negated && !u.Format {
			if q := p.PatternFor(u); q != nil {
				texts, known = p.Patterns.Texts(q)
			}
		}
	}
	if !known {
		return false
	}
	for _, text := range texts {
		if v := p.Tree.NewString(at, text); p.fitsString(text, f) && !p.IsOneOf(v, f.NotValues) {
			add(v)
			p.freeTexts = p.freeTexts || text != ""
		}
	}
	return true
}

// roomForUnlike reports whether each begun item of an array with uniqueItems can still differ from all earlier ones:
// every item is listed, or can be a string of any length. (A number has a limited number of digits.)
func (p *Planner) roomForUnlike(l *ListPlan) bool {
	switch {
	case l.Max < 2:
		return true
	case l.Items != nil:
		for _, v := range l.Items {
			if p.Options.AnyOrder && p.HasOrders(v) {
				return false
			}
		}
		return true
	case l.Rest == AnyGoal || l.Witness != nil || l.Counted != nil || len(l.Prefix) > 0:
		return false
	}
	strings := false
	for a := range p.CasesOf(l.Rest) {
		f := &a.Flat
		switch {
		case f.Types&^(jsontype.Null|jsontype.Bool|jsontype.String) != 0 || a.TestedTypes() != 0:
			return false
		case f.HasValues || f.Types&jsontype.String == 0:
		case f.MaxLength != NoMaximum || len(f.Patterns) > 0:
			return false
		default:
			strings = true
		}
	}
	return strings
}
