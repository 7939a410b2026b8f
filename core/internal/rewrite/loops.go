package rewrite

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/inspect"
)

// A loop of repetitions reads a text in exponentially many ways: a loop of words of up to 20 letters cuts "abcd" in
// every way. By Lemma 93 a loop absorbs loops among its alternatives, so simplify replaces them by their bodies.
// Alternatives that are terminals become one repeated terminal, which is one state. Without this pass, the masks of the
// slowest of 361 constraints take 480 times as long.

const (
	// loopCounts bounds the maximum of a counted expression that becomes part of a loop's terminal.
	loopCounts = 64
	// loopParts bounds the parts of a loop's terminal, and loopNodes the nodes of an expression that becomes such
	// parts. Each state of the terminal is a union of states of some parts.
	loopParts = 64
	loopNodes = 1024
)

type loopPass struct {
	corners
	terminals map[uint32]terminal.Expr // by repetition: the terminal that replaces it
	parts     map[terminal.Expr]loopTerminal
}

type loopTerminal struct {
	parts []terminal.Expr
	ok    bool
}

type loopBody struct {
	p       *loopPass
	parts   []terminal.Expr    // parts of the loop's terminal
	others  []grammar.Sequence // the other alternatives
	visited []grammar.RuleID   // rules whose alternatives are in parts and others
	changed bool
}

// simplifyLoops simplifies loops and reports whether it changed any. The tables of info must be up to date;
// simplifyLoops keeps them up to date.
func simplifyLoops(st *terminal.Store, g *grammar.Grammar, info *Info) bool {
	p := &loopPass{corners{st, g, info}, map[uint32]terminal.Expr{}, map[terminal.Expr]loopTerminal{}}
	changed := false
	for i := range len(g.Repeats) {
		if r := &g.Repeats[i]; r.Max == grammar.Unbounded && r.Min <= 1 {
			changed = p.simplify(uint32(i)) || changed
		}
	}
	if len(p.terminals) > 0 {
		replaceSymbols(g, func(s grammar.Symbol) grammar.Symbol {
			if e, ok := p.terminals[s.Index]; ok && s.Kind == grammar.RepeatNode {
				s.Kind, s.Index = grammar.Terminal, uint32(e)
			}
			return s
		})
	}
	return changed
}

func (p *loopPass) simplify(id uint32) bool {
	r := p.g.Repeats[id]
	b := &loopBody{p: p}
	b.sequence(r.Body)
	if len(b.parts) > loopParts || len(b.others) > unitAlternatives {
		return false
	}
	if len(b.others) == 0 {
		if len(b.parts) == 0 {
			return false // a loop of the empty string
		}
		e := p.st.Or(slices.Clone(b.parts)...)
		if r.Min == 0 {
			p.terminals[id] = p.st.Star(e)
		} else {
			p.terminals[id] = p.st.Plus(e)
		}
		return true
	}
	if len(b.parts) > 0 {
		e := p.st.Plus(p.st.Or(slices.Clone(b.parts)...))
		b.changed = b.changed || len(b.parts) > 1 || !slices.Contains(r.Body, grammar.T(e))
		b.others = append(b.others, grammar.Sequence{grammar.T(e)})
	}
	if !b.changed {
		return false
	}
	r.Body = b.others[0]
	// A rule among the alternatives may refer to the loop, so the body is a rule of its own.
	if len(b.others) > 1 || len(b.visited) > 0 {
		r.Body = grammar.Sequence{grammar.N(p.newRule("loop", b.others))}
	}
	p.g.Repeats[id] = r
	return true
}

func (b *loopBody) sequence(seq grammar.Sequence) {
	p := b.p
	if len(seq) == 0 {
		return
	}
	if len(seq) == 1 {
		b.symbol(seq[0])
		return
	}
	if p.nullable(seq) {
		b.changed = true
		for _, s := range seq {
			b.symbol(s)
		}
		return
	}
	b.others = append(b.others, seq)
}

func (b *loopBody) symbol(s grammar.Symbol) {
	g := b.p.g
	if s.NonEmpty {
		b.others = append(b.others, grammar.Sequence{s})
		return
	}
	switch s.Kind {
	case grammar.Terminal:
		b.terminal(terminal.Expr(s.Index))
		return
	case grammar.RepeatNode:
		if r := &g.Repeats[s.Index]; r.Min <= 1 && r.Max > 0 {
			b.changed = true
			b.sequence(r.Body)
			return
		}
	case grammar.Call:
		id := grammar.RuleID(s.Index)
		if slices.Contains(b.visited, id) {
			return // its alternatives are already present
		}
		r := &g.Rules[id]
		few := len(b.visited) < unitAlternatives && len(b.others)+len(r.Alternatives) <= unitAlternatives
		if !r.Opaque() && few {
			b.visited = append(b.visited, id)
			for _, a := range r.Alternatives {
				b.sequence(a)
			}
			return
		}
	}
	b.others = append(b.others, grammar.Sequence{s})
}

func (b *loopBody) terminal(e terminal.Expr) {
	parts, ok := b.p.partsOf(e)
	if !ok {
		b.others = append(b.others, grammar.Sequence{grammar.T(e)})
		return
	}
	for _, x := range parts {
		if !slices.Contains(b.parts, x) {
			b.parts = append(b.parts, x)
		}
	}
}

// partsOf returns expressions such that e* is the loop of their union. It returns false if e must not become part of a
// larger terminal.
func (p *loopPass) partsOf(e terminal.Expr) (parts []terminal.Expr, ok bool) {
	t, known := p.parts[e]
	if !known {
		nodes := loopNodes
		t.ok = p.joins(e, &nodes)
		if t.ok {
			p.split(e, &t.parts)
		}
		p.parts[e] = t
	}
	return t.parts, t.ok
}

// joins reports whether loops of e have small states and e has at most *nodes nodes. It subtracts these.
func (p *loopPass) joins(e terminal.Expr, nodes *int) bool {
	if *nodes--; *nodes < 0 || p.st.View().Tagged(e) {
		return false
	}
	n := inspect.Of(p.st, e)
	switch n.Op {
	case inspect.OpEpsilon, inspect.OpBytes, inspect.OpLiteral:
	case inspect.OpConcat, inspect.OpOr, inspect.OpStar, inspect.OpRepeat:
	case inspect.OpCounted:
		if n.Max > loopCounts && !p.absorbed(&n) {
			return false
		}
	default:
		return false
	}
	for _, x := range n.Args {
		if !p.joins(x, nodes) {
			return false
		}
	}
	return true
}

// absorbed reports whether the loop of a Counted node equals the loop of its body, because the count may be one.
func (p *loopPass) absorbed(n *inspect.Node) bool {
	if n.Min > 1 || n.Max == 0 {
		return false
	}
	body := inspect.Of(p.st, n.Args[0])
	return body.Op == inspect.OpStar && inspect.SingleRunes(p.st, body.Args[0], n.Enc)
}

// split appends to dst expressions whose loop equals the loop of e, by Lemma 93.
func (p *loopPass) split(e terminal.Expr, dst *[]terminal.Expr) {
	n := inspect.Of(p.st, e)
	switch n.Op {
	case inspect.OpEpsilon:
		return
	case inspect.OpOr:
		for _, x := range n.Args {
			p.split(x, dst)
		}
		return
	case inspect.OpStar:
		p.split(n.Args[0], dst)
		return
	case inspect.OpRepeat:
		if n.Min <= 1 {
			p.split(n.Args[0], dst)
			return
		}
	case inspect.OpCounted:
		if p.absorbed(&n) {
			p.split(inspect.Of(p.st, n.Args[0]).Args[0], dst)
			return
		}
	case inspect.OpConcat:
		head, tail := n.Args[0], n.Args[1]
		if t := inspect.Of(p.st, tail); t.Op == inspect.OpStar && t.Args[0] == head || p.st.View().Nullable(e) {
			p.split(head, dst)
			p.split(tail, dst)
			return
		}
	}
	*dst = append(*dst, e)
}

// replaceSymbols replaces each symbol s by f(s). It overwrites the entries of the grammar's tables, but no slice in
// them.
func replaceSymbols(g *grammar.Grammar, f func(grammar.Symbol) grammar.Symbol) {
	sequence := func(seq grammar.Sequence) grammar.Sequence {
		for i, s := range seq {
			if t := f(s); t != s {
				seq = slices.Clone(seq)
				for j := i; j < len(seq); j++ {
					seq[j] = f(seq[j])
				}
				return seq
			}
		}
		return seq
	}
	for r := range g.Rules {
		alts := slices.Clone(g.Rules[r].Alternatives)
		for i := range alts {
			alts[i] = sequence(alts[i])
		}
		g.Rules[r].Alternatives = alts
	}
	for i := range g.Repeats {
		g.Repeats[i].Body = sequence(g.Repeats[i].Body)
	}
	for i := range g.Objects {
		o := &g.Objects[i]
		o.Properties, o.Extra = slices.Clone(o.Properties), slices.Clone(o.Extra)
		for j := range o.Properties {
			o.Properties[j].Value = f(o.Properties[j].Value)
		}
		for j := range o.Extra {
			o.Extra[j].Value = f(o.Extra[j].Value)
		}
	}
	for i := range g.Switches {
		cases := slices.Clone(g.Switches[i].Cases)
		for j := range cases {
			cases[j].Then = sequence(cases[j].Then)
		}
		g.Switches[i].Cases = cases
	}
	g.Booleans = slices.Clone(g.Booleans)
	for i := range g.Booleans {
		g.Booleans[i].Left, g.Booleans[i].Right = f(g.Booleans[i].Left), f(g.Booleans[i].Right)
	}
}
