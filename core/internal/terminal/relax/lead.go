package relax

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// gapNodes bounds the expressions that Gap looks at. Whitespace of serializers has a dozen nodes.
const gapNodes = 64

var whitespace = expr.BytesOf(" \t\n\r")

// Gap splits x into whitespace that may be empty, and a rest that is not empty and does not begin with whitespace. most
// is the length of the longest token. Gap drops upper bounds from most on, so that states with different ones share a
// gap. ok is false for other x.
func Gap(st *terminal.Store, x expr.Expr, most uint32) (gap, rest expr.Expr, ok bool) {
	v := st.View()
	var room [4]expr.Expr
	parts, rest := splitGap(st, x, most, room[:0])
	if len(parts) == 0 || v.Maybe(rest) || st.Alive(rest).Intersects(&whitespace) {
		return 0, 0, false
	}
	gap = st.Concat(parts...)
	return gap, rest, v.Nullable(gap)
}

// splitGap splits whitespace off the beginning of x.
func splitGap(st *terminal.Store, x expr.Expr, most uint32, parts []expr.Expr) ([]expr.Expr, expr.Expr) {
	v := st.View()
	for left := gapNodes; ; {
		n := v.Node(x)
		if n.Kind != expr.KConcat || !isGap(st, n.Head(), &left) {
			return parts, x
		}
		head := n.Head()
		if run := v.Node(head); run.Kind == expr.KRepeat && run.B == 0 && run.C >= most {
			head = st.Star(run.Body())
		}
		parts, x = append(parts, head), n.Tail()
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
