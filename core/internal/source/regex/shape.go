package regex

import "github.com/sluice-engine/sluice/core/internal/limits"

// This file rewrites trees into shapes that lower well. The language does not change.

// anchored reports whether an anchor fixes every match of n to the start (or the end, left false) of the text.
func anchored(n *Node, left bool) bool {
	switch n.Op {
	case OpBegin:
		return left
	case OpEnd:
		return !left
	case OpConcat:
		if left {
			return anchored(n.Subs[0], left)
		}
		return anchored(n.Subs[len(n.Subs)-1], left)
	case OpAlternate:
		for _, s := range n.Subs {
			if !anchored(s, left) {
				return false
			}
		}
		return true
	}
	return false
}

// Anchored reports whether anchors fix every match of n to both ends of the text.
func (n *Node) Anchored() bool { return anchored(n, true) && anchored(n, false) }

// stripEdge removes the anchors from an edge of n that is at the edge of the text.
func stripEdge(n *Node, left bool) *Node {
	if !n.asserts {
		return n
	}
	switch n.Op {
	case OpBegin, OpEnd:
		if left == (n.Op == OpBegin) {
			return concat(n.Pos)
		}
	case OpConcat:
		subs := n.Subs
		for len(subs) > 0 {
			edge := len(subs) - 1
			if left {
				edge = 0
			}
			s := stripEdge(subs[edge], left)
			if s == subs[edge] {
				break
			}
			if s.Op != OpEmpty {
				return replacePart(n.Pos, subs, edge, s)
			}
			subs = without(subs, edge)
		}
		if len(subs) < len(n.Subs) {
			return concat(n.Pos, subs...)
		}
	case OpAlternate:
		for i, s := range n.Subs {
			if t := stripEdge(s, left); t != s {
				subs := append([]*Node(nil), n.Subs...)
				for j := i; j < len(subs); j++ {
					subs[j] = stripEdge(subs[j], left)
				}
				return alternate(n.Pos, subs...)
			}
		}
	}
	return n
}

func without(subs []*Node, edge int) []*Node {
	if edge == 0 {
		return subs[1:]
	}
	return subs[:edge]
}

func replacePart(pos int, subs []*Node, at int, x *Node) *Node {
	out := append([]*Node(nil), subs...)
	out[at] = x
	return concat(pos, out...)
}

// part and withPart view a node as a sequence of parts. A node that is no concatenation is its only part.
func part(n *Node, at int) *Node {
	if n.Op == OpConcat {
		return n.Subs[at]
	}
	return n
}

func withPart(n *Node, at int, x *Node) *Node {
	if n.Op == OpConcat {
		return replacePart(n.Pos, n.Subs, at, x)
	}
	return x
}

// soleLoop returns the index of the only part of n whose length varies if it is a loop over a body of one positive
// length. If no length varies, it returns the only long loop. -1 if there is none.
func soleLoop(n *Node) int {
	count := 1
	if n.Op == OpConcat {
		count = len(n.Subs)
	}
	varying, long, longs := -1, -1, 0
	for i := 0; i < count; i++ {
		s := part(n, i)
		isLoop := false
		if s.Op == OpRepeat {
			size, ok := s.Subs[0].fixed()
			isLoop = ok && size > 0
		}
		if _, ok := s.fixed(); !ok {
			if varying >= 0 || !isLoop {
				return -1
			}
			varying = i
		} else if isLoop && s.Min > limits.RegexCounterFrom {
			long = i
			longs++
		}
	}
	if varying >= 0 || longs != 1 {
		return varying
	}
	return long
}

// hoistLength turns a leading (?=.{m,n}$), an idiom for the length of the text, into bounds.
func hoistLength(n *Node, b bounds) (*Node, bounds) {
	if n.Op != OpConcat || !n.asserts {
		return n, b
	}
	for i, s := range n.Subs {
		if s.Op != OpLook || s.Behind {
			break
		}
		body := s.Subs[0]
		if s.Negative || body.Op != OpConcat || len(body.Subs) != 2 || body.Subs[1].Op != OpEnd {
			continue
		}
		loop := body.Subs[0]
		if loop.Op != OpRepeat || loop.Subs[0].Op != OpClass {
			continue
		}
		b.min, b.max = max(b.min, loop.Min), min(b.max, loop.Max)
		star := repeat(loop.Pos, loop.Subs[0], 0, Unbounded)
		n = replacePart(n.Pos, n.Subs, i, look(s.Pos, false, false, concat(body.Pos, star, body.Subs[1])))
	}
	return n, b
}
