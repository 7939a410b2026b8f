package rules

import "slices"

// NonEmpty leaves the empty text out of elements, which need not be regular. One goroutine, while a tree is built.
type NonEmpty struct {
	*Tree
	nullable  func(n *Node) bool
	something func(at int) *Node
	made      map[int]int // by rule, the rule that is the same without the empty text
	queue     []int       // rules whose parts have no bodies yet
}

// NonEmpty removes the empty text from elements of t. nullable reports whether an element may be empty, and something
// returns an element for all texts but the empty one.
func (t *Tree) NonEmpty(nullable func(n *Node) bool, something func(at int) *Node) *NonEmpty {
	return &NonEmpty{Tree: t, nullable: nullable, something: something, made: map[int]int{}}
}

// Rule returns an element that matches the texts of rule r but the empty one. Its body is made by Finish, when all that
// stands in the rules is as it will be. No text has more readings than before.
func (x *NonEmpty) Rule(at, r int) *Node {
	part, ok := x.made[r]
	if !ok {
		part = x.rule(x.Rules[r])
		x.made[r] = part
		x.queue = append(x.queue, r)
	}
	return x.Node(Node{Kind: Ref, At: at, Rule: part})
}

// rule adds a rule that is like another one.
func (x *NonEmpty) rule(like Rule) int {
	x.Rules = append(x.Rules, Rule{Name: like.Name, At: like.At, Apart: like.Apart})
	return len(x.Rules) - 1
}

// Finish makes the bodies of all rules.
func (x *NonEmpty) Finish() {
	for len(x.queue) > 0 {
		r := x.queue[0]
		x.queue = x.queue[1:]
		body := x.of(x.Rules[r].Body, x.Rules[r])
		if body == nil {
			body = x.Choice(x.Rules[r].At)
		}
		x.Rules[x.made[r]].Body = body
	}
}

// of returns n, within a rule, without the empty text, nil if nothing is left.
func (x *NonEmpty) of(n *Node, within Rule) *Node { // as deep as parentheses nest
	x.work.Spend(NodeWork)
	if !x.nullable(n) {
		return n
	}
	with := func(sub *Node) *Node {
		if sub == nil {
			return nil
		}
		out := *n
		out.Subs = []*Node{sub}
		return x.Node(out)
	}
	switch n.Kind {
	case Nothing:
		return nil
	case Ref:
		return x.Rule(n.At, n.Rule)
	case Seq: // one of them is the first non-empty one; its successors may be anything
		alts := make([]*Node, len(n.Subs))
		var rest *Node // the rest as a rule, so that it is not written out for each possible first element
		for i := len(n.Subs) - 1; i >= 0; i-- {
			sub := n.Subs[i]
			if first := x.of(sub, within); first != nil && rest != nil {
				alts[i] = x.Sequence(n.At, first, rest)
			} else {
				alts[i] = first
			}
			if rest != nil {
				r := x.rule(within)
				x.Rules[r].Body = x.Sequence(n.At, sub, rest)
				sub = x.Node(Node{Kind: Ref, At: n.At, Rule: r})
			}
			rest = sub
		}
		return x.either(n.At, alts)
	case Alt:
		alts := make([]*Node, len(n.Subs))
		for i, sub := range n.Subs {
			alts[i] = x.of(sub, within)
		}
		return x.either(n.At, alts)
	case Repeat:
		if n.Max == 0 {
			return nil
		}
		if out := with(x.of(n.Subs[0], within)); out != nil {
			out.Min = 1
			return out
		}
		return nil
	case Captured, Scoped:
		out := with(x.of(n.Subs[0], within))
		if w := x.written[n]; w != nil && out != nil {
			x.written[out] = &Written{w.Options, out.Subs[0]}
		}
		return out
	}
	return x.Node(Node{Kind: Both, At: n.At, Subs: []*Node{n, x.something(n.At)}})
}

// either returns one of the alternatives that are there, nil if there are none.
func (x *NonEmpty) either(at int, alts []*Node) *Node {
	alts = slices.DeleteFunc(alts, func(n *Node) bool { return n == nil })
	if len(alts) == 0 {
		return nil
	}
	return x.Choice(at, alts...)
}
