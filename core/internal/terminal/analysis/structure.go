package analysis

import (
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// The lengths of an expression without And and Not follow from its parts: sums for a sequence, the union for a union
// (Lemma 122). Nothing is searched.
//
// PERF: ^.{5,60} .{5,60}$ with maxLength 100 had no lengths, and was refused in the middle of an output.

// structural returns the lengths of body state p if its structure shows them, else nil.
func (s *Analysis) structural(p expr.Expr, phase uint8, enc expr.Encoding) *Spectrum {
	n := s.Node(p)
	if n.Flags&(expr.FBoolean|expr.FCount|expr.FSprawls) != 0 {
		return nil
	}
	if n.Kind == expr.KMachine {
		if m, ok := s.MachineOf(n.A).(expr.Measured); ok {
			least := m.Least(s.Texts.At(n.B).Str)
			return s.keepSpectrum(p, Spectrum{Min: least, Max: expr.Unbounded, least: true, phase: phase, enc: enc})
		}
	}
	st := s.parts(p, phase, enc)
	if !st.known {
		return nil
	}
	var l lengthSet
	for _, q := range st.passages {
		if q.to == PhaseBetween {
			l = q.lengths
		}
	}
	return s.keepSpectrum(p, l.spectrum(phase, enc))
}

// parts returns the structure of e for a counter in phase, and keeps it. Its recursion is as deep as the expression.
func (s *Analysis) parts(e expr.Expr, phase uint8, enc expr.Encoding) structure {
	key := lengthKey{e, phase, enc}
	st, ok := s.structures[key]
	if !ok {
		st = s.findParts(e, phase, enc)
		s.Work.Spend(structureWork)
		remember(s.Store, &s.structures, key, st)
	}
	return st
}

// structureWork is the cost of the parts of a node in a compilation's budget.
const structureWork = 10

func (s *Analysis) findParts(e expr.Expr, phase uint8, enc expr.Encoding) structure {
	n := s.Node(e)
	switch n.Kind {
	case expr.KEmpty:
		return structure{known: true}
	case expr.KEps, expr.KTag:
		return structure{passages: []passage{{phase, lengthSet{{0, 0}}}}, known: true}
	case expr.KBytes:
		return partsOfBytes(s.Sets.At(n.A), phase, enc)
	case expr.KText:
		t := s.Texts.At(n.A).Str[n.B:]
		for len(t) > 0 && !utf8.RuneStart(t[0]) {
			t = t[1:]
		}
		count := uint32(utf8.RuneCountInString(t))
		return structure{[]passage{{phase, lengthSet{{count, count}}}}, phase == PhaseBetween}
	case expr.KConcat, expr.KSpelled:
		return s.partsOfSequence(n, phase, enc)
	case expr.KOr:
		out := structure{known: true}
		for _, x := range s.List(n) {
			out.add(s.parts(x, phase, enc), lengthSet{{0, 0}})
		}
		return out
	case expr.KStar:
		return s.partsOfRounds(n.Body(), 0, expr.Unbounded, phase, enc)
	case expr.KRepeat:
		return s.partsOfRounds(n.Body(), n.B, n.C, phase, enc)
	}
	return structure{}
}

func (s *Analysis) partsOfSequence(n *expr.Node, phase uint8, enc expr.Encoding) structure {
	first := s.parts(n.Head(), phase, enc)
	out := structure{known: first.known}
	for _, p := range first.passages {
		out.add(s.parts(n.Tail(), p.to, enc), p.lengths)
	}
	return out
}

// partsOfRounds returns the structure of low to high rounds of body. It is unknown unless body keeps the phase.
func (s *Analysis) partsOfRounds(
	body expr.Expr, low, high uint32, phase uint8, enc expr.Encoding,
) structure {
	st := s.parts(body, phase, enc)
	if !st.known || len(st.passages) != 1 || st.passages[0].to != phase {
		return structure{}
	}
	l, ok := st.passages[0].lengths.times(low, high)
	return structure{[]passage{{phase, l}}, ok}
}
