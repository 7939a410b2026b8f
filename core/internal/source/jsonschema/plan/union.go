package plan

import (
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// A union is the list of an anyOf. Where a member is only an anyOf itself, its members take its place. So the number of
// alternatives is the number of schemas to choose from, not the number of ways to reach them.

// anyOf lists the members of a choice. The choice is decided without branches if a member allows everything.
func (p *Planner) anyOf(c *choice) (list []branch, decided bool) {
	t := p.Tree
	list = make([]branch, 0, t.Node(c.node).Count)
	backing := make([]literal, 0, t.Node(c.node).Count)
	lists := p.unions(c.node)
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
				member := p.follow(s)
				if p.onlyList(member, schema.AnyOf) != 0 || met[member] {
					continue
				}
				met[member] = true
			}
			backing = append(backing, literal{op: opAtom, atom: positive(s), node: s})
			list = append(list, backing[len(backing)-1:len(backing):len(backing)])
		}
	}
	return list, false
}

// unions returns a union and those to which its members lead, each once.
func (p *Planner) unions(of jsontext.ID) []jsontext.ID {
	lists := []jsontext.ID{of}
	var met map[jsontext.ID]bool
	for i := 0; i < len(lists) && p.Err == nil; i++ {
		p.unionsIn(lists[i], func(inner jsontext.ID) {
			if met == nil {
				met = map[jsontext.ID]bool{of: true}
			}
			if !met[inner] {
				met[inner] = true
				lists = append(lists, inner)
			}
		})
	}
	return lists
}

// unionsIn calls visit with the unions that members of a union are.
func (p *Planner) unionsIn(list jsontext.ID, visit func(inner jsontext.ID)) {
	for s := range p.Tree.Children(list) {
		p.Options.Work.Spend(nameWork)
		if inner := p.onlyList(p.follow(s), schema.AnyOf); inner != 0 {
			visit(inner)
		}
	}
}

// onlyList returns the list of schemas under a keyword, of a schema that says nothing else, or zero.
func (p *Planner) onlyList(node jsontext.ID, keyword schema.Keyword) (list jsontext.ID) {
	n := p.Tree.Node(node)
	if n.Kind != jsontext.Object {
		return 0
	}
	d := p.DialectAt(node)
	for c := range p.Tree.From(n.First) {
		switch schema.KeywordOf(p.Tree.Node(c), d) {
		case schema.Other:
		case keyword:
			list = c
		default:
			return 0
		}
	}
	if l := p.Tree.Node(list); list == 0 || l.Kind != jsontext.Array || l.Count == 0 {
		return 0
	}
	p.NoteKeys(node, d)
	return list
}
