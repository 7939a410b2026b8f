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
			backing = append(backing, literal{op: opAtom, atom: positive(s), node: s})
			list = append(list, backing[len(backing)-1:len(backing):len(backing)])
		}
	}
	return list, false
}
