package rules

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/spelling"
)

// Free text is an element Shortest of any text and a trigger: it ends at the first occurrence of a trigger's text. It
// becomes a scan, which has fast masks, if the trigger has few texts, else an intersection.
//
// If several free texts are alternatives, or any text is one, the first trigger ends all of them: text before the
// trigger of one tool contains no trigger of another. Otherwise the alternative of any text would match everything
// that a trigger constrains. So an alternation, or a loop of one with any text after it, becomes one scan for all
// triggers, each followed by its continuation.

type branch struct {
	free    *Node    // nil: any text
	texts   []string // of the trigger; nil: too many
	then    *following
	opens   int            // number of marks MarkOpen before the text
	scope   *grammar.Scope // of the text and its trigger; nil: none
	at      *Node          // refused, if not nil: a limit of tokens, or a scope that contains part of then
	limited bool
}

type following struct {
	subs []*Node
	next *following
}

func (f *following) nodes() (out []*Node) {
	for ; f != nil; f = f.next {
		out = append(out, f.subs...)
	}
	return out
}

type region struct {
	branches []branch
	ends     []branch // any text: the text may also end without a trigger
	left     int      // nodes that may still be visited
}

func (l *folder) isAnyText(n *Node) bool {
	f := l.folds[n.serial]
	return f.status == plain && f.expr == l.anyText
}

func opening(n *Node) bool { return n.Kind == Mark && n.Text[0] == spelling.MarkOpen }

func (f *following) onlyMarks() bool {
	return !slices.ContainsFunc(f.nodes(), func(n *Node) bool { return n.Kind != Mark })
}

// isFree reports whether n, which is lazy or has an end, is any text and a trigger, and returns the trigger's texts.
func (l *folder) isFree(n *Node) (texts []string, ok bool) {
	if n.Bounded {
		return nil, false
	}
	var parts []*Node
	for _, sub := range n.Subs {
		parts = l.tree.flat(sub, 0, parts)
	}
	if len(parts) == 0 {
		return nil, false
	}
	texts = []string{""}
	switch rest := l.behindAnyText(parts[0]); {
	case rest != nil:
		texts = rest.Texts(limits.RuleTriggers)
	case len(parts) < 2 || !l.isAnyText(parts[0]):
		return nil, false
	}
	for _, part := range parts[1:] {
		texts = product(texts, l.allTexts(part, 0))
	}
	if slices.Contains(texts, "") {
		texts = nil
	}
	return texts, true
}

func (l *folder) behindAnyText(n *Node) *regex.Node {
	if n.Kind != Pattern || n.JSONString {
		return nil
	}
	first, rest := n.Regex.Split()
	if rest == nil {
		return nil
	}
	if e, err := regex.Lower(l.st, first, regex.Mode{Encoding: terminal.UTF8}); err != nil || e != l.anyText {
		return nil
	}
	return rest
}

func (l *folder) allTexts(n *Node, depth int) []string {
	l.st.Work().Spend(NodeWork)
	if n = l.tree.resolved(n); depth > limits.RuleHeads {
		return nil
	}
	switch n.Kind {
	case Nothing:
		return []string{""}
	case Text:
		return []string{n.Text}
	case Pattern:
		return n.Regex.Texts(limits.RuleTriggers)
	case Seq:
		all := []string{""}
		for _, sub := range n.Subs {
			all = product(all, l.allTexts(sub, depth+1))
		}
		return all
	case Alt:
		var all []string
		for _, sub := range n.Subs {
			list := l.allTexts(sub, depth+1)
			if all = append(all, list...); list == nil || len(all) > limits.RuleTriggers {
				return nil
			}
		}
		return all
	}
	return nil
}

func product(list, rest []string) (out []string) {
	if len(list)*len(rest) > limits.RuleTriggers {
		return nil
	}
	for _, x := range list {
		for _, y := range rest {
			out = append(out, x+y)
		}
	}
	return out
}

func (t *Tree) resolved(n *Node) *Node {
	n = n.bare()
	for i := 0; i < limits.RuleHeads && n.Kind == Ref; i++ {
		n = t.Rules[n.Rule].Body.bare()
	}
	return n
}

func (t *Tree) flat(n *Node, depth int, out []*Node) []*Node {
	n = t.resolved(n)
	switch {
	case n.Kind == Nothing || len(out) > limits.RuleTriggers:
	case n.Kind == Seq && depth < limits.RuleHeads:
		for _, sub := range n.Subs {
			out = t.flat(sub, depth+1, out)
		}
	default:
		out = append(out, n)
	}
	return out
}

// add adds the alternatives of n to the region, each behind opens marks and followed by then. It returns false if one
// of them does not begin with free text.
func (r *region) add(l *folder, n *Node, opens int, then *following, depth int) bool {
	l.st.Work().Spend(NodeWork)
	if r.left--; r.left < 0 || depth > limits.RuleHeads {
		return false
	}
	n = n.bare()
	if l.isAnyText(n) && then.onlyMarks() {
		r.ends = append(r.ends, branch{then: then, opens: opens})
		return true
	}
	switch n.Kind {
	case Ref:
		return r.add(l, l.tree.Rules[n.Rule].Body, opens, then, depth+1)
	case Seq:
		first, rest := n.Subs[0], n.Subs[1:]
		if opening(first) {
			opens, first, rest = opens+1, rest[0], rest[1:]
		}
		return r.add(l, first, opens, &following{rest, then}, depth+1)
	case Attributed:
		x := l.attributed[n]
		inner := region{left: r.left}
		switch {
		case !n.hasScope() && x.free:
			r.branches = append(r.branches, branch{free: n, texts: x.texts, then: then, opens: opens})
			return true
		case !n.hasScope():
			return false
		case n.Limited && (x.fold.status == plain && x.fold.expr == l.anyText || x.cut && x.body.expr == l.anyText):
			r.branches = append(r.branches, branch{free: n, limited: true, at: n})
			return true
		case x.free:
			inner.branches = []branch{{free: n, texts: x.texts}}
		case n.OneToken() && x.fold.expr == l.anyText:
			inner.ends = []branch{{}}
		case n.OneToken() || n.none() || !inner.add(l, n.Subs[0], 0, nil, depth+1):
			return false
		}
		r.left = inner.left
		for i, list := range [2][]branch{inner.branches, inner.ends} {
			for _, b := range list {
				if b.scope == nil {
					b.scope = n.scope()
				}
				if b.limited = b.limited || n.Limited; b.limited || b.then.nodes() != nil {
					b.at = n
				}
				b.opens, b.then = opens, &following{b.then.nodes(), then}
				if i == 0 {
					r.branches = append(r.branches, b)
				} else {
					r.ends = append(r.ends, b)
				}
			}
		}
		return true
	case Alt:
		return !slices.ContainsFunc(n.Subs, func(sub *Node) bool { return !r.add(l, sub, opens, then, depth+1) })
	}
	return false
}

// looped finds the region at the beginning of a sequence: a loop of free texts, and any text if that follows. used is
// the number of its elements, 0 if there is none.
func (l *folder) looped(subs []*Node) (r region, used int) {
	loop := subs[0].bare()
	if !l.tree.free || loop.Kind != Repeat || loop.Min != 0 || loop.Max != grammar.Unbounded {
		return r, 0
	}
	r.left = limits.RuleHeads * limits.RuleHeads
	if !r.add(l, loop.Subs[0], 0, nil, 0) || len(r.branches) == 0 {
		return r, 0
	}
	if len(subs) > 1 {
		end := region{left: r.left}
		if end.add(l, subs[1], 0, nil, 0) && len(end.branches)+len(end.ends) == 1 &&
			(len(end.ends) == 1 || end.branches[0].limited) {
			r.branches, r.ends = append(r.branches, end.branches...), append(r.ends, end.ends...)
			return r, 2
		}
	}
	if len(r.branches) == 1 && r.branches[0].limited {
		return r, 0 // it has no alternatives
	}
	return r, 1
}

// competing splits off the alternatives that begin with free text, if there are several or one is any text.
func (l *folder) competing(alts []*Node) (r region, others []*Node) {
	if !l.tree.free {
		return r, alts
	}
	texts := 0
	for _, alt := range alts {
		one := region{left: limits.RuleHeads * limits.RuleHeads}
		if one.add(l, alt, 0, nil, 0) {
			r.branches, r.ends = append(r.branches, one.branches...), append(r.ends, one.ends...)
			texts++
		} else {
			others = append(others, alt)
		}
	}
	if len(r.branches) == 0 || texts < 2 {
		return region{}, alts
	}
	return r, others
}
