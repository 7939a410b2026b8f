package lower

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/number"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// The output has fewer spellings than JSON allows: properties in declared order, integers without fraction, no escapes
// of letters. The other side of a test needs all of them: a value must be excluded in every order, and a tested value
// may be in any. So tests are written wide, in every order, with all forms of numbers and all escapes, with any
// options.

// findNarrow marks the goals whose wide language differs, if anything is written wide: goals with a narrow case, and
// goals that lead to one.
func (l *speller) findNarrow() {
	p := l.p
	if !l.hasTests() {
		return
	}
	l.narrow = make([]bool, len(p.Goals))
	if p.Tagged != nil { // the goals of forms are not children of the goals of values
		for i := range l.narrow {
			l.narrow[i] = true
		}
		return
	}
	for changed := true; changed; {
		changed = false
		for i := len(l.c.Reached) - 1; i >= 0; i-- {
			g := l.c.Reached[i]
			for k := range p.Goals[g].Cases {
				a := &p.Goals[g].Cases[k]
				if l.narrow[g] {
					break
				}
				l.narrow[g] = l.isNarrow(a)
				a.Children(func(child plan.GoalID) { l.narrow[g] = l.narrow[g] || l.narrow[child] })
				changed = changed || l.narrow[g]
			}
		}
	}
}

// isNarrow reports whether a case, apart from the goals below it, has spellings that the wide form alone allows.
func (l *speller) isNarrow(a *plan.Alternative) bool {
	f, o := &a.Flat, l.p.Options
	if f.HasValues {
		for _, v := range f.Values {
			if l.isNarrowValue(v) {
				return true
			}
		}
		return false
	}
	switch types := f.Types & jsontype.Number; {
	case types == jsontype.Integer && !o.AllNumberForms, types != 0 &&
		number.SpellingNote(types, &f.Number, true) != "":
		return true
	case a.Object == nil || f.Types&jsontype.Object == 0:
		return false
	}
	if !o.AnyOrder && a.Object.Ordered > 0 && len(a.Object.Properties)+len(a.Object.Extras) > 1 {
		return true
	}
	return slices.ContainsFunc(a.Object.Properties, func(q plan.PropertyPlan) bool { return l.isNarrowText(q.Name) }) ||
		slices.ContainsFunc(a.Object.Extras, func(e plan.ExtraPlan) bool {
			return e.Names != plan.AnyGoal && !o.AnyEscapes
		})
}

// isNarrowValue is isNarrow for a listed value. Recursion follows its nesting, which the reader has bounded.
func (l *speller) isNarrowValue(v jsontext.ID) bool {
	n := l.p.Tree.Node(v)
	switch n.Kind {
	case jsontext.Number:
		return !l.p.Options.AllNumberForms
	case jsontext.String:
		return l.isNarrowText(n.Text)
	case jsontext.Object:
		if n.Count > 1 && !l.p.Options.AnyOrder {
			return true
		}
	case jsontext.Array:
	default:
		return false
	}
	for c := n.First; c != 0; c = l.p.Tree.Node(c).Next {
		if l.isNarrowValue(c) || n.Kind == jsontext.Object && l.isNarrowText(l.p.Tree.Node(c).Key) {
			return true
		}
	}
	return false
}

func (l *speller) isNarrowText(text string) bool {
	return !l.p.Options.AnyEscapes && terminal.HasPlain(text)
}
