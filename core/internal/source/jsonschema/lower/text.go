package lower

import (
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/style"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// The terminal of a string in tags is the string and the end of the value, which the string does not contain. Lengths
// count both: a counter of the string alone would have to stop before the end, whose first characters could continue
// the string.

func (l *terms) textsOf(g plan.GoalID) []terminal.Expr {
	var out []terminal.Expr
	for a := range l.p.CasesOf(g) {
		out = append(out, l.written[a]...)
	}
	return out
}

func (l *terms) buildTexts() {
	t := l.p.Tagged
	l.written = map[*plan.Alternative][]terminal.Expr{}
	for k := range t.Style.Forms {
		if t.Style.Forms[k].How != style.AsText {
			continue
		}
		for _, v := range t.Values {
			g := t.Forms[v][k]
			for i := range l.p.Goals[g].Cases {
				a := &l.p.Goals[g].Cases[i]
				if _, ok := l.written[a]; !ok && a.Flat.Types&jsontype.String != 0 {
					l.in(l.tags.texts, func() { l.written[a] = l.ended(a) })
				}
			}
		}
	}
}

func (l *terms) noEnded(a *plan.Alternative) bool {
	xs, ok := l.written[a]
	return ok && len(xs) == 0
}

func (l *terms) ended(a *plan.Alternative) []terminal.Expr {
	f, st := &a.Flat, l.st
	tested := a.TestedTypes()&jsontype.String != 0
	if !tested && !f.HasValues && l.isFreeString(f) {
		return []terminal.Expr{l.first(st.Concat(l.notNull(l.anyBody, true), l.tags.stop), "")}
	}
	if f.HasValues {
		return l.listedTexts(l.texts(f.Values))
	}
	if !tested && len(f.Patterns) > 0 && l.tags.early == terminal.Empty {
		if out, ok := l.patternedTexts(a); ok {
			return out
		}
	}
	low, high := uint32(0), uint32(terminal.Unbounded)
	var text terminal.Expr
	if tested {
		text = l.testedScalars(a, jsontype.String)
	} else {
		plain := *a
		plain.Flat.MinLength, plain.Flat.MaxLength = 0, plan.NoMaximum
		l.noTable = l.tags.early != terminal.Empty // the text is intersected with more
		text = l.body(&plain)
		l.noTable = false
		low, high = bound32(f.MinLength), bound32(f.MaxLength)
	}
	text = l.notNull(text, false)
	var out []terminal.Expr
	add := func(before, text, after terminal.Expr, end string) {
		e := l.first(st.Concat(text, after, st.Literal(end)), end)
		more := uint32(len([]rune(end)))
		if after != terminal.Epsilon {
			more++
		}
		most := high
		if most < terminal.Unbounded-more {
			most += more
		}
		least := low
		if low > 0 { // otherwise the end makes the text long enough
			least += more
		}
		if low > 0 || high != terminal.Unbounded {
			e = st.Counted(e, terminal.UTF8, least, most)
		}
		if !st.IsEmpty(e) {
			out = append(out, st.Concat(before, e))
		}
	}
	for _, end := range l.p.Tagged.Ends {
		if !l.p.Tagged.Style.Lines {
			add(terminal.Epsilon, text, terminal.Epsilon, end)
			continue
		}
		line, any := st.Literal("\n"), st.Star(st.AnyRune(terminal.UTF8))
		notFirst, notLast := st.Not(st.Concat(line, any)), st.Not(st.Concat(any, line))
		add(terminal.Epsilon, st.And(text, notFirst, notLast), terminal.Epsilon, end)
		add(terminal.Epsilon, st.And(text, notFirst), line, end)
		add(line, st.And(text, notLast), terminal.Epsilon, end)
		add(line, text, line, end)
	}
	return out
}

// notNull removes texts that a reader takes for null, if that matters; raw includes the line ends that readers remove.
func (l *terms) notNull(texts terminal.Expr, raw bool) terminal.Expr {
	if !l.p.Arguments || !l.p.Bare() {
		return texts
	}
	st, null := l.st, terminal.Epsilon
	for _, pair := range [...]string{"nN", "uU", "lL", "lL"} {
		null = st.Concat(null, st.Bytes(terminal.BytesOf(pair)))
	}
	if raw && l.p.Tagged.Style.Lines {
		line := st.Optional(st.Literal("\n"))
		null = st.Concat(line, null, line)
	}
	return st.And(texts, st.Not(null))
}

// first keeps the texts of e in which this end is the one that a reader finds: no end is complete before it, and no
// longer end is complete with it.
func (l *terms) first(e terminal.Expr, end string) terminal.Expr {
	if l.tags.early == terminal.Empty {
		return e
	}
	st, other := l.st, []terminal.Expr{l.tags.early}
	for _, t := range l.p.Tagged.Ends {
		if end != "" && t != end && strings.HasSuffix(t, end) {
			other = append(other, st.Concat(st.Star(st.AnyRune(terminal.UTF8)), st.Literal(t)))
		}
	}
	return st.And(e, st.Not(st.Or(other...)))
}

func (l *terms) listedTexts(texts []string) []terminal.Expr {
	texts = slices.DeleteFunc(texts, l.mayBeUnclean)
	if len(texts) == 0 {
		return nil
	}
	st := l.st
	if !l.p.Tagged.Style.Lines {
		var out []terminal.Expr
		for _, end := range l.p.Tagged.Ends {
			out = append(out, l.first(st.Concat(l.plainLiterals(texts), st.Literal(end)), end))
		}
		return slices.DeleteFunc(out, st.IsEmpty)
	}
	line := st.Literal("\n")
	edge := map[bool]terminal.Expr{true: line, false: st.Optional(line)}
	var written []terminal.Expr
	for _, first := range []bool{false, true} {
		for _, last := range []bool{false, true} {
			these := slices.DeleteFunc(slices.Clone(texts), func(t string) bool {
				return strings.HasPrefix(t, "\n") != first || strings.HasSuffix(t, "\n") != last
			})
			written = append(written, st.Concat(edge[first], l.plainLiterals(these), edge[last], l.tags.stop))
		}
	}
	return []terminal.Expr{st.Or(written...)}
}

// findTexts computes the facts for the solver that depend on expressions of texts.
func (l *terms) findTexts() *plan.Found {
	l.buildStrings()
	if l.p.Tagged != nil {
		l.buildTexts()
	}
	f := &plan.Found{NoString: l.noString, NoText: l.noEnded, NoValue: func(*plan.Alternative) bool { return false }}
	f.NoName = func(string, bool) bool { return false }
	if len(l.avoided) > 0 {
		f.NoName = l.noName
		none := map[*plan.Alternative]bool{}
		for _, g := range l.c.Reached {
			for i := range l.p.Goals[g].Cases {
				a := &l.p.Goals[g].Cases[i]
				if a.Flat.HasValues && len(a.Flat.Values) > 0 && !l.anyReorders(a.Flat.Values) {
					none[a] = l.values(a) == terminal.Empty
				}
			}
		}
		f.NoValue = func(a *plan.Alternative) bool { return none[a] }
	}
	return f
}
