package lower

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// task is a plan that is being lowered, with its notes.
type task struct {
	c    *plan.Plan
	p    *plan.Planner
	st   *terminal.Store
	more []diag.Note
	err  error
}

func (l *task) lead(lead, e terminal.Expr) terminal.Expr {
	if lead == terminal.Epsilon {
		return e
	}
	return l.st.Concat(lead, e)
}

// note adds a note about a keyword, whose value is node.
func (l *task) note(node jsontext.ID, keyword string, effect diag.Effect, text string) {
	l.add(diag.Note{Pointer: l.p.Pointer(node), Keyword: keyword, Effect: effect, Text: text})
}

func (l *task) add(n diag.Note) {
	if !slices.Contains(l.more, n) {
		l.more = append(l.more, n)
	}
}

func (l *task) fail(err error) {
	if l.err == nil {
		l.err = err
	}
}

func (l *task) noteUnescaped() {
	text := "names with one of the characters " + schema.Quote(l.p.Tagged.Style.Escaped) +
		" are left out where a pattern or propertyNames applies to them"
	l.add(diag.Note{Keyword: "propertyNames", Effect: diag.Narrower, Text: text})
}

func (l *task) python() bool { return l.p.Tagged != nil && l.p.Tagged.Style.Python }

func (l *task) inBrackets() bool { return l.p.Tagged != nil && l.p.Tagged.Style.Brackets }

func (l *task) encoding(enc terminal.Encoding) terminal.Encoding {
	if l.p.Options.ASCIIOnly {
		return enc | terminal.ASCII
	}
	return enc
}

func (l *task) withoutTexts(texts []string) terminal.Expr {
	st := l.st
	any := st.Not(terminal.Empty) // texts may contain parts of escapes
	return st.Not(st.Concat(any, st.Texts(texts, terminal.UTF8, nil), any))
}

func (l *task) hasTests() bool {
	for _, g := range l.c.Reached {
		for k := range l.p.Goals[g].Cases {
			if a := &l.p.Goals[g].Cases[k]; len(a.Tests) > 0 || a.List != nil && len(a.List.Counts) > 0 {
				return true
			}
		}
	}
	return false
}

// typesOf returns a superset of the types of a goal's values.
func (l *task) typesOf(g plan.GoalID) jsontype.Set {
	if g == plan.AnyGoal {
		return jsontype.All
	}
	types := jsontype.Set(0)
	for i := range l.p.Goals[g].Cases {
		types |= l.p.Goals[g].Cases[i].Flat.Types
	}
	return types
}

// asksIntegers reports whether a case, or every case of one of its tests, has the type integer.
func (l *task) asksIntegers(a *plan.Alternative) bool {
	if a.Flat.Integer {
		return true
	}
	for i := range a.Tests {
		t := &a.Tests[i]
		asked := !t.Without && t.Types&jsontype.Number != 0
		for k := range l.p.Goals[t.Goal].Cases {
			f := &l.p.Goals[t.Goal].Cases[k].Flat
			asked = asked && (f.Integer || f.Types&jsontype.Number == 0)
		}
		if asked {
			return true
		}
	}
	return false
}

func (l *task) texts(values []jsontext.ID) []string {
	texts := make([]string, 0, len(values))
	for _, v := range values {
		if n := l.p.Tree.Node(v); n.Kind == jsontext.String {
			texts = append(texts, n.Text)
		}
	}
	return texts
}

func bound32(n uint64) uint32 {
	if n >= terminal.Unbounded {
		return terminal.Unbounded
	}
	return uint32(n)
}
