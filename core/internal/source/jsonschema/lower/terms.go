package lower

import (
	"slices"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/pattern"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// terms makes the terminals of scalars and names.
type terms struct {
	speller
	solved      *plan.Solver
	strings     map[*plan.Alternative]terminal.Expr // string terminals that were built before solving
	tables      map[*plan.Alternative]bool          // tables among them: Empty if they match nothing
	noTable     bool                                // strings are intersected with more: see nameLanguage
	building    plan.GoalID                         // the value whose strings are built, else NoneGoal
	testedGoals map[plan.GoalID]bool                // see isTested; nil: not computed
	written     map[*plan.Alternative][]terminal.Expr
	scalarOf    map[spelledGoal]terminal.Expr
}

// placedGoal is a goal at a depth of nesting. The depth is 0 unless lines are indented.
type placedGoal struct {
	goal  plan.GoalID
	depth int
}

// spelledGoal is a goal in a script.
type spelledGoal struct {
	placedGoal
	scope jsontype.Set
	wide  bool
}

func (l *terms) isFreeString(f *plan.Flat) bool {
	return f.MinLength == 0 && f.MaxLength == plan.NoMaximum && len(f.Patterns) == 0 && len(f.NotValues) == 0
}

// isTested reports whether another value tests g while it is written.
func (l *terms) isTested(g plan.GoalID) bool {
	if l.testedGoals == nil {
		l.testedGoals = map[plan.GoalID]bool{}
		for _, r := range l.c.Reached {
			for a := range l.p.CasesOf(r) {
				for i := range a.Tests {
					l.testedGoals[a.Tests[i].Goal] = true
				}
			}
		}
	}
	return l.testedGoals[g]
}

func (l *terms) pattern(q *pattern.Pattern) terminal.Expr {
	e, err := pattern.Lower(l.st, q, l.enc)
	return l.ofPattern(q, e, err)
}

func (l *terms) ofPattern(q *pattern.Pattern, e terminal.Expr, err error) terminal.Expr {
	if err != nil {
		l.fail(l.p.Patterns.Error(q, err))
	}
	return e
}

func (l *terms) excluded(f *plan.Flat) []string {
	texts := l.texts(f.NotValues)
	if l.spell != nil { // lengths count written characters
		return texts
	}
	return slices.DeleteFunc(texts, func(t string) bool {
		n := uint64(utf8.RuneCountInString(t))
		return n < f.MinLength || n > f.MaxLength
	})
}

// lengths returns the bounds on the length of a case's strings, without bounds that its patterns imply.
func (l *terms) lengths(f *plan.Flat) (low, high uint32) {
	low, high = bound32(f.MinLength), bound32(f.MaxLength)
	if low == 0 && high == terminal.Unbounded {
		return low, high
	}
	for i := range f.Patterns {
		q := l.p.PatternFor(&f.Patterns[i])
		if q == nil || f.Patterns[i].Negated {
			continue
		}
		shortest, longest := q.Syntax().Length()
		if low <= shortest {
			low = 0
		}
		if longest <= high && q.Exact() {
			high = terminal.Unbounded
		}
	}
	return low, high
}

const leapText = "leap seconds are left out, since other keywords apply to this text too"

// besideOthers is pattern for a case with further keywords. It excludes times in a leap second: every offset changes
// all their digits, so a search for one that the other keywords allow takes too long.
func (l *terms) besideOthers(u *plan.PatternUse) terminal.Expr {
	q := l.p.PatternFor(u)
	if !q.HasLeapSeconds() || l.wide {
		return l.pattern(q)
	}
	l.note(u.Node, "format", diag.Narrower, leapText)
	e, err := l.st.Memo(q.MemoKey(l.enc)+" without leap seconds", func() (terminal.Expr, error) {
		return regex.Lower(l.st, q.Syntax(), q.Mode(l.enc))
	})
	return l.ofPattern(q, e, err)
}

// lengthsFit reports whether each pattern of a case alone matches texts of an allowed length. Asking the automaton
// would cost more than the rest of the compilation.
func (l *terms) lengthsFit(f *plan.Flat) bool {
	for i := range f.Patterns {
		u := &f.Patterns[i]
		if u.Negated {
			continue
		}
		q := l.p.PatternFor(u)
		if q == nil {
			return false
		}
		shortest, longest := q.Syntax().Length()
		if uint64(shortest) > f.MaxLength || q.Exact() && longest != regex.Unbounded &&
			uint64(longest) < f.MinLength {
			return false
		}
	}
	return true
}

func (l *terms) contradict(f *plan.Flat) bool { return l.noText(f, nil, nil, nil) }

// noText reports whether no text satisfies the keywords of a case about strings (nil: none) and all of with, satisfies
// none of without, and is not excluded. It compares texts without escapes, which takes a hundredth of the work.
func (l *terms) noText(f *plan.Flat, with, without []*pattern.Pattern, excluded []string) bool {
	st := l.st
	xs := []terminal.Expr{st.Star(st.AnyRune(terminal.UTF8))}
	add := func(q *pattern.Pattern, negated bool) {
		if q == nil {
			return
		}
		e, whole := l.plainText(q)
		switch {
		case !negated:
			xs = append(xs, e)
		case whole:
			xs = append(xs, st.Not(e))
		}
	}
	low, high := uint32(0), uint32(terminal.Unbounded)
	if f != nil {
		low, high = bound32(f.MinLength), bound32(f.MaxLength)
		excluded = append(slices.Clip(excluded), l.texts(f.NotValues)...)
		for i := range f.Patterns {
			u := &f.Patterns[i]
			add(l.p.PatternFor(u), u.Negated)
		}
	}
	for _, q := range with {
		add(q, false)
	}
	for _, q := range without {
		add(q, true)
	}
	if len(excluded) > 0 {
		xs = append(xs, st.Excluded(excluded, terminal.UTF8))
	}
	e := st.And(xs...)
	return st.IsEmpty(e) || st.Counted(e, terminal.UTF8, low, high) == terminal.Empty
}

// plainText returns the texts that a pattern matches, without escapes. If whole is false, it is a superset.
func (l *terms) plainText(q *pattern.Pattern) (e terminal.Expr, whole bool) {
	leap := q.HasLeapSeconds()
	e, err := l.st.Memo("plain "+q.MemoKey(terminal.JSONString), func() (terminal.Expr, error) {
		return regex.Lower(l.st, q.Syntax(), q.Mode(terminal.UTF8))
	})
	if e = l.ofPattern(q, e, err); leap {
		e = l.st.Or(e, l.leapShapes())
	}
	return e, !leap
}

func (l *terms) leapShapes() terminal.Expr {
	tree := regex.MustParse(`([0-9-]{10}[Tt])?[0-9]{2}:[0-9]{2}:60(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})`)
	e, err := regex.Lower(l.st, tree, regex.Mode{Encoding: terminal.UTF8})
	if err != nil {
		l.fail(err)
	}
	return e
}
