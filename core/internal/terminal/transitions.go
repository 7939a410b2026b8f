package terminal

import (
	"github.com/sluice-engine/sluice/core/internal/terminal/analysis"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Transitions returns the transitions of e. plain reports that no counter changes along them.
func (s *Store) Transitions(e Expr) (t analysis.Transitions, plain bool) {
	return s.a.TransitionsFrom(e, s.Alive(e)), s.x.Node(e).Flags&expr.FCount == 0
}

// Delta returns the state after byte b, Empty if there is none, TooHard if it exceeds a limit. It takes no
// lock once the transition is known, unless the rows of e leave it unresolved.
func (s *Store) Delta(e Expr, b byte) Expr {
	if r := s.x.Fact(e, expr.FactRow); r != 0 {
		if t := s.x.Lookup(r, b); t != expr.Unresolved {
			return t
		}
	} else if t, ok := s.x.Direct(s.x.Node(e), b); ok {
		return t
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.a.Delta(e, b)
}

// Alive returns the bytes with a transition from e. A counter may still reject some.
func (s *Store) Alive(e Expr) *ByteSet {
	if set := s.a.AliveKnown(e); set != nil {
		return set
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.a.AliveIn(e)
}

// GoesOn reports whether some byte has a transition from e. If e contains And or Not and no counter, it makes
// no transitions when e is known to match a non-empty string (Lemma 125).
func (s *Store) GoesOn(e Expr) bool {
	if set := s.a.AliveKnown(e); set != nil {
		return !set.IsEmpty()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.x.Node(e); n.Flags&(expr.FBoolean|expr.FCount) == expr.FBoolean {
		if n.Subset&expr.ExtentInfinite != 0 || n.Flags&expr.FMaybe == 0 && s.a.Emptiness(e) == expr.Something {
			return true
		}
	}
	return !s.a.AliveIn(e).IsEmpty()
}

// MayBegin reports whether the structure of e allows byte b at the beginning. If it is false, Alive does not contain b.
// It makes no transitions.
func (s *Store) MayBegin(e Expr, b byte) bool {
	if set := s.a.AliveKnown(e); set != nil {
		return set.Has(b)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	set := s.x.First(e)
	return set.Has(b)
}
