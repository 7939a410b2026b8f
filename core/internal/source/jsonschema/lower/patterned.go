package lower

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/table"
)

// A text in tags with patterns or a format is a table too, and contains the end of the value. A pattern that is too
// large for a table keeps its counters if the end of the value cannot begin within it. To ensure that, texts with the
// first character of an end are excluded, and a note says so.

// patternedTexts returns the texts of a case with their ends. ok is false if they need another form.
func (l *terms) patternedTexts(a *plan.Alternative) (out []terminal.Expr, ok bool) {
	f := &a.Flat
	low, high := bound32(f.MinLength), bound32(f.MaxLength)
	if t := l.combined(a, l.excluded(f), 0, high); t != nil {
		return l.tableThenEnd(t, low, high)
	}
	if len(f.Patterns) != 1 || f.Patterns[0].Format || f.Patterns[0].Negated || len(f.NotValues) > 0 {
		return nil, false
	}
	return l.textThenEnd(&f.Patterns[0], low, high)
}

// tableThenEnd returns the texts of t, of low to high code points, with their ends. If line breaks around a text do
// not belong to it, a text that begins or ends with one gets another one there.
func (l *terms) tableThenEnd(t *table.Table, low, high uint32) (out []terminal.Expr, ok bool) {
	st := l.temporary()
	line, any := st.Literal("\n"), st.Star(st.AnyRune(terminal.UTF8))
	add := func(before string, t *table.Table, end string) {
		more := uint32(len([]rune(end)))
		if t, ok = t.Then(end); ok && low > 0 {
			t, ok = t.And(st, st.Repeat(st.AnyRune(terminal.UTF8), low+more, terminal.Unbounded), false)
		}
		if !ok {
			return
		}
		e := t.Expr(l.st, l.enc)
		if high < terminal.Unbounded-more {
			e = l.st.Counted(e, l.enc, 0, high+more)
		}
		if e != terminal.Empty {
			out = append(out, l.st.Concat(l.st.Literal(before), e))
		}
	}
	for _, end := range l.ends {
		first, last, both := t, t, t // without a line break there
		lines := l.p.Tagged.Style.Lines
		if ok = true; lines && t.Has('\n') {
			if first, ok = t.And(st, st.Concat(line, any), true); ok {
				if last, ok = t.And(st, st.Concat(any, line), true); ok {
					both, ok = first.And(st, st.Concat(any, line), true)
				}
			}
		}
		for _, x := range []struct {
			before, end string
			t           *table.Table
		}{{"", end, both}, {"", "\n" + end, first}, {"\n", end, last}, {"\n", "\n" + end, t}} {
			if ok && (lines || x.t == t && x.before == "" && x.end == end) {
				add(x.before, x.t, x.end)
			}
		}
		if !ok {
			return nil, false
		}
	}
	return out, true
}

// textThenEnd returns the texts of a pattern, of low to high code points, with their ends, except texts in which an
// end may begin.
func (l *terms) textThenEnd(u *plan.PatternUse, low, high uint32) (out []terminal.Expr, ok bool) {
	q := l.p.PatternFor(u)
	if q == nil {
		return nil, false
	}
	st, lines, left := l.st, l.p.Tagged.Style.Lines, ""
	for _, end := range l.ends {
		left += string([]rune(end)[:1])
	}
	if lines {
		left += "\n"
	}
	mode := q.Mode(l.enc)
	mode.Without = left
	e, err := regex.LowerCounted(st, q.Syntax(), mode, low, high)
	if err != nil {
		return nil, false
	}
	l.note(u.Node, "pattern", diag.Narrower, "texts with one of the characters "+schema.Quote(left)+" in them are left out, "+
		"since with them the pattern has too many states beside the end of the value")
	for _, end := range l.ends {
		if !lines {
			out = append(out, st.Concat(e, st.Literal(end)))
			continue
		}
		// Separate, because a counter that begins at once or after a line break would be written out.
		line := st.Literal("\n")
		rest := []terminal.Expr{e, st.Optional(line), st.Literal(end)}
		out = append(out, st.Concat(rest...), st.Concat(append([]terminal.Expr{line}, rest...)...))
	}
	return slices.DeleteFunc(out, st.IsEmpty), true
}
