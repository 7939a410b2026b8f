package analysis

import (
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// View reads expressions, and what has been found out of their lengths. It takes no lock.
type View struct {
	expr.View
	a *Analysis
}

// View returns a view of the expressions and what is known of them.
func (s *Analysis) View() View { return View{s.Store.View(), s} }

// LengthsKnown returns the lengths of body state p that are kept, nil if there are none or the graph of p exceeds a
// limit. It takes no lock.
func (v View) LengthsKnown(p expr.Expr, phase uint8, enc expr.Encoding) *Spectrum {
	if i := v.a.Fact(p, expr.FactLength); i != 0 {
		if sp := v.a.lengths.At(i - 1); sp.of(phase, enc) && !sp.TooHard {
			return sp
		}
	}
	return nil
}
