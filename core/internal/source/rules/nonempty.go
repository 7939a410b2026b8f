package rules

// nonEmpty leaves the empty text out of elements that need not be regular. One call.
type nonEmpty struct {
	*Tree
	nullable  func(n *Node) bool
	something func(at int) *Node
	made      map[int]int // by rule, the rule that is the same without the empty text
	queue     []int       // rules whose parts have no bodies yet
}

// NonEmpty returns what matches the texts of n but the empty one; nil if there are none. nullable tells which elements
// may be empty, and something returns what matches all texts but the empty one. No text has more readings than before.
func (t *Tree) NonEmpty(n *Node, nullable func(n *Node) bool, something func(at int) *Node) *Node {
	x := &nonEmpty{Tree: t, nullable: nullable, something: something, made: map[int]int{}}
	out := x.of(n)
	for len(x.queue) > 0 {
		r := x.queue[0]
		x.queue = x.queue[1:]
		body := x.of(t.Rules[r].Body)
		if body == nil {
			body = t.Choice(t.Rules[r].At)
		}
		t.Rules[x.made[r]].Body = body
	}
	return out
}

func (x *nonEmpty) of(n *Node) *Node { // as deep as parentheses nest
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
		part, ok := x.made[n.Rule]
		if !ok {
			of := x.Rules[n.Rule]
			part = len(x.Rules)
			x.Rules = append(x.Rules, Rule{Name: of.Name, At: of.At, Apart: of.Apart})
			x.made[n.Rule] = part
			x.queue = append(x.queue, n.Rule)
		}
		return x.Node(Node{Kind: Ref, At: n.At, Rule: part})
	case Seq: // the first that is not empty is one of them, and what is behind it may be anything
		var alts []*Node
		for i, sub := range n.Subs {
			if first := x.of(sub); first != nil {
				alts = append(alts, x.Sequence(n.At, append([]*Node{first}, n.Subs[i+1:]...)...))
			}
		}
		return x.either(n.At, alts)
	case Alt:
		var alts []*Node
		for _, sub := range n.Subs {
			if y := x.of(sub); y != nil {
				alts = append(alts, y)
			}
		}
		return x.either(n.At, alts)
	case Repeat:
		if n.Max == 0 {
			return nil
		}
		if out := with(x.of(n.Subs[0])); out != nil {
			out.Min = 1
			return out
		}
		return nil
	case Captured, Scoped:
		out := with(x.of(n.Subs[0]))
		if w := x.written[n]; w != nil && out != nil {
			x.written[out] = &Written{w.Options, out.Subs[0]}
		}
		return out
	}
	return x.Node(Node{Kind: Both, At: n.At, Subs: []*Node{n, x.something(n.At)}})
}

// either returns one of the alternatives, nil if there are none.
func (x *nonEmpty) either(at int, alts []*Node) *Node {
	if len(alts) == 0 {
		return nil
	}
	return x.Choice(at, alts...)
}
