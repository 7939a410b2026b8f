package rules

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
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

func (l *lowering) isAnyText(n *Node) bool {
	f := l.folds[n.serial]
	return f.status == plain && f.expr == l.anyText
}

func opening(n *Node) bool { return n.Kind == Mark && n.Text[0] == spelling.MarkOpen }

func (f *following) onlyMarks() bool {
	return !slices.ContainsFunc(f.nodes(), func(n *Node) bool { return n.Kind != Mark })
}

func (l *lowering) allTexts(n *Node, depth int) []string {
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
func (r *region) add(l *lowering, n *Node, opens int, then *following, depth int) bool {
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
func (l *lowering) looped(subs []*Node) (r region, used int) {
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

// addRegion gives the rule id the free text of a region; each trigger is followed by its continuation, then by more.
//
// The end of the text tells the branch. So as many marks precede the text as the branch with the most has; other
// branches close the marks that they have not opened.
func (l *lowering) addRegion(id grammar.RuleID, name string, r region, more ...grammar.Symbol) {
	if slices.ContainsFunc(r.branches, func(b branch) bool { return b.texts == nil }) {
		l.addSearch(id, name, r, more)
		return
	}
	scope := l.scopeOf(r)
	opens, behind := l.marksOf(name, r)
	var patterns []terminal.ScanPattern
	tags := map[string]uint32{}
	var cases []grammar.Case
	for _, b := range r.branches {
		then := append(behind(b), more...)
		for _, t := range b.texts {
			tag, twice := tags[t]
			if twice {
				cases[tag].Then = l.either(name, cases[tag].Then, then)
				continue
			}
			tags[t] = uint32(len(patterns))
			patterns = append(patterns, terminal.ScanPattern{Text: t, Tag: tags[t]})
			cases = append(cases, grammar.Case{Tag: tags[t], Then: then})
		}
	}
	for i, b := range r.ends {
		then, last := behind(b), len(cases)-1
		switch {
		case i == 0:
			cases = append(cases, grammar.Case{Tag: terminal.ScanEnd, Then: then})
		case len(opens) > 0:
			cases[last].Then = l.either(name, cases[last].Then, then)
		}
	}
	text := l.g.NewSwitch(l.st.Scan(patterns, false), cases...)
	l.g.Switches[text.Index].Scope = scope
	l.g.Add(id, append(opens, text)...)
}

func (l *lowering) scopeOf(r region) (all *grammar.Scope) {
	for _, b := range slices.Concat(r.branches, r.ends) {
		if b.at != nil {
			l.fail(l.refusedScope(b))
		}
		if b.scope != nil && (all == nil || b.scope.Temperature > all.Temperature) {
			all = b.scope
		}
	}
	return all
}

// marksOf returns the marks before the text of a region, and the symbols behind the text of a branch.
func (l *lowering) marksOf(name string, r region) (opens grammar.Sequence, behind func(b branch) grammar.Sequence) {
	most := 0
	for _, b := range slices.Concat(r.branches, r.ends) {
		most = max(most, b.opens)
	}
	marks := func(mark byte, n int) (seq grammar.Sequence) {
		for range n {
			seq = append(seq, grammar.T(spelling.Marks(l.st, []byte{mark})))
		}
		return seq
	}
	return marks(spelling.MarkOpen, most), func(b branch) grammar.Sequence {
		return append(marks(spelling.MarkClose, most-b.opens), l.elements(name, b.then.nodes())...)
	}
}

func (l *lowering) either(name string, a, b grammar.Sequence) grammar.Sequence {
	id := l.g.NewRule(name)
	l.g.Add(id, a...)
	l.g.Add(id, b...)
	return grammar.Sequence{grammar.N(id)}
}

func (l *lowering) refusedScope(b branch) error {
	if b.limited {
		return l.tree.Failure(diag.Unsupported, b.at.At, "max_tokens", "free text beside other free text ends at "+
			"any of their ends, so it cannot have max_tokens; limit the rule that follows it")
	}
	return l.tree.Failure(diag.Unsupported, b.at.At, "temperature",
		"a rule with a temperature or max_tokens begins with free text here, goes on behind it and stands beside "+
			"other free text; give the option to the free text, and to the rule behind it")
}

// addSearch is addRegion for triggers that are patterns: a text is the shortest that ends in one of them.
func (l *lowering) addSearch(id grammar.RuleID, name string, r region, more grammar.Sequence) {
	all := make([]terminal.Expr, len(r.branches))
	for i, b := range r.branches {
		all[i] = l.attributed[b.free].whole.expr
	}
	l.scopeOf(r)
	opens, behind := l.marksOf(name, r)
	found := l.st.Or(all...)
	first := l.shortest(fold{expr: found})
	for i, b := range r.branches {
		l.g.Add(id, slices.Concat(opens, l.within(name, b, l.st.And(first, all[i])), behind(b), more)...)
	}
	for i, b := range r.ends {
		if i == 0 || len(opens) > 0 {
			none := l.st.And(l.anyText, l.st.Not(l.st.Concat(found, l.anyText)))
			l.g.Add(id, slices.Concat(opens, l.within(name, b, none), behind(b))...)
		}
	}
}

func (l *lowering) within(name string, b branch, text terminal.Expr) grammar.Sequence {
	if b.scope == nil {
		return grammar.Sequence{grammar.T(text)}
	}
	id := l.g.NewRule(name)
	l.g.Rules[id].Scope = b.scope
	l.g.Add(id, grammar.T(text))
	return grammar.Sequence{grammar.N(id)}
}

func (l *lowering) loop(name string, r region) grammar.Symbol {
	id := l.g.NewRule(name)
	l.addRegion(id, name, r, grammar.N(id))
	if len(r.ends) == 0 {
		l.g.Add(id)
	}
	return grammar.N(id)
}

// competing splits off the alternatives that begin with free text, if there are several or one is any text.
func (l *lowering) competing(alts []*Node) (r region, others []*Node) {
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

func (l *lowering) regular(n *Node) (fold, error) {
	f, err := l.fold(n)
	if err == nil && f.status == unfolded {
		err = l.irregular(n)
	}
	return f, err
}

func (l *lowering) irregular(n *Node) error {
	return l.tree.Failure(diag.Unsupported, n.At, "",
		"this part must be regular: no recursion, no tokens of the vocabulary, no temperatures, and fewer than "+
			"%d parts", limits.RuleFold)
}
