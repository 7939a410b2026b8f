package analysis

import (
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// open is a state of a sprawling machine, and the rest after it.
type open struct {
	M     expr.Sprawling
	State string
	Tail  expr.Expr
}

// Opened splits n, which sprawls, into states of machines and the rest of the union.
func (s *States) Opened(n *expr.Node) (parts []open, rest expr.Expr) {
	if n.Kind == expr.KOr {
		var others []expr.Expr
		for _, x := range s.List(n) {
			if y := s.Node(x); y.Kind == expr.KMachine && y.Flags&expr.FOpen != 0 {
				parts = append(parts, s.openOf(y, expr.Epsilon))
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
	return []open{s.openOf(n, tail)}, expr.Empty
}

func (s *States) openOf(n *expr.Node, tail expr.Expr) open {
	return open{s.MachineOf(n.A).(expr.Sprawling), s.Texts.At(n.B).Str, tail}
}
