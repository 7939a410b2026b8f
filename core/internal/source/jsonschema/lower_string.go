package jsonschema

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// unrolled is the greatest length that is written out instead of counted: so few states cost less than a rule of its own.
const unrolled = 4

// str returns the strings of a case with their quotes, and whether their length is counted beside the state.
func (l *lowerer) str(a *alternative) (e terminal.Expr, counted bool) {
	f := &a.flat
	if l.isFreeString(f) {
		return l.anyString, false
	}
	bounded := f.minLength > unrolled || f.maxLength != noMaximum && f.maxLength > unrolled
	if e, ok := l.strings[a]; ok {
		return e, bounded
	}
	return l.st.Concat(l.endOfName, l.body(a), l.endOfName), bounded
}

func (l *lowerer) isFreeString(f *flat) bool {
	return f.minLength == 0 && f.maxLength == noMaximum && len(f.patterns) == 0 && len(f.notValues) == 0
}

// body returns the string bodies of a case, without quotes.
func (l *lowerer) body(a *alternative) terminal.Expr {
	f, st := &a.flat, l.st
	low, high := l.lengths(f)
	bounded := low > 0 || high != terminal.Unbounded
	excluded := l.texts(f.notValues)
	if len(f.patterns) == 1 && !f.patterns[0].negated && len(excluded) == 0 {
		q := l.p.patternFor(&f.patterns[0])
		if q == nil {
			return terminal.Empty
		}
		if !bounded {
			return l.inASCII(l.pattern(q))
		}
		if l.p.o.ASCIIOnly {
			return st.Counted(l.inASCII(l.pattern(q)), terminal.JSONString, low, high)
		}
		if hasLeapSeconds(&f.patterns[0]) {
			l.note(a, "format", diag.Narrower, "times in a leap second are left out where their length is bounded")
		}
		key := q.memoKey() + "\x00" + itoa(int(low)) + "\x00" + itoa(int(high))
		e, err := st.Memo(key, func() (terminal.Expr, error) {
			tree, err := q.syntax()
			if err != nil {
				return terminal.Empty, err
			}
			return regex.LowerCounted(st, tree, q.mode(), low, high)
		})
		if err != nil {
			l.failPattern(&f.patterns[0], err)
		}
		return e
	}
	xs := []terminal.Expr{}
	for i := range f.patterns {
		if q := l.p.patternFor(&f.patterns[i]); q != nil && !f.patterns[i].negated {
			xs = append(xs, l.pattern(q))
		}
	}
	if len(xs) == 0 || l.p.o.ASCIIOnly {
		xs = append(xs, l.anyBody)
	}
	for i := range f.patterns {
		if q := l.p.patternFor(&f.patterns[i]); q != nil && f.patterns[i].negated {
			xs = append(xs, st.Not(l.pattern(q)))
		}
	}
	if len(excluded) > 0 {
		xs = append(xs, st.Not(l.literals(excluded)))
	}
	body := xs[0]
	if len(xs) > 1 {
		body = st.And(xs...)
	}
	if bounded {
		body = st.Counted(body, terminal.JSONString, low, high)
	}
	return body
}

// pattern returns the string bodies that a pattern matches.
func (l *lowerer) pattern(q *pattern) terminal.Expr {
	e, err := lowerPattern(l.st, q)
	if err != nil {
		l.fail(l.p.errorAt(diag.Unsupported, l.p.root, "pattern", "the pattern %s: %s", quote(q.text), err.Error()))
	}
	return e
}

func (l *lowerer) failPattern(u *patternUse, err error) {
	l.fail(l.p.errorAt(diag.Unsupported, u.node, "pattern", "the pattern %s: %s", quote(u.text), err.Error()))
}

// contradictoryStrings builds the strings on which several keywords bear, where only the automaton can tell whether any
// is left, and returns a function that says which cases have none.
func (l *lowerer) contradictoryStrings() func(*alternative) bool {
	for _, g := range l.c.reached {
		for i := range l.p.goals[g].cases {
			a := &l.p.goals[g].cases[i]
			f := &a.flat
			if f.types&tString == 0 || f.hasValues || len(f.patterns) == 0 {
				continue
			}
			single := len(f.patterns)+len(f.notValues) == 1 && !f.patterns[0].negated
			if single && f.patterns[0].format && f.minLength == 0 && f.maxLength == noMaximum {
				continue // no format is empty
			}
			e, body := terminal.Empty, l.body(a)
			if body != terminal.Empty && l.lengthsFit(f) && (single || !l.contradict(f)) {
				e = l.st.Concat(l.endOfName, body, l.endOfName)
			} else if f.types == tString && f.why.text == "" {
				u := f.patterns[len(f.patterns)-1]
				f.why = conflict{node: u.node, keyword: l.p.tree.Node(u.node).Key, text: "no text satisfies all that the schemas say about strings here"}
			}
			if l.strings == nil {
				l.strings = map[*alternative]terminal.Expr{}
			}
			l.strings[a] = e
		}
	}
	if l.strings == nil {
		return nil
	}
	return func(a *alternative) bool {
		e, ok := l.strings[a]
		return ok && e == terminal.Empty
	}
}

// lengths returns the bounds on the length of a case's strings, without those that its one pattern keeps by itself.
func (l *lowerer) lengths(f *flat) (low, high uint32) {
	low, high = bound32(f.minLength), bound32(f.maxLength)
	if len(f.patterns) != 1 || f.patterns[0].negated || len(f.notValues) > 0 {
		return low, high
	}
	q := l.p.patternFor(&f.patterns[0])
	if q == nil {
		return low, high
	}
	if tree, err := q.syntax(); err == nil {
		shortest, longest := tree.Length()
		if low <= shortest {
			low = 0
		}
		if !q.format && q.exact() && longest <= high {
			high = terminal.Unbounded
		}
	}
	return low, high
}

// hasLeapSeconds says whether a format is one of times.
func hasLeapSeconds(u *patternUse) bool {
	return u.format && (u.text == "time" || u.text == "date-time")
}

// lengthsFit says whether the patterns of a case match texts of the lengths asked for, each for itself. Deciding that from
// the automaton would cost more than all the rest of compiling; a single pattern that matches nothing of any length is
// Empty already.
func (l *lowerer) lengthsFit(f *flat) bool {
	for i := range f.patterns {
		u := &f.patterns[i]
		if u.negated {
			continue
		}
		q := l.p.patternFor(u)
		if q == nil {
			return false
		}
		tree, err := q.syntax()
		if err != nil {
			l.failPattern(u, err)
			return false
		}
		shortest, longest := tree.Length()
		if uint64(shortest) > f.maxLength || (q.format || q.exact()) && longest != regex.Unbounded && uint64(longest) < f.minLength {
			return false
		}
	}
	return true
}

// contradict says whether no text satisfies all that a case says about strings. It is decided for texts as they are, not
// for the many ways of escaping them in JSON, which would take a hundred times the work.
func (l *lowerer) contradict(f *flat) bool {
	st := l.st
	xs := []terminal.Expr{st.Star(st.AnyRune(terminal.UTF8))}
	for i := range f.patterns {
		u := &f.patterns[i]
		q := l.p.patternFor(u)
		if q == nil {
			continue
		}
		tree, err := q.syntax()
		e := terminal.Empty
		if err == nil {
			e, err = regex.Lower(st, tree, regex.Mode{Encoding: terminal.UTF8, Search: !q.format})
		}
		switch leap := hasLeapSeconds(u); {
		case err != nil:
			l.failPattern(u, err)
		case u.negated && !leap:
			xs = append(xs, st.Not(e))
		case u.negated: // leap seconds are not in the pattern; to leave it out decides less
		default:
			if leap {
				e = st.Or(e, l.leapShapes())
				l.noteSearch(u)
			}
			xs = append(xs, e)
		}
	}
	if excluded := l.texts(f.notValues); len(excluded) > 0 {
		xs = append(xs, st.Not(st.Literals(excluded, terminal.UTF8)))
	}
	e := st.And(xs...)
	return st.IsEmpty(e) || st.Counted(e, terminal.UTF8, bound32(f.minLength), bound32(f.maxLength)) == terminal.Empty
}

// leapShapes returns texts among which are all times in a leap second.
func (l *lowerer) leapShapes() terminal.Expr {
	tree, err := regex.Parse(`([0-9-]{10}[Tt])?[0-9]{2}:[0-9]{2}:60(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})`)
	if err != nil {
		l.fail(err)
		return terminal.Empty
	}
	e, err := regex.Lower(l.st, tree, regex.Mode{Encoding: terminal.UTF8})
	if err != nil {
		l.fail(err)
	}
	return e
}

// noteSearch notes that the many texts of a format are not searched for one that the other keywords allow.
func (l *lowerer) noteSearch(u *patternUse) {
	n := diag.Note{Pointer: l.p.pointer(u.node), Keyword: "format", Effect: diag.DeadEnd, Text: deadEndText}
	if !slices.Contains(l.c.more, n) {
		l.c.more = append(l.c.more, n)
	}
}

// texts returns the strings among values.
func (l *lowerer) texts(values []jsontext.ID) []string {
	var texts []string
	for _, v := range values {
		if n := l.p.tree.Node(v); n.Kind == jsontext.String {
			texts = append(texts, n.Text)
		}
	}
	return texts
}

// values returns the values of enum or const that a case is left with, as one expression.
func (l *lowerer) values(a *alternative) terminal.Expr {
	t, st := l.p.tree, l.st
	var xs []terminal.Expr
	if texts := l.texts(a.flat.values); len(texts) > 0 {
		xs = append(xs, st.Concat(l.endOfName, l.literals(texts), l.endOfName))
	}
	for _, v := range a.flat.values {
		if t.Kind(v) != jsontext.String && !l.reorders(v) {
			xs = append(xs, l.value(v))
		}
	}
	if len(xs) == 1 {
		return xs[0]
	}
	return st.Or(xs...)
}

// value returns every spelling of a value: strings with any escapes, whitespace between tokens, the members of objects in
// the order given. Recursion follows the nesting of the value, which the reader has bounded.
func (l *lowerer) value(v jsontext.ID) terminal.Expr {
	t, st := l.p.tree, l.st
	n := t.Node(v)
	switch n.Kind {
	case jsontext.Null:
		return st.Literal("null")
	case jsontext.True:
		return st.Literal("true")
	case jsontext.False:
		return st.Literal("false")
	case jsontext.Number:
		return l.numeral(n.Text)
	case jsontext.String:
		return st.Concat(l.endOfName, l.literals([]string{n.Text}), l.endOfName)
	}
	object := n.Kind == jsontext.Object
	xs := []terminal.Expr{st.Literal("[")}
	if object {
		xs[0] = st.Literal("{")
	}
	if l.indented {
		switch {
		case n.First == 0 && object:
			return st.Literal("{}")
		case n.First == 0:
			return st.Literal("[]")
		case object:
			xs[0] = l.open
		default:
			xs[0] = l.openList
		}
	}
	for c := n.First; c != 0; c = t.Node(c).Next {
		if c != n.First {
			xs = append(xs, l.comma)
		}
		if object {
			xs = append(xs, l.quote, l.literals([]string{t.Node(c).Key}), l.endOfName, l.colon)
		}
		xs = append(xs, l.ws, l.valueInside(c))
	}
	if object {
		xs = append(xs, l.close)
	} else {
		xs = append(xs, l.endList)
	}
	return st.Concat(xs...)
}

// valueInside is value one level of nesting deeper.
func (l *lowerer) valueInside(v jsontext.ID) terminal.Expr {
	l.setDepth(l.depth + 1)
	e := l.value(v)
	l.setDepth(l.depth - 1)
	return e
}
