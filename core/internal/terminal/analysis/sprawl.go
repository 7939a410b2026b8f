package analysis

import (
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// sprawl is a state of a sprawling machine, and the rest after it.
type sprawl struct {
	M     expr.Sprawling
	State string
	Tail  expr.Expr
}

// SprawlParts splits n, which sprawls, into states of machines and the rest of the union.
func (s *States) SprawlParts(n *expr.Node) (parts []sprawl, rest expr.Expr) {
	if n.Kind == expr.KOr {
		var others []expr.Expr
		for _, x := range s.List(n) {
			if y := s.Node(x); y.Kind == expr.KMachine && y.Flags&expr.FSprawls != 0 {
				parts = append(parts, s.sprawlOf(y, expr.Epsilon))
			} else {
				others = append(others, x)
			}
		}
		return parts, s.Or(others...)
	}
	tail := expr.Epsilon
	if n.Kind == expr.KConcat {
		tail = n.Tail()
		n = s.Node(n.Head())
	}
	return []sprawl{s.sprawlOf(n, tail)}, expr.Empty
}

func (s *States) sprawlOf(n *expr.Node, tail expr.Expr) sprawl {
	return sprawl{s.MachineOf(n.A).(expr.Sprawling), s.Texts.At(n.B).Str, tail}
}
