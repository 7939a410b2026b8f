package rewrite

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/grammar"
)

// unitAlternatives bounds the alternatives that one rule may take over from the rules it is a mere choice of.
const unitAlternatives = 256

// flattenOperators rewrites rules that both begin and end with themselves, as in
//
//	E → E "+" E | E "!" | "-" E | "(" E ")" | number
//
// into a prefix and what may follow it, any number of times. With α between the two, γ after, β before and X for all else,
//
//	E → P T*    P → β P | X    T → α P | γ
//
// is the same language: any sequence of operands and operators comes about by grouping to the left. As written, every
// text has exponentially many derivations, and the automaton's stack grows with the text because no two of the pending
// calls are the same; flat, it does not grow. It reports whether any rule changed.
func flattenOperators(g *grammar.Grammar, components [][]grammar.RuleID) bool {
	changed := false
	for _, members := range components {
		for _, m := range members {
			alts := unitsExpanded(g, m, members)
			if slices.ContainsFunc(alts, func(a grammar.Sequence) bool { return len(a) > 1 && begins(a, m) && ends(a, m) }) {
				flatten(g, m, alts)
				changed = true
			}
		}
	}
	return changed
}

func begins(a grammar.Sequence, r grammar.RuleID) bool { return len(a) > 0 && a[0] == grammar.N(r) }

func ends(a grammar.Sequence, r grammar.RuleID) bool {
	return len(a) > 0 && a[len(a)-1] == grammar.N(r)
}

// unitsExpanded returns r's alternatives with those that only name another member replaced by that member's.
func unitsExpanded(g *grammar.Grammar, r grammar.RuleID, members []grammar.RuleID) []grammar.Sequence {
	visited := []grammar.RuleID{r}
	out := slices.Clone(g.Rules[r].Alternatives)
	for i := 0; i < len(out); {
		if len(out[i]) != 1 || out[i][0].Kind != grammar.Call || out[i][0].NonEmpty || !slices.Contains(members, grammar.RuleID(out[i][0].Index)) {
			i++
			continue
		}
		unit := grammar.RuleID(out[i][0].Index)
		out = slices.Delete(out, i, i+1)
		if !slices.Contains(visited, unit) {
			visited = append(visited, unit)
			out = append(out, g.Rules[unit].Alternatives...)
		}
		if len(out) > unitAlternatives {
			return g.Rules[r].Alternatives
		}
	}
	return out
}

func flatten(g *grammar.Grammar, e grammar.RuleID, alts []grammar.Sequence) {
	name := g.Rules[e].Name
	prefix, tail := g.NewRule(name), g.NewRule(name)
	toPrefix := func(a grammar.Sequence) grammar.Sequence {
		return append(slices.Clone(a[:len(a)-1]), grammar.N(prefix))
	}
	for _, a := range alts {
		switch {
		case len(a) == 1 && begins(a, e): // says nothing
		case begins(a, e) && ends(a, e):
			g.Add(tail, toPrefix(a[1:])...)
		case begins(a, e):
			g.Add(tail, a[1:]...)
		case ends(a, e):
			g.Add(prefix, toPrefix(a)...)
		default:
			g.Add(prefix, a...)
		}
	}
	g.Rules[e].Alternatives = []grammar.Sequence{{grammar.N(prefix), g.NewRepeat(0, grammar.Unbounded, grammar.N(tail))}}
}
