package lower

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// testedBy restricts a symbol for values of a type by the tests of its case.
func (l *lowerer) testedBy(
	a *plan.Alternative, types jsontype.Set, s grammar.Symbol, lead terminal.Expr,
) grammar.Symbol {
	defer l.write(l.wide)
	l.write(true)
	all, without := []grammar.Symbol{s}, []grammar.Symbol(nil)
	for i := range a.Tests {
		t := &a.Tests[i]
		switch {
		case t.Types&types == 0 || t.Without && (!l.solved.Satisfied[t.Goal] || l.typesOf(t.Goal)&types == 0):
		case t.Without:
			without = append(without, l.tested(t.Goal, types, lead))
		default:
			all = append(all, l.tested(t.Goal, types, lead))
		}
	}
	return l.without(l.both(all), without)
}

func (l *lowerer) tested(g plan.GoalID, types jsontype.Set, lead terminal.Expr) grammar.Symbol {
	if l.tags.inside == isJSON {
		return l.symbolAfter(g, lead)
	}
	return l.bodyOf(l.p.Narrowed(g, types), l.tags.inside)
}

func (l *lowerer) both(all []grammar.Symbol) grammar.Symbol {
	for len(all) > 1 {
		var pairs []grammar.Symbol
		for i := 0; i+1 < len(all); i += 2 {
			pairs = append(pairs, l.g.NewBoolean(grammar.Boolean{Left: all[i], Right: all[i+1], Is: grammar.Both}))
		}
		if len(all)%2 != 0 {
			pairs = append(pairs, all[len(all)-1])
		}
		all = pairs
	}
	return all[0]
}

func (l *lowerer) without(s grammar.Symbol, others []grammar.Symbol) grammar.Symbol {
	if len(others) == 0 {
		return s
	}
	right := others[0]
	if len(others) > 1 {
		r := l.g.NewRule("others")
		for _, o := range others {
			l.g.Add(r, o)
		}
		right = grammar.N(r)
	}
	return l.g.NewBoolean(grammar.Boolean{Left: s, Right: right, Is: grammar.Without})
}

func (l *lowerer) testedList(r grammar.RuleID, a *plan.Alternative, lead terminal.Expr) {
	p := a.List
	tested := false
	for i := range a.Tests {
		tested = tested || a.Tests[i].Types&jsontype.Array != 0
	}
	if !tested && p.Unique == 0 && len(p.Counts) == 0 {
		l.list(r, p, lead)
		return
	}
	var s grammar.Symbol
	if p.Unique != 0 {
		s = l.distinctList(p, lead)
	} else {
		base := l.g.NewRule("array")
		l.list(base, p, lead)
		s = grammar.N(base)
	}
	all := []grammar.Symbol{s}
	was := l.wide
	l.write(true)
	for i := range p.Counts {
		counted := l.g.NewRule("count")
		l.countedList(counted, &p.Counts[i], lead)
		all = append(all, grammar.N(counted))
	}
	l.write(was)
	l.g.Add(r, l.testedBy(a, jsontype.Array, l.both(all), lead))
}

// distinctList returns the arrays of a list without equal items. Items of a known finite set are remembered, so no
// array has a dead end; others are compared as they come.
func (l *lowerer) distinctList(p *plan.ListPlan, lead terminal.Expr) grammar.Symbol {
	if p.Items != nil && !slices.ContainsFunc(p.Items, l.reorders) {
		return l.choiceOf(p, lead)
	}
	base := l.g.NewRule("array")
	if p.Min <= p.Max {
		l.list(base, p, lead)
	}
	return l.g.NewBoolean(grammar.Boolean{Left: grammar.N(base), Is: grammar.Distinct, Few: p.Min <= 1})
}

// choiceOf returns the node of arrays of distinct known items: an object in any order whose keys are the items and
// have no values.
func (l *lowerer) choiceOf(p *plan.ListPlan, lead terminal.Expr) grammar.Symbol {
	node := grammar.Object{
		AnyOrder: true, Open: l.openingList(lead), Close: l.endList, Comma: l.comma, Colon: terminal.Epsilon,
		MinMembers: bound32(p.Min), MaxMembers: bound32(p.Max), List: true,
	}
	l.patterned = p.Free
	defer func() { l.patterned = false }()
	if texts := l.texts(p.Items); len(texts) == len(p.Items) {
		node.Quote, node.Keys = l.quote, l.keys(texts)
	} else {
		defer l.useGap(l.level)
		ws := l.ws
		l.useGap(anyLevel) // an item may contain items
		l.setDepth(l.depth + 1)
		keys := make([]terminal.Expr, len(p.Items))
		for i, v := range p.Items {
			keys[i] = l.st.Concat(l.value(v), l.st.Tag(uint32(i)))
		}
		l.setDepth(l.depth - 1)
		// Whitespace belongs to the terminal behind it, because masks handle such runs.
		node.Quote, node.Keys = terminal.Epsilon, l.st.Concat(ws, l.st.Or(keys...))
	}
	node.Properties = make([]grammar.Property, len(p.Items))
	for i := range node.Properties {
		node.Properties[i].Value = grammar.T(terminal.Epsilon)
	}
	return l.orEmpty(node, "[]")
}
