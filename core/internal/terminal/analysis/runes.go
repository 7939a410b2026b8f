package analysis

import (
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// SingleRunes reports whether every string of x is one code point of enc.
func (s *States) SingleRunes(x expr.Expr, enc expr.Encoding) bool {
	n := s.Node(x)
	if s.isAnyRune(x, enc) || n.Kind == expr.KBytes {
		return n.Subset>>enc&1 != 0
	}
	if n.Subset>>enc&1 == 0 || n.Kind != expr.KOr || n.Flags&(expr.FBoolean|expr.FCount) != 0 {
		return false
	}
	return s.endsAfterOne(x, enc)
}

// singleStates bounds the states that endsAfterOne visits. Sets of code points in patterns take some dozens.
const singleStates = 1000

// endsAfterOne reports whether every string of x, which consists of whole code points, has exactly one.
func (s *States) endsAfterOne(x expr.Expr, enc expr.Encoding) bool {
	type within struct {
		spectrumKey
		begun bool
	}
	if s.Nullable(x) {
		return false
	}
	first := within{spectrumKey{x, PhaseBetween}, false}
	seen := map[within]bool{first: true}
	for left := []within{first}; len(left) > 0; {
		k := left[len(left)-1]
		left = left[:len(left)-1]
		one := true
		s.eachByte(k.p, func(b byte, t expr.Expr) bool {
			if t == expr.Empty {
				return true
			}
			phase, begins := Advance(enc, k.phase, b)
			one = t != expr.TooHard && (!begins || !k.begun) && len(seen) <= singleStates
			if next := (within{spectrumKey{t, phase}, k.begun || begins}); one && !seen[next] {
				seen[next] = true
				left = append(left, next)
			}
			return one
		})
		if !one {
			return false
		}
	}
	return true
}

// isAnyRune reports whether x is any code point of enc, or any with a spelling in ASCII.
func (s *States) isAnyRune(x expr.Expr, enc expr.Encoding) bool {
	return x == s.AnyRune[enc] || x == s.AnyRune[enc|expr.ASCII]
}
