package lower

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/format"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// unrolled is the greatest length that is written out instead of counted. So few states cost less than a rule.
const unrolled = 4

// str returns the strings of a case with their quotes, and whether a counter beside the state counts their length.
func (l *terms) str(a *plan.Alternative) (e terminal.Expr, counted bool) {
	f := &a.Flat
	if l.isFreeString(f) {
		return l.anyString, false
	}
	bounded := f.MinLength > unrolled || f.MaxLength != plan.NoMaximum && f.MaxLength > unrolled
	if e, ok := l.strings[a]; ok {
		return e, bounded
	}
	return l.st.Concat(l.endOfName, l.body(a), l.endOfName), bounded
}

func (l *terms) body(a *plan.Alternative) terminal.Expr {
	f, st := &a.Flat, l.st
	if i := max(slices.IndexFunc(f.Patterns, isPattern), 0); i < len(f.Patterns) {
		defer l.p.Options.Work.At(func() *diag.Error { return l.p.Place(uint32(f.Patterns[i].Node)) })()
	}
	excluded := l.excluded(f)
	low, high := l.lengths(f)
	bounded := low > 0 || high != terminal.Unbounded
	single := len(f.Patterns) == 1 && !f.Patterns[0].Negated && len(excluded) == 0 && l.anyPatterned()
	dropped, large := false, false // formats; a table beside a maximum length
	if l.tabled(f, single, bounded) {
		if t := l.combined(a, excluded, low, high); t != nil {
			return l.asString(a, t, high)
		}
		dropped, large = true, high != terminal.Unbounded
	}
	if single {
		q := l.p.PatternFor(&f.Patterns[0])
		if q == nil {
			return terminal.Empty
		}
		switch {
		case !bounded:
			return l.pattern(q)
		case large:
			return l.tooLarge(f)
		}
		if q.HasLeapSeconds() {
			l.note(f.Patterns[0].Node, "format", diag.Narrower, leapText)
		}
		key := q.MemoKey(l.enc) + "\x00" + strconv.Itoa(int(low)) + "\x00" + strconv.Itoa(int(high))
		e, err := st.Memo(key, func() (terminal.Expr, error) {
			return regex.LowerCounted(st, q.Syntax(), q.Mode(l.enc), low, high)
		})
		return l.ofPattern(q, e, err)
	}
	xs := []terminal.Expr{}
	for i := range f.Patterns {
		u := &f.Patterns[i]
		if l.p.PatternFor(u) != nil && !u.Negated && !(dropped && u.Format) {
			xs = append(xs, l.besideOthers(u))
		}
	}
	switch {
	case len(xs) == 0:
		xs = append(xs, l.anyBody)
	case l.safe != terminal.Empty:
		xs = append(xs, l.safe)
	}
	for i := range f.Patterns {
		if q := l.p.PatternFor(&f.Patterns[i]); q != nil && f.Patterns[i].Negated {
			xs = append(xs, st.Not(l.pattern(q)))
		}
	}
	if len(excluded) > 0 {
		xs = append(xs, l.except(excluded))
	}
	body := xs[0]
	if len(xs) > 1 {
		if e, ok := st.AndCounted(xs, l.enc, low, high); ok {
			return e
		}
		if large {
			return l.tooLarge(f)
		}
		body = st.And(xs...)
	}
	if !bounded {
		return body
	}
	return st.Counted(body, l.enc, low, high)
}

// tabled reports whether the strings of a case become a table: a format beside other keywords; lengths beside several
// patterns or a look-around; several patterns of a value that no other value tests, because tables of parallel tests
// would exceed the budget of their first mask. single: the case is one pattern or format.
func (l *terms) tabled(f *plan.Flat, single, bounded bool) bool {
	switch {
	case len(f.Patterns) == 0 || l.noTable:
		return false
	case single:
		q := l.p.PatternFor(&f.Patterns[0])
		return bounded && q != nil && q.LooksAround()
	}
	return bounded || slices.ContainsFunc(f.Patterns, func(u plan.PatternUse) bool { return u.Format }) ||
		l.building > plan.NoneGoal && !l.isTested(l.building)
}

// buildStrings builds the strings with several keywords. Only the automaton tells whether any exist.
func (l *terms) buildStrings() {
	defer func() { l.building = plan.NoneGoal }()
	for _, g := range l.c.Reached {
		l.building = g
		for i := range l.p.Goals[g].Cases {
			a := &l.p.Goals[g].Cases[i]
			f := &a.Flat
			if f.Types&jsontype.String == 0 || f.HasValues || len(f.Patterns) == 0 {
				continue
			}
			single := len(f.Patterns)+len(f.NotValues) == 1 && !f.Patterns[0].Negated
			if single && f.Patterns[0].Format && f.MinLength == 0 && f.MaxLength == plan.NoMaximum {
				continue // every format has texts
			}
			e, body := terminal.Empty, l.body(a)
			if body != terminal.Empty && l.lengthsFit(f) && (single || l.tables[a] || !l.contradict(f)) {
				e = l.st.Concat(l.endOfName, body, l.endOfName)
				if l.safe != terminal.Empty && l.st.IsEmpty(body) {
					e = terminal.Empty
				}
			} else if f.Types == jsontype.String && f.Why.Text == "" {
				u := f.Patterns[len(f.Patterns)-1]
				f.Why = plan.Conflict{Node: u.Node, Keyword: l.p.Tree.Node(u.Node).Key, Text: l.whyNoText(f)}
			}
			if l.strings == nil {
				l.strings = map[*plan.Alternative]terminal.Expr{}
			}
			l.strings[a] = e
		}
	}
}

// whyNoText returns why nothing satisfies the keywords of a case for strings. It names the formats if they are the
// cause.
func (l *terms) whyNoText(f *plan.Flat) string {
	free, formats := *f, ""
	free.Patterns = nil
	for _, u := range f.Patterns {
		if !u.Format || u.Negated {
			free.Patterns = append(free.Patterns, u)
			continue
		}
		formats += "the format " + schema.Quote(l.p.Tree.Node(u.Node).Text) + " and "
		if format.HasLeapSeconds(u.Text) {
			formats = strings.TrimSuffix(formats, "and ") + "(its times end with an offset, Z or +01:00) and "
		}
	}
	if formats == "" || !l.lengthsFit(&free) || l.contradict(&free) {
		return "no text satisfies all keywords of this string together"
	}
	return "no text satisfies " + formats + "the other keywords of this string; leave the format out, or set the option " +
		"format to annotation"
}

func (l *terms) noString(a *plan.Alternative) bool {
	e, ok := l.strings[a]
	return ok && e == terminal.Empty
}

// terminals returns the scalars of a goal in few expressions, and whether it has arrays or objects. Counted strings
// stay separate: a union would write the count out.
func (l *terms) terminals(g plan.GoalID) (terms []terminal.Expr, complex bool) {
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

func (l *terms) scalars(a *plan.Alternative, types jsontype.Set, union []terminal.Expr) []terminal.Expr {
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
		union = append(union, l.numbersOf(a, types&jsontype.Number, &a.Flat.Number))
		l.loose = false
	}
	if types&jsontype.String != 0 {
		e, _ := l.str(a)
		union = append(union, e)
	}
	return union
}

// testedScalars returns the scalars of those types of a case that pass its tests. It intersects regular languages, so
// that no test runs beside the text.
func (l *terms) testedScalars(a *plan.Alternative, types jsontype.Set) terminal.Expr {
	st := l.st
	var passing []terminal.Expr
	for _, group := range [...]jsontype.Set{jsontype.Null, jsontype.Bool, jsontype.Number, jsontype.String} {
		if group &= types; group == 0 {
			continue
		}
		if group&jsontype.Number != 0 {
			l.loose = !l.asksIntegers(a)
			e, ok := l.testedNumbers(a)
			l.loose = false
			if ok {
				passing = append(passing, e)
				continue
			}
		}
		xs := []terminal.Expr{st.Or(l.scalars(a, group, nil)...)}
		was := l.wide
		l.write(true)
		for i := range a.Tests {
			switch t := &a.Tests[i]; {
			case t.Types&group == 0 || l.typesOf(t.Goal)&group == 0 && t.Without:
			case t.Without:
				xs = append(xs, st.Not(l.scalarsOf(t.Goal)))
			default:
				xs = append(xs, l.scalarsOf(t.Goal))
			}
		}
		l.write(was)
		if e := st.And(xs...); len(xs) == 1 || !st.IsEmpty(e) {
			passing = append(passing, e)
		}
	}
	return st.Or(passing...)
}

func (l *terms) scalarsOf(g plan.GoalID) terminal.Expr {
	key := spelledGoal{placedGoal{g, l.depth}, l.scope, l.wide}
	e, ok := l.scalarOf[key]
	if !ok {
		terms, _ := l.terminals(g)
		e = l.st.Or(terms...)
		l.scalarOf[key] = e
	}
	return e
}
