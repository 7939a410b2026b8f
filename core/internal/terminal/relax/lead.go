package relax

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Lead splits x into at most most bytes of a set, possibly none, and a rest that is not empty and does not begin with a
// byte of the set, such as whitespace before a token. ok is false for other x.
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

// gapNodes bounds the expressions that Gap looks at. Whitespace of serializers has a dozen nodes.
const gapNodes = 64

var whitespace = expr.BytesOf(" \t\n\r")

// Gap is Lead for whitespace that is no repetition of a set. gap is an expression of whitespace that contains a choice
// and may be empty; its transitions are cheap. rest is not empty and does not begin with whitespace.
func Gap(st *terminal.Store, x expr.Expr) (gap, rest expr.Expr, ok bool) {
	v := st.View()
	parts, rest, ok := splitGap(st, x)
	if !ok || v.Nullable(rest) || v.Maybe(rest) || st.Alive(rest).Intersects(&whitespace) {
		return 0, 0, false
	}
	gap = st.Concat(parts...)
	return gap, rest, v.Nullable(gap)
}

// splitGap splits whitespace off the beginning of x. choice reports whether it contains a choice.
func splitGap(st *terminal.Store, x expr.Expr) (parts []expr.Expr, rest expr.Expr, choice bool) {
	v := st.View()
	rest = x
	for left := gapNodes; ; {
		n := v.Node(rest)
		if n.Kind != expr.KConcat || !isGap(st, n.Head(), &left) {
			return parts, rest, choice
		}
		choice = choice || v.Node(n.Head()).Kind == expr.KOr
		parts, rest = append(parts, n.Head()), n.Tail()
	}
}

// IsWhitespace reports whether b is whitespace of JSON.
func IsWhitespace(b byte) bool { return whitespace.Has(b) }

// isGap reports whether the structure of x shows that it consists of whitespace. left bounds the expressions that it
// looks at.
func isGap(st *terminal.Store, x expr.Expr, left *int) bool {
	if *left--; *left < 0 {
		return false
	}
	v := st.View()
	switch n := v.Node(x); n.Kind {
	case expr.KEps:
		return true
	case expr.KBytes:
		return whitespace.Contains(v.SetOf(n))
	case expr.KRepeat, expr.KStar:
		return isGap(st, n.Body(), left)
	case expr.KConcat, expr.KSpelled:
		return isGap(st, n.Head(), left) && isGap(st, n.Tail(), left)
	case expr.KOr:
		for _, y := range v.List(n) {
			if !isGap(st, y, left) {
				return false
			}
		}
		return true
	}
	return false
}

// Triggers returns the patterns that may end free text e, nil if e is anything else or within a pattern.
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

// EndsInScan reports whether e ends in free text.
func EndsInScan(st *terminal.Store, e expr.Expr) bool {
	return st.View().Node(st.View().LastPart(e)).Kind == expr.KScan
}
