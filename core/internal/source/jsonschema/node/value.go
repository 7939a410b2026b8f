package node

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/number"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// Spend counts a step of comparing or validating values and reports whether there are steps left.
func (r *Reader) Spend(v jsontext.ID) bool {
	r.steps++
	r.Options.Work.Spend(nameWork)
	if r.steps == limits.SchemaValueSteps {
		r.Fail(r.ErrorAt(diag.Limit, v, "", "checking the values of enum and const against the other keywords takes "+
			"more than %d steps; list fewer of them, or leave out keywords that they meet anyway",
			limits.SchemaValueSteps))
	}
	return r.steps < limits.SchemaValueSteps
}

// Equal reports whether two values are equal: numbers by value, objects in any order. It recurses along the nesting of
// values, which the schema reader has bounded.
func (r *Reader) Equal(a, b jsontext.ID) bool {
	if a == b {
		return true
	}
	if !r.Spend(a) {
		return false
	}
	t := r.Tree
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
			if !r.Equal(c, d) {
				return false
			}
		}
	case jsontext.Object:
		for c := range t.From(x.First) {
			d := t.Get(b, t.Node(c).Key)
			if d == 0 || !r.Equal(c, d) {
				return false
			}
		}
	}
	return true
}

// IsOneOf reports whether a value equals one of the list.
func (r *Reader) IsOneOf(v jsontext.ID, list []jsontext.ID) bool {
	return slices.ContainsFunc(list, func(w jsontext.ID) bool { return r.Equal(v, w) })
}

// Common returns the values of a that are in b, in the order of a. It looks up strings of large lists in a map.
func (r *Reader) Common(a, b []jsontext.ID) []jsontext.ID {
	t := r.Tree
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
		case texts == nil && r.IsOneOf(v, b), texts != nil && t.Kind(v) == jsontext.String && texts[t.Node(v).Text],
			texts != nil && t.Kind(v) != jsontext.String && r.IsOneOf(v, others):
			common = append(common, v)
		}
	}
	return common
}

// TypeOf returns the type of a value.
func (r *Reader) TypeOf(v jsontext.ID) jsontype.Set {
	n := r.Tree.Node(v)
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

// HasOrders reports whether a value contains an object of several members. It recurses along the nesting of values.
func (r *Reader) HasOrders(v jsontext.ID) bool {
	n := r.Tree.Node(v)
	if n.Kind == jsontext.Object && n.Count > 1 {
		return true
	}
	if n.Kind == jsontext.Array || n.Kind == jsontext.Object {
		for c := range r.Tree.From(n.First) {
			if r.HasOrders(c) {
				return true
			}
		}
	}
	return false
}
