package rewrite

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// leftRules bounds the rules of a grammar after its left-recursive repetitions have been expanded to rules, and the
// pairs of rules in its recursive components. The left-corner transform adds up to one rule a pair. Hand-written
// grammars have components of a dozen rules.
const leftRules = 20_000

// repeatUnroll bounds the copies of the body of a repetition at the left of a left-recursive rule.
const repeatUnroll = 256

// leftPass applies the left-corner transform (Lemma 92) to one component of rules that begin with each other:
//
//	A         → β (A after B)    for every B → β such that β begins outside the component
//	A after B → γ (A after C)    for every C → B γ
//	A after A → ε
//
// "A after B" matches the rest of an A whose leftmost part B is complete. First, variants splits each alternative by
// the number of its empty leading symbols, so that each variant begins with a non-empty symbol.
type leftPass struct {
	corners
	in    []bool                               // by rule: member of the component
	seeds []production                         // B → β: they begin outside the component
	steps []production                         // C → B γ: they begin with a member
	unit  map[grammar.RuleID][]grammar.RuleID  // by B: each C with C → B
	after map[[2]grammar.RuleID]grammar.RuleID // by A and B: the rule "A after B"

	seedsOf []choice                    // one for each head
	stepsOf map[grammar.RuleID][]choice // by the member that they begin with
}

// choice is the union of the bodies of productions with one head. Pairs of members share it.
type choice struct {
	head grammar.RuleID
	body grammar.Sequence
}

type production struct {
	head grammar.RuleID
	left grammar.RuleID   // steps only: the member that the production begins with
	body grammar.Sequence // of a step: without left
}

func removeLeftRecursion(st *terminal.Store, g *grammar.Grammar, info *Info, components [][]grammar.RuleID) error {
	for again := true; again; { // the last round changes nothing, so its check of the components is final
		added := 0
		for _, members := range components {
			if added += len(members) * len(members); added > leftRules {
				return failure(g, members[0], diag.Limit, "rule %s is in a left-recursive component of %d rules; "+
					"write some of them right-recursively", g.Rules[members[0]].Name, len(members))
			}
		}
		again = false
		for _, members := range components {
			changed, err := exposeRepeats(st, g, info, members)
			if err != nil {
				return err
			}
			again = again || changed
		}
		if len(g.Rules) > leftRules {
			r := components[0][0]
			return failure(g, r, diag.Limit, "rule %s is left-recursive through nested repetitions that expand to "+
				"more than %d rules; nest fewer repetitions", g.Rules[r].Name, leftRules)
		}
		*info = *analyse(st, g)
		_, components = leftCorners(st, g, info)
	}
	for _, members := range components {
		p := &leftPass{
			corners: corners{st, g, info}, in: make([]bool, len(g.Rules)),
			unit: map[grammar.RuleID][]grammar.RuleID{}, after: map[[2]grammar.RuleID]grammar.RuleID{},
		}
		for _, m := range members {
			p.in[m] = true
		}
		if err := p.split(members); err != nil {
			return err
		}
		p.transform(members)
	}
	return nil
}

func failure(g *grammar.Grammar, r grammar.RuleID, code diag.Code, format string, args ...any) *diag.Error {
	e := diag.Errorf(code, "grammar", diag.Place{}, format, args...)
	if at := g.Rules[r].Origin.Place(); at != nil {
		e.Locate(at)
	}
	return e
}

// exposeRepeats replaces repeats at the left of a component's alternatives by rules if their bodies can begin with a
// member, so that left recursion passes only through calls. The new rules may begin with repeats as well, so the caller
// repeats it until nothing changes.
func exposeRepeats(
	st *terminal.Store, g *grammar.Grammar, info *Info, members []grammar.RuleID,
) (changed bool, err error) {
	c := corners{st, g, info}
	in := map[grammar.RuleID]bool{}
	for _, m := range members {
		in[m] = true
	}
	begins := func(r grammar.RuleID) bool { return in[r] }
	for _, m := range members {
		for ai, alt := range g.Rules[m].Alternatives {
			for i, s := range alt {
				if s.Kind == grammar.RepeatNode && slices.ContainsFunc(c.add(nil, grammar.Sequence{s}), begins) {
					call, err := repeatRule(g, s, g.Rules[m].Name)
					if err != nil {
						return false, err
					}
					changed = true
					alt = slices.Clone(alt)
					alt[i] = call
					alts := slices.Clone(g.Rules[m].Alternatives)
					alts[ai] = alt
					g.Rules[m].Alternatives = alts
				}
				if !c.nullableSymbol(s) {
					break
				}
			}
		}
	}
	return changed, nil
}

func repeatRule(g *grammar.Grammar, s grammar.Symbol, name string) (grammar.Symbol, error) {
	r := g.Repeats[s.Index]
	copies := r.Min
	if r.Max != grammar.Unbounded {
		copies = r.Max
	}
	if copies > repeatUnroll {
		return s, diag.Errorf(diag.Unsupported, "grammar", diag.Place{},
			"rule %s begins with itself inside a repetition of %d; at most %d are possible "+
				"there", name, copies, repeatUnroll)
	}
	tail := g.NewRule(name)
	g.Add(tail)
	if r.Max == grammar.Unbounded {
		g.Add(tail, append(slices.Clone(r.Body), grammar.N(tail))...)
	} else {
		for range r.Max - r.Min {
			next := g.NewRule(name)
			g.Add(next)
			g.Add(next, append(slices.Clone(r.Body), grammar.N(tail))...)
			tail = next
		}
	}
	for range r.Min {
		next := g.NewRule(name)
		g.Add(next, append(slices.Clone(r.Body), grammar.N(tail))...)
		tail = next
	}
	call := grammar.N(tail)
	call.NonEmpty = s.NonEmpty
	return call, nil
}

// split sorts the members' alternatives into seeds, steps and units.
func (p *leftPass) split(members []grammar.RuleID) error {
	for _, m := range members {
		for _, alt := range p.g.Rules[m].Alternatives {
			for _, v := range p.variants(alt) {
				if len(v) == 0 {
					continue
				}
				if (v[0].Kind == grammar.SwitchNode || v[0].Kind == grammar.BooleanNode) &&
					slices.ContainsFunc(p.add(nil, v[:1]), func(r grammar.RuleID) bool { return p.in[r] }) {
					return diag.Errorf(diag.Unsupported, "grammar", diag.Place{},
						"rule %s begins with itself inside a switch or a boolean node", p.g.Rules[m].Name)
				}
				if v[0].Kind != grammar.Call || !p.in[v[0].Index] {
					p.seeds = append(p.seeds, production{head: m, body: v})
					continue
				}
				left := grammar.RuleID(v[0].Index)
				for _, rest := range p.variants(v[1:]) {
					if len(rest) == 0 {
						p.unit[left] = append(p.unit[left], m)
					} else {
						p.steps = append(p.steps, production{head: m, left: left, body: rest})
					}
				}
			}
		}
	}
	return nil
}

// variants returns seq without its first n symbols, for each n such that these can all be empty. If the first remaining
// symbol is nullable, it becomes NonEmpty.
func (p *leftPass) variants(seq grammar.Sequence) []grammar.Sequence {
	var out []grammar.Sequence
	for i, s := range seq {
		p.st.Work().Spend(symbolWork * (5 + len(seq) - i))
		v := slices.Clone(seq[i:])
		if p.nullableSymbol(s) {
			v[0].NonEmpty = true
		}
		out = append(out, v)
		if !p.nullableSymbol(s) {
			return out
		}
	}
	return append(out, nil)
}

// reach returns b, and then the rules that match b through chains of unit alternatives, as C in C → B.
func (p *leftPass) reach(b grammar.RuleID) []grammar.RuleID {
	out := []grammar.RuleID{b}
	for i := 0; i < len(out); i++ {
		for _, c := range p.unit[out[i]] {
			p.st.Work().Spend(1 + len(out)/8)
			if !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	return out
}

func (p *leftPass) transform(members []grammar.RuleID) {
	p.seedsOf = p.choices(p.seeds)
	p.stepsOf = map[grammar.RuleID][]choice{}
	byLeft := map[grammar.RuleID][]production{}
	for _, s := range p.steps {
		byLeft[s.left] = append(byLeft[s.left], s)
	}
	for _, m := range members {
		p.stepsOf[m] = p.choices(byLeft[m])
	}
	for _, a := range members {
		p.g.Rules[a].Alternatives = nil
		if p.info.NullableRule[a] {
			p.g.Add(a) // no seed matches the empty string
		}
		for _, s := range p.seedsOf {
			p.st.Work().Spend(symbolWork * (3 + len(s.body)))
			p.g.Add(a, append(slices.Clone(s.body), grammar.N(p.afterRule(a, s.head)))...)
		}
	}
}

// choices combines the productions of each head into one choice. If they have several bodies, the choice is a new rule,
// so that members do not copy them.
func (p *leftPass) choices(list []production) []choice {
	var out []choice
	at := map[grammar.RuleID]int{}
	bodies := map[grammar.RuleID][]grammar.Sequence{}
	for _, x := range list {
		if _, ok := at[x.head]; !ok {
			at[x.head] = len(out)
			out = append(out, choice{head: x.head, body: x.body})
		}
		bodies[x.head] = append(bodies[x.head], x.body)
	}
	for i, c := range out {
		if len(bodies[c.head]) > 1 {
			r := p.g.NewRule(p.g.Rules[c.head].Name)
			p.g.Rules[r].Alternatives = bodies[c.head]
			out[i].body = grammar.Sequence{grammar.N(r)}
		}
	}
	return out
}

// afterRule returns the rule "a after b". It builds the rule and the rules that it needs with a work list.
func (p *leftPass) afterRule(a, b grammar.RuleID) grammar.RuleID {
	if r, ok := p.after[[2]grammar.RuleID{a, b}]; ok {
		return r
	}
	var work []grammar.RuleID
	rule := func(b grammar.RuleID) grammar.RuleID {
		k := [2]grammar.RuleID{a, b}
		r, ok := p.after[k]
		if !ok {
			r = p.g.NewRule(p.g.Rules[a].Name)
			p.after[k] = r
			work = append(work, b)
		}
		return r
	}
	first := rule(b)
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		r := rule(x)
		complete := p.reach(x)
		if slices.Contains(complete, a) {
			p.g.Add(r)
		}
		for _, left := range complete {
			for _, s := range p.stepsOf[left] {
				p.st.Work().Spend(symbolWork * (3 + len(s.body)))
				p.g.Add(r, append(slices.Clone(s.body), grammar.N(rule(s.head)))...)
			}
		}
	}
	return first
}
