// Package node reads single nodes of a JSON Schema: values of keywords, values in enum and const, and schemas that only
// stand for another one. It reports malformed nodes at their place.
//
// Invariant: an answer depends on the node and the nodes it contains or refers to. The package knows no goals. Start
// reading at Reader.
package node

import (
	"strconv"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/number"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// Unbounded is the upper bound of a count that has none.
const Unbounded = ^uint64(0)

// nameWork is the work of visiting a name, a value or a member of a list, in the budget of a compilation.
const nameWork = 5

// Reader reads nodes. One sequence: it belongs to one compilation.
type Reader struct {
	*schema.Reader
	same     map[jsontext.ID]jsontext.ID            // see Follow
	declared map[jsontext.ID]map[string]jsontext.ID // the names of large properties objects
	steps    int                                    // of comparing values
}

// New returns the reader of a schema's nodes.
func New(r *schema.Reader) *Reader {
	return &Reader{
		Reader: r, same: map[jsontext.ID]jsontext.ID{}, declared: map[jsontext.ID]map[string]jsontext.ID{},
	}
}

// Schemas reports whether the node is a list of schemas, which is not empty.
func (r *Reader) Schemas(c jsontext.ID) bool {
	if n := r.Tree.Node(c); n.Kind != jsontext.Array || n.Count == 0 {
		r.Invalid(c, n.Key, "must be a list of at least one schema")
		return false
	}
	return true
}

// Names reports whether the node is a list of property names.
func (r *Reader) Names(list jsontext.ID) bool {
	t := r.Tree
	if t.Kind(list) != jsontext.Array {
		r.Invalid(list, t.Node(list).Key, "must be a list of property names, not "+t.Kind(list).String())
		return false
	}
	for c := range t.Children(list) {
		if t.Kind(c) != jsontext.String {
			r.Invalid(c, "", "must be a property name (a string), not "+t.Kind(c).String())
			return false
		}
	}
	return true
}

// ContainsBounds returns the bounds of the number of items that satisfy contains in a schema.
func (r *Reader) ContainsBounds(node jsontext.ID) (least, most uint64) {
	t := r.Tree
	least, most = 1, Unbounded
	if r.DialectAt(node) >= schema.Draft2019 {
		if m := t.Get(node, "minContains"); m != 0 {
			least = r.Count(m)
		}
		if m := t.Get(node, "maxContains"); m != 0 {
			most = r.Count(m)
		}
	}
	return least, most
}

// Types reads the value of type.
func (r *Reader) Types(c jsontext.ID) jsontype.Set {
	t := r.Tree
	n := t.Node(c)
	var types jsontype.Set
	add := func(c jsontext.ID) {
		n := t.Node(c)
		if n.Kind != jsontext.String {
			r.Invalid(c, "type", "must be the name of a type or a list of such names")
			return
		}
		m := jsontype.ByName(n.Text)
		if m == 0 {
			r.Invalid(c, "type", "there is no type "+schema.Quote(n.Text)+"; the types are object, array, string, "+
				"number, integer, boolean and null")
		}
		types |= m
	}
	if n.Kind != jsontext.Array {
		add(c)
		return types
	}
	for m := range t.From(n.First) {
		add(m)
	}
	return types
}

// Count reads a non-negative integer. It returns Unbounded for a huge one.
func (r *Reader) Count(c jsontext.ID) uint64 {
	n := r.Tree.Node(c)
	if n.Kind == jsontext.Number {
		if v, err := strconv.ParseUint(n.Text, 10, 63); err == nil {
			return v
		}
		if d, ok := number.Parse(n.Text); ok && d.IsInteger() && !d.Negative {
			if v, err := strconv.ParseUint(d.String(), 10, 63); err == nil {
				return v
			}
			return Unbounded
		}
	}
	r.Invalid(c, n.Key, "must be a non-negative integer")
	return 0
}

// Decimal reads a number.
func (r *Reader) Decimal(c jsontext.ID) (number.Decimal, bool) {
	n := r.Tree.Node(c)
	if n.Kind != jsontext.Number {
		r.Invalid(c, n.Key, "must be a number, not "+n.Kind.String())
		return number.Decimal{}, false
	}
	d, ok := number.Parse(n.Text)
	if !ok {
		r.Fail(r.ErrorAt(diag.Limit, c, n.Key, "the exponent is beyond the limit of %d; write a number with a smaller "+
			"one", limits.SchemaBoundExponent))
	}
	return d, ok
}

// Divisor reads the value of multipleOf.
func (r *Reader) Divisor(c jsontext.ID) (number.Decimal, bool) {
	d, ok := r.Decimal(c)
	if ok && (d.IsZero() || d.Negative) {
		r.Invalid(c, "multipleOf", "must be positive")
		return d, false
	}
	return d, ok
}

// Bound reads minimum and its siblings at node c of a schema. In every dialect, "exclusiveMinimum": true makes the
// minimum beside it exclusive, as in draft-04.
func (r *Reader) Bound(k schema.Keyword, c, node jsontext.ID) (b number.Bound, low, ok bool) {
	t := r.Tree
	low = k == schema.Minimum || k == schema.ExclusiveMinimum
	exclusive := k == schema.ExclusiveMinimum || k == schema.ExclusiveMaximum
	kind := t.Kind(c)
	if exclusive && (kind == jsontext.True || kind == jsontext.False) {
		return b, low, false // read with minimum or maximum
	}
	d, ok := r.Decimal(c)
	if !ok {
		return b, low, false
	}
	b = number.Bound{Value: d, Set: true, Exclusive: exclusive}
	if !exclusive {
		name := "exclusiveMaximum"
		if low {
			name = "exclusiveMinimum"
		}
		if e := t.Get(node, name); e != 0 && t.Kind(e) == jsontext.True {
			b.Exclusive = true
		}
	}
	return b, low, true
}
