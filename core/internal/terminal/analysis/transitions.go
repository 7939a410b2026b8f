package analysis

import (
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Transitions holds the transitions of one state, for walks that use many of them. Immutable.
//
// PERF: a search along thousands of states spent half its time finding their rows again for each byte.
type Transitions struct {
	Alive   *expr.ByteSet // no other byte has a transition
	classes *[256]uint8
	targets []expr.Expr
	single  expr.Expr // without classes: the target of every live byte
}

// TransitionsFrom returns the transitions of e, whose live bytes are alive. It takes no lock.
func (s *States) TransitionsFrom(e expr.Expr, alive *expr.ByteSet) Transitions {
	if r := s.Fact(e, expr.FactRow); r != 0 {
		rw := s.Rows.At(r)
		return Transitions{alive, s.ClassMaps.At(rw.Classes), s.Targets.Slice(rw.Targets, int(rw.N)), 0}
	}
	t := Transitions{Alive: alive}
	if b := alive.Next(0); b < 256 {
		var known bool
		if t.single, known = s.Direct(s.Node(e), byte(b)); !known {
			t.single = expr.Unresolved
		}
	}
	return t
}

// To returns the state after live byte b, and false if the caller has to call Delta.
func (t *Transitions) To(b byte) (expr.Expr, bool) {
	x := t.single
	if t.classes != nil {
		x = t.targets[t.classes[b]]
	}
	return x, x != expr.Unresolved
}

// Classes returns the number of classes of bytes, the class of dead bytes included.
func (t *Transitions) Classes() int {
	if t.classes == nil {
		return 2
	}
	return len(t.targets)
}

// Class returns the class of byte b. Bytes of one class have the same target if To knows it.
func (t *Transitions) Class(b byte) uint32 {
	if t.classes != nil {
		return uint32(t.classes[b])
	}
	return uint32(t.Alive[b>>6] >> (b & 63) & 1)
}

// eachByte calls f with each live byte of e and the state after it, while f returns true.
func (s *States) eachByte(e expr.Expr, f func(b byte, t expr.Expr) bool) {
	row := s.TransitionsFrom(e, s.AliveIn(e))
	for b := row.Alive.Next(0); b < 256; b = row.Alive.Next(b + 1) {
		t, known := row.To(byte(b))
		if !known {
			t = s.Delta(e, byte(b))
		}
		if !f(byte(b), t) {
			return
		}
	}
}

// exploreWork is the cost of a state of a graph in the budget of a compilation, besides its edges and its row.
const exploreWork = 20

// eachEdge calls f with each state after one byte from k, and whether the byte begins a code point. It may repeat a
// state. It reports false if a transition is too hard.
func (s *States) eachEdge(k spectrumKey, enc expr.Encoding, f func(to spectrumKey, begins bool)) (whole bool) {
	var last spectrumKey
	whole = true
	s.eachByte(k.p, func(b byte, t expr.Expr) bool {
		ph, begins := Advance(enc, k.phase, b)
		to := spectrumKey{t, ph}
		whole = t != expr.TooHard
		if whole && t != expr.Empty && (to != last || b == 0x80 || b == 0xC0) {
			last = to
			f(to, begins)
		}
		return whole
	})
	s.Work.Spend(exploreWork + s.AliveIn(k.p).Len()) // besides the row
	return whole
}
