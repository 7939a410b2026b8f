package expr

import (
	"slices"
)

// Derivatives of (.{1,63}\.){1,127} are unions with a member for every way to divide the text. Most members are
// contained in another one: of two that differ only in the remaining repetitions, the one that allows more contains the
// other. If contained members are dropped, a handful is left of thousands.

const (
	// containedMembers bounds the unions whose members are compared with each other.
	containedMembers = 96
	// ContainedDepth bounds the depth of a comparison. Beyond it Contains reports false.
	ContainedDepth = 12
	// pairSteps bounds the parts of two expressions that are compared.
	pairSteps = 64
	// unionSteps bounds the parts that are compared for a whole union.
	unionSteps = 3000
)

// comparison holds the steps left for one union, and for the current pair.
type comparison struct {
	s         *Nodes
	left, all int
}

// Contains reports whether the structures of x and y show that x contains y (Lemma 112).
func (c *comparison) Contains(x, y Expr) bool {
	c.left = min(pairSteps, c.all)
	before := c.left
	found := c.compare(x, y, ContainedDepth)
	c.all -= before - c.left
	return found
}

// ContainsWithin is Contains within *steps, from which it subtracts the steps that it takes.
func (s *Nodes) ContainsWithin(steps *int, x, y Expr) bool {
	c := comparison{s: s, all: *steps}
	found := c.Contains(x, y)
	*steps = max(c.all, 0)
	return found
}

// Compare begins a comparison. done ends it.
func (s *Nodes) Compare() comparison { return comparison{s: s, all: unionSteps} }

// done counts the steps of the comparison.
func (c *comparison) done() { c.s.countSteps(unionSteps - c.all) }

// containedIn reports whether l[i] repeats something and another member of l contains it.
func (c *comparison) containedIn(i int, l []Expr) bool {
	if c.s.Node(l[i]).Flags&FRepeat == 0 {
		return false
	}
	for j := 0; j < len(l) && c.all > 0; j++ {
		if j != i && c.Contains(l[j], l[i]) {
			return true
		}
	}
	return false
}

// compare is Contains down to depth.
func (c *comparison) compare(x, y Expr, depth int) bool {
	if x == y || y == Empty {
		return true
	}
	if c.left--; c.left < 0 {
		return false
	}
	s := c.s
	n, m := s.Node(x), s.Node(y)
	if depth == 0 || (n.Flags|m.Flags)&(FTag|FCount) != 0 {
		return false
	}
	depth--
	for e, star := range s.AnyText {
		if x == star && m.Subset>>e&1 != 0 {
			return true
		}
	}
	if y == Epsilon {
		return n.Flags&FNullable != 0
	}
	switch m.Kind {
	case KOr:
		for _, z := range s.List(m) {
			if !c.compare(x, z, depth) {
				return false
			}
		}
		return true
	case KAnd:
		if n.Kind != KAnd {
			return slices.ContainsFunc(s.List(m), func(z Expr) bool { return c.compare(x, z, depth) })
		}
	}
	switch n.Kind {
	case KTop:
		return true
	case KOr:
		return slices.ContainsFunc(s.List(n), func(z Expr) bool { return c.compare(z, y, depth) })
	case KAnd:
		for _, z := range s.List(n) {
			if !c.compare(z, y, depth) {
				return false
			}
		}
		return true
	case KNot:
		return m.Kind == KNot && c.compare(m.Body(), n.Body(), depth)
	case KBytes:
		return m.Kind == KBytes && s.Sets.At(n.A).Contains(s.Sets.At(m.A))
	case KStar:
		return c.star(x, n.Body(), y, depth)
	case KRepeat:
		return m.Kind == KRepeat && m.A == n.A && n.B <= m.B && n.C >= m.C || y == n.Body() && n.B <= 1 && n.C >= 1
	case KConcat:
		if m.Kind == KConcat && c.sequence(n, m, x, depth) {
			return true
		}
		if s.Nullable(n.Head()) && c.compare(n.Tail(), y, depth) {
			return true
		}
		return s.Nullable(n.Tail()) && c.compare(n.Head(), y, depth)
	}
	return false
}

// sequence is compare for concatenations: n is the node of x, m the other one.
func (c *comparison) sequence(n, m *Node, x Expr, depth int) bool {
	s, rest, other := c.s, n.Tail(), m.Tail()
	if c.compare(n.Head(), m.Head(), depth) {
		if c.compare(rest, other, depth) || s.Node(n.Head()).Kind == KStar && c.compare(x, other, depth) {
			return true
		}
	}
	// If a loop follows in x, it takes the further repetitions of y: a{3}U contains a{5}U if U contains a*.
	body, least := s.repeated(n.Head())
	if again, more := s.repeated(m.Head()); again != body || least > more {
		return false
	}
	loop := rest
	if n := s.Node(rest); n.Kind == KConcat {
		loop = n.Head()
	}
	return s.Node(loop).Kind == KStar && c.compare(loop, body, depth) && c.compare(rest, other, depth)
}

// repeated returns the body of a repetition and its minimum; x and 1 for other expressions.
func (s *Nodes) repeated(x Expr) (body Expr, least uint32) {
	if n := s.Node(x); n.Kind == KRepeat {
		return n.Body(), n.B
	}
	return x, 1
}

// star is compare for x = body*.
func (c *comparison) star(x, body, y Expr, depth int) bool {
	m := c.s.Node(y)
	switch m.Kind {
	case KStar, KRepeat:
		return c.compare(x, m.Body(), depth)
	case KConcat:
		if c.compare(x, m.Head(), depth) && c.compare(x, m.Tail(), depth) {
			return true
		}
	}
	return c.compare(body, y, depth)
}

// excludesItself reports whether intersection l excludes one of others, its members that are no exclusions.
func (s *Nodes) excludesItself(l, others []Expr) bool {
	if len(others) == len(l) || len(others) == 0 {
		return false
	}
	for _, x := range l {
		if n := s.Node(x); n.Kind == KNot && slices.Contains(others, n.Body()) {
			return true
		}
	}
	return false
}
