package plan

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/node"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/number"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// Flat is the conjunction of all keywords about one value, without alternatives: its fields give the allowed values.
// Alternatives wait in choices until they are split, each case in a flat of its own.
//
// INVARIANT: no element that two cases share is overwritten. fork makes a copy that may be appended to: it cuts the
// capacity of the slices, so that no case writes into another's memory.
type Flat struct {
	Types   jsontype.Set
	Bools   uint8 // which booleans are left: 1 true, 2 false
	Integer bool  // a type said integer; else numbers that have to be integral may be written 1.0

	Number  number.Spec
	divisor jsontext.ID // the last multipleOf

	MinLength, MaxLength uint64
	Patterns             []PatternUse

	HasValues bool          // enum or const was given
	Values    []jsontext.ID // the values left
	NotValues []jsontext.ID

	facets    []facet
	required  []nameUse
	forbidden []nameUse
	named     []namedAtom
	nameAtoms []atom // propertyNames
	minProps  uint64
	maxProps  uint64
	lists     []listFacet
	counts    []itemCount
	unique    jsontext.ID // the uniqueItems that holds, if one does
	minItems  uint64
	maxItems  uint64
	tests     []test
	refusals  []refusal
	choices   []choice
	seen      []seenAtom
	rest      []unevaluated
	restTypes jsontype.Set // Object and Array, if an unevaluatedProperties or unevaluatedItems was ever in rest
	evaluates []evaluation
	Why       Conflict
	last      jsontext.ID // the last node that removed types
	ends      ends
	searched  searched
}

// ends holds the nodes of the lower and the upper bounds, so that an error can name both bounds that exclude each
// other.
type ends struct{ number, length, items, props [2]jsontext.ID }

// nameUse is a property name and the keyword that demands or forbids it.
type nameUse struct {
	name     string
	node     jsontext.ID
	declared bool // by the keyword required; see closed.go
	tested   bool // by a schema that is only tested, or by a dependency; see planObject
}

// namedAtom demands that the property, if present, satisfies the atom.
type namedAtom struct {
	name string
	atom atom
}

// facet is one schema's properties, patternProperties and additionalProperties; the last depends on the others. If
// additional is an unevaluatedProperties, the facet has no properties and patterns of its own, and additional applies
// to the keys that no facet in beside declares.
type facet struct {
	properties, patterns, additional jsontext.ID
	path                             int32
	tested                           bool // the schema is only tested; see planObject
	beside                           []facet
}

// listFacet is one schema's prefixItems (or tuple items) and items (or additionalItems).
type listFacet struct {
	prefix []atom // anyItem if unrestricted
	rest   atom   // for all items after them; anyItem if unrestricted
	path   int32
}

// anyItem is the absence of a schema for an item.
const anyItem atom = 0

// itemCount demands that between min and max of the items at index from or later satisfy the atom.
type itemCount struct {
	from     int
	min, max uint64
	atom     atom
	node     jsontext.ID
}

// witness reports whether the count demands at least one item and nothing else.
func (c *itemCount) witness() bool { return c.min == 1 && c.max == NoMaximum }

// test is a condition that is not merged into the conjunction: values of these types satisfy the atom, or do not. For a
// string it becomes an intersection of regular languages, else a boolean node of the grammar.
type test struct {
	types   jsontype.Set
	atom    atom
	without bool
	node    jsontext.ID
	keyword string
}

// seenAtom is an applied atom. If schemas depend on evaluation, its path matters; else the path is noPath.
type seenAtom struct {
	atom atom
	path int32
}

// refusal is a keyword that cannot be enforced. It becomes an error only if a value of these types is still possible in
// the end: unevaluatedItems on a string is no obstacle.
type refusal struct {
	types   jsontype.Set
	node    jsontext.ID
	keyword string
	reason  string
}

const (
	// NoMaximum is the upper bound of a count that has none.
	NoMaximum = node.Unbounded
	// fewNames is how many names are compared one by one; beyond it a map is cheaper.
	fewNames = 24
)

func newFlat() *Flat {
	return &Flat{Types: jsontype.All, Bools: 3, MaxLength: NoMaximum, maxProps: NoMaximum, maxItems: NoMaximum}
}

// fork returns a copy that may be changed independently.
func (f *Flat) fork() *Flat {
	g := *f
	g.Number.Multiples, g.Number.NotMultiples = slices.Clip(f.Number.Multiples), slices.Clip(f.Number.NotMultiples)
	g.Number.NotEqual = slices.Clip(f.Number.NotEqual)
	g.Patterns, g.Values, g.NotValues = slices.Clip(f.Patterns), slices.Clip(f.Values), slices.Clip(f.NotValues)
	g.facets, g.required = slices.Clip(f.facets), slices.Clip(f.required)
	g.forbidden, g.named = slices.Clip(f.forbidden), slices.Clip(f.named)
	g.nameAtoms, g.lists, g.refusals = slices.Clip(f.nameAtoms), slices.Clip(f.lists), slices.Clip(f.refusals)
	g.choices, g.seen, g.counts, g.tests = slices.Clip(f.choices), slices.Clip(f.seen), slices.Clip(f.counts), slices.Clip(f.tests)
	g.rest, g.evaluates = slices.Clip(f.rest), slices.Clip(f.evaluates)
	return &g
}

// restrict removes types and remembers the node that removed the last one.
func (f *Flat) restrict(types jsontype.Set, node jsontext.ID, keyword, text string) {
	f.restrictBy(types, node, f.last, keyword, text)
}

// restrictBy is restrict with the node of the conflict.
func (f *Flat) restrictBy(types jsontype.Set, node, other jsontext.ID, keyword, text string) {
	if f.Types != 0 && f.Types&types == 0 {
		f.Why = Conflict{node, keyword, text, other}
	}
	if f.Types&^types != 0 {
		f.last = node
	}
	f.Types &= types
}

// require demands a property.
// Long lists may hold a name twice; planning the object sorts that out without comparing all pairs.
func (f *Flat) require(use nameUse) {
	if len(f.required) <= fewNames {
		for i := range f.required {
			if f.required[i].name != use.name {
				continue
			}
			if was := &f.required[i]; use.declared && !was.declared || was.tested && !use.tested {
				f.required = slices.Clone(f.required) // other cases may share it
				was = &f.required[i]
				was.declared, was.tested = was.declared || use.declared, was.tested && use.tested
			}
			return
		}
	}
	f.required = append(f.required, use)
	if u, ok := hasName(f.forbidden, use.name); ok {
		f.bothWays(use, u)
	}
}

func (f *Flat) forbid(name string, node jsontext.ID) {
	if _, ok := hasName(f.forbidden, name); ok {
		return
	}
	use := nameUse{name: name, node: node}
	f.forbidden = append(f.forbidden, use)
	if u, ok := hasName(f.required, name); ok {
		f.bothWays(u, use)
	}
}

// bothWays removes objects, since a name is required and forbidden.
func (f *Flat) bothWays(required, forbidden nameUse) {
	f.restrictBy(^jsontype.Object, required.node, forbidden.node, "required",
		"the property "+schema.Quote(required.name)+" is required and forbidden")
}

func hasName(list []nameUse, name string) (nameUse, bool) {
	for i := range list {
		if list[i].name == name {
			return list[i], true
		}
	}
	return nameUse{}, false
}

// narrow intersects a pair of bounds with another, which node demands.
func narrow(least, most *uint64, at *[2]jsontext.ID, low, high uint64, node jsontext.ID) {
	if low > *least {
		*least, at[0] = low, node
	}
	if high < *most {
		*most, at[1] = high, node
	}
}

func (f *Flat) narrowLengths(low, high uint64, node jsontext.ID) {
	narrow(&f.MinLength, &f.MaxLength, &f.ends.length, low, high, node)
}

func (f *Flat) narrowProps(low, high uint64, node jsontext.ID) {
	narrow(&f.minProps, &f.maxProps, &f.ends.props, low, high, node)
}

func (f *Flat) narrowItems(low, high uint64, node jsontext.ID) {
	narrow(&f.minItems, &f.maxItems, &f.ends.items, low, high, node)
}

// orElse returns a, or b if a is zero.
func orElse(a, b jsontext.ID) jsontext.ID {
	if a != 0 {
		return a
	}
	return b
}

// settle removes the types that the bounds collected so far have made impossible. It is cheap, and called whenever a
// case might be dead already.
func (f *Flat) settle() {
	if f.Types&jsontype.Number != 0 && !f.Number.IsFree() {
		f.restrictBy(^jsontype.Number|f.Number.Possible(), orElse(f.ends.number[0], f.Why.Node), f.ends.number[1], "",
			"no number lies within the bounds")
	}
	if f.Types&jsontype.Bool != 0 && f.Bools == 0 {
		f.restrict(^jsontype.Bool, f.Why.Node, "not", "both booleans are excluded")
	}
	if f.MinLength > f.MaxLength {
		f.restrictBy(^jsontype.String, orElse(f.ends.length[0], f.Why.Node), f.ends.length[1], "minLength",
			"the minimum length is greater than the maximum")
	}
	if f.minItems > f.maxItems {
		f.restrictBy(^jsontype.Array, orElse(f.ends.items[0], f.Why.Node), f.ends.items[1], "minItems",
			"the minimum number of items is greater than the maximum")
	}
	if f.minProps > f.maxProps || len(f.required) <= fewNames && uint64(len(f.required)) > f.maxProps {
		f.restrictBy(^jsontype.Object, orElse(f.ends.props[1], f.Why.Node), f.ends.props[0], "maxProperties",
			"more properties are required than allowed")
	}
}

// searched counts the entries of required, facets and named that the last call of contradicts has compared. The lists
// only grow.
type searched struct{ required, facets, named int }

// unevaluated is an unevaluatedProperties or unevaluatedItems, and the path of its schema.
type unevaluated struct {
	node  jsontext.ID
	path  int32
	items bool
}

// evaluation is a contains whose matches count as evaluated.
type evaluation struct {
	node jsontext.ID
	path int32
}

// Conflict says why a goal cannot be satisfied.
type Conflict struct {
	Node    jsontext.ID
	Keyword string
	Text    string
	other   jsontext.ID // the place it conflicts with, if there is one
}
