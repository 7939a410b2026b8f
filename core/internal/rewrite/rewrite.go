// Package rewrite prepares a grammar for the automaton: every rule that the start rule reaches matches something, and
// no rule begins with itself.
//
// Invariant: the language does not change. Run is the ordered list of passes. Start reading there.
package rewrite

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Info holds tables about the resulting grammar, by index into its tables.
type Info struct {
	NullableRule, NullableRepeat, NullableSwitch []bool
	// Rank orders the rules, lowest first: a rule comes before the rules that it may begin with.
	Rank []uint32
}

// Run rewrites a copy of g. Errors: Unsatisfiable if the grammar, or a rule with a Part, matches nothing; Limit if
// removing left recursion needs too many rules; Unsupported if a scope, a switch, a boolean node or a large repetition
// is left-recursive.
func Run(st *terminal.Store, g *grammar.Grammar) (*grammar.Grammar, *Info, error) {
	out := &grammar.Grammar{
		Rules: slices.Clone(g.Rules), Repeats: slices.Clone(g.Repeats),
		Objects: slices.Clone(g.Objects), Switches: slices.Clone(g.Switches),
		Booleans: g.Booleans, Start: g.Start,
	}
	if err := dropUnproductive(st, out); err != nil {
		return nil, nil, err
	}
	info := analyse(st, out)
	plainRepeats(out, info)
	rank, components := leftCorners(st, out, info)
	if err := refuseScopes(out, components); err != nil {
		return nil, nil, err
	}
	changed := flattenOperators(out, components)
	if changed {
		info = analyse(st, out)
	}
	if simplifyLoops(st, out, info) || changed {
		dropUnreachable(out)
		info = analyse(st, out)
		rank, components = leftCorners(st, out, info)
	}
	if components != nil {
		if err := removeLeftRecursion(st, out, info, components); err != nil {
			return nil, nil, err
		}
		info = analyse(st, out)
		if rank, components = leftCorners(st, out, info); components != nil {
			return nil, nil, diag.Errorf(diag.Internal, "grammar", diag.Place{},
				"left recursion is still there after its removal, in rule %s", out.Rules[components[0][0]].Name)
		}
	}
	info.Rank = rank
	return out, info, nil
}

// refuseScopes returns an error if a rule with a scope begins with itself: removing left recursion would split the
// rule.
func refuseScopes(g *grammar.Grammar, components [][]grammar.RuleID) error {
	for _, members := range components {
		for _, m := range members {
			if g.Rules[m].Scope != nil {
				return failure(g, m, diag.Unsupported, "rule %s has a temperature or max_tokens and begins with "+
					"itself; give the option to a rule around it, or to the rules in it",
					g.Rules[m].Name)
			}
		}
	}
	return nil
}

// plainRepeats sets the minimum of nullable repeats to 0. The language stays the same, and the automaton needs fewer
// states. Later passes keep this form, so from here on a repeat is nullable exactly if its minimum is 0.
func plainRepeats(g *grammar.Grammar, info *Info) {
	for i, nullable := range info.NullableRepeat {
		if nullable {
			g.Repeats[i].Min = 0
		}
	}
}

func analyse(st *terminal.Store, g *grammar.Grammar) *Info {
	null := nullable(st, g)
	l := newLayout(g)
	return &Info{
		NullableRule: null[:l.repeats:l.repeats], NullableRepeat: null[l.repeats:l.objects],
		NullableSwitch: null[l.switches:l.booleans],
	}
}

// dropUnproductive removes alternatives, members of objects and cases of switches that match nothing. An optional
// repeat whose body matches nothing becomes the empty string.
func dropUnproductive(st *terminal.Store, g *grammar.Grammar) error {
	good := productive(st, g)
	l := newLayout(g)
	for r := range g.Rules {
		if rule := &g.Rules[r]; rule.Part.Text != nil && !good[r] {
			return diag.Errorf(diag.Unsatisfiable, "grammar", rule.Part.Place().Place,
				"no text can match this grammar: rule %s matches nothing", rule.Name)
		}
	}
	if !good[g.Start] {
		return failure(g, g.Start, diag.Unsatisfiable,
			"no output can satisfy the constraint: rule %s matches nothing", g.Rules[g.Start].Name)
	}
	matches := func(s grammar.Symbol) bool {
		if s.Kind == grammar.Terminal {
			return s.Index != uint32(terminal.Empty) && !st.IsEmpty(terminal.Expr(s.Index))
		}
		return good[l.of(s)]
	}
	all := func(seq grammar.Sequence) bool {
		for _, s := range seq {
			if !matches(s) {
				return false
			}
		}
		return true
	}
	for r := 1; r < len(g.Rules); r++ {
		alts := g.Rules[r].Alternatives
		if i := slices.IndexFunc(alts, func(a grammar.Sequence) bool { return !all(a) }); i >= 0 {
			kept := slices.Clone(alts[:i])
			for _, a := range alts[i:] {
				if all(a) {
					kept = append(kept, a)
				}
			}
			g.Rules[r].Alternatives = kept
		}
	}
	for i := range g.Repeats {
		if !all(g.Repeats[i].Body) {
			g.Repeats[i].Max = 0
		}
	}
	noProperty := func(p grammar.Property) bool { return p.Value.Kind != 0 && !matches(p.Value) }
	noExtra := func(e grammar.Extra) bool { return !matches(e.Value) || !matches(grammar.T(e.Key)) }
	for i := range g.Objects {
		o := &g.Objects[i]
		if slices.ContainsFunc(o.Properties, noProperty) {
			o.Properties = slices.Clone(o.Properties)
			for j := range o.Properties {
				if !matches(o.Properties[j].Value) {
					o.Properties[j].Value = grammar.Symbol{} // the automaton then refuses the key
				}
			}
		}
		if slices.ContainsFunc(o.Extra, noExtra) {
			o.Extra = slices.DeleteFunc(slices.Clone(o.Extra), noExtra)
		}
	}
	for i := range g.Switches {
		w := &g.Switches[i]
		if slices.ContainsFunc(w.Cases, func(c grammar.Case) bool { return !all(c.Then) }) {
			w.Cases = slices.DeleteFunc(slices.Clone(w.Cases), func(c grammar.Case) bool { return !all(c.Then) })
		}
	}
	return nil
}
