package rules

import "slices"

// Nullable returns a function that reports whether an element may be empty. It counts rules that are added later as
// not empty.
func (t *Tree) Nullable() func(n *Node) bool {
	rule := make([]bool, len(t.Rules))
	var nullable func(n *Node) bool // recursion as deep as parentheses nest
	nullable = func(n *Node) bool {
		t.work.Spend(NodeWork)
		switch n.Kind {
		case Nothing, Substring, Dispatch:
			return true
		case Ref:
			return n.Rule < len(rule) && rule[n.Rule]
		case Repeat:
			return n.Min == 0 || nullable(n.Subs[0])
		case Pattern:
			shortest, _ := n.Regex.Length()
			return shortest == 0
		case Other:
			return !nullable(n.Subs[0])
		case Attributed, Seq, Both, Followed:
			return n.Kind == Attributed && n.none() || !slices.ContainsFunc(n.Subs, func(sub *Node) bool { return !nullable(sub) })
		case Alt:
			return slices.ContainsFunc(n.Subs, nullable)
		}
		return false
	}
	for _, part := range t.components() {
		for changed := true; changed; {
			changed = false
			for _, r := range part {
				if !rule[r] && nullable(t.Rules[r].Body) {
					rule[r], changed = true, true
				}
			}
		}
	}
	return nullable
}
