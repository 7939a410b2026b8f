package terminal

import "github.com/sluice-engine/sluice/core/internal/terminal/expr"

const (
	// minLoop is the least number of looping ASCII bytes of a Loop.
	minLoop = 10
	// loopPlaces bounds the states within code points that loopingLeads visits. "Any text" has eight, "any text without
	// some spaces" a dozen. A class of letters exceeds the bound, but few first bytes would be in its Leads anyway.
	loopPlaces = 48
)

// Loop returns the loop of state e. It is the zero Loop if fewer than minLoop ASCII bytes loop. It takes no lock once
// the loop is known.
func (s *Store) Loop(e Expr) *Loop {
	if i := s.x.Fact(e, expr.FactLoop); i != 0 {
		return s.loops.At(i - 1)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.x.Fact(e, expr.FactLoop); i != 0 {
		return s.loops.At(i - 1)
	}
	if s.loops.Len() == 0 {
		s.loops.Append(Loop{})
	}
	l := s.findLoop(e)
	at := uint32(0)
	if l != (Loop{}) {
		at = s.loops.Append(l)
	}
	s.x.SetFact(e, expr.FactLoop, at+1)
	return s.loops.At(at)
}

func (s *Store) findLoop(e Expr) Loop {
	var l Loop
	n := s.x.Node(e)
	if _, simple := s.x.Direct(n, 0); simple {
		return l // a set of bytes: no byte leads back to it
	}
	if s.x.Sprawls(n) {
		return l // a sprawling machine's state: no byte leads back to it
	}
	if n.Subset&expr.ExtentFinite != 0 && n.Flags&expr.FCount == 0 {
		return l
	}
	if n.Kind == expr.KConcat {
		if head := s.x.Node(n.Head()); head.Kind == expr.KText && n.Flags&expr.FBoolean == 0 {
			return l
		}
	}
	k := 0
	for b := 0; b < 128; b++ {
		if s.a.Delta(e, byte(b)) == e {
			l.ASCII[b>>6] |= 1 << (b & 63)
			k++
		}
	}
	if k < minLoop {
		return Loop{}
	}
	l.Leads = s.loopingLeads(e)
	return l
}

// loopingLeads walks the product of e and the UTF-8 automaton through the code points above ASCII.
func (s *Store) loopingLeads(e Expr) (leads uint64) {
	type place struct {
		e  Expr
		u8 uint32
	}
	known := map[place]bool{}
	to := func(at place, b byte) place { return place{s.a.Delta(at.e, b), expr.UTF8Step(at.u8, b)} }
	var returns func(at place) bool
	// returns reports whether at is e, or every byte from it leads to a place that returns.
	returns = func(at place) bool {
		if at.e == Empty || at.u8 == expr.U8Between {
			return at.e == e
		}
		all, ok := known[at]
		if ok || len(known) == loopPlaces {
			return all
		}
		all = true
		// Most bytes lead to the same place as the byte before. No byte leads to at itself, so at stands for none.
		last := at
		for b := byte(0x80); b < 0xC0 && all; b++ {
			if next := to(at, b); next.u8 != expr.U8Bad && next != last {
				all, last = returns(next), next
			}
		}
		known[at] = all
		return all
	}
	for b := 0xC2; b <= 0xF4; b++ {
		if returns(to(place{e, expr.U8Between}, byte(b))) {
			leads |= 1 << (b - 0xC0)
		}
	}
	return leads
}
