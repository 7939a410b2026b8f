// Package lower turns a plan into a grammar: a rule for each goal, place and depth of indentation, or a terminal for
// goals of scalars.
//
// The output is narrow: integers have no exponent, and keys one of a few orders. A test must recognise a value in every
// spelling, so tested goals are lowered a second time, wide (speller.write). layout.go handles whitespace, string.go
// and script.go strings, text.go and fillRole values in the tags of a style.
//
// Each file uses only files before it: task, settled; layout, script, number, python, prepare and values (how
// values are spelled); terms, combined, patterned, string and text (terminals); symbol, object, list, boolean and lower
// (rules).
//
// Invariant: the grammar matches exactly the written forms of the values that satisfy the plan, or there is a note.
// Start reading at Grammar.
package lower

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/style"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Grammar returns the grammar of a plan, with expressions of st, and the notes of lowering.
func Grammar(st *terminal.Store, c *plan.Plan) (*grammar.Grammar, []diag.Note, error) {
	l := &lowerer{g: grammar.New()}
	l.task, l.scalarOf = task{c: c, p: c.Planner, st: st}, map[spelledGoal]terminal.Expr{}
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
	if l.hasTests() {
		l.memos[1].symbols = make([]grammar.Symbol, len(c.Planner.Goals))
	}
	l.findLevels(l.hasTests())
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
	for a := range l.p.CasesOf(g) {
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

// Members in tags are an object of the grammar. The opening tag takes the place of the comma, the end of the name
// stands for the closing quote, and a value includes its end. An array in elements is a list without commas.

func (l *lowerer) fillRole(r grammar.RuleID, g plan.GoalID, as role) {
	l.p.WorkOn(g)
	l.at(g)
	if as != aValue {
		l.fillBody(r, g, as)
		return
	}
	t, st := l.p.Tagged, l.st
	for i, n := range t.Forms[g] {
		f := &t.Style.Forms[i]
		open := st.Literal(f.Open)
		switch {
		case n == plan.NoneGoal:
		case f.How == style.AsText:
			for _, e := range l.textsOf(n) {
				l.g.Add(r, grammar.T(l.lead(open, e)))
			}
		case f.How == style.AsMembers && l.solved.Bodies[n]:
			l.g.Add(r, grammar.T(open), l.bodyOf(n, aBody))
		case f.How == style.AsJSON && l.solved.Satisfied[n]:
			l.g.Add(r, grammar.T(l.st.Concat(open, l.tags.around)), l.jsonIn(n), grammar.T(l.tags.end))
		}
	}
}

func (l *lowerer) fillBody(r grammar.RuleID, g plan.GoalID, as role) {
	for a := range l.p.BodiesOf(g) {
		l.addBody(r, a, as)
	}
}

func (l *lowerer) addBody(r grammar.RuleID, a *plan.Alternative, as role) {
	defer func(before tags, marks layout, within []bool, inTags bool) {
		l.tags, l.layout, l.solved.Within, l.solved.InTags = before, marks, within, inTags
	}(l.tags, l.layout, l.solved.Within, l.solved.InTags)
	l.tags.inside = as
	l.solved.Within, l.solved.InTags = l.solved.Values, true
	if !l.inBrackets() {
		end := l.st.Concat(l.tags.last, l.tags.stop)
		l.openList, l.comma, l.close, l.endList = terminal.Epsilon, terminal.Epsilon, end, end
	}
	if as == rootBody {
		l.close, l.endList = l.tags.last, l.tags.last
	}
	ws := l.ws
	if l.solved.List(a) {
		if l.ws = terminal.Epsilon; as == rootBody {
			a = atLeastOne(a)
		}
		if a.List.Min <= a.List.Max {
			l.testedList(r, a, terminal.Epsilon)
		}
		l.ws = ws
	}
	if l.solved.Object(a) {
		if s, ok := l.bodyObject(a.Object, as); ok {
			l.g.Add(r, l.testedBy(a, jsontype.Object, s, terminal.Epsilon))
		}
	}
}

func atLeastOne(a *plan.Alternative) *plan.Alternative {
	c := *a
	list := *a.List
	list.Min = max(list.Min, 1)
	c.List = &list
	return &c
}

func (l *lowerer) bodyObject(o *plan.ObjectPlan, as role) (grammar.Symbol, bool) {
	r := l.g.NewRule("object")
	bare := as == rootBody || !l.inBrackets()
	empty := as == aBody && o.Min == 0 && o.Required == 0
	if empty && bare {
		l.g.Add(r, grammar.T(l.tags.stop))
	}
	node := grammar.Object{
		Open: l.tags.open, Comma: l.tags.comma, Quote: terminal.Epsilon, Colon: l.tags.value, Close: l.close,
		MinMembers: max(1, bound32(o.Min)), MaxMembers: bound32(o.Max),
	}
	if !bare {
		node.Open, node.MinMembers = l.open, bound32(o.Min)
	}
	if o.Min <= uint64(o.Required) && o.Required > 0 {
		node.MinMembers = 0
	}
	some := l.members(&node, o)
	if some {
		for _, s := range l.inOrders(node, o) {
			l.g.Add(r, s)
		}
	} else if empty && !bare {
		l.g.Add(r, grammar.T(l.open), grammar.T(l.close))
	}
	return grammar.N(r), some || empty
}
