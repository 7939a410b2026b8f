package lower

import (
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/style"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// Settled reports whether lowering cannot fail, cannot discover that no value satisfies the schema, and adds no notes.
// Most schemas of tools are such. Facts that only automata tell (patterns, divisors, tests of whole values) are not
// settled; the answer errs on that side.
func Settled(c *plan.Plan) bool {
	if c.Planner.Options.WhitespacePattern != "" || c.Planner.Options.Indent != nil {
		return false
	}
	if !spelledFreely(c.Planner) {
		return false
	}
	plain := c.Planner.Tagged == nil && len(c.Planner.Excludes) == 0
	for _, g := range c.Reached {
		for a := range c.Planner.CasesOf(g) {
			// Lowering narrows a format by excluded texts, and notes that.
			if !settled(a) || !plain && len(a.Flat.Patterns) > 0 {
				return false
			}
		}
	}
	return true
}

// spelledFreely reports whether no excluded text, and no end of a value in tags, prevents a text of the schema. Texts
// that the schema does not list can use other characters.
func spelledFreely(p *plan.Planner) bool {
	avoided := p.Excludes
	if t := p.Tagged; t != nil {
		if p.Options.ASCIIOnly || t.Alone && style.Overlap(t.Ends) {
			return false
		}
		avoided = append(slices.Clip(avoided), t.Ends...)
	}
	switch apart := func(s string) bool { return s != "" && style.Plain(s) }; {
	case len(avoided) == 0:
		return true
	case p.Options.ASCIIOnly || slices.ContainsFunc(p.Excludes, func(s string) bool { return !apart(s) }):
		return false
	}
	for i := 1; i < p.Tree.Len(); i++ {
		n := p.Tree.Node(jsontext.ID(i))
		if n.Key == "patternProperties" || slices.ContainsFunc(avoided, func(s string) bool {
			return strings.Contains(n.Text, s) || strings.Contains(n.Key, s)
		}) {
			return false
		}
	}
	return true
}

func settled(a *plan.Alternative) bool {
	f := &a.Flat
	switch {
	case len(a.Tests) > 0:
		return false
	case f.HasValues:
		return true
	case f.Types&jsontype.Number != 0 && !f.Number.Settled(), f.Types&jsontype.String != 0 && !stringsSettled(f):
		return false
	case a.Object == nil || f.Types&jsontype.Object == 0:
		return true
	}
	for i := range a.Object.Extras {
		e := &a.Object.Extras[i]
		for _, q := range append(slices.Clip(e.With), e.Without...) {
			if q != nil && !q.Simple {
				return false
			}
		}
		if e.Names != plan.AnyGoal {
			return false
		}
	}
	return true
}

// stringsSettled reports whether lengths alone, or one format alone, restrict the strings. Both always leave some.
func stringsSettled(f *plan.Flat) bool {
	bounded := f.MinLength > 0 || f.MaxLength != plan.NoMaximum
	switch len(f.Patterns) {
	case 0:
		return !bounded || len(f.NotValues) == 0
	case 1:
		u := &f.Patterns[0]
		return u.Format && !u.Negated && !bounded && len(f.NotValues) == 0
	}
	return false
}
