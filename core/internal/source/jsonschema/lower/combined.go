package lower

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/format"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/table"
)

// Patterns and formats beside each other, or beside excluded values, are one table: the product of theirs, over texts
// as they are. So is a pattern with look-arounds. The states of a table are explored when the schema is compiled, so no
// mask searches for a match, and a conflict shows at once. If the product is too large, the format gives way, never the pattern: first the bounds on the lengths of labels
// are dropped, then the format itself, and a note says so.

// combined returns the strings of a case as a table. ok is false if it would be too large without formats, too: then
// the case without formats is left to the caller.
func (l *lowerer) combined(a *plan.Alternative, excluded []string, low, high uint32) (e terminal.Expr, ok bool) {
	var formats, patterns []*plan.PatternUse
	for i := range a.Flat.Patterns {
		if u := &a.Flat.Patterns[i]; u.Format && !u.Negated {
			formats = append(formats, u)
		} else {
			patterns = append(patterns, u)
		}
	}
	for _, loose := range [...]bool{false, true} {
		p := l.newProduct()
		for _, u := range formats {
			p.format(u.Text, loose)
		}
		for _, u := range patterns {
			p.pattern(l.p.PatternFor(u), u.Negated)
		}
		if len(excluded) > 0 {
			p.and(p.st.Texts(excluded, terminal.UTF8, nil), true)
		}
		if low > 0 {
			p.and(p.st.Repeat(p.st.AnyRune(terminal.UTF8), low, terminal.Unbounded), false)
		}
		switch {
		case p.table != nil:
			l.noteFormats(a, formats, loose)
			return l.asString(a, p.table, high), true
		case len(formats) == 0:
			return terminal.Empty, false
		}
	}
	for _, u := range formats {
		l.note(a, "format", diag.Wider, "the format "+schema.Quote(u.Text)+" is not enforced: together with the other "+
			"keywords of this string it has too many states; the option format: annotation says the same for all formats")
	}
	return terminal.Empty, false
}

// noteFormats notes what a table leaves out of formats, or lets in.
func (l *lowerer) noteFormats(a *plan.Alternative, formats []*plan.PatternUse, loose bool) {
	for _, u := range formats {
		switch {
		case loose:
			l.note(a, "format", diag.Wider, "the format "+schema.Quote(u.Text)+" is enforced without the bounds on the "+
				"lengths of labels: together with the other keywords of this string it has too many states")
		case l.p.PatternFor(u).HasLeapSeconds():
			l.note(a, "format", diag.Narrower, leapText)
		}
	}
}

// asString returns the texts of a table, of at most high code points, as the strings of a case.
func (l *lowerer) asString(a *plan.Alternative, t *table.Table, high uint32) terminal.Expr {
	if l.tables == nil {
		l.tables = map[*plan.Alternative]bool{}
	}
	l.tables[a] = true
	e := t.Expr(l.st, l.enc)
	if high != terminal.Unbounded {
		e = l.st.Counted(e, l.enc, 0, high)
	}
	return e
}

// product is an intersection that grows member by member. Its table is nil once it is too large.
type product struct {
	l     *lowerer
	st    *terminal.Store // for expressions that are of no use once they are in the table
	table *table.Table
}

func (l *lowerer) newProduct() product {
	p := product{l, terminal.NewStore(), table.Anything()}
	p.st.SetWork(l.p.Options.Work)
	return p
}

// and intersects with e, or with what is not in e.
func (p *product) and(e terminal.Expr, exclude bool) {
	if p.table != nil {
		p.table, _ = p.table.And(p.st, e, exclude)
	}
}

// pattern intersects with the texts of a pattern; nil is one that could not be read.
func (p *product) pattern(q *plan.Pattern, exclude bool) {
	if q == nil {
		p.table = nil
		return
	}
	e, err := regex.Lower(p.st, q.Syntax(), q.Mode(terminal.UTF8))
	if err != nil {
		p.l.fail(p.l.p.PatternError(q, err))
		p.table = nil
	}
	p.and(e, exclude)
}

// format intersects with the texts of a format, or of its loose form.
func (p *product) format(name string, loose bool) {
	t, ok := format.Table(name, loose)
	switch {
	case !ok || p.table == nil:
		p.table = nil
	case p.table == table.Anything():
		p.table = t
	default:
		p.and(t.Expr(p.st, terminal.UTF8), false)
	}
}
