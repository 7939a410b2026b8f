package lower

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/format"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/number"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/pattern"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// unrolled is the greatest length that is written out instead of counted. So few states cost less than a rule.
const unrolled = 4

// str returns the strings of a case with their quotes, and whether a counter beside the state counts their length.
func (l *lowerer) str(a *plan.Alternative) (e terminal.Expr, counted bool) {
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

func (l *lowerer) isFreeString(f *plan.Flat) bool {
	return f.MinLength == 0 && f.MaxLength == plan.NoMaximum && len(f.Patterns) == 0 && len(f.NotValues) == 0
}

func (l *lowerer) body(a *plan.Alternative) terminal.Expr {
	f, st := &a.Flat, l.st
	if i := max(slices.IndexFunc(f.Patterns, isPattern), 0); i < len(f.Patterns) {
		defer l.p.Options.Work.At(func() *diag.Error { return l.p.Place(uint32(f.Patterns[i].Node)) })()
	}
	excluded := l.excluded(f)
	low, high := l.lengths(f, len(excluded) > 0)
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
			return l.alone(q)
		case large:
			return l.tooLarge(f)
		}
		if q.HasLeapSeconds() {
			l.note(a, "format", diag.Narrower, leapText)
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
		if q := l.p.PatternFor(u); q != nil && !u.Negated && !(dropped && u.Format) {
			xs = append(xs, l.besideOthers(a, q))
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
func (l *lowerer) tabled(f *plan.Flat, single, bounded bool) bool {
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

// isTested reports whether another value tests g while it is written.
func (l *lowerer) isTested(g plan.GoalID) bool {
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

func (l *lowerer) pattern(q *pattern.Pattern) terminal.Expr {
	e, err := pattern.Lower(l.st, q, l.enc)
	return l.ofPattern(q, e, err)
}

func (l *lowerer) ofPattern(q *pattern.Pattern, e terminal.Expr, err error) terminal.Expr {
	if err != nil {
		l.fail(l.p.Patterns.Error(q, err))
	}
	return e
}

// alone is pattern for a case without other keywords.
func (l *lowerer) alone(q *pattern.Pattern) terminal.Expr {
	if ascii := q.Text == "hostname" || q.Text == "email"; q.Format && format.HasEncodedLabels(q.Text) &&
		(ascii || !l.p.Options.ASCIIOnly) {
		e, err := pattern.LowerAlone(l.st, q)
		return l.ofPattern(q, e, err)
	}
	return l.pattern(q)
}

// buildStrings builds the strings with several keywords. Only the automaton tells whether any exist.
func (l *lowerer) buildStrings() {
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
func (l *lowerer) whyNoText(f *plan.Flat) string {
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

func (l *lowerer) noString(a *plan.Alternative) bool {
	e, ok := l.strings[a]
	return ok && e == terminal.Empty
}

func (l *lowerer) excluded(f *plan.Flat) []string {
	texts := l.texts(f.NotValues)
	if l.spell != nil { // lengths count written characters
		return texts
	}
	return slices.DeleteFunc(texts, func(t string) bool {
		n := uint64(utf8.RuneCountInString(t))
		return n < f.MinLength || n > f.MaxLength
	})
}

// lengths returns the bounds on the length of a case's strings, without bounds that its patterns imply. A format alone
// has more strings than its pattern matches.
func (l *lowerer) lengths(f *plan.Flat, excludes bool) (low, high uint32) {
	low, high = bound32(f.MinLength), bound32(f.MaxLength)
	if low == 0 && high == terminal.Unbounded {
		return low, high
	}
	alone := len(f.Patterns) == 1 && !excludes
	for i := range f.Patterns {
		q := l.p.PatternFor(&f.Patterns[i])
		if q == nil || f.Patterns[i].Negated {
			continue
		}
		shortest, longest := q.Syntax().Length()
		if low <= shortest {
			low = 0
		}
		if longest <= high && (q.Exact() && !q.Format || q.Format && !alone) {
			high = terminal.Unbounded
		}
	}
	return low, high
}

const leapText = "leap seconds are left out, since other keywords apply to this text too"

// besideOthers is pattern for a case with further keywords. It excludes times in a leap second: every offset changes
// all their digits, so a search for one that the other keywords allow takes too long.
func (l *lowerer) besideOthers(a *plan.Alternative, q *pattern.Pattern) terminal.Expr {
	if !q.HasLeapSeconds() || l.wide {
		return l.pattern(q)
	}
	l.note(a, "format", diag.Narrower, leapText)
	e, err := l.st.Memo(q.MemoKey(l.enc)+" without leap seconds", func() (terminal.Expr, error) {
		return regex.Lower(l.st, q.Syntax(), q.Mode(l.enc))
	})
	return l.ofPattern(q, e, err)
}

// lengthsFit reports whether each pattern of a case alone matches texts of an allowed length. Asking the automaton
// would cost more than the rest of the compilation.
func (l *lowerer) lengthsFit(f *plan.Flat) bool {
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
		if uint64(shortest) > f.MaxLength || (q.Format || q.Exact()) && longest != regex.Unbounded &&
			uint64(longest) < f.MinLength {
			return false
		}
	}
	return true
}

func (l *lowerer) contradict(f *plan.Flat) bool { return l.noText(f, nil, nil, nil) }

// noText reports whether no text satisfies the keywords of a case about strings (nil: none) and all of with, satisfies
// none of without, and is not excluded. It compares texts without escapes, which takes a hundredth of the work.
func (l *lowerer) noText(f *plan.Flat, with, without []*pattern.Pattern, excluded []string) bool {
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
		excluded = append(plan.Clip(excluded), l.texts(f.NotValues)...)
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
func (l *lowerer) plainText(q *pattern.Pattern) (e terminal.Expr, whole bool) {
	leap := q.HasLeapSeconds()
	e, err := l.st.Memo("plain "+q.MemoKey(terminal.JSONString), func() (terminal.Expr, error) {
		return regex.Lower(l.st, q.Syntax(), q.Mode(terminal.UTF8))
	})
	if e = l.ofPattern(q, e, err); leap {
		e = l.st.Or(e, l.leapShapes())
	}
	return e, !leap
}

func (l *lowerer) leapShapes() terminal.Expr {
	tree := regex.MustParse(`([0-9-]{10}[Tt])?[0-9]{2}:[0-9]{2}:60(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})`)
	e, err := regex.Lower(l.st, tree, regex.Mode{Encoding: terminal.UTF8})
	if err != nil {
		l.fail(err)
	}
	return e
}

func (l *lowerer) texts(values []jsontext.ID) []string {
	count := 0
	for _, v := range values {
		if l.p.Tree.Kind(v) == jsontext.String {
			count++
		}
	}
	texts := make([]string, 0, count)
	for _, v := range values {
		if n := l.p.Tree.Node(v); n.Kind == jsontext.String {
			texts = append(texts, n.Text)
		}
	}
	return texts
}

func (l *lowerer) values(a *plan.Alternative) terminal.Expr {
	t, st := l.p.Tree, l.st
	var xs []terminal.Expr
	if texts := l.texts(a.Flat.Values); len(texts) > 0 {
		xs = append(xs, l.quoted(texts))
	}
	if l.scope != jsontype.All {
		return st.Or(xs...)
	}
	var numbers []number.Decimal
	for _, v := range a.Flat.Values {
		if d, many := l.listed(v, len(a.Flat.Values)); many {
			numbers = append(numbers, d)
		} else if t.Kind(v) != jsontext.String && !l.reorders(v) {
			xs = append(xs, l.value(v))
		}
	}
	if len(numbers) > 0 {
		e, _ := number.List(l.st, numbers, l.inBrackets())
		xs = append(xs, e)
	}
	if len(xs) == 1 {
		return xs[0]
	}
	return st.Or(xs...)
}

// value returns the spellings of a value: strings as written, whitespace between tokens, members in the given order.
func (l *lowerer) value(v jsontext.ID) terminal.Expr {
	return l.st.Concat(l.pieces(v, nil)...)
}

// A listed value of more than manyPieces tokens is such a long expression that preparing masks, which visits it some
// dozen times, takes longer than reading it: pieceWork for each of its values.
const (
	manyPieces = 4096
	pieceWork  = 500
)

// pieces appends the tokens of a value. They are joined once: joined inner values would be split again by outer ones.
// Recursion follows the nesting of the value, which the reader has bounded.
func (l *lowerer) pieces(v jsontext.ID, xs []terminal.Expr) []terminal.Expr {
	t, st := l.p.Tree, l.st
	n := t.Node(v)
	switch n.Kind {
	case jsontext.Null:
		return append(xs, st.Literal(l.words.Null))
	case jsontext.True:
		return append(xs, st.Literal(l.words.True))
	case jsontext.False:
		return append(xs, st.Literal(l.words.False))
	case jsontext.Number:
		return append(xs, l.numeral(n.Text))
	case jsontext.String:
		return append(xs, l.quoted([]string{n.Text}))
	}
	open, end, empty := "[", l.endList, "[]"
	if n.Kind == jsontext.Object {
		open, end, empty = "{", l.close, "{}"
	}
	first := st.Literal(open)
	if l.indented {
		switch {
		case n.First == 0:
			return append(xs, st.Literal(empty))
		case n.Kind == jsontext.Object:
			first = l.open
		default:
			first = l.openList
		}
	}
	xs = append(xs, first)
	for c := n.First; c != 0; c = t.Node(c).Next {
		if c != n.First {
			xs = append(xs, l.comma)
		}
		if n.Kind == jsontext.Object {
			xs = append(xs, l.quote, l.key(t.Node(c).Key), l.colon)
		}
		xs = append(xs, l.ws)
		if len(xs) > manyPieces {
			l.p.Options.Work.Spend(pieceWork)
		}
		l.setDepth(l.depth + 1)
		xs = l.pieces(c, xs)
		l.setDepth(l.depth - 1)
	}
	return append(xs, end)
}
