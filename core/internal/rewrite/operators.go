package rewrite

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// unitAlternatives bounds the alternatives of a rule or loop after each alternative that is a single rule has been
// replaced by the alternatives of that rule.
const unitAlternatives = 256

// flattenOperators rewrites rules that begin with themselves, as in
//
//	E → E "+" E | E "!" | "-" E | "(" E ")" | number
//
// into a prefix P and a loop of T (Lemma 95). As written, a text has exponentially many derivations, and the
// automaton's stack grows with the text, because each derivation leaves other calls on it. The loop has neither
// problem. flattenOperators reports whether any rule changed.
func flattenOperators(g *grammar.Grammar, components [][]grammar.RuleID) bool {
	changed := false
	for _, members := range components {
		in := make(map[grammar.RuleID]bool, len(members))
		for _, m := range members {
			in[m] = true
		}
		for _, m := range members {
			alts := solid(unitsExpanded(g, m, in))
			if slices.ContainsFunc(alts, func(a grammar.Sequence) bool { return len(a) > 1 && begins(a, m) }) {
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

// unitsExpanded returns r's alternatives. It replaces each one that only names another member by that member's
// alternatives.
func unitsExpanded(g *grammar.Grammar, r grammar.RuleID, in map[grammar.RuleID]bool) []grammar.Sequence {
	visited := []grammar.RuleID{r}
	out := slices.Clone(g.Rules[r].Alternatives)
	for i := 0; i < len(out); {
		if len(out[i]) != 1 || out[i][0].Kind != grammar.Call || out[i][0].NonEmpty ||
			!in[grammar.RuleID(out[i][0].Index)] {
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

// solid returns alternatives without the symbols of the terminal that matches only the empty string.
func solid(alternatives []grammar.Sequence) []grammar.Sequence {
	out := slices.Clone(alternatives)
	empty := func(s grammar.Symbol) bool { return s == grammar.T(terminal.Epsilon) }
	for i, a := range out {
		if slices.ContainsFunc(a, empty) {
			out[i] = slices.DeleteFunc(slices.Clone(a), empty)
		}
	}
	return out
}

// flatten replaces the alternatives of rule e, now alts, by a prefix and a loop of tails (Lemma 95).
func flatten(g *grammar.Grammar, e grammar.RuleID, alts []grammar.Sequence) {
	name := g.Rules[e].Name
	prefix, tail := g.NewRule(name), g.NewRule(name)
	toPrefix := func(a grammar.Sequence) grammar.Sequence {
		return append(slices.Clone(a[:len(a)-1]), grammar.N(prefix))
	}
	other := func(s grammar.Symbol) bool { return s != grammar.N(e) }
	powers := !slices.ContainsFunc(alts, func(a grammar.Sequence) bool {
		return begins(a, e) && slices.ContainsFunc(a, other)
	})
	for _, a := range alts {
		switch {
		case len(a) == 1 && begins(a, e): // E → E adds nothing
		case begins(a, e) && powers:
			g.Add(tail, slices.Repeat(grammar.Sequence{grammar.N(prefix)}, len(a)-1)...)
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
	tails := g.NewRepeat(0, grammar.Unbounded, grammar.N(tail))
	g.Rules[e].Alternatives = []grammar.Sequence{{grammar.N(prefix), tails}}
}
