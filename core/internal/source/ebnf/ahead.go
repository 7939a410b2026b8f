package ebnf

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
)

// A look-ahead (= x) requires that the text behind it begins with a text of x. At the end of a rule it applies behind
// each use of the rule. It restricts the elements after it in the same sequence, as many as a text of x may cover. A
// look-ahead without such elements is an error, unless it always holds (implied.go).

func (p *parser) lookahead(t *token) (*rules.Node, error) {
	inner, err := p.group(t)
	if err != nil {
		return nil, err
	}
	return p.Tree.Node(rules.Node{Kind: rules.Followed, At: t.at, Subs: []*rules.Node{nil, inner}}), nil
}

func pending(n *rules.Node) (ahead *rules.Node, ok bool) {
	if n.Kind != rules.Followed || n.Subs[0] != nil {
		return nil, false
	}
	return n.Subs[1], true
}

type aheads struct {
	p    *parser
	ends map[int]*rules.Node // by rule: the look-ahead at its end
	used *uses
}

func (p *parser) resolveAheads() error {
	a := &aheads{p: p, ends: map[int]*rules.Node{}}
	for r := range p.Tree.Rules {
		rule := &p.Tree.Rules[r]
		body, ahead := a.split(rule.Body)
		if ahead != nil {
			rule.Body, a.ends[r] = body, ahead
		}
	}
	for r := range p.Tree.Rules {
		if ahead := a.ends[r]; ahead != nil && a.implied(r, ahead) {
			delete(a.ends, r)
		}
	}
	if ahead := a.ends[p.Tree.Start]; ahead != nil {
		return a.refuse(ahead.At, "nothing follows the start rule")
	}
	for r := range p.Tree.Rules {
		if err := a.resolve(p.Tree.Rules[r].Body); err != nil {
			return err
		}
		if n := a.after(p.Tree.Rules[r].Body); n != nil {
			return a.refuse(p.Tree.Rules[r].Body.At, "nothing follows it in this rule")
		}
	}
	return nil
}

func (a *aheads) refuse(at int, why string) error {
	return a.p.Failure(diag.Unsupported, at, "(=", "a look-ahead checks the elements after it in the same "+
		"sequence, but %s; write the text that may follow into the rule", why)
}

func (a *aheads) split(body *rules.Node) (rest, ahead *rules.Node) {
	if x, ok := pending(body); ok {
		return a.p.Tree.Sequence(body.At), x
	}
	switch last := len(body.Subs) - 1; body.Kind {
	case rules.Seq:
		if x, ok := pending(body.Subs[last]); ok {
			return a.p.Tree.Sequence(body.At, body.Subs[:last]...), x
		}
	case rules.Alt:
		if sub, ahead := a.split(body.Subs[last]); ahead != nil {
			alts := append(append([]*rules.Node{}, body.Subs[:last]...), sub)
			return a.p.Tree.Choice(body.At, alts...), ahead
		}
	}
	return body, nil
}

func (a *aheads) after(n *rules.Node) *rules.Node {
	if x, ok := pending(n); ok {
		return x
	}
	if n.Kind == rules.Ref {
		return a.ends[n.Rule]
	}
	return nil
}

func (a *aheads) resolve(n *rules.Node) error {
	a.p.O.Work.Spend(rules.NodeWork)
	for _, sub := range n.Subs {
		if sub == nil {
			continue
		}
		if err := a.resolve(sub); err != nil {
			return err
		}
		if n.Kind != rules.Seq && a.after(sub) != nil {
			return a.refuse(sub.At, "nothing follows this one")
		}
	}
	if n.Kind != rules.Seq {
		return nil
	}
	subs, found := n.Subs, 0
	for i := len(subs) - 1; i >= 0; i-- {
		ahead := a.after(subs[i])
		if ahead == nil {
			continue
		}
		if found++; found > limits.RuleHeads {
			return a.p.Failure(diag.Limit, subs[i].At, "(=", "a sequence may have at most %d look-aheads; "+
				"split it, or write the text that may follow into the rules", limits.RuleHeads)
		}
		_, most := a.length(ahead, 0)
		k, sum := i+1, uint32(0)
		for k < len(subs) && (k == i+1 || sum < most) {
			least, _ := a.length(subs[k], 0)
			sum = add(sum, least)
			k++
		}
		if k == i+1 {
			return a.refuse(subs[i].At, "nothing follows this one")
		}
		narrow := a.p.Tree.Node(rules.Node{
			Kind: rules.Followed, At: ahead.At,
			Subs: []*rules.Node{a.p.Tree.Sequence(subs[i+1].At, subs[i+1:k]...), ahead},
		})
		head := subs[:i+1]
		if subs[i].Kind == rules.Followed {
			head = subs[:i]
		}
		subs = append(append(append([]*rules.Node{}, head...), narrow), subs[k:]...)
	}
	if n.Subs = subs; len(subs) == 1 && n.Special == nil {
		*n = *subs[0] // a sequence has several elements
	}
	return nil
}

func add(x, y uint32) uint32 {
	if x == grammar.Unbounded || y == grammar.Unbounded || x+y < x {
		return grammar.Unbounded
	}
	return x + y
}

// length returns bounds on the length of n in code points.
func (a *aheads) length(n *rules.Node, depth int) (low, high uint32) {
	a.p.O.Work.Spend(rules.NodeWork)
	if depth > limits.RuleHeads {
		return 0, grammar.Unbounded
	}
	switch n.Kind {
	case rules.Nothing:
		return 0, 0
	case rules.Text:
		count := uint32(len([]rune(n.Text)))
		return count, count
	case rules.Class, rules.Token, rules.NotToken:
		return 1, 1
	case rules.Pattern:
		return n.Regex.Length()
	case rules.Seq:
		for _, sub := range n.Subs {
			l, h := a.length(sub, depth+1)
			low, high = add(low, l), add(high, h)
		}
		return low, high
	case rules.Alt:
		low = grammar.Unbounded
		for _, sub := range n.Subs {
			l, h := a.length(sub, depth+1)
			low, high = min(low, l), max(high, h)
		}
		return low, high
	}
	return 0, grammar.Unbounded
}
