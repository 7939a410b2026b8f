package lower

import (
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// list adds the arrays of a case to a rule. Each item of the prefix has a rule as far as the array may end within the
// prefix; the rest is one repetition.
func (l *lowerer) list(r grammar.RuleID, p *plan.ListPlan, lead terminal.Expr) {
	switch {
	case p.Witness != nil:
		l.listWithWitness(r, p, lead)
		return
	case p.Counted != nil:
		l.countedList(r, p.Counted, lead)
		return
	}
	if l.indented {
		if p.Min == 0 {
			l.g.Add(r, grammar.T(l.st.Literal("[]")))
		}
		if p.Max == 0 || l.tooDeep() {
			return
		}
		filled := *p
		filled.Min = max(p.Min, 1)
		p = &filled
	}
	open := l.openingList(lead)
	end := grammar.T(l.endList)
	// An item without values ends the array before it.
	most, prefix := p.Max, p.Prefix
	for i, g := range prefix {
		if !l.solved.Within[g] {
			most, prefix = min(most, uint64(i)), prefix[:i]
			break
		}
	}
	if most > uint64(len(prefix)) && !l.solved.Within[p.Rest] {
		most = uint64(len(prefix))
	}
	if most == 0 {
		if p.Min == 0 {
			l.g.Add(r, grammar.T(open), end)
		}
		return
	}
	seq := grammar.Sequence{grammar.T(open)}
	for i := uint64(0); ; i++ {
		if i >= uint64(len(prefix)) && i > 0 || i == most {
			seq = append(seq, l.tail(p, i, most)...)
			l.g.Add(r, seq...)
			return
		}
		if i >= p.Min {
			// The array may end here, so the rest is a rule.
			rest := l.g.NewRule("items")
			l.g.Add(r, append(seq, grammar.N(rest))...)
			l.g.Add(rest, end)
			r, seq = rest, grammar.Sequence{}
		}
		if i > 0 {
			seq = append(seq, grammar.T(l.comma))
		}
		item := p.Rest
		if i < uint64(len(prefix)) {
			item = prefix[i]
		}
		seq = append(seq, l.locatedItem(item))
	}
}

// locatedItem is itemOf for an item whose place the array's rule does not tell.
func (l *lowerer) locatedItem(g plan.GoalID) grammar.Symbol {
	s := l.itemOf(g)
	if s.Kind == grammar.Terminal {
		defer func(around grammar.Origin) { l.g.At = around }(l.g.At)
		l.g.At = l.originOf(g)
		l.g.Locate(terminal.Expr(s.Index))
	}
	return s
}

func (l *lowerer) tail(p *plan.ListPlan, i, most uint64) grammar.Sequence {
	end := grammar.T(l.endList)
	if i == most {
		return grammar.Sequence{end}
	}
	least := uint64(0)
	if p.Min > i {
		least = p.Min - i
	}
	atMost := uint32(grammar.Unbounded)
	if most != plan.NoMaximum {
		atMost = bound32(most - i)
	}
	items := l.g.NewRepeat(bound32(least), atMost, grammar.T(l.comma), l.itemOf(p.Rest))
	l.g.Repeats[items.Index].At = l.originOf(p.Rest)
	return grammar.Sequence{items, end}
}

// listWithWitness adds arrays of which one item satisfies more than the rest. It adds an alternative for each place of
// the witness in the prefix, and beyond it one for each place below the minimum length.
func (l *lowerer) listWithWitness(r grammar.RuleID, p *plan.ListPlan, lead terminal.Expr) {
	if l.tooDeep() {
		return
	}
	w := p.Witness
	start := uint64(max(w.From, len(p.Prefix)))
	for i := w.From; i < len(p.Prefix); i++ {
		if o := p.WitnessAt(i); o != nil && l.solved.Items(o) {
			l.list(r, o, lead)
		}
	}
	if start >= p.Max || !l.solved.Within[w.Rest] {
		return
	}
	if p.Max != plan.NoMaximum {
		for i := start; i < p.Max; i++ {
			if o := p.WitnessAt(int(i)); l.solved.Items(o) {
				l.list(r, o, lead)
			}
		}
		return
	}
	// Without a maximum, the witness comes before the minimum is reached, or anywhere after it.
	for i := start; i+1 < p.Min; i++ {
		if o := p.WitnessAt(int(i)); l.solved.Items(o) {
			l.list(r, o, lead)
		}
	}
	open := l.openingList(lead)
	seq := grammar.Sequence{grammar.T(open)}
	comma := grammar.T(l.comma)
	least := start // items before the witness
	if p.Min > start {
		least = p.Min - 1
	}
	for i := uint64(0); i < least; i++ {
		g := p.At(int(i))
		if !l.solved.Within[g] {
			return
		}
		seq = append(seq, l.itemOf(g), comma)
	}
	after := grammar.Sequence{}
	if l.solved.Within[p.Rest] {
		seq = append(seq, l.g.NewRepeat(0, grammar.Unbounded, l.itemOf(p.Rest), comma))
		after = append(after, l.g.NewRepeat(0, grammar.Unbounded, comma, l.itemOf(p.Rest)))
	}
	seq = append(append(append(seq, l.itemOf(w.Rest)), after...), grammar.T(l.endList))
	l.g.Add(r, seq...)
}

// countedList adds the arrays with a number of matching items. A unit is some other items and a matching one; other
// items may follow the last unit.
func (l *lowerer) countedList(r grammar.RuleID, c *plan.CountPlan, lead terminal.Expr) {
	open := l.openingList(lead)
	comma, end := grammar.T(l.comma), grammar.T(l.endList)
	if c.Min == 0 && l.indented {
		l.g.Add(r, grammar.T(l.st.Literal("[]")))
	} else if c.Min == 0 {
		l.g.Add(r, grammar.T(open), end)
	}
	if l.tooDeep() {
		return
	}
	seq := grammar.Sequence{grammar.T(open)}
	for range c.From {
		seq = append(seq, l.itemOf(plan.AnyGoal), comma)
	}
	others, matches := l.solved.Within[c.Other], l.solved.Within[c.Match]
	if c.Min == 0 {
		if others {
			o := l.itemOf(c.Other)
			l.g.Add(r, append(seq[:len(seq):len(seq)], o, l.g.NewRepeat(0, grammar.Unbounded, comma, o), end)...)
		}
	}
	if !matches {
		return
	}
	unit, after := grammar.Sequence{}, grammar.Sequence{}
	if others {
		o := l.itemOf(c.Other)
		unit = append(unit, l.g.NewRepeat(0, grammar.Unbounded, o, comma))
		after = append(after, l.g.NewRepeat(0, grammar.Unbounded, comma, o))
	}
	unit = append(unit, l.itemOf(c.Match))
	seq = append(seq, unit...)
	least, most := max(c.Min, 1)-1, uint64(grammar.Unbounded)
	if c.Max != plan.NoMaximum {
		most = c.Max - 1
	}
	if most > 0 {
		seq = append(seq, l.g.NewRepeat(bound32(least), bound32(most), append(grammar.Sequence{comma}, unit...)...))
	}
	l.g.Add(r, append(append(seq, after...), end)...)
}
