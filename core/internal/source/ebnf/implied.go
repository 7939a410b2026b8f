package ebnf

import (
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/charclass"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
)

// A look-ahead at the end of a rule is omitted if every continuation of the rule begins with it. Grammars printed by
// programs have such look-aheads: xgrammar's say that white space and one of `,}]:` follow a string in JSON. The proof
// walks through all that may follow, and may leave a rule towards any of its uses, so it covers at least all
// continuations (Lemma 24).

type item struct {
	pairs      []rune
	none, many bool
}

// items returns a look-ahead as steps. It returns false for other look-aheads.
func items(n *rules.Node, into []item) ([]item, bool) {
	switch n.Kind {
	case rules.Text:
		for _, c := range n.Text {
			into = append(into, item{pairs: []rune{c, c}})
		}
	case rules.Class:
		into = append(into, item{pairs: n.Pairs})
	case rules.Seq:
		for _, sub := range n.Subs {
			ok := false
			if into, ok = items(sub, into); !ok {
				return nil, false
			}
		}
	case rules.Repeat:
		once, ok := items(n.Subs[0], nil)
		if !ok || len(once) != 1 || once[0].none || n.Min > 1 || n.Max != 1 && n.Max != grammar.Unbounded {
			return nil, false
		}
		if n.Min == 1 {
			into = append(into, once[0])
		}
		into = append(into, item{once[0].pairs, true, n.Max != 1})
	default:
		return nil, false
	}
	return into, len(into) < 64
}

// place is a position of the walk: before or behind a node, with the possible next steps of the look-ahead.
type place struct {
	n      *rules.Node
	behind bool
	steps  uint64
}

type following struct {
	*aheads
	items    []item
	worklist []place
	seen     map[place]bool
	against  bool // a continuation may not begin with the look-ahead
}

type uses struct {
	above map[*rules.Node][]*rules.Node
	refs  map[int][]*rules.Node // by rule
	of    map[*rules.Node][]int // the rules whose bodies they are
}

func (a *aheads) uses() *uses {
	if a.used != nil {
		return a.used
	}
	u := &uses{map[*rules.Node][]*rules.Node{}, map[int][]*rules.Node{}, map[*rules.Node][]int{}}
	seen := map[*rules.Node]bool{}
	var visit func(n *rules.Node)
	visit = func(n *rules.Node) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		a.p.O.Work.Spend(rules.NodeWork)
		if n.Kind == rules.Ref {
			u.refs[n.Rule] = append(u.refs[n.Rule], n)
		}
		for _, sub := range n.Subs {
			if sub != nil {
				u.above[sub] = append(u.above[sub], n)
			}
			visit(sub)
		}
	}
	for r := range a.p.Tree.Rules {
		body := a.p.Tree.Rules[r].Body
		u.of[body] = append(u.of[body], r)
		visit(body)
	}
	a.used = u
	return u
}

// implied reports whether every continuation of rule r begins with ahead. It may return false although that is so.
func (a *aheads) implied(r int, ahead *rules.Node) bool {
	steps, ok := items(ahead, nil)
	if !ok || r == a.p.Tree.Start {
		return false
	}
	f := following{aheads: a, items: steps, seen: map[place]bool{}}
	for _, ref := range a.uses().refs[r] {
		f.walk(ref, true, f.from(0))
	}
	for len(f.worklist) > 0 && !f.against {
		at := f.worklist[len(f.worklist)-1]
		f.worklist = f.worklist[:len(f.worklist)-1]
		a.p.O.Work.Spend(rules.NodeWork)
		if at.behind {
			f.leave(at.n, at.steps)
		} else {
			f.enter(at.n, at.steps)
		}
	}
	return !f.against
}

// from returns the steps that may come next at step i.
func (f *following) from(i int) uint64 {
	steps := uint64(1) << i
	for ; i < len(f.items) && f.items[i].none; i++ {
		steps |= 1 << (i + 1)
	}
	return steps
}

// walk adds a place, unless the look-ahead is complete there.
func (f *following) walk(n *rules.Node, behind bool, steps uint64) {
	at := place{n, behind, steps}
	switch {
	case steps>>len(f.items)&1 != 0 || f.seen[at]:
	case steps == 0 || len(f.seen) == limits.LookAheadPlaces:
		f.against = true
	default:
		f.seen[at] = true
		f.worklist = append(f.worklist, at)
	}
}

func (f *following) over(steps uint64, c rune) (next uint64) {
	for i, it := range f.items {
		if steps>>i&1 == 0 || !charclass.Has(it.pairs, c) {
			continue
		}
		if it.many {
			next |= f.from(i)
		} else {
			next |= f.from(i + 1)
		}
	}
	return next
}

func (f *following) enter(n *rules.Node, steps uint64) {
	switch n.Kind {
	case rules.Nothing:
		f.walk(n, true, steps)
	case rules.Text:
		for _, c := range n.Text {
			if steps>>len(f.items)&1 == 0 {
				steps = f.over(steps, c)
			}
		}
		f.walk(n, true, steps)
	case rules.Class:
		var cuts []rune // begins and ends of classes: characters between two of them are equivalent
		for i := 0; i < len(n.Pairs); i += 2 {
			cuts = append(cuts, n.Pairs[i])
		}
		for _, it := range f.items {
			for i := 0; i < len(it.pairs); i += 2 {
				cuts = append(cuts, it.pairs[i], it.pairs[i+1]+1)
			}
		}
		for _, c := range cuts {
			if charclass.Has(n.Pairs, c) {
				f.walk(n, true, f.over(steps, c))
			}
		}
	case rules.Ref:
		f.walk(f.p.Tree.Rules[n.Rule].Body, false, steps)
	case rules.Attributed:
		if f.against = f.against || n.OneToken(); !f.against {
			f.walk(n.Subs[0], false, steps)
		}
	case rules.Seq:
		f.walk(n.Subs[0], false, steps)
	case rules.Alt:
		for _, sub := range n.Subs {
			f.walk(sub, false, steps)
		}
	case rules.Repeat:
		if n.Max > 0 {
			f.walk(n.Subs[0], false, steps)
		}
		if n.Min == 0 {
			f.walk(n, true, steps)
		}
	default:
		if _, ok := pending(n); !ok {
			f.against = true
			return
		}
		f.walk(n, true, steps)
	}
}

func (f *following) leave(n *rules.Node, steps uint64) {
	u := f.uses()
	for _, r := range u.of[n] {
		if r == f.p.Tree.Start {
			f.against = true // the output may end here
		}
		for _, ref := range u.refs[r] {
			f.walk(ref, true, steps)
		}
	}
	for _, above := range u.above[n] {
		switch above.Kind {
		case rules.Seq:
			for i, sub := range above.Subs {
				switch {
				case sub != n:
				case i+1 < len(above.Subs):
					f.walk(above.Subs[i+1], false, steps)
				default:
					f.walk(above, true, steps)
				}
			}
		case rules.Repeat:
			if above.Max > 1 {
				f.walk(n, false, steps)
			}
			f.walk(above, true, steps)
		case rules.Alt, rules.Attributed:
			f.walk(above, true, steps)
		default:
			f.against = true
		}
	}
}
