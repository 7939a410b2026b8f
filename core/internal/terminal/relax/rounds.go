package relax

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// roundsDepth bounds how deep Rounds looks into an expression.
const roundsDepth = 8

// Rounds returns the repetition with the greatest bound that e may begin with: its body and the bound. ok is false if
// there is none, or if e contains an intersection, a complement or a counter. By Lemma 170, e goes on with any text of
// at most that many code points, each of which is a string of body.
func Rounds(st *terminal.Store, e expr.Expr) (body expr.Expr, most uint32, ok bool) {
	v := st.View()
	const refused = expr.FBoolean | expr.FCount
	if flags := v.Node(e).Flags; flags&expr.FRepeat == 0 || flags&refused != 0 {
		return expr.Empty, 0, false
	}
	var visit func(e expr.Expr, depth int)
	visit = func(e expr.Expr, depth int) {
		n := v.Node(e)
		if depth == 0 || n.Flags&expr.FRepeat == 0 {
			return
		}
		switch n.Kind {
		case expr.KConcat:
			if visit(n.Head(), depth-1); v.Nullable(n.Head()) {
				visit(n.Tail(), depth-1)
			}
		case expr.KOr:
			for _, x := range v.List(n) {
				visit(x, depth-1)
			}
		case expr.KRepeat:
			if n.C != expr.Unbounded && n.C > most {
				body, most, ok = n.Body(), n.C, true
			}
		}
	}
	visit(e, roundsDepth)
	return body, most, ok
}
