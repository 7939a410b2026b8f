// Package analysis decides properties of expressions that their structure alone does not show: transitions and
// emptiness (rows.go), and the numbers of code points of strings (lengths.go).
//
// Invariant: an answer is a fact about the expression; it does not depend on earlier requests. Package expr makes
// expressions. Start reading at Analysis, then rows.go.
package analysis

import (
	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Analysis finds the transitions of expressions, whether they match anything, and the lengths of their strings. One
// goroutine at a time may use it, except for View.
type Analysis struct {
	States
	lengths    arena.Table[Spectrum]
	lengthOf   expr.Dict[lengthKey, uint32] // lengths in further phases and encodings
	structures map[lengthKey]structure
}

// Init makes s an analysis of x within budgets.
func (s *Analysis) Init(x *expr.Store, b limits.Budgets) {
	s.Store, s.Budgets = x, b
}

// InitOver begins with the facts that below found about the store that x lies over.
func (s *Analysis) InitOver(x *expr.Store, below *Analysis, b limits.Budgets) {
	s.Init(x, b)
	s.States.initOver(&below.States)
	s.lengths, s.lengthOf = arena.Over(&below.lengths), expr.Over(&below.lengthOf)
}

// Size returns about how many bytes of memory its tables hold.
func (s *Analysis) Size() int {
	return s.lengths.Cap()*48 + len(s.lengthOf.Own)*2*12 + len(s.textRows.Own)*2*10 + len(s.sprawlingRows.Own)*2*40 +
		len(s.resolved.Own)*2*12
}

// known returns the kept lengths of body state p, nil if there are none.
func (s *Analysis) known(p expr.Expr, phase uint8, enc expr.Encoding) *Spectrum {
	i := s.Fact(p, expr.FactLength)
	if i == 0 {
		return nil
	}
	if sp := s.lengths.At(i - 1); sp.of(phase, enc) {
		return sp
	}
	if i, ok := s.lengthOf.Get(lengthKey{p, phase, enc}); ok {
		return s.lengths.At(i)
	}
	return nil
}

// keepSpectrum keeps the lengths of p unless exact ones are kept already, and returns the kept ones.
func (s *Analysis) keepSpectrum(p expr.Expr, sp Spectrum) *Spectrum {
	if old := s.known(p, sp.phase, sp.enc); old != nil && !old.least {
		return old
	}
	at := s.lengths.Append(sp)
	s.Extra.Add(int64(len(sp.Gaps) * 8))
	switch i := s.Fact(p, expr.FactLength); {
	case i == 0, s.lengths.At(i-1).of(sp.phase, sp.enc):
		s.SetFact(p, expr.FactLength, at+1)
	default:
		s.lengthOf.Put(lengthKey{p, sp.phase, sp.enc}, at)
	}
	return s.lengths.At(at)
}
