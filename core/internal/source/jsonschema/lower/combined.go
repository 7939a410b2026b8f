package lower

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/format"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/pattern"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/table"
)

// The strings of a case become one table if the case has a format beside other keywords, or lengths beside several
// patterns or a look-around (see tabled). The table is the product of all keywords, over texts without escapes. The
// compiler explores its states, so masks need no search and conflicts are found at compile time.
//
// If the product is too large, the format is weakened, never the pattern: first without the bounds on the lengths of
// labels, then without the format. A note says so.

// foldedLength is the greatest maximum length that may become part of a table that is too large without it. Such texts
// are short and leave few states.
const foldedLength = 64

// combined returns the texts of a case, of at least low code points, as a table. The maximum high may be part of it.
// It returns nil if the table is too large even without formats. The caller then lowers the case without formats.
func (l *terms) combined(a *plan.Alternative, excluded []string, low, high uint32) *table.Table {
	var formats, patterns []*plan.PatternUse
	for i := range a.Flat.Patterns {
		if u := &a.Flat.Patterns[i]; u.Format && !u.Negated {
			formats = append(formats, u)
		} else {
			patterns = append(patterns, u)
		}
	}
	build := func(form formatForm, high uint32) *table.Table {
		p := l.newProduct()
		for _, u := range formats {
			p.format(u.Text, form)
		}
		if low > 0 || high != terminal.Unbounded {
			p.and(p.st.Repeat(p.st.AnyRune(terminal.UTF8), low, high), false)
		}
		for _, u := range patterns {
			p.pattern(l.p.PatternFor(u), u.Negated)
		}
		if len(excluded) > 0 {
			p.and(p.st.Texts(excluded, terminal.UTF8, nil), true)
		}
		p.spelled(a)
		return p.table
	}
	forms := []formatForm{exactForm, looseForm, noForm}
	if len(formats) == 0 {
		forms = forms[:1]
	}
	for _, form := range forms {
		t := build(form, terminal.Unbounded)
		if t == nil && high <= foldedLength {
			t = build(form, high)
		}
		if t != nil {
			l.noteFormats(formats, form)
			return t
		}
	}
	l.noteFormats(formats, noForm)
	return nil
}

// tooLarge refuses the strings of a case. With a maximum length, a mask within an output would spend its budget on the
// search for completions that fit.
func (l *terms) tooLarge(f *plan.Flat) terminal.Expr {
	node, keyword := patternOf(f)
	anchor := ""
	if slices.ContainsFunc(f.Patterns, func(u plan.PatternUse) bool {
		return isPattern(u) && !u.Negated && !strings.HasPrefix(u.Text, "^")
	}) {
		anchor = "begin the pattern with ^ if all texts begin with it, "
	}
	l.fail(l.p.ErrorAt(diag.Limit, node, keyword, "the keywords of this string have more than %d states "+
		"together, beside a maximum length; %sleave maxLength out, make it at most %d, or write the lengths into one "+
		"pattern without look-arounds", limits.TableStates, anchor, foldedLength))
	return terminal.Empty
}

func isPattern(u plan.PatternUse) bool { return !u.Format }

// patternOf returns the first pattern of a case, or else its first format.
func patternOf(f *plan.Flat) (node jsontext.ID, keyword string) {
	if i := slices.IndexFunc(f.Patterns, isPattern); i >= 0 {
		return f.Patterns[i].Node, "pattern"
	}
	return f.Patterns[0].Node, "format"
}

// formatForm is the enforced part of a string's formats.
type formatForm uint8

const (
	exactForm formatForm = iota
	looseForm            // without the bounds on the lengths of labels
	noForm               // no format
)

func (l *terms) noteFormats(formats []*plan.PatternUse, form formatForm) {
	for _, u := range formats {
		name, why := schema.Quote(u.Text), "together with the other keywords of this string it has too many states"
		switch {
		case form == looseForm:
			l.note(u.Node, "format", diag.Wider,
				"the format "+name+" is enforced without the bounds on the lengths of labels: "+why)
		case form == noForm:
			l.note(u.Node, "format", diag.Wider, "the format "+name+" is not enforced: "+why)
		case l.p.PatternFor(u).HasLeapSeconds():
			l.note(u.Node, "format", diag.Narrower, leapText)
		}
	}
}

func (l *terms) asString(a *plan.Alternative, t *table.Table, high uint32) terminal.Expr {
	if l.tables == nil {
		l.tables = map[*plan.Alternative]bool{}
	}
	l.tables[a] = true
	enc := l.enc
	if l.alphabet != terminal.Empty {
		enc &^= terminal.JSONString // see spelled
	}
	e := t.Expr(l.st, enc)
	if high != terminal.Unbounded {
		e = l.st.Counted(e, enc, 0, high)
	}
	return e
}

// product is an intersection that grows member by member. Its table is nil once it is too large.
type product struct {
	l     *terms
	st    *terminal.Store // a temporary store for the members
	table *table.Table
}

func (l *terms) newProduct() product { return product{l, l.temporary(), table.Anything()} }

// emptyStore is the store below temporary ones. Building the expressions of any text anew takes 65 µs.
var emptyStore = sync.OnceValue(func() *terminal.Store {
	s := terminal.NewStore()
	s.Seal()
	return s
})

// temporary returns an empty store for expressions that only a table needs.
func (l *terms) temporary() *terminal.Store {
	s := terminal.NewStoreOver(emptyStore(), limits.DefaultBudgets())
	s.SetWork(l.p.Options.Work)
	return s
}

func (p *product) and(e terminal.Expr, exclude bool) {
	if p.table != nil {
		p.table, _ = p.table.And(p.st, e, exclude)
	}
}

const escaped = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0A\x0B\x0C\x0D\x0E\x0F" +
	"\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\x1B\x1C\x1D\x1E\x1F\"\\"

// spelled removes the texts that the script cannot spell: texts that contain an end of the value and, in Python, texts
// with characters that need an escape. A note reports texts that escapes could spell.
func (p *product) spelled(a *plan.Alternative) {
	l, left := p.l, ""
	if p.table == nil {
		return
	}
	if l.alphabet != terminal.Empty {
		if slices.ContainsFunc([]byte(escaped), p.table.Has) {
			left = "characters that need an escape"
		}
		p.and(p.st.Star(p.st.Runes([]rune{' ', '!', '#', '[', ']', utf8.MaxRune}, terminal.UTF8)), false)
	}
	if len(l.ends) > 0 && p.table != nil {
		if l.enc.HasEscapes() && slices.ContainsFunc(l.ends, func(s string) bool { return p.table.Has(s[0]) }) {
			left = schema.Quote(l.ends[0])
		}
		any := p.st.Star(p.st.AnyRune(terminal.UTF8))
		p.and(p.st.Concat(any, p.st.Texts(l.ends, terminal.UTF8, nil), any), true)
	}
	if left != "" && p.table != nil {
		node, keyword := patternOf(&a.Flat)
		l.note(node, keyword, diag.Narrower, "strings with "+left+" in them are left out here")
	}
}

// pattern intersects with the texts of a pattern. A pattern that could not be read is nil; its error or note exists.
func (p *product) pattern(q *pattern.Pattern, exclude bool) {
	if q == nil {
		return
	}
	e, err := regex.Lower(p.st, q.Syntax(), q.Mode(terminal.UTF8))
	if err != nil {
		p.l.fail(p.l.p.Patterns.Error(q, err))
		p.table = nil
	}
	p.and(e, exclude)
}

func (p *product) format(name string, form formatForm) {
	if form == noForm || p.table == nil {
		return
	}
	t, ok := format.Table(name, form == looseForm)
	switch {
	case !ok:
		p.table = nil
	case p.table == table.Anything():
		p.table = t
	default:
		p.and(t.Expr(p.st, terminal.UTF8), false)
	}
}
