package rewrite

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/inspect"
)

// unitAlternatives bounds the alternatives of a rule after its alternatives that are single rules are replaced by the
// alternatives of those rules.
const unitAlternatives = 256

// flattenOperators rewrites rules that begin with themselves, as in
//
//	E → E "+" E | E "!" | "-" E | "(" E ")" | number
//
// into a prefix P and a loop of T (Lemma 95). As written, every text has exponentially many derivations, and the
// automaton's stack grows with the text, because pending calls differ. The loop has neither problem. flattenOperators
// reports whether any rule changed.
func flattenOperators(st *terminal.Store, g *grammar.Grammar, components [][]grammar.RuleID) bool {
	changed := false
	for _, members := range components {
		in := make(map[grammar.RuleID]bool, len(members))
		for _, m := range members {
			in[m] = true
		}
		for _, m := range members {
			alts := unitsExpanded(g, m, in)
			alts = starsMoved(st, g, m, alts)
			alts = repeatsSplit(g, m, solid(alts))
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

// starsMoved returns alternatives of rule r, currently alts. If alts are E → β* X γ*, with terminals β* and γ* of
// which one may be missing, it returns the alternatives of X with the stars moved inside (Lemma 96):
//
//	X → E α E | E α | α E | α    becomes    E → E α E | E α γ* | β* α E | β* α γ*
func starsMoved(
	st *terminal.Store, g *grammar.Grammar, r grammar.RuleID, alts []grammar.Sequence,
) []grammar.Sequence {
	if len(alts) != 1 {
		return alts
	}
	var before, after grammar.Sequence
	seq := alts[0]
	if len(seq) > 1 && isStar(st, seq[0]) {
		before, seq = seq[:1], seq[1:]
	}
	if n := len(seq); n > 1 && isStar(st, seq[n-1]) {
		seq, after = seq[:n-1], seq[n-1:]
	}
	if len(seq) != 1 || len(before)+len(after) == 0 || seq[0].Kind != grammar.Call || seq[0].NonEmpty {
		return alts
	}
	x := &g.Rules[seq[0].Index]
	if x.Opaque() || len(x.Alternatives) > unitAlternatives {
		return alts
	}
	var out []grammar.Sequence
	for _, a := range x.Alternatives {
		if !begins(a, r) {
			a = slices.Concat(before, a)
		}
		if !ends(a, r) {
			a = slices.Concat(a, after)
		}
		out = append(out, a)
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

// repeatsSplit returns alternatives in which r{m,n} at the beginning is r r{m-1,n-1}.
func repeatsSplit(g *grammar.Grammar, r grammar.RuleID, alts []grammar.Sequence) []grammar.Sequence {
	out := slices.Clone(alts)
	for i, a := range out {
		if len(a) == 0 || !isPower(g, r, a[0]) || a[0] == grammar.N(r) || g.Repeats[a[0].Index].Min == 0 {
			continue
		}
		x := g.Repeats[a[0].Index]
		rest := grammar.Sequence{grammar.N(r)}
		if x.Max != grammar.Unbounded {
			x.Max--
		}
		if x.Max > 0 {
			rest = append(rest, g.NewRepeat(x.Min-1, x.Max, grammar.N(r)))
		}
		out[i] = append(rest, a[1:]...)
	}
	return out
}

// isPower reports whether s is r or a repetition of r.
func isPower(g *grammar.Grammar, r grammar.RuleID, s grammar.Symbol) bool {
	if s.Kind != grammar.RepeatNode || s.NonEmpty {
		return s == grammar.N(r)
	}
	body := g.Repeats[s.Index].Body
	return len(body) == 1 && body[0] == grammar.N(r)
}

func isStar(st *terminal.Store, s grammar.Symbol) bool {
	return s.Kind == grammar.Terminal && !s.NonEmpty && inspect.Of(st, terminal.Expr(s.Index)).Op == inspect.OpStar
}

// flatten replaces the alternatives of rule e, now alts, by a prefix and a loop of tails (Lemma 95).
func flatten(g *grammar.Grammar, e grammar.RuleID, alts []grammar.Sequence) {
	name := g.Rules[e].Name
	prefix, tail := g.NewRule(name), g.NewRule(name)
	toPrefix := func(a grammar.Sequence) grammar.Sequence {
		return append(slices.Clone(a[:len(a)-1]), grammar.N(prefix))
	}
	other := func(s grammar.Symbol) bool { return !isPower(g, e, s) }
	powers := !slices.ContainsFunc(alts, func(a grammar.Sequence) bool {
		return begins(a, e) && slices.ContainsFunc(a, other)
	})
	for _, a := range alts {
		switch {
		case len(a) == 1 && begins(a, e): // E → E adds nothing
		case begins(a, e) && powers:
			g.Add(tail, powersOf(g, prefix, a[1:])...)
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

// powersOf returns powers, which are powers of one rule, with p in place of that rule.
func powersOf(g *grammar.Grammar, p grammar.RuleID, powers grammar.Sequence) grammar.Sequence {
	out := slices.Clone(powers)
	for i, s := range out {
		if s.Kind == grammar.RepeatNode {
			r := g.Repeats[s.Index]
			out[i] = g.NewRepeat(r.Min, r.Max, grammar.N(p))
		} else {
			out[i] = grammar.N(p)
		}
	}
	return out
}
