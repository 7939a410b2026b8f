package lower

import (
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
)

type pending struct {
	rule  grammar.RuleID
	goal  plan.GoalID
	lead  terminal.Expr
	depth int
	wide  bool
	role  role
}

type memo struct {
	symbols []grammar.Symbol               // by goal; Kind 0: not built
	first   map[plan.GoalID]grammar.Symbol // symbols without a lead
	placed  map[placedGoal]grammar.Symbol
	values  map[plan.GoalID]grammar.Symbol
	bodies  map[plan.GoalID]grammar.Symbol
}

// lowerer makes the rules of goals. One sequence. It fills them from a list, without recursion, so that nesting costs
// no stack.
type lowerer struct {
	terms
	g     *grammar.Grammar
	queue []pending
	memos [2]memo // of narrow spellings, and of wide ones
}

func (l *lowerer) memo(g plan.GoalID) *memo {
	if l.wide {
		return &l.memos[1]
	}
	return &l.memos[0]
}

func (l *lowerer) symbol(g plan.GoalID) grammar.Symbol {
	if !l.indented {
		return l.symbolHere(g)
	}
	l.setDepth(l.depth + 1)
	defer l.setDepth(l.depth - 1)
	key := placedGoal{g, l.depth}
	m := l.memo(g)
	s, ok := m.placed[key]
	if !ok {
		if m.placed == nil {
			m.placed = map[placedGoal]grammar.Symbol{}
		}
		s = l.newSymbol(g)
		m.placed[key] = s
	}
	return s
}

func (l *lowerer) symbolHere(g plan.GoalID) grammar.Symbol {
	m := l.memo(g)
	if s := m.symbols[g]; s.Kind != 0 {
		return s
	}
	s := l.newSymbol(g)
	m.symbols[g] = s
	return s
}

// located is the weight of terminals from which their origin is recorded.
const located = 16

func (l *lowerer) at(g plan.GoalID) {
	if atoms := l.p.Goals[g].Atoms; len(atoms) > 0 {
		l.p.Now = atoms[0].Node()
		l.g.At = l.originOf(g)
	}
}

// originOf returns the place of a goal's first schema.
func (l *lowerer) originOf(g plan.GoalID) grammar.Origin {
	if atoms := l.p.Goals[g].Atoms; len(atoms) > 0 {
		return grammar.Origin{Text: l.p, At: uint32(atoms[0].Node())}
	}
	return l.g.At
}

func (l *lowerer) newSymbol(g plan.GoalID) grammar.Symbol {
	defer func(around grammar.Origin, now jsontext.ID) { l.g.At, l.p.Now = around, now }(l.g.At, l.p.Now)
	l.at(g)
	lead := l.ws
	if l.levels != nil {
		defer l.useGap(l.level)
		l.useGap(l.levelOf(g))
		lead = l.ws
		l.useGap(l.inside(g))
	}
	if terms, complex := l.terminals(g); !complex && len(terms) == 1 {
		e := l.lead(lead, terms[0])
		if prices.Weight(l.st, e) > located {
			l.g.Locate(e)
		}
		return grammar.T(e)
	}
	r := l.g.NewRule("value")
	l.queue = append(l.queue, pending{rule: r, goal: g, lead: lead, depth: l.depth, wide: l.wide})
	return grammar.N(r)
}

func (l *lowerer) symbolAfter(g plan.GoalID, lead terminal.Expr) grammar.Symbol {
	switch {
	case l.indented:
		l.setDepth(l.depth - 1)
		s := l.symbol(g)
		l.setDepth(l.depth + 1)
		return s
	case lead == l.ws:
		return l.symbolHere(g)
	}
	m := l.memo(g)
	if s, ok := m.first[g]; ok {
		return s
	}
	if m.first == nil {
		m.first = map[plan.GoalID]grammar.Symbol{}
	}
	r := l.g.NewRule("value")
	l.queue = append(l.queue, pending{rule: r, goal: g, lead: lead, depth: l.depth, wide: l.wide})
	m.first[g] = grammar.N(r)
	return grammar.N(r)
}

func (l *lowerer) symbolOf(g plan.GoalID) grammar.Symbol {
	if l.tags.inside == isJSON {
		return l.symbol(g)
	}
	return l.valueIn(g)
}

func (l *lowerer) valueIn(g plan.GoalID) grammar.Symbol {
	m := l.memo(g)
	if s, ok := m.values[g]; ok {
		return s
	}
	if m.values == nil {
		m.values = map[plan.GoalID]grammar.Symbol{}
	}
	m.values[g] = l.newRole("parameter", g, aValue)
	return m.values[g]
}

func (l *lowerer) bodyOf(g plan.GoalID, as role) grammar.Symbol {
	m := l.memo(g)
	if s, ok := m.bodies[g]; ok && as == aBody {
		return s
	}
	s := l.newRole("members", g, as)
	if as == aBody {
		if m.bodies == nil {
			m.bodies = map[plan.GoalID]grammar.Symbol{}
		}
		m.bodies[g] = s
	}
	return s
}

func (l *lowerer) newRole(name string, g plan.GoalID, as role) grammar.Symbol {
	defer func(around grammar.Origin) { l.g.At = around }(l.g.At)
	l.at(g)
	r := l.g.NewRule(name)
	l.queue = append(l.queue, pending{rule: r, goal: g, depth: -1, wide: l.wide, role: as})
	return grammar.N(r)
}

func (l *lowerer) jsonIn(g plan.GoalID) grammar.Symbol {
	if l.p.Laid() && !l.indented {
		return l.symbolAfter(g, terminal.Epsilon)
	}
	return l.symbol(g)
}

// closedWith returns a value, followed by the name if the style repeats it.
func (l *lowerer) closedWith(value grammar.Symbol, name string) grammar.Symbol {
	if l.tags.inside == isJSON || !l.p.Tagged.Style.Repeats() {
		return value
	}
	s := l.p.Tagged.Style
	r := l.g.NewRule("element")
	l.g.Add(r, value, grammar.T(l.st.Literal(s.Close+name+s.Closed)))
	return grammar.N(r)
}

func (l *lowerer) itemOf(g plan.GoalID) grammar.Symbol {
	if l.tags.inside == isJSON {
		return l.symbol(g)
	}
	if l.inBrackets() {
		return l.valueIn(g)
	}
	r := l.g.NewRule("item")
	seq := grammar.Sequence{grammar.T(l.tags.item), l.valueIn(g)}
	if end := l.p.Tagged.Style.ItemClose; end != "" {
		seq = append(seq, grammar.T(l.st.Literal(end)))
	}
	l.g.Add(r, seq...)
	return grammar.N(r)
}
