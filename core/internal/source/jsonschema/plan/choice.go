package plan

import (
	"strconv"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// branches returns the alternatives of a choice. Some may be impossible in f; split drops these. decided reports that f
// needs no branches: the choice demands nothing, or branches has applied the only alternative.
func (s *splitter) branches(f *Flat, c *choice) (list []branch, decided bool) {
	p := s.p
	switch {
	case c.branches != nil:
		list = c.branches
	case c.keyword == schema.AnyOf && p.isSeen(f, c.path):
		list, decided = s.anySubset(f, c)
	case c.keyword == schema.AnyOf:
		list, decided = s.anyOf(c)
	case c.keyword == schema.OneOf:
		list = s.oneOf(f, c)
	case c.keyword == schema.If:
		list, decided = p.conditional(c, p.isSeen(f, c.path))
	case c.keyword == schema.Dependencies:
		list, decided = s.dependency(f, c)
	case c.keyword == schema.AdditionalProperties:
		list = s.extraViolations(f, c)
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

// dependency splits on the presence of one property.
func (s *splitter) dependency(f *Flat, c *choice) (list []branch, decided bool) {
	t := s.p.Tree
	n := t.Node(c.node)
	if _, ok := hasName(f.forbidden, n.Key); ok || f.Types&jsontype.Object == 0 {
		return nil, true
	}
	if f.Types != jsontype.Object {
		list = append(list, branch{{op: opTypes, types: ^jsontype.Object, node: c.node}})
	}
	if _, ok := hasName(f.required, n.Key); !ok {
		list = append(list, branch{{op: opForbid, name: n.Key, node: c.node}})
	}
	present := branch{{op: opRequire, name: n.Key, node: c.node}}
	if n.Kind == jsontext.Array {
		for m := range t.From(n.First) {
			present = append(present, literal{op: opRequire, name: t.Node(m).Text, node: m})
		}
	} else {
		present = append(present, literal{op: opAtom, atom: positive(c.node), node: c.node})
	}
	return append(list, present), false
}

// extraViolations lists the ways in which an object can have an undeclared key whose value violates the
// additionalProperties c.node. If another schema of f allows only its declared properties, each of them is a way.
// Otherwise the only way is a test.
func (s *splitter) extraViolations(f *Flat, c *choice) []branch {
	p := s.p
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

// anyOf lists the members of a choice. The choice is decided without branches if a member allows everything.
func (s *splitter) anyOf(c *choice) (list []branch, decided bool) {
	p := s.p
	t := p.Tree
	list = make([]branch, 0, t.Node(c.node).Count)
	lists := p.Unions(c.node)
	var met map[jsontext.ID]bool
	if len(lists) > 1 {
		met = map[jsontext.ID]bool{}
	}
	for _, of := range lists {
		for s := range t.Children(of) {
			p.Options.Work.Spend(nameWork)
			switch p.trivial(positive(s)) {
			case AnyGoal:
				return nil, true
			case NoneGoal:
				continue
			}
			if met != nil {
				member := p.Follow(s)
				if p.OnlyList(member, schema.AnyOf) != 0 || met[member] {
					continue
				}
				met[member] = true
			}
			list = append(list, atomBranch(positive(s)))
		}
	}
	return list, false
}

// anySubset lists each set of the members of an anyOf that evaluate properties or items, and each other member alone.
func (s *splitter) anySubset(f *Flat, c *choice) (list []branch, decided bool) {
	p := s.p
	t := p.Tree
	var members []atom
	var plain []branch
	for s := range t.Children(c.node) {
		switch {
		case p.trivial(positive(s)) == NoneGoal:
		case p.evaluatesNothing(s):
			plain = append(plain, atomBranch(positive(s)))
		default:
			members = append(members, positive(s))
		}
	}
	if len(members) > limits.SchemaEvaluated {
		p.refuse(f, jsontype.Array|jsontype.Object, c.node, "unevaluatedProperties or unevaluatedItems depends on "+
			"which of more than "+strconv.Itoa(limits.SchemaEvaluated)+" alternatives hold together")
		return s.anyOf(c)
	}
	for set := 1; set < 1<<len(members); set++ {
		var atoms []atom
		for i, a := range members {
			if set>>i&1 != 0 {
				atoms = append(atoms, a)
			}
		}
		list = append(list, atomBranch(atoms...))
	}
	return append(list, plain...), false
}

// deferChoice makes a test of a choice, so that its alternatives do not multiply with the alternatives of others.
func (s *splitter) deferChoice(f *Flat, c *choice) {
	p := s.p
	t := p.Tree
	around := t.Node(c.node).Parent
	d := test{types: jsontype.All, node: c.node, keyword: t.Node(c.node).Key}
	switch c.keyword {
	case schema.Not:
		d.atom, d.without = positive(c.node), true
	case schema.If:
		d.atom = positive(p.Only(around, "if", "then", "else"))
	case schema.Dependencies:
		d.atom = positive(p.DependencyOnly(c.node))
	case schema.AdditionalProperties:
		d.types, d.atom, d.without = jsontype.Object, positive(p.ExtrasOnly(around)), true
	default:
		d.atom = positive(p.Only(around, d.keyword))
	}
	f.tests = append(f.tests, d)
}
