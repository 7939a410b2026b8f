package analysis

import (
	"slices"
	"unicode/utf8"

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
	if s.SeveralRunes(x, enc) {
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
		f := s.fanOf(k.p)
		for b := f.alive.Next(0); b < 256; b = f.alive.Next(b + 1) {
			t := f.to(byte(b))
			if t == expr.Empty {
				continue
			}
			phase, begins := Advance(enc, k.phase, byte(b))
			if t == expr.TooHard || begins && k.begun || len(seen) > singleStates {
				return false
			}
			if next := (within{spectrumKey{t, phase}, k.begun || begins}); !seen[next] {
				seen[next] = true
				left = append(left, next)
			}
		}
	}
	return true
}

// isAnyRune reports whether x is any code point of enc, or any with a spelling in ASCII.
func (s *States) isAnyRune(x expr.Expr, enc expr.Encoding) bool {
	return x == s.AnyRune[enc] || x == s.AnyRune[enc|expr.ASCII]
}

// severalLooks bounds the parts that SeveralRunes looks at.
const severalLooks = 200

// SeveralRunes reports whether the structure of x shows a string with two code points of enc or more. It saves walks
// through tries of keys.
func (s *States) SeveralRunes(x expr.Expr, enc expr.Encoding) bool {
	looks := severalLooks
	return s.severalRunes(x, enc, &looks)
}

func (s *States) severalRunes(x expr.Expr, enc expr.Encoding, looks *int) bool {
	n := s.Node(x)
	if *looks--; *looks < 0 || n.Subset>>enc&1 == 0 || n.Flags&(expr.FBoolean|expr.FCount) != 0 {
		return false
	}
	switch n.Kind {
	case expr.KText:
		return utf8.RuneCountInString(s.Texts.At(n.A).Str[n.B:]) > 1
	case expr.KConcat:
		a, b := n.Head(), n.Tail()
		if s.Node(a).Subset&s.Node(b).Subset>>enc&1 == 0 {
			return false // an escape: its parts are no code points
		}
		return s.someRune(a, enc, looks) && s.someRune(b, enc, looks) ||
			s.severalRunes(a, enc, looks) || s.severalRunes(b, enc, looks)
	case expr.KOr:
		return slices.ContainsFunc(s.List(n), func(y expr.Expr) bool { return s.severalRunes(y, enc, looks) })
	case expr.KStar:
		return s.someRune(n.Body(), enc, looks)
	}
	return false
}

// someRune reports whether the structure of x shows that it consists of whole code points and has a non-empty string.
func (s *States) someRune(x expr.Expr, enc expr.Encoding, looks *int) bool {
	n := s.Node(x)
	if *looks--; *looks < 0 || n.Subset>>enc&1 == 0 {
		return false
	}
	switch n.Kind {
	case expr.KText, expr.KBytes:
		return true
	case expr.KConcat:
		return true
	case expr.KOr:
		return slices.ContainsFunc(s.List(n), func(y expr.Expr) bool { return s.someRune(y, enc, looks) })
	case expr.KStar:
		return s.someRune(n.Body(), enc, looks)
	}
	return false
}
