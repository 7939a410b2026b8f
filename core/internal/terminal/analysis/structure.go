package analysis

import (
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// The lengths of an expression without intersections and complements follow from those of its parts: of a sequence they
// are the sums, of a union the union. Nothing is searched.
//
// Lemma: let parts(e, p) be the pairs (q, n) such that some string of e leads a counter from phase p to phase q and
// begins n code points on the way. Strings of the parts of a sequence, and the rounds of a repetition, are chosen
// independently of each other, so parts(xy, p) is the set of (r, m+n) with (q, m) in parts(x, p) and (r, n) in
// parts(y, q). parts(x|y, p) is the union of both. ∎
//
// PERF: ^.{5,60} .{5,60}$ with maxLength 100 had no lengths and was refused in the middle of an output.

// passage is what the strings of an expression do to a counter that stands in some phase: they lead it to phase to, and
// begin any number of lengths of code points on the way.
type passage struct {
	to      uint8
	lengths lengthSet
}

// structure is what parts finds of an expression for one phase.
type structure struct {
	passages []passage
	known    bool // false: it has parts whose lengths do not add up, or too many lengths
}

// structural returns the lengths of body state p if its structure tells them, nil if it does not.
func (s *Analysis) structural(p expr.Expr, phase uint8, enc expr.Encoding) *Spectrum {
	n := s.Node(p)
	if n.Flags&(expr.FBoolean|expr.FCount|expr.FOpen) != 0 {
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

// parts returns the structure of e for a counter in phase. It is kept, so a state that shares parts with others costs
// little. Recursion is as deep as the expression.
func (s *Analysis) parts(e expr.Expr, phase uint8, enc expr.Encoding) structure {
	key := lengthKey{e, phase, enc}
	st, ok := s.structures[key]
	if !ok {
		st = s.findParts(e, phase, enc)
		s.Work.Spend(structureWork)
		remember(s, &s.structures, key, st)
	}
	return st
}

// structureWork is what finding the parts of a node counts for in the budget of a compilation.
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

// add adds the passages of another structure, each length increased by those of first.
func (st *structure) add(x structure, first lengthSet) {
	if st.known = st.known && x.known; !st.known {
		return
	}
next:
	for _, p := range x.passages {
		l, ok := first.plus(p.lengths)
		for i := range st.passages {
			if q := &st.passages[i]; ok && q.to == p.to {
				q.lengths, ok = q.lengths.or(l)
				st.known = st.known && ok
				continue next
			}
		}
		st.passages, st.known = append(st.passages, passage{p.to, l}), st.known && ok
	}
}

func partsOfBytes(set *expr.ByteSet, phase uint8, enc expr.Encoding) structure {
	var begun [1 << phaseBits][2]bool
	for b := set.Next(0); b < 256; b = set.Next(b + 1) {
		to, begins := Advance(enc, phase, byte(b))
		n := 0
		if begins {
			n = 1
		}
		begun[to][n] = true
	}
	st := structure{known: true}
	for to, n := range begun {
		var l lengthSet
		switch n {
		case [2]bool{true, false}:
			l = lengthSet{{0, 0}}
		case [2]bool{false, true}:
			l = lengthSet{{1, 1}}
		case [2]bool{true, true}:
			l = lengthSet{{0, 1}}
		default:
			continue
		}
		st.passages = append(st.passages, passage{uint8(to), l})
	}
	return st
}

func (s *Analysis) partsOfSequence(n *expr.Node, phase uint8, enc expr.Encoding) structure {
	first := s.parts(n.Head(), phase, enc)
	out := structure{known: first.known}
	for _, p := range first.passages {
		out.add(s.parts(n.Tail(), p.to, enc), p.lengths)
	}
	return out
}

// partsOfRounds returns the structure of low to high rounds of body, which has to be made of whole code points.
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
