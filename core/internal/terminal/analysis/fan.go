package analysis

import (
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// fan holds the transitions of one state, for searches that use all of them.
//
// PERF: a search along thousands of states spent half its time finding their rows again for each byte.
type fan struct {
	s       *States
	e       expr.Expr
	alive   *expr.ByteSet // no other byte has a transition
	classes *[256]uint8
	targets []expr.Expr
	single  expr.Expr // the target of all if there are no classes
}

// fanOf returns the transitions of e.
func (s *States) fanOf(e expr.Expr) fan {
	f := fan{s: s, e: e}
	r := s.Fact(e, expr.FactRow)
	if r == 0 {
		if f.alive = s.aliveAtOnce(e); f.alive != nil {
			if b := f.alive.Next(0); b < 256 {
				f.single = s.Delta(e, byte(b))
			}
			return f
		}
		r = s.fillRow(e)
	}
	rw := s.Rows.At(r)
	f.alive, f.classes = s.Sets.At(rw.Alive), s.ClassMaps.At(rw.Classes)
	f.targets = s.Targets.Slice(rw.Targets, int(rw.N))
	return f
}

// aliveAtOnce returns the bytes with a transition from e if Delta needs no row for it, else nil.
func (s *States) aliveAtOnce(e expr.Expr) *expr.ByteSet {
	if n := s.Node(e); n.Kind == expr.KConcat {
		if m := s.Node(n.Head()); m.Kind == expr.KSpelled {
			return s.Sets.At(s.Node(m.Head()).A)
		}
	}
	return s.AliveKnown(e)
}

// to returns the target of live byte b.
func (f *fan) to(b byte) expr.Expr {
	if f.classes == nil {
		return f.single
	}
	if t := f.targets[f.classes[b]]; t != expr.Unresolved {
		return t
	}
	return f.s.resolve(f.e, b)
}

// exploreWork is the cost of a state of a graph in the budget of a compilation, besides its edges and its row.
const exploreWork = 20

// eachEdge calls f with each state after one byte from k, at least once, and whether the byte begins a code point. It
// reports false if a transition is too hard.
func (s *States) eachEdge(k spectrumKey, enc expr.Encoding, f func(to spectrumKey, begins bool)) bool {
	var last expr.Expr
	var lastPhase uint8
	row := s.fanOf(k.p)
	for b := row.alive.Next(0); b < 256; b = row.alive.Next(b + 1) {
		t := row.to(byte(b))
		if t == expr.TooHard {
			return false
		}
		ph, begins := Advance(enc, k.phase, byte(b))
		if t == expr.Empty || t == last && ph == lastPhase && b != 0x80 && b != 0xC0 {
			continue
		}
		last, lastPhase = t, ph
		f(spectrumKey{t, ph}, begins)
	}
	s.Work.Spend(exploreWork + row.alive.Len()) // besides the row
	return true
}
