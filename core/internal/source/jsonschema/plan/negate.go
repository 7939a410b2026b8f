package plan

import (
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// negation collects the ways in which a schema can fail.
type negation struct {
	p       *applier
	node    jsontext.ID
	dialect schema.Dialect
	list    []branch
	facet   bool
	items   bool
	whole   jsontext.ID // a keyword that makes the schema fail or hold only as a whole
}

func (n *negation) add(l ...literal) { n.list = append(n.list, l) }

// keyword adds the ways in which one keyword can fail.
func (n *negation) keyword(k schema.Keyword, c jsontext.ID) {
	p := n.p
	switch k {
	case schema.Type:
		n.add(literal{op: opTypes, types: ^p.Types(c) & jsontype.All, node: c})
	case schema.Enum, schema.Const:
		n.add(literal{op: opNotValues, node: c})
	case schema.Minimum, schema.Maximum, schema.ExclusiveMinimum, schema.ExclusiveMaximum:
		if b, low, ok := p.Bound(k, c, n.node); ok {
			b.Exclusive = !b.Exclusive
			n.add(literal{op: opNumber, bound: b, lower: !low, node: c})
		}
	case schema.MultipleOf:
		n.add(literal{op: opNotMultiple, node: c})
	case schema.MinLength, schema.MaxLength:
		n.counts(opLength, k == schema.MinLength, c)
	case schema.MinItems, schema.MaxItems:
		n.counts(opItems, k == schema.MinItems, c)
	case schema.MinProperties, schema.MaxProperties:
		n.counts(opProps, k == schema.MinProperties, c)
	case schema.Pattern:
		text := p.Tree.Node(c).Text
		if q := p.patternAt(c); q != nil && !q.MatchesAll() {
			n.add(literal{op: opPattern, node: c, use: PatternUse{Node: c, Text: text, Negated: true}})
		}
	case schema.Format:
		var f Flat
		p.applyFormat(&f, c, true)
		for _, u := range f.Patterns {
			n.add(literal{op: opPattern, node: c, use: u})
		}
	case schema.Required:
		if p.Names(c) {
			for m := range p.Tree.Children(c) {
				n.add(literal{op: opForbid, name: p.Tree.Node(m).Text, node: m})
			}
		}
	case schema.Properties, schema.PatternProperties, schema.AdditionalProperties:
		if !n.facet {
			n.facet = true
			n.properties()
		}
	case schema.Items, schema.PrefixItems, schema.AdditionalItems:
		if !n.items {
			n.items = true
			n.listItems()
		}
	default:
		n.logic(k, c)
	}
}

// counts adds the failure of a least or greatest count.
func (n *negation) counts(op operation, least bool, c jsontext.ID) {
	count := n.p.Count(c)
	switch {
	case least && count > 0:
		n.add(literal{op: op, low: 0, high: count - 1, node: c})
	case !least && count < NoMaximum:
		n.add(literal{op: op, low: count + 1, high: NoMaximum, node: c})
	}
}

// properties adds the failures of properties, patternProperties and additionalProperties.
func (n *negation) properties() {
	p, t := n.p, n.p.Tree
	if c := t.Get(n.node, "properties"); c != 0 {
		for d := range t.Children(c) {
			if p.trivial(positive(d)) != AnyGoal {
				n.add(literal{op: opProperty, name: t.Node(d).Key, atom: negative(d), node: d})
			}
		}
	}
	if c := t.Get(n.node, "patternProperties"); c != 0 {
		for d := range t.Children(c) {
			if p.trivial(positive(d)) != AnyGoal {
				n.without(jsontype.Object, c, p.Only(n.node, "patternProperties"))
				break
			}
		}
	}
	if c := t.Get(n.node, "additionalProperties"); c != 0 && p.trivial(positive(c)) != AnyGoal {
		n.add(literal{op: opExtra, node: c})
	}
}

// listItems adds the failures of items: an item at a known place, or some item further on.
func (n *negation) listItems() {
	p := n.p
	var f Flat
	p.applyList(&f, n.node, n.dialect, noPath)
	for _, l := range f.lists {
		for i, s := range l.prefix {
			if p.trivial(s) != AnyGoal {
				n.add(literal{op: opItemAt, from: i, atom: s.not(), node: s.Node()})
			}
		}
		switch {
		case l.rest == anyItem || p.trivial(l.rest) == AnyGoal:
		case p.trivial(l.rest) == NoneGoal:
			n.add(literal{op: opItems, low: uint64(len(l.prefix)) + 1, high: NoMaximum, node: l.rest.Node()})
		default:
			n.add(literal{
				op: opCount, from: len(l.prefix), low: 1, high: NoMaximum, atom: l.rest.not(), node: l.rest.Node(),
			})
		}
	}
}

// logic adds the failures of keywords that hold subschemas for the same value.
func (n *negation) logic(k schema.Keyword, c jsontext.ID) {
	p, t := n.p, n.p.Tree
	switch k {
	case schema.Ref, schema.DynamicRef, schema.RecursiveRef:
		var target jsontext.ID
		if k == schema.Ref {
			target = p.Resolve(c)
		} else {
			target = p.ResolveDynamic(c, k)
		}
		if target != 0 {
			n.add(literal{op: opAtom, atom: negative(target), node: c})
		} else {
			n.add(literal{op: opAtom, atom: positive(p.Only(n.node, t.Node(c).Key)), node: c}) // refused
		}
	case schema.Not:
		n.add(literal{op: opAtom, atom: positive(c), node: c})
	case schema.AllOf:
		if p.Schemas(c) {
			for s := range t.Children(c) {
				n.add(literal{op: opAtom, atom: negative(s), node: s})
			}
		}
	case schema.AnyOf:
		if p.Schemas(c) {
			n.list = append(n.list, n.none(c))
		}
	case schema.OneOf:
		if p.Schemas(c) {
			n.list = append(n.list, n.none(c))
			for s := range t.Children(c) {
				for r := t.Node(s).Next; r != 0; r = t.Node(r).Next {
					n.list = append(n.list, atomBranch(positive(s), positive(r)))
				}
			}
		}
	case schema.If:
		if then := t.Get(n.node, "then"); then != 0 {
			n.list = append(n.list, atomBranch(positive(c), negative(then)))
		}
		if otherwise := t.Get(n.node, "else"); otherwise != 0 {
			n.list = append(n.list, atomBranch(negative(c), negative(otherwise)))
		}
	case schema.Then, schema.Else:
	case schema.Dependencies, schema.DependentRequired, schema.DependentSchemas:
		n.dependencies(c)
	default:
		n.rare(k, c)
	}
}

// none is the branch in which every member of the list fails.
func (n *negation) none(c jsontext.ID) branch {
	var atoms []atom
	for s := range n.p.Tree.Children(c) {
		atoms = append(atoms, negative(s))
	}
	return atomBranch(atoms...)
}

func (n *negation) dependencies(c jsontext.ID) {
	t := n.p.Tree
	for d := range t.Children(c) {
		has := literal{op: opRequire, name: t.Node(d).Key, node: d}
		if t.Kind(d) != jsontext.Array {
			n.add(has, literal{op: opAtom, atom: negative(d), node: d})
			continue
		}
		for m := range t.Children(d) {
			n.add(has, literal{op: opForbid, name: t.Node(m).Text, node: m})
		}
	}
}

// rare adds the failures of the remaining keywords. Except for contains, no conjunction expresses them, so they become
// tests.
func (n *negation) rare(k schema.Keyword, c jsontext.ID) {
	p := n.p
	switch k {
	case schema.UniqueItems:
		if p.Tree.Kind(c) == jsontext.True {
			n.without(jsontype.Array, c, p.Only(n.node, "uniqueItems"))
		}
	case schema.Contains:
		least, most := p.ContainsBounds(n.node)
		if least > 0 {
			n.add(literal{op: opCount, low: 0, high: least - 1, atom: positive(c), node: c})
		}
		if most != NoMaximum {
			n.add(literal{op: opCount, low: most + 1, high: NoMaximum, atom: positive(c), node: c})
		}
	case schema.PropertyNames:
		if p.trivial(positive(c)) != AnyGoal {
			n.without(jsontype.Object, c, p.Only(n.node, "propertyNames"))
		}
	case schema.UnevaluatedProperties, schema.UnevaluatedItems:
		// The remaining properties and items depend on all the other keywords.
		if p.trivial(positive(c)) != AnyGoal {
			n.whole = c
		}
	}
}

// without adds the failure of a schema as a whole, as a test.
func (n *negation) without(types jsontype.Set, c, schema jsontext.ID) {
	n.add(literal{op: opTest, types: types, atom: positive(schema), node: c, name: n.p.Tree.Node(c).Key})
}
