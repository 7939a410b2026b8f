package regex

// LooksOut reports whether an assertion at an edge of n asks about the text beside a match. needs reports that it does
// not hold if there is none. Anchors at their own edges ask nothing.
func (n *Node) LooksOut() (some, needs bool) {
	for _, left := range []bool{true, false} {
		s, needed := n.looksOut(left)
		some, needs = some || s, needs || needed
	}
	return some, needs
}

func (n *Node) looksOut(left bool) (some, needs bool) {
	if !n.asserts {
		return false, false
	}
	add := func(x *Node) {
		s, needed := x.looksOut(left)
		some, needs = some || s, needs || needed
	}
	switch n.Op {
	case OpLook:
		return n.Behind == left, n.Behind == left && !n.Negative
	case OpWord, OpLineBegin, OpLineEnd:
		return n.Op == OpWord || left == (n.Op == OpLineBegin), false
	case OpNotWord:
		return true, true
	case OpConcat:
		for i := range n.Subs {
			x := n.Subs[i]
			if !left {
				x = n.Subs[len(n.Subs)-1-i]
			}
			if add(x); x.shortest > 0 {
				break
			}
		}
	case OpAlternate, OpRepeat, OpAtomic:
		for _, x := range n.Subs {
			add(x)
		}
	}
	return some, needs
}
