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
	var formats []*plan.PatternUse
	rest := newProduct(l)
	for i := range a.Flat.Patterns {
		u := &a.Flat.Patterns[i]
		if u.Format && !u.Negated {
			formats = append(formats, u)
			continue
		}
		rest.pattern(l.p.PatternFor(u), u.Negated)
	}
	rest.exclude(excluded)
	if low > 0 {
		rest.longer(low)
	}
	for _, loose := range [...]bool{false, true} {
		t := rest
		for _, u := range formats {
			t.format(u.Text, loose)
		}
		if t.failed {
			if len(formats) == 0 {
				break
			}
			continue
		}
		for _, u := range formats {
			switch q := l.p.PatternFor(u); {
			case loose:
				l.note(a, "format", diag.Wider, "the format "+schema.Quote(u.Text)+" is enforced without the bounds on "+
					"the lengths of labels: together with the other keywords of this string it has too many states")
			case q.HasLeapSeconds():
				l.note(a, "format", diag.Narrower, leapText)
			}
		}
		e := t.table.Expr(l.st, l.enc)
		if high != terminal.Unbounded {
			e = l.st.Counted(e, l.enc, 0, high)
		}
		if l.tables == nil {
			l.tables = map[*plan.Alternative]bool{}
		}
		l.tables[a] = true
		return e, true
	}
	for _, u := range formats {
		l.note(a, "format", diag.Wider, "the format "+schema.Quote(u.Text)+" is not enforced: together with the other "+
			"keywords of this string it has too many states; the option format: annotation says the same for all formats")
	}
	return terminal.Empty, false
}

// product is an intersection of tables that grows member by member, until one is too large.
type product struct {
	l      *lowerer
	table  *table.Table // nil: all texts
	failed bool
}

func newProduct(l *lowerer) product { return product{l: l} }

// add intersects with t, or with its complement.
func (p *product) add(t *table.Table, ok, negated bool) {
	switch {
	case p.failed:
		return
	case p.table == nil && negated:
		p.longer(0)
		p.add(t, ok, true)
		return
	case ok && p.table == nil:
		p.table = t
	case ok && negated:
		p.table, ok = table.Without(p.table, t)
	case ok:
		p.table, ok = table.Both(p.table, t)
	}
	if p.failed = !ok; ok {
		p.l.p.Options.Work.Spend(p.table.Work)
	}
}

// pattern intersects with the texts of a pattern, nil: of none.
func (p *product) pattern(q *plan.Pattern, negated bool) {
	if p.failed || q == nil {
		p.failed = true
		return
	}
	st := terminal.NewStore()
	st.SetWork(p.l.p.Options.Work)
	e, err := regex.Lower(st, q.Syntax(), q.Mode(terminal.UTF8))
	if err != nil {
		p.l.fail(p.l.p.PatternError(q, err))
		p.failed = true
		return
	}
	t, ok := table.Of(st, e)
	p.add(t, ok, negated)
}

// format intersects with the texts of a format, with or without the bounds on its repetitions.
func (p *product) format(name string, loose bool) {
	if !p.failed {
		t, ok := format.Table(name, loose)
		p.add(t, ok, false)
	}
}

// exclude takes texts out.
func (p *product) exclude(texts []string) {
	if len(texts) > 0 && !p.failed {
		st := terminal.NewStore()
		t, ok := table.Of(st, st.Texts(texts, terminal.UTF8, nil))
		p.add(t, ok, true)
	}
}

// longer takes out the texts of fewer than n code points.
func (p *product) longer(n uint32) {
	if !p.failed {
		t, ok := table.Longer(n)
		p.add(t, ok, false)
	}
}
