// Package lower turns a plan into a grammar: one rule for each goal with values.
//
// The output has one canonical spelling (order of properties, integers without exponent). A test must recognise a
// value in every spelling, so tested goals are lowered a second time, wide (wide.go). layout.go handles whitespace,
// string.go and script.go strings, tags.go and text.go values in the tags of a style.
//
// Invariant: the grammar matches exactly the written forms of the values that satisfy the plan, or there is a note.
// Start reading at Grammar.
package lower

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
)

// lowerer lowers one plan. One sequence. It fills the rules of goals from a list, without recursion, so that nesting
// costs no stack.
type lowerer struct {
	c           *plan.Plan
	p           *plan.Planner
	st          *terminal.Store
	g           *grammar.Grammar
	solved      *plan.Solver
	strings     map[*plan.Alternative]terminal.Expr // string terminals that were built before solving
	tables      map[*plan.Alternative]bool          // tables among them: Empty if they match nothing
	noTable     bool                                // strings are intersected with more: see nameLanguage
	building    plan.GoalID                         // the value whose strings are built, else NoneGoal
	testedGoals map[plan.GoalID]bool                // see isTested; nil: not computed
	written     map[*plan.Alternative][]terminal.Expr
	more        []diag.Note
	err         error

	layout
	script
	tags      tags
	queue     []pending
	wide      bool    // see wide.go
	patterned bool    // some texts being lowered come from a pattern
	loose     bool    // the numbers being lowered are integral, but no type says integer
	memos     [2]memo // of narrow spellings, and of wide ones
	narrow    []bool  // by goal: its wide language is larger
	levels    []uint8 // by goal, if gaps depend on it: the deepest level of its values; see gap.go
	gaps      [anyLevel + 1]marks
}

type memo struct {
	symbols  []grammar.Symbol               // by goal; Kind 0: not built
	first    map[plan.GoalID]grammar.Symbol // symbols without a lead
	placed   map[placedGoal]grammar.Symbol
	scalarOf map[placedGoal]terminal.Expr
	texts    map[plan.GoalID]terminal.Expr
	values   map[plan.GoalID]grammar.Symbol
	bodies   map[plan.GoalID]grammar.Symbol
}

type pending struct {
	rule  grammar.RuleID
	goal  plan.GoalID
	lead  terminal.Expr
	depth int
	wide  bool
	role  role
}

// placedGoal is a goal at a depth of nesting. The depth is 0 unless lines are indented.
type placedGoal struct {
	goal  plan.GoalID
	depth int
}

// Grammar returns the grammar of a plan, with expressions of st, and the notes of lowering.
func Grammar(st *terminal.Store, c *plan.Plan) (*grammar.Grammar, []diag.Note, error) {
	l := &lowerer{c: c, p: c.Planner, st: st, g: grammar.New()}
	defer st.Work().At(c.Planner.Here)()
	l.memos[0].symbols = make([]grammar.Symbol, len(c.Planner.Goals))
	l.prepare()
	l.solved = c.Planner.Solve(c.Reached, l.findTexts())
	if l.err != nil {
		return nil, nil, l.err
	}
	if !l.solved.Start(c.Start) {
		return nil, nil, c.Planner.Unsatisfiable(l.solved, c.Start)
	}
	l.findNarrow()
	l.findLevels()
	l.useGap(l.inside(c.Start))
	l.at(c.Start)
	l.g.Start = l.g.NewRule("json")
	if c.Planner.Tagged == nil {
		l.fill(l.g.Start, c.Start, terminal.Epsilon)
	} else {
		l.setDepth(-1)
		as := rootBody
		if c.Planner.Tagged.Alone {
			as = aValue
		}
		l.fillRole(l.g.Start, c.Start, as)
	}
	for i := 0; i < len(l.queue) && l.err == nil; i++ {
		l.setDepth(l.queue[i].depth)
		l.useGap(l.inside(l.queue[i].goal))
		l.wide = l.queue[i].wide
		if q := &l.queue[i]; q.role == isJSON {
			l.fill(q.rule, q.goal, q.lead)
		} else {
			l.fillRole(q.rule, q.goal, q.role)
		}
	}
	if l.err == nil {
		l.err = c.Planner.Err
	}
	if l.err != nil {
		return nil, nil, l.err
	}
	return l.g, l.more, nil
}

func (l *lowerer) lead(lead, e terminal.Expr) terminal.Expr {
	if lead == terminal.Epsilon {
		return e
	}
	return l.st.Concat(lead, e)
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
	l.queue = append(l.queue, pending{rule: r, goal: g, lead: lead, depth: l.depth, wide: l.isWide(g)})
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
	l.queue = append(l.queue, pending{rule: r, goal: g, lead: lead, depth: l.depth, wide: l.isWide(g)})
	m.first[g] = grammar.N(r)
	return grammar.N(r)
}

// terminals returns the scalars of a goal in few expressions, and whether it has arrays or objects. Counted strings
// stay separate: a union would write the count out.
func (l *lowerer) terminals(g plan.GoalID) (terms []terminal.Expr, complex bool) {
	var parts [8]terminal.Expr
	union := parts[:0]
	for i := range l.p.Goals[g].Cases {
		a := &l.p.Goals[g].Cases[i]
		if a.Flat.HasValues {
			if e := l.values(a); e != terminal.Empty {
				union = append(union, e)
			}
			complex = complex || l.anyReorders(a.Flat.Values) && l.scope == jsontype.All
			continue
		}
		types := a.Flat.Types & l.scope
		if tested := a.TestedTypes() & types & jsontype.Scalars; tested != 0 {
			union = append(union, l.testedScalars(a, tested))
			types &^= tested
		}
		if types&jsontype.String != 0 {
			if e, counted := l.str(a); counted {
				terms = append(terms, e)
				types &^= jsontype.String
			}
		}
		union = l.scalars(a, types, union)
		complex = complex || l.scope == jsontype.All && (l.solved.List(a) || l.solved.Object(a))
	}
	switch len(union) {
	case 0:
	case 1:
		terms = append(terms, union[0])
	default:
		terms = append(terms, l.st.Or(union...))
	}
	kept := terms[:0]
	for _, e := range terms {
		if e != terminal.Empty {
			kept = append(kept, e)
		}
	}
	return kept, complex
}

func (l *lowerer) scalars(a *plan.Alternative, types jsontype.Set, union []terminal.Expr) []terminal.Expr {
	if types&jsontype.Null != 0 {
		union = append(union, l.st.Literal(l.words.Null))
	}
	if types&jsontype.Bool != 0 {
		if a.Flat.Bools&1 != 0 {
			union = append(union, l.st.Literal(l.words.True))
		}
		if a.Flat.Bools&2 != 0 {
			union = append(union, l.st.Literal(l.words.False))
		}
	}
	if types&jsontype.Number != 0 {
		l.loose = types&jsontype.Number == jsontype.Integer && !a.Flat.Integer
		union = append(union, l.number(a, types))
		l.loose = false
	}
	if types&jsontype.String != 0 {
		e, _ := l.str(a)
		union = append(union, e)
	}
	return union
}

func (l *lowerer) fill(r grammar.RuleID, g plan.GoalID, lead terminal.Expr) {
	l.p.WorkOn(g)
	l.at(g)
	terms, complex := l.terminals(g)
	for _, e := range terms {
		l.g.Add(r, grammar.T(l.lead(lead, e)))
	}
	if !complex {
		return
	}
	for i := range l.p.Goals[g].Cases {
		a := &l.p.Goals[g].Cases[i]
		if a.Flat.HasValues {
			for _, v := range a.Flat.Values {
				if l.reorders(v) {
					l.g.Add(r, l.valueInAnyOrder(v, lead)...)
				}
			}
			continue
		}
		if l.solved.List(a) {
			l.testedList(r, a, lead)
		}
		if l.solved.Object(a) {
			l.g.Add(r, l.testedBy(a, jsontype.Object, l.object(a.Object, lead), lead))
		}
	}
}

func (l *lowerer) note(a *plan.Alternative, keyword string, effect diag.Effect, text string) {
	n := diag.Note{Keyword: keyword, Effect: effect, Text: text}
	if a.Flat.Why.Node != 0 {
		n.Pointer = l.p.Pointer(a.Flat.Why.Node)
	}
	for _, m := range l.more {
		if m == n {
			return
		}
	}
	l.more = append(l.more, n)
}

func (l *lowerer) fail(err error) {
	if l.err == nil {
		l.err = err
	}
}

func bound32(n uint64) uint32 {
	if n >= terminal.Unbounded {
		return terminal.Unbounded
	}
	return uint32(n)
}
