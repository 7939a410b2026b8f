package plan

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// applier applies atoms to flats. It keeps the paths on which it applies them, to detect cycles of references.
type applier struct {
	*validator
	nodes     []pathNode
	walked    int                  // nodes visited since the last step was counted
	caseSteps int                  // decisions between alternatives
	divides   bool                 // some number must be, or must not be, a multiple of another
	contained map[jsontext.ID]bool // schemas of contains, which only test items
}

// walkedStep is how many steps back along paths cost as much as a decision between alternatives.
const walkedStep = 1000

// entry is the result of applying an atom at the end of a path.
type entry uint8

const (
	entered    entry = iota
	redundant        // it is demanded already
	impossible       // it is an alternative of itself
	failed
)

// enter extends a path by an atom. A path that is too long is an error. An atom whose schema is already on the path
// closes a cycle. That is an error too, except in three cases:
//
//   - The schema demands itself, by allOf and $ref, beside other keywords. Then the atom adds nothing.
//   - The schema is an alternative of its own anyOf. Then this alternative is impossible. It leads back to the schema,
//     so each value of the schema satisfies another alternative. A oneOf that is its own alternative is treated alike,
//     with a note, since JSON Schema gives it no meaning.
//   - The opposite of the schema demands the opposite of each member of its anyOf, and one member leads back to the
//     schema. Then the atom adds nothing: a value that does not satisfy the schema fails all members.
func (p *applier) enter(a atom, up int32, as how) (int32, entry) {
	depth := int32(0)
	if up != noPath {
		depth = p.nodes[up].depth + 1
	}
	p.Options.Work.Spend(applyWork + nameWork*int(p.Tree.Node(a.Node()).Count+1) + int(depth))
	if p.walked += int(depth); p.walked > walkedStep {
		p.caseSteps += p.walked / walkedStep
		p.walked %= walkedStep
	}
	for at := up; at != noPath; at = p.nodes[at].up {
		if p.nodes[at].atom.Node() == a.Node() {
			return 0, p.close(pathNode{a, up, depth, as}, at)
		}
	}
	if depth > limits.SchemaDepth {
		p.Fail(p.ErrorAt(diag.Limit, a.Node(), "", "more than %d schemas apply to one value, one through the other "+
			"($ref, allOf, anyOf …); remove those that only refer to others", limits.SchemaDepth))
		return 0, failed
	}
	p.nodes = append(p.nodes, pathNode{a, up, depth, as})
	return int32(len(p.nodes) - 1), entered
}

// close returns the meaning of an atom whose schema is on its path already, at index back of p.nodes.
func (p *applier) close(again pathNode, back int32) entry {
	plain := true         // no step is an alternative or an opposite
	monotone := true      // none is an opposite, and all alternatives are members of anyOf or oneOf
	opposite := true      // all are opposites, and none of them is one of several alternatives
	member := false       // some step leads from an anyOf to a member of it
	var oneOf jsontext.ID // a member of oneOf among them
	for n := &again; ; n = &p.nodes[n.up] {
		plain = plain && n.as == demanded && !n.atom.negated()
		monotone = monotone && !n.atom.negated()
		opposite = opposite && n.as != oneBranch && n.atom.negated()
		if n.as != demanded {
			list := p.Tree.Node(n.atom.Node()).Parent
			switch p.Tree.Node(list).Key {
			case "anyOf":
				member = member || p.Tree.Node(list).Parent == p.nodes[n.up].atom.Node()
			case "oneOf":
				oneOf = n.atom.Node()
			default:
				monotone = false
			}
		}
		if n.up == back {
			break
		}
	}
	switch same := p.nodes[back].atom == again.atom; {
	case same && plain && p.demands(again.up, back):
		return redundant
	case same && opposite && member:
		return redundant
	case same && monotone && !plain:
		if oneOf != 0 {
			p.Note(oneOf, "oneOf", diag.Ignored, "this member leads back to its own oneOf for the same value, so "+
				"no value satisfies it")
		}
		return impossible
	}
	p.endless(again.atom.Node())
	return failed
}

func (p *applier) endless(node jsontext.ID) {
	p.Invalid(node, "", "this schema refers back to itself for the same value, without end; put a property or an "+
		"item in between")
}

// demands reports whether some schema on the path between two nodes, both included, says more than a reference.
func (p *applier) demands(from, back int32) bool {
	for at := from; ; at = p.nodes[at].up {
		if p.OnlyRef(p.nodes[at].atom.Node()) == 0 {
			return true
		}
		if at == back {
			return false
		}
	}
}

// isTested reports whether a path is only tested: within the condition of an if, a contains, or an opposite.
func (p *applier) isTested(at int32) bool {
	for ; at != noPath; at = p.nodes[at].up {
		x := &p.nodes[at]
		n := p.Tree.Node(x.atom.Node())
		if x.atom.negated() || p.contained[x.atom.Node()] ||
			x.up != noPath && n.Key == "if" && n.Parent == p.nodes[x.up].atom.Node() {
			return true
		}
	}
	return false
}

// sees reports whether node path is node top or below it, with no negation in between.
func (p *applier) sees(top, path int32) bool {
	for ; path != top; path = p.nodes[path].up {
		if path == noPath || p.nodes[path].atom.negated() {
			return false
		}
	}
	return true
}
