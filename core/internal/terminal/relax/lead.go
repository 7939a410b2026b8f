package relax

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Lead takes x apart into at most `most` bytes of a set, none at all included, and a rest that is not empty and does
// not begin with a byte of the set: whitespace before a token, above all. ok is false if x is not so.
func Lead(st *terminal.Store, x expr.Expr) (set expr.ByteSet, most uint32, rest expr.Expr, ok bool) {
	n := st.View().Node(x)
	if n.Kind != expr.KConcat {
		return
	}
	run := st.View().Node(n.Head())
	switch {
	case run.Kind == expr.KRepeat && run.B == 0:
		most = run.C
	case run.Kind == expr.KStar:
		most = expr.Unbounded
	default:
		return
	}
	body := st.View().Node(run.Body())
	rest = n.Tail()
	if body.Kind != expr.KBytes || st.View().Nullable(rest) || st.View().Maybe(rest) {
		return
	}
	set = *st.View().SetOf(body)
	if set.Intersects(st.Alive(rest)) {
		return
	}
	return set, most, rest, true
}

// AfterText returns what is left of x when the text is taken off that all its strings begin with, as far as x shows it;
// Epsilon where nothing is left that a choice could be in. It costs next to nothing, and makes no transitions.
func AfterText(st *terminal.Store, x expr.Expr) expr.Expr {
	v := st.View()
	for {
		n := v.Node(x)
		head, tail := n, expr.Epsilon
		if n.Kind == expr.KConcat {
			head, tail = v.Node(n.Head()), n.Tail()
		}
		switch {
		case n.Kind == expr.KEps || n.Kind == expr.KTag:
			return expr.Epsilon
		case head.Kind == expr.KText:
		case head.Kind == expr.KBytes && v.SetOf(head).Len() == 1:
		default:
			return x
		}
		x = tail
	}
}

// Triggers returns the texts of the patterns that free text e may be ended by, nil if e is anything else or some
// pattern has begun.
func Triggers(st *terminal.Store, e expr.Expr) []string {
	n := st.View().Node(e)
	if n.Kind != expr.KScan || n.B != 0 {
		return nil
	}
	var out []string
	for _, p := range st.View().PatternsOf(n) {
		if !p.Kill {
			out = append(out, p.Text)
		}
	}
	return out
}

// EndsInScan reports whether e is free text, or ends in it.
func EndsInScan(st *terminal.Store, e expr.Expr) bool {
	return st.View().Node(st.View().LastPart(e)).Kind == expr.KScan
}
