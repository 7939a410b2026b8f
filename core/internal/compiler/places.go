package compiler

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/mask"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
)

// placed moves an error to a place, if there is one.
func placed(e, at *diag.Error) *diag.Error {
	if at != nil {
		e.Locate(at)
	}
	return e
}

// beginning returns a Limit error at the beginning of a constraint, without a message.
func beginning(kind source.Kind, spec []byte) *diag.Error {
	place := diag.At("")
	if kind == source.Regex || kind == source.EBNF || kind == source.Lark {
		place = diag.TextPlace("", 0)
	}
	e := diag.Errorf(diag.Limit, kind.String(), place, "")
	e.Fragment = diag.Shorten(string(spec[:min(len(spec), 2*fragment)]), fragment)
	return e
}

const fragment = 40

// hardest returns the place of the most expensive terminal of the first state.
func hardest(m *mask.Masks, g *grammar.Grammar) *diag.Error {
	st, worst := m.Engine().Store(), terminal.Empty
	for _, it := range m.Automaton().Items(m.Automaton().Start()) {
		if worst == terminal.Empty || prices.Row(st, it.Terminal) > prices.Row(st, worst) {
			worst = it.Terminal
		}
	}
	return placeOf(g, st, worst)
}

// placeOf returns the place of terminal e in grammar g. If rewriting built e, it returns the place of the heaviest terminal
// of g, since that is probably a part of e.
func placeOf(g *grammar.Grammar, st *terminal.Store, e terminal.Expr) *diag.Error {
	w := walk{g: g, seen: map[grammar.Symbol]bool{}}
	heaviest, at := terminal.Empty, g.Rules[g.Start].Origin
	w.visit = func(x terminal.Expr, from grammar.Origin) (found bool) {
		if o, ok := g.Terminals[x]; ok {
			from = o
		}
		if x == e || prices.Weight(st, x) > prices.Weight(st, heaviest) {
			heaviest, at = x, from
		}
		return x == e
	}
	for i := range g.Rules {
		for _, a := range g.Rules[i].Alternatives {
			if w.sequence(a, g.Rules[i].Origin) {
				return at.Place()
			}
		}
	}
	return at.Place()
}

// walk visits the terminals of a grammar, with the origin of their rule, until visit returns true.
type walk struct {
	g     *grammar.Grammar
	seen  map[grammar.Symbol]bool
	visit func(x terminal.Expr, from grammar.Origin) (found bool)
}

func (w *walk) sequence(seq grammar.Sequence, from grammar.Origin) bool {
	return slices.ContainsFunc(seq, func(s grammar.Symbol) bool { return w.symbol(s, from) })
}

// symbol visits the terminals of s. It does not enter rules; other nodes nest only as deep as front ends nest them.
func (w *walk) symbol(s grammar.Symbol, from grammar.Origin) bool {
	if s.Kind == grammar.Terminal {
		return w.visit(terminal.Expr(s.Index), from)
	}
	if s.Kind == grammar.Call || w.seen[s] {
		return false
	}
	w.seen[s] = true
	switch s.Kind {
	case grammar.RepeatNode:
		return w.sequence(w.g.Repeats[s.Index].Body, from)
	case grammar.ObjectNode:
		o := &w.g.Objects[s.Index]
		if w.visit(o.Keys, from) {
			return true
		}
		return slices.ContainsFunc(o.Properties, func(p grammar.Property) bool { return w.symbol(p.Value, from) }) ||
			slices.ContainsFunc(o.Extra, func(x grammar.Extra) bool {
				return w.visit(x.Key, patterned(o, from)) || w.symbol(x.Value, from)
			})
	case grammar.SwitchNode:
		n := &w.g.Switches[s.Index]
		return w.visit(n.On, from) ||
			slices.ContainsFunc(n.Cases, func(c grammar.Case) bool { return w.sequence(c.Then, from) })
	case grammar.BooleanNode:
		b := &w.g.Booleans[s.Index]
		return w.symbol(b.Left, from) || w.symbol(b.Right, from)
	}
	return false
}

// patterned returns the place of the first pattern of an object's keys. Each class of keys depends on all patterns.
func patterned(o *grammar.Object, from grammar.Origin) grammar.Origin {
	for _, x := range o.Extra {
		if x.At.Text != nil && x.At != from {
			return x.At
		}
	}
	return from
}
