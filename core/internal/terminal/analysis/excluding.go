package analysis

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// excluding returns the lengths of body state p if p is any text except fewer than manyTexts, such as an undeclared
// key, else nil. Every length from 1 on is possible (Lemma 128).
//
// PERF: undeclared keys beside 1,000 declared ones with bounds on the length: their graph has more than spectrumStates.
func (s *Analysis) excluding(p expr.Expr, phase uint8, enc expr.Encoding) *Spectrum {
	if enc == expr.UTF8|expr.ASCII || !s.anyButFew(p, phase, enc) {
		return nil
	}
	least := uint32(1)
	if s.endsWithin(spectrumKey{p, phase}, enc) {
		least = 0
	}
	return s.keepSpectrum(p, Spectrum{Min: least, Max: expr.Unbounded, phase: phase, enc: enc})
}

// anyButFew reports whether x is the rest of a code point, for a counter in phase, and then any text of enc except
// fewer than manyTexts; or a union of such expressions.
func (s *Analysis) anyButFew(x expr.Expr, phase uint8, enc expr.Encoding) bool {
	if n := s.Node(x); n.Kind == expr.KOr {
		for _, y := range s.List(n) {
			if !s.anyButFew(y, phase, enc) {
				return false
			}
		}
		return true
	}
	x, phase = s.afterCodePoint(x, phase, enc)
	text, excluded, tail, ok := s.Exclusion(x)
	if !ok || tail != expr.Epsilon {
		return false
	}
	text, phase = s.afterCodePoint(text, phase, enc)
	return phase == PhaseBetween && text == s.AnyText[enc] && s.strings(excluded) < manyTexts
}

// afterCodePoint returns x without leading parts that begin no code point, and the phase behind them.
func (s *Analysis) afterCodePoint(x expr.Expr, phase uint8, enc expr.Encoding) (expr.Expr, uint8) {
	for n := s.Node(x); n.Kind == expr.KConcat; n = s.Node(x) {
		st := s.parts(n.Head(), phase, enc)
		if !st.known || len(st.passages) != 1 || !slices.Equal(st.passages[0].lengths, lengthSet{{0, 0}}) {
			break
		}
		x, phase = n.Tail(), st.passages[0].to
	}
	return x, phase
}

// endsWithin reports whether bytes that begin no code point complete the state k.
func (s *Analysis) endsWithin(k spectrumKey, enc expr.Encoding) bool {
	seen := map[spectrumKey]bool{k: true}
	for left := []spectrumKey{k}; len(left) > 0; {
		k = left[len(left)-1]
		left = left[:len(left)-1]
		if k.phase == PhaseBetween && s.Nullable(k.p) {
			return true
		}
		s.eachEdge(k, enc, func(to spectrumKey, begins bool) {
			if !begins && !seen[to] {
				seen[to] = true
				left = append(left, to)
			}
		})
	}
	return false
}
