package relax

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Uncounted returns state e without its bounds, so that states with different bounds share the result. A minimum above
// 1 becomes 1.
func Uncounted(st *terminal.Store, e expr.Expr) expr.Expr {
	if st.View().Node(e).Flags&expr.FHead == 0 {
		return e
	}
	bd := st.View().BoundsOf(st.View().CountHead(e))
	return rebound(st, e, expr.Bounds{Min: min(bd.Min, 1), Max: expr.Unbounded, Enc: bd.Enc})
}

// AsStar returns x* for x·x*, and other expressions unchanged. Both have the same transitions; they differ in whether
// they accept the empty string.
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

// WithoutMinimum is Uncounted for a counted state e that has reached its minimum.
func WithoutMinimum(st *terminal.Store, e expr.Expr) expr.Expr {
	return rebound(st, e, expr.Bounds{Max: expr.Unbounded, Enc: st.View().BoundsOf(st.View().CountHead(e)).Enc})
}

// rebound returns counted state e with bounds bd.
func rebound(st *terminal.Store, e expr.Expr, bd expr.Bounds) expr.Expr {
	s := st.Lock()
	defer st.Unlock()
	x := s.Intern(expr.KCount, s.CountHead(e).A, s.InternBounds(bd), 0, nil)
	if n := s.Node(e); n.Kind == expr.KConcat {
		x = s.Concat(x, n.Tail())
	}
	return x
}
