package plan

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/number"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// oneOf lists the members, each with the negation of those others that it is not provably disjoint from. Beyond the
// first effort, negations are tests.
func (s *splitter) oneOf(f *Flat, c *choice) []branch {
	p := s.p
	t := p.Tree
	var members []jsontext.ID
	for s := range t.Children(c.node) {
		if p.trivial(positive(s)) != NoneGoal {
			members = append(members, s)
		}
	}
	overlaps := make([][]atom, len(members))
	heads, twice := s.heads(f, members, c.path)
	for i := range heads {
		heads[i].Types &^= twice
	}
	known := s.constantsOf(heads)
	var l *leaves
	found := 0
	for i := range members {
		for _, j := range known.before(i) {
			if p.Err != nil {
				return nil
			}
			if heads[i].Types&heads[j].Types == 0 || s.disjoint(&heads[j], seenAtom{positive(members[i]), c.path}) {
				continue
			}
			if alternatives(&heads[i]) >= 0 || alternatives(&heads[j]) >= 0 {
				if l == nil {
					l = s.leavesOf(heads, members, c.path)
				}
				if s.apart(l, i, j) {
					continue
				}
			}
			if found++; found > limits.SchemaOverlaps {
				p.overlapping = c.node
				return nil
			}
			if p.caseSteps > limits.SchemaCaseSteps {
				return nil // the cases are no longer separated
			}
			overlaps[i] = append(overlaps[i], negative(members[j]))
			overlaps[j] = append(overlaps[j], negative(members[i]))
		}
	}
	list := make([]branch, 0, len(members))
	for i, m := range members {
		var b branch
		if twice != 0 {
			b = branch{{op: opTypes, types: ^twice, node: c.node}}
		}
		switch {
		case heads[i].Types == 0:
		case s.effort > allApart && len(overlaps[i]) > 0:
			others := positive(p.AnyOfThese(c.node, nodesOf(overlaps[i])))
			list = append(list, append(append(b, atomBranch(positive(m))...),
				literal{op: opTest, types: jsontype.All, atom: others, node: c.node, name: "oneOf"}))
		default:
			list = append(list, append(b, atomBranch(append([]atom{positive(m)}, overlaps[i]...)...)...))
		}
	}
	return list
}

// heads returns, for each member, f with the member applied and the choices of f left out. twice holds the types of
// which two members allow every value; no value of these satisfies exactly one member.
func (s *splitter) heads(f *Flat, members []jsontext.ID, path int32) (heads []Flat, twice jsontype.Set) {
	p := s.p
	heads = make([]Flat, len(members))
	var once jsontype.Set
	for i, s := range members {
		h := f.fork()
		h.choices = nil
		p.applyAs(h, positive(s), path, oneBranch)
		h.settle()
		heads[i] = *h
		if len(h.choices)+len(h.tests)+len(h.rest)+len(h.refusals) == len(f.tests)+len(f.rest)+len(f.refusals) {
			free := h.free()
			twice |= once & free
			once |= free
		}
	}
	return heads, twice
}

// constants separate members of a oneOf by constants: members that list values, or objects whose property of one name
// is required and listed. Members with different constants need no comparison, which avoids comparing all pairs.
type constants struct {
	keys [][]string       // by member: its constants; nil: it has none
	met  map[string][]int // by constant: the members so far, ascending; "": those without constants
}

// constantsOf finds the property that separates most members, if they are many; the name "" stands for the whole value.
func (s *splitter) constantsOf(heads []Flat) *constants {
	m := &constants{keys: make([][]string, len(heads)), met: map[string][]int{}}
	count, best := map[string]int{}, ""
	if len(heads) > fewMembers {
		for i := range heads {
			for _, name := range s.constantNames(&heads[i]) {
				if count[name]++; count[name] > count[best] || count[name] == count[best] && name < best {
					best = name
				}
			}
		}
	}
	for i := range heads {
		if count[best] > 0 {
			for _, v := range s.constantsAt(&heads[i], best) {
				m.keys[i] = append(m.keys[i], s.scalarKey(v))
			}
		}
	}
	return m
}

// fewMembers are compared pair by pair.
const fewMembers = 8

// before returns the members before i that constants do not separate from it, ascending. It is called for each member
// in turn.
func (m *constants) before(i int) (list []int) {
	keys := m.keys[i]
	if keys == nil {
		for j := range i {
			list = append(list, j)
		}
		m.met[""] = append(m.met[""], i)
		return list
	}
	list = slices.Clone(m.met[""])
	for _, key := range keys {
		list = append(list, m.met[key]...)
	}
	for _, key := range keys {
		m.met[key] = append(m.met[key], i)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// constantNames returns the names whose constants may separate a member from others.
func (s *splitter) constantNames(h *Flat) (names []string) {
	if s.constantsAt(h, "") != nil {
		names = append(names, "")
	}
	if h.Types == jsontype.Object {
		for _, u := range h.required[:min(len(h.required), fewMembers)] {
			if u.name != "" && s.constantsAt(h, u.name) != nil {
				names = append(names, u.name)
			}
		}
	}
	return names
}

// constantsAt returns the listed scalars of a member, or of its required property of that name; nil if there are none.
func (s *splitter) constantsAt(h *Flat, name string) []jsontext.ID {
	p := s.p
	switch {
	case name == "" && h.HasValues && h.Types&^jsontype.Scalars == 0:
		return h.Values
	case name == "" || h.Types != jsontype.Object || h.HasValues:
		return nil
	}
	if _, ok := hasName(h.required[:min(len(h.required), fewMembers)], name); !ok {
		return nil
	}
	for i := len(h.facets) - 1; i >= 0; i-- {
		if c := p.Declared(h.facets[i].properties, name); c != 0 {
			if _, values := p.discriminator(p.goalOf(positive(c))); values != nil {
				return values
			}
		}
	}
	return nil
}

// scalarKey is a text that equal scalars share and others do not.
func (s *splitter) scalarKey(v jsontext.ID) string {
	p := s.p
	n := p.Tree.Node(v)
	switch n.Kind {
	case jsontext.String:
		return "\"" + n.Text
	case jsontext.Number:
		if d, ok := number.Parse(n.Text); ok {
			return d.Key()
		}
		return "#" // compared with all like it
	}
	return n.Kind.String()
}

// disjoint reports whether types, bounds or a discriminator show that no value satisfies head and all schemas of steps.
func (s *splitter) disjoint(head *Flat, steps ...seenAtom) bool {
	p := s.p
	p.caseSteps++
	h := head.fork()
	for _, b := range steps {
		p.applyAs(h, b.atom, b.path, oneBranch)
	}
	h.settle()
	if h.Types&jsontype.Object != 0 {
		p.contradicts(h)
	}
	return h.Types == 0
}

// leaves are the members of a oneOf, or the alternatives that such members list. A member that is itself a list of
// alternatives has no constant of its own; its alternatives do. Two members without a common value need no test.
type leaves struct {
	heads []Flat
	steps [][]seenAtom // by leaf: the schemas from the member to it
	ends  []int        // by member: the end of its leaves
	known *constants
}

// mostLeaves bounds the leaves of one oneOf, and leafDepth the lists around each. Members beyond these bounds stay
// whole, because nested lists multiply: a oneOf inside other lists is split once for each combination of their members.
const mostLeaves, leafDepth = 2048, 2

// alternatives returns the index of the first anyOf or oneOf among the choices of a head, or -1.
func alternatives(h *Flat) int {
	return slices.IndexFunc(h.choices, func(c choice) bool {
		return c.keyword == schema.AnyOf || c.keyword == schema.OneOf
	})
}

func (s *splitter) leavesOf(heads []Flat, members []jsontext.ID, path int32) *leaves {
	l := &leaves{}
	for i := range heads {
		s.addLeaves(l, &heads[i], []seenAtom{{positive(members[i]), path}})
		l.ends = append(l.ends, len(l.heads))
	}
	l.known = s.constantsOf(l.heads)
	return l
}

// addLeaves adds the leaves of the head that steps lead to.
func (s *splitter) addLeaves(l *leaves, h *Flat, steps []seenAtom) {
	p := s.p
	at := alternatives(h)
	if at < 0 || len(steps) > leafDepth || p.Err != nil ||
		len(l.heads)+int(p.Tree.Node(h.choices[at].node).Count) > mostLeaves {
		l.heads, l.steps = append(l.heads, *h), append(l.steps, steps)
		return
	}
	p.caseSteps++
	c := h.choices[at]
	members := slices.Collect(p.Tree.Children(c.node))
	heads, twice := s.heads(h, members, c.path)
	for i := range heads {
		if c.keyword == schema.OneOf {
			heads[i].Types &^= twice
		}
		if heads[i].Types != 0 {
			s.addLeaves(l, &heads[i], append(slices.Clip(steps), seenAtom{positive(members[i]), c.path}))
		}
	}
}

// apart reports whether no leaf of member i has a value in common with a leaf of the earlier member j.
func (s *splitter) apart(l *leaves, i, j int) bool {
	p := s.p
	first := func(k int) int {
		if k == 0 {
			return 0
		}
		return l.ends[k-1]
	}
	for a := first(i); a < l.ends[i]; a++ {
		p.Options.Work.Spend(nameWork * (l.ends[j] - first(j)))
		for b := first(j); b < l.ends[j]; b++ {
			if l.heads[a].Types&l.heads[b].Types == 0 || l.known.apart(a, b) {
				continue
			}
			if p.caseSteps > limits.SchemaCaseSteps/2 || !s.disjoint(&l.heads[b], l.steps[a]...) {
				return false
			}
		}
	}
	return true
}

// apart reports whether constants separate two members.
func (m *constants) apart(i, j int) bool {
	return m.keys[i] != nil && m.keys[j] != nil &&
		!slices.ContainsFunc(m.keys[i], func(key string) bool { return slices.Contains(m.keys[j], key) })
}
