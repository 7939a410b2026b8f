package relax

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Uncounted returns the state that e is when its bounds are left out: the same for every bound, so that what depends on
// the body alone is kept once. All that is left of the bounds is whether there is a minimum.
func Uncounted(st *terminal.Store, e expr.Expr) expr.Expr {
	if st.View().Node(e).Flags&expr.FHead == 0 {
		return e
	}
	bd := st.View().BoundsOf(st.View().CountHead(e))
	return rebound(st, e, expr.Bounds{Min: min(bd.Min, 1), Max: expr.Unbounded, Enc: bd.Enc})
}

// AsStar returns x* for x·x*, and other expressions as they are. Both go on with every byte alike: only one of them
// may end at once.
func AsStar(st *terminal.Store, e expr.Expr) expr.Expr {
	n := st.View().Node(e)
	if n.Kind != expr.KConcat || n.Flags&(expr.FTag|expr.FCount) != 0 {
		return e
	}
	if tail := st.View().Node(n.Tail()); tail.Kind == expr.KStar && tail.A == n.A {
		return n.Tail()
	}
	return e
}

// WithoutMinimum returns what Uncounted does for e if its minimum has been reached.
func WithoutMinimum(st *terminal.Store, e expr.Expr) expr.Expr {
	return rebound(st, e, expr.Bounds{Max: expr.Unbounded, Enc: st.View().BoundsOf(st.View().CountHead(e)).Enc})
}

// rebound returns counted state e with other bounds.
func rebound(st *terminal.Store, e expr.Expr, bd expr.Bounds) expr.Expr {
	s := st.Lock()
	defer st.Unlock()
	x := s.Intern(expr.KCount, s.CountHead(e).A, s.InternBounds(bd), 0, nil)
	if n := s.Node(e); n.Kind == expr.KConcat {
		x = s.Concat(x, n.Tail())
	}
	return x
}
