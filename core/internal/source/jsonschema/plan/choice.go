package plan

import (
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/number"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// operation is the effect of a literal on a conjunction.
type operation uint8

const (
	opAtom        operation = iota + 1 // the atom holds
	opTypes                            // the value is of one of the types
	opRequire                          // an object with the property name
	opForbid                           // an object without it
	opProperty                         // an object with it, and its value satisfies the atom
	opNotValues                        // none of the values of the list node
	opNumber                           // a number within the bound
	opNotMultiple                      // a number that is no multiple of the node's
	opLength                           // a string of between low and high code points
	opPattern                          // a string that does (not) match
	opItems                            // an array of between low and high items
	opItemAt                           // an array whose item at index low satisfies the atom
	opWitness                          // an array of which some item from index low on satisfies the atom
	opProps                            // an object of between low and high members
	opExtra                            // an object with an undeclared key that violates additionalProperties of node
	opCount                            // an array of whose items between low and high satisfy the atom
	opTest                             // a value of the types that does not satisfy the atom, as a test
	opRefuse                           // a value of the types, about which the keyword at node cannot be enforced
)

// literal is the smallest thing a choice can be about. Immutable.
type literal struct {
	op        operation
	types     jsontype.Set
	lower     bool // opNumber: the bound is a lower one
	atom      atom
	node      jsontext.ID
	name      string
	bound     number.Bound
	low, high uint64
	use       PatternUse
}

// applyBranch adds the literals of a branch to f.
func (p *Planner) applyBranch(f *Flat, b branch, path int32, as how) {
	for i := range b {
		l := &b[i]
		switch l.op {
		case opAtom:
			p.applyAs(f, l.atom, path, as)
		case opTypes:
			f.restrict(l.types, l.node, "", "the alternatives exclude each other")
		case opNotValues:
			p.excludeValues(f, l.node)
		case opNumber:
			f.restrict(jsontype.Number, l.node, "", "the alternatives leave only numbers")
			f.narrowNumber(l.bound, l.lower, l.node)
		case opNotMultiple:
			f.restrict(jsontype.Number, l.node, "", "the alternatives leave only numbers")
			if d, ok := p.Divisor(l.node); ok && p.canDivide(f, d, l.node) {
				f.Number.NotMultiples, p.divides = append(f.Number.NotMultiples, d), true
			}
		case opLength:
			f.restrict(jsontype.String, l.node, "", "the alternatives leave only strings")
			f.narrowLengths(l.low, l.high, l.node)
		case opPattern:
			f.restrict(jsontype.String, l.node, "", "the alternatives leave only strings")
			f.Patterns = append(f.Patterns, l.use)
		case opItems:
			f.restrict(jsontype.Array, l.node, "", "the alternatives leave only arrays")
			f.narrowItems(l.low, l.high, l.node)
		case opItemAt, opWitness, opCount:
			f.restrict(jsontype.Array, l.node, "", "the alternatives leave only arrays")
			p.applyListLiteral(f, l)
		case opTest:
			f.restrict(l.types, l.node, "", "the alternatives leave only other types")
			f.tests = append(f.tests, test{types: l.types, atom: l.atom, without: true, node: l.node, keyword: l.name})
		case opRefuse:
			f.restrict(l.types, l.node, "", "the alternatives leave only other types")
			f.refusals = append(f.refusals, refusal{l.types, l.node, l.name, "its opposite (from not, oneOf or if) " +
				"has no exact form here"})
		default:
			f.restrict(jsontype.Object, l.node, "", "the alternatives leave only objects")
			p.applyObjectLiteral(f, l, path)
		}
	}
}

func (p *Planner) applyListLiteral(f *Flat, l *literal) {
	switch l.op {
	case opItemAt:
		prefix := make([]atom, l.low+1)
		prefix[l.low] = l.atom
		f.lists = append(f.lists, listFacet{prefix: prefix, path: noPath})
		f.narrowItems(l.low+1, NoMaximum, l.node)
	case opWitness:
		f.counts = append(f.counts, itemCount{from: int(l.low), min: 1, max: NoMaximum, atom: l.atom, node: l.node})
	case opCount:
		if l.high == 0 {
			f.lists = append(f.lists, listFacet{rest: l.atom.not(), path: noPath})
			return
		}
		f.counts = append(f.counts, itemCount{min: l.low, max: l.high, atom: l.atom, node: l.node})
	}
}

func (p *Planner) applyObjectLiteral(f *Flat, l *literal, path int32) {
	switch l.op {
	case opRequire:
		f.require(nameUse{name: l.name, node: l.node, tested: true})
	case opForbid:
		f.forbid(l.name, l.node)
	case opProperty:
		f.require(nameUse{name: l.name, node: l.node, tested: true})
		f.named = append(f.named, namedAtom{l.name, l.atom})
	case opProps:
		f.narrowProps(l.low, l.high, l.node)
	case opExtra:
		f.choices = append(f.choices, choice{keyword: schema.AdditionalProperties, node: l.node, path: path})
	}
}

// branches returns the alternatives of a choice that are possible in f. Decided means that only one is left, which has
// been applied to f. Deferred: the exclusions of a member of oneOf are tested and not merged.
func (p *Planner) branches(f *Flat, c *choice, deferred bool) (list []branch, decided bool) {
	switch {
	case c.branches != nil:
		list = c.branches
	case c.keyword == schema.AnyOf && p.isSeen(f, c.path):
		list, decided = p.anySubset(f, c)
	case c.keyword == schema.AnyOf:
		list, decided = p.anyOf(c)
	case c.keyword == schema.OneOf:
		list = p.oneOf(f, c, deferred)
	case c.keyword == schema.If:
		list, decided = p.conditional(c, p.isSeen(f, c.path))
	case c.keyword == schema.Dependencies:
		return p.dependency(f, c)
	case c.keyword == schema.AdditionalProperties:
		list = p.extraViolations(f, c)
	}
	if decided {
		return nil, true
	}
	if len(list) == 1 {
		p.applyBranch(f, list[0], c.path, onlyBranch)
		return nil, true
	}
	return list, false
}

func atomBranch(atoms ...atom) branch {
	b := make(branch, len(atoms))
	for i, a := range atoms {
		b[i] = literal{op: opAtom, atom: a, node: a.Node()}
	}
	return b
}

// conditional splits if/then/else into its two cases. If the evaluation of the condition matters, it counts whenever
// the condition holds.
func (p *Planner) conditional(c *choice, seen bool) (list []branch, decided bool) {
	t := p.Tree
	schema := t.Node(c.node).Parent
	then, otherwise := t.Get(schema, "then"), t.Get(schema, "else")
	if c.negated {
		// Not (if → then, ¬if → else): one of the two fails.
		if then != 0 {
			list = append(list, atomBranch(positive(c.node), negative(then)))
		}
		if otherwise != 0 {
			list = append(list, atomBranch(negative(c.node), negative(otherwise)))
		}
		return list, false
	}
	if then == 0 && otherwise == 0 {
		if seen {
			return []branch{atomBranch(positive(c.node)), nil}, false
		}
		return nil, true
	}
	yes, no := atomBranch(positive(c.node)), atomBranch(negative(c.node))
	if then != 0 {
		yes = atomBranch(positive(c.node), positive(then))
	}
	if otherwise != 0 {
		no = atomBranch(negative(c.node), positive(otherwise))
	}
	return []branch{yes, no}, false
}

// dependency splits on the presence of one property.
func (p *Planner) dependency(f *Flat, c *choice) (list []branch, decided bool) {
	t := p.Tree
	n := t.Node(c.node)
	if f.Types&jsontype.Object == 0 {
		return nil, true
	}
	if _, ok := hasName(f.forbidden, n.Key); ok {
		return nil, true
	}
	present := branch{{op: opRequire, name: n.Key, node: c.node}}
	if n.Kind == jsontext.Array {
		for m := range t.From(n.First) {
			present = append(present, literal{op: opRequire, name: t.Node(m).Text, node: m})
		}
	} else {
		present = append(present, literal{op: opAtom, atom: positive(c.node), node: c.node})
	}
	if _, ok := hasName(f.required, n.Key); ok {
		if f.Types == jsontype.Object {
			p.applyBranch(f, present, c.path, onlyBranch)
			return nil, true
		}
		return []branch{{{op: opTypes, types: ^jsontype.Object, node: c.node}}, present}, false
	}
	absent := branch{{op: opForbid, name: n.Key, node: c.node}}
	if f.Types == jsontype.Object {
		return []branch{absent, present}, false
	}
	return []branch{{{op: opTypes, types: ^jsontype.Object, node: c.node}}, absent, present}, false
}

// extraViolations lists the ways in which an object can have an undeclared key whose value violates
// additionalProperties of the schema c.node, given that some other schema leaves only a finite number of keys.
func (p *Planner) extraViolations(f *Flat, c *choice) []branch {
	t := p.Tree
	schema := t.Node(c.node).Parent
	own := facet{properties: t.Get(schema, "properties"), patterns: t.Get(schema,
		"patternProperties"), additional: c.node}
	var universe jsontext.ID
	for i := range f.facets {
		fc := &f.facets[i]
		if fc.additional != 0 && p.trivial(positive(fc.additional)) == NoneGoal &&
			(fc.patterns == 0 || t.Node(fc.patterns).Count == 0) {
			universe = fc.properties
			if universe == 0 {
				return nil
			}
			break
		}
	}
	if universe == 0 {
		return []branch{{{
			op: opTest, types: jsontype.Object, atom: positive(p.ExtrasOnly(schema)), node: c.node,
			name: "additionalProperties",
		}}}
	}
	var list []branch
	for d := range t.Children(universe) {
		name := t.Node(d).Key
		if p.Declared(own.properties, name) != 0 || p.anyPattern(own.patterns, name) {
			continue
		}
		list = append(list, branch{{op: opProperty, name: name, atom: negative(c.node), node: c.node}})
	}
	return list
}

// anyPattern says whether the name matches a key of patternProperties.
func (p *Planner) anyPattern(patterns jsontext.ID, name string) bool {
	if patterns == 0 {
		return false
	}
	for c := range p.Tree.Children(patterns) {
		if p.Patterns.Matches(p.Patterns.Of(p.Tree.Node(c).Key, c), name) {
			return true
		}
	}
	return false
}
