package rules

// NonEmpty removes the empty text from elements, which need not be regular. One goroutine, while a tree is built.
type NonEmpty struct {
	*Tree
	nullable  func(n *Node) bool
	something func(at int) *Node
	made      map[int]int // by rule: its rule without the empty text
	queue     []int       // new rules without bodies
}

// NonEmpty returns a NonEmpty for t. nullable reports whether an element may be empty, and something returns an
// element for all non-empty texts.
func (t *Tree) NonEmpty(nullable func(n *Node) bool, something func(at int) *Node) *NonEmpty {
	return &NonEmpty{Tree: t, nullable: nullable, something: something, made: map[int]int{}}
}

// Rule returns an element for the non-empty texts of rule r, with no more readings of a text than r has. Finish builds
// its body, after the rules are complete.
func (x *NonEmpty) Rule(at, r int) *Node {
	part, ok := x.made[r]
	if !ok {
		part = x.rule(x.Rules[r])
		x.made[r] = part
		x.queue = append(x.queue, r)
	}
	return x.Node(Node{Kind: Ref, At: at, Rule: part})
}

func (x *NonEmpty) rule(like Rule) int {
	x.Rules = append(x.Rules, Rule{Name: like.Name, At: like.At, Apart: like.Apart})
	return len(x.Rules) - 1
}

// Finish builds the bodies of all new rules.
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
func (x *NonEmpty) of(n *Node, within Rule) *Node { // recursion as deep as parentheses nest
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
	case Seq: // one element is the first non-empty one; any texts follow
		alts := make([]*Node, len(n.Subs))
		var rest *Node // a rule for the rest, so that it is not copied for each first element
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
		return x.either(n.At, alts...)
	case Alt:
		alts := make([]*Node, len(n.Subs))
		for i, sub := range n.Subs {
			alts[i] = x.of(sub, within)
		}
		return x.either(n.At, alts...)
	case Repeat:
		if n.Max == 0 {
			return nil
		}
		if out := with(x.of(n.Subs[0], within)); out != nil {
			out.Min = 1
			return out
		}
		return nil
	case Attributed:
		if n.none() {
			return nil
		}
		if !n.OneToken() {
			return with(x.of(n.Subs[0], within))
		}
		return x.Inside(n, func(n *Node) *Node {
			return x.Node(Node{Kind: Both, At: n.At, Subs: []*Node{n, x.something(n.At)}})
		})
	}
	return x.Node(Node{Kind: Both, At: n.At, Subs: []*Node{n, x.something(n.At)}})
}
