package analysis

import (
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// View reads expressions and their known lengths without a lock.
type View struct {
	expr.View
	a *Analysis
}

// View returns a view of the expressions and their known lengths.
func (s *Analysis) View() View { return View{s.Store.View(), s} }

// LengthsKnown returns the lengths of body state p if they are known and have the phase and encoding of the first ones.
// It returns nil for lengths in a further phase or encoding, and if the graph of p exceeds a limit.
func (v View) LengthsKnown(p expr.Expr, phase uint8, enc expr.Encoding) *Spectrum {
	if i := v.a.Fact(p, expr.FactLength); i != 0 {
		if sp := v.a.lengths.At(i - 1); sp.of(phase, enc) && !sp.TooHard {
			return sp
		}
	}
	return nil
}
