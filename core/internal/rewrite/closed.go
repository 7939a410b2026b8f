package rewrite

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A closed rule is a nullable rule A with A A = A. It equals the loop of its alternatives (Lemma 90). As a rule it
// reads a text in exponentially many ways, each with its own stack nodes. As a loop, after simplifyLoops, it is mostly
// one state. Lemma 91 has the three patterns that closed recognises.

type closure struct {
	corners
	rule    grammar.RuleID
	visited []grammar.RuleID
}

// closedRules replaces closed rules by loops and reports whether there were any. The tables of info must be up to
// date.
func closedRules(st *terminal.Store, g *grammar.Grammar, info *Info) bool {
	changed := false
	for id := grammar.RuleID(1); int(id) < len(info.NullableRule); id++ {
		r := &g.Rules[id]
		if !info.NullableRule[id] || r.Opaque() || len(r.Alternatives) > unitAlternatives {
			continue
		}
		c := closure{corners: corners{st, g, info}, rule: id}
		alternatives := solid(r.Alternatives)
		if !c.closed(alternatives) {
			continue
		}
		body := g.NewRule(r.Name)
		g.Rules[body].Alternatives = slices.DeleteFunc(alternatives,
			func(a grammar.Sequence) bool { return len(a) == 0 })
		g.Rules[id].Alternatives = []grammar.Sequence{{g.NewRepeat(0, grammar.Unbounded, grammar.N(body))}}
		changed = true
	}
	return changed
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

func (c *closure) closed(alternatives []grammar.Sequence) bool {
	if slices.ContainsFunc(alternatives, c.twice) {
		return true
	}
	if c.all(alternatives, true, false) {
		return true
	}
	c.visited = nil // leads has assumed of these rules that they end with the rule
	return c.all(alternatives, true, true)
}

// twice reports whether all symbols of a are nullable and two of them are the rule.
func (c *closure) twice(a grammar.Sequence) bool {
	n := 0
	for _, s := range a {
		if !c.nullableSymbol(s) {
			return false
		}
		if at := c.times(s); at > 0 {
			n += int(min(at, 2))
		}
	}
	return n > 1
}

// times returns how often s can match the rule: 1 for the rule itself, the maximum for a repetition of it, else 0.
func (c *closure) times(s grammar.Symbol) uint32 {
	switch {
	case s.NonEmpty:
	case s.Kind == grammar.Call && grammar.RuleID(s.Index) == c.rule:
		return 1
	case s.Kind == grammar.RepeatNode:
		if r := &c.g.Repeats[s.Index]; len(r.Body) == 1 && r.Body[0] == grammar.N(c.rule) {
			return r.Max
		}
	}
	return 0
}

// edge returns the last symbol of a or, if begin is set, the first. It passes over symbols that match only the empty
// string, and returns false if there is no other.
func (c *closure) edge(a grammar.Sequence, begin bool) (grammar.Symbol, bool) {
	for i := range a {
		s := a[len(a)-1-i]
		if begin {
			s = a[i]
		}
		c.st.Work().Spend(1)
		if s != grammar.T(terminal.Epsilon) {
			return s, true
		}
	}
	return grammar.Symbol{}, false
}

// all reports whether all alternatives end with the rule or, if begin is set, begin with it. It ignores empty ones if
// empty is set.
func (c *closure) all(alternatives []grammar.Sequence, empty, begin bool) bool {
	some := false
	for _, a := range alternatives {
		s, ok := c.edge(a, begin)
		switch {
		case !ok && empty:
			continue
		case !ok:
			return false
		}
		if c.times(s) == 0 && !c.leads(s, begin) {
			return false
		}
		some = true
	}
	return some
}

// leads reports whether symbol s is another rule all of whose alternatives end, or begin, with the rule. It assumes
// this of visited rules, which is sound because derivations are finite.
func (c *closure) leads(s grammar.Symbol, begin bool) bool {
	id := grammar.RuleID(s.Index)
	if s.Kind != grammar.Call || s.NonEmpty || c.g.Rules[id].Opaque() {
		return false
	}
	c.st.Work().Spend(1 + len(c.visited)/8)
	if slices.Contains(c.visited, id) {
		return true
	}
	if len(c.visited) == unitAlternatives {
		return false
	}
	c.visited = append(c.visited, id)
	return c.all(c.g.Rules[id].Alternatives, false, begin)
}
