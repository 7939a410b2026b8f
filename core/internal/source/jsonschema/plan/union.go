package plan

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// A union is the list of an anyOf. Where a member is only an anyOf itself, its members take its place. So the number of
// alternatives is the number of schemas to choose from, not the number of ways to reach them.

// anyOf lists the members of a choice. The choice is decided without branches if a member allows everything, or if f
// has already chosen from a union of the same circle: a value that satisfies one union of a circle satisfies all.
func (p *Planner) anyOf(f *Flat, c *choice) (list []branch, decided bool) {
	t := p.Tree
	list = make([]branch, 0, t.Node(c.node).Count)
	backing := make([]literal, 0, t.Node(c.node).Count)
	lists := p.unions(c.node)
	var met map[jsontext.ID]bool
	if len(lists) > 1 {
		met = map[jsontext.ID]bool{}
		made := seenAtom{positive(p.joined(c.node)), noPath}
		if !p.Evaluating && slices.Contains(f.seen, made) {
			return nil, true
		}
		f.seen = append(f.seen, made)
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

// joined returns the union that stands for all of a circle, in which each leads to each: they have the same members.
func (p *Planner) joined(list jsontext.ID) jsontext.ID {
	if one, ok := p.circle[list]; ok {
		return one
	}
	if p.circle == nil {
		p.circle = map[jsontext.ID]jsontext.ID{}
	}
	p.circle[list] = list
	lists := p.unions(list)
	if len(lists) == 1 {
		return list
	}
	from := map[jsontext.ID][]jsontext.ID{}
	for _, l := range lists {
		p.unionsIn(l, func(inner jsontext.ID) { from[inner] = append(from[inner], l) })
	}
	for back := []jsontext.ID{list}; len(back) > 0; {
		l := back[len(back)-1]
		back = back[:len(back)-1]
		for _, before := range from[l] {
			if _, ok := p.circle[before]; !ok {
				p.circle[before] = list
				back = append(back, before)
			}
		}
	}
	return list
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
