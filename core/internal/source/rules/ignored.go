package rules

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/grammar"
)

// Ignored text behind the last token of a rule is not part of the rule: the rule's temperature and limit of tokens do
// not apply there. A reader puts ignored text behind each token, so it ends the rule's body, or rules at the end of
// the body. LeaveIgnored moves it behind the rule:
//
//	x[temperature=1]: a b    with    b: "b" ignored      becomes      x: y ignored,  y[temperature=1]: a c,  c: "b"
//
// A split rule is composed again, b: c ignored, so that no text has more readings than before.

// parts is a split element: ends followed by ignored text, or other, or nothing if empty is set. A missing part is
// nil.
type parts struct {
	ends, other *Node
	empty       bool
}

type fact struct{ ends, other, empty bool }

// leaving moves one ignored element out of rules with scopes. One call.
type leaving struct {
	*Tree
	ignored *Node
	facts   []fact // by rule
	// By rule, the rule that is one part of it; 0 until it is needed, since rule 0 is no part.
	ends, others map[int]int
	queue        []int
	now          int // the rule being split, or -1
}

// LeaveIgnored moves ignored text out of elements with a scope. Each of ignored is the last node of a sequence, behind
// a token.
func (t *Tree) LeaveIgnored(ignored []*Node) {
	for range ignored { // ignored elements may be behind one another, in any order
		changed := false
		for _, n := range ignored {
			if scoped := t.scopedNodes(); len(scoped) > 0 {
				l := &leaving{Tree: t, ignored: n, ends: map[int]int{}, others: map[int]int{}, now: -1}
				l.findFacts()
				changed = l.leave(scoped) || changed
			}
		}
		if !changed {
			return
		}
	}
}

func (t *Tree) scopedNodes() (out []*Node) {
	if !t.scoped {
		return nil
	}
	seen := map[*Node]bool{}
	var visit func(n *Node) // recursion as deep as parentheses nest
	visit = func(n *Node) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		t.work.Spend(NodeWork)
		if n.hasScope() {
			out = append(out, n)
		}
		for _, sub := range n.Subs {
			visit(sub)
		}
	}
	for _, r := range t.Rules {
		visit(r.Body)
	}
	return out
}

func (l *leaving) leave(scoped []*Node) bool {
	var at []*Node
	var instead []Node
	for _, n := range scoped {
		if x := l.split(n); x.ends != nil {
			at, instead = append(at, n), append(instead, *l.Node(*l.joined(n.At, x)))
		}
	}
	whole := map[int]*Node{}
	for len(l.queue) > 0 {
		r := l.queue[0]
		l.queue, l.now = l.queue[1:], r
		x := l.split(l.Rules[r].Body)
		if part, ok := l.ends[r]; ok {
			l.Rules[part].Body = x.ends
			if x.other == nil {
				whole[r] = l.joined(l.Rules[r].At, parts{ends: l.ref(l.Rules[r].At, part), empty: x.empty})
			}
		}
		if part, ok := l.others[r]; ok {
			l.Rules[part].Body = x.other
		}
	}
	for i, n := range at {
		*n = instead[i]
	}
	for r, body := range whole {
		l.Rules[r].Body = body
	}
	return len(at) > 0
}

func (l *leaving) joined(at int, x parts) *Node {
	alts := []*Node{l.row(at, x.ends, l.ignored)}
	if x.other != nil {
		alts = append(alts, x.other)
	}
	if x.empty {
		alts = append(alts, l.Sequence(at))
	}
	return l.either(at, alts...)
}

func (l *leaving) ref(at, rule int) *Node { return l.Node(Node{Kind: Ref, At: at, Rule: rule}) }

func (l *leaving) part(n *Node, made map[int]int) *Node {
	part, ok := made[n.Rule]
	if !ok {
		if l.ends[n.Rule] == 0 && l.others[n.Rule] == 0 {
			l.queue = append(l.queue, n.Rule)
		}
		part = len(l.Rules)
		made[n.Rule] = part
		of := &l.Rules[n.Rule]
		l.Rules = append(l.Rules, Rule{Name: of.Name, At: of.At, Apart: of.Apart})
	}
	return l.ref(n.At, part)
}

func (l *leaving) split(n *Node) (x parts) {
	l.work.Spend(NodeWork)
	if n == l.ignored {
		return parts{ends: l.row(n.At)}
	}
	switch n.Kind {
	case Nothing:
		return parts{empty: true}
	case Ref:
		f := l.facts[n.Rule]
		if x.empty = f.empty; f.ends {
			x.ends = l.part(n, l.ends)
		}
		if f.other && (f.ends || f.empty) {
			x.other = l.part(n, l.others)
		}
	case Seq:
		x = l.splitSequence(n)
	case Alt:
		var ends, others []*Node
		for _, sub := range n.Subs {
			y := l.split(sub)
			ends, others, x.empty = append(ends, y.ends), append(others, y.other), x.empty || y.empty
		}
		x.ends, x.other = l.either(n.At, ends...), l.either(n.At, others...)
	case Repeat:
		x = l.splitRepeat(n)
	case Attributed:
		if n.OneToken() || n.none() {
			return parts{other: n}
		}
		x = l.split(n.Subs[0])
		if n.captured && x.empty { // a capture is reported even if it is empty, so it needs a place
			x.other, x.empty = l.either(n.At, x.other, l.Sequence(n.At)), false
		}
		if x.other != nil {
			x.other = l.around(n, x.other)
		}
		if x.ends != nil {
			if x.ends = l.around(n, x.ends); n.hasScope() {
				EndsBefore(x.ends, l.ignored)
			}
		}
	}
	if x.ends == nil && !x.empty {
		return parts{other: n}
	}
	return x
}

// EndsBefore records that ignored may follow the elements with a scope at the end of n.
func EndsBefore(n, ignored *Node) {
	if n = n.bare(); n.hasScope() {
		special := *n.Special
		special.Behind = append([]*Node{ignored}, special.Behind...) // earlier ones are farther outside
		n.Special = &special
	}
}

func (l *leaving) splitSequence(n *Node) parts {
	out := parts{empty: true}
	for i := len(n.Subs) - 1; i >= 0 && out.empty; i-- {
		sub := n.Subs[i]
		x := l.split(sub)
		ends := []*Node{x.ends, l.behind([]*Node{sub}, out.ends)}
		if x.ends != nil && x.other == nil && !x.empty && out.ends != nil {
			more := Node{Kind: Repeat, At: sub.At, Subs: []*Node{l.row(sub.At, l.ignored, out.ends)}, Max: 1}
			ends = []*Node{l.row(sub.At, x.ends, l.Node(more))}
		}
		others := []*Node{x.other, l.behind([]*Node{sub}, out.other)}
		out = parts{l.either(sub.At, ends...), l.either(sub.At, others...), x.empty}
		if !x.empty && i > 0 {
			out.ends, out.other = l.behind(n.Subs[:i], out.ends), l.behind(n.Subs[:i], out.other)
		}
	}
	return out
}

func (l *leaving) behind(before []*Node, part *Node) *Node {
	if part == nil {
		return nil
	}
	all := append(slices.Clone(before), part)
	all[0] = l.whole(all[0])
	return l.row(part.At, all...)
}

func (l *leaving) row(at int, subs ...*Node) *Node {
	var all []*Node
	for _, n := range subs {
		switch n.Kind {
		case Nothing:
		case Seq:
			all = append(all, n.Subs...)
		default:
			all = append(all, n)
		}
	}
	return l.Sequence(at, all...)
}

// whole returns n. If n is the rule being split, it returns the composition of its parts, so that a left-recursive
// rule gives a left-recursive part, which is folded as a loop.
func (l *leaving) whole(n *Node) *Node {
	if n.Kind != Ref || n.Rule != l.now || l.facts[n.Rule] != (fact{ends: true}) {
		return n
	}
	return l.row(n.At, l.part(n, l.ends), l.ignored)
}

func (l *leaving) splitRepeat(n *Node) (out parts) {
	if n.Max == 0 {
		return parts{empty: true}
	}
	x := l.split(n.Subs[0])
	more := Node{Kind: Repeat, At: n.At, Min: n.Min, Max: n.Max}
	if out.empty = x.empty || n.Min == 0; out.empty {
		more.Min = 0
	} else {
		more.Min--
	}
	if more.Max != grammar.Unbounded {
		more.Max--
	}
	if more.Max == 0 {
		out.ends, out.other = x.ends, x.other
		return out
	}
	if x.ends != nil && x.other == nil {
		more.Subs = []*Node{l.row(n.At, l.ignored, x.ends)}
		out.ends = l.row(n.At, x.ends, l.Node(more))
		return out
	}
	more.Subs = n.Subs
	before := []*Node{l.Node(more)}
	out.ends, out.other = l.behind(before, x.ends), l.behind(before, x.other)
	return out
}

func (l *leaving) findFacts() {
	l.facts = make([]fact, len(l.Rules))
	for _, component := range l.components() {
		for changed := true; changed; {
			changed = false
			for _, r := range component {
				f := l.fact(l.Rules[r].Body)
				changed = changed || f != l.facts[r]
				l.facts[r] = f
			}
		}
	}
}

func (l *leaving) fact(n *Node) (f fact) { // recursion as deep as parentheses nest
	l.work.Spend(NodeWork)
	if n == l.ignored {
		return fact{ends: true}
	}
	switch n.Kind {
	case Nothing:
		return fact{empty: true}
	case Ref:
		return l.facts[n.Rule]
	case Seq:
		f.empty = true
		for i := len(n.Subs) - 1; i >= 0 && f.empty; i-- {
			x := l.fact(n.Subs[i])
			f = fact{f.ends || x.ends, f.other || x.other, x.empty}
		}
	case Alt:
		for _, sub := range n.Subs {
			x := l.fact(sub)
			f = fact{f.ends || x.ends, f.other || x.other, f.empty || x.empty}
		}
	case Repeat:
		if n.Max == 0 {
			return fact{empty: true}
		}
		f = l.fact(n.Subs[0])
		f.empty = f.empty || n.Min == 0
	case Attributed:
		if n.OneToken() || n.none() {
			return fact{other: true}
		}
		if f = l.fact(n.Subs[0]); n.captured {
			f = fact{ends: f.ends, other: f.other || f.empty}
		}
	default:
		f.other = true
	}
	return f
}
