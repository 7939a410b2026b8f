package terminal

import "github.com/sluice-engine/sluice/core/internal/terminal/expr"

// Transitions holds the transitions of one state, for walks that use many of them. Immutable.
type Transitions struct {
	classes *[256]uint8
	targets []Expr
	alive   *ByteSet
	single  Expr // without classes: the target of every live byte
}

// Transitions returns the transitions of e. plain reports that no counter changes along them.
func (s *Store) Transitions(e Expr) (t Transitions, plain bool) {
	n := s.x.Node(e)
	plain = n.Flags&expr.FCount == 0
	t.alive = s.Alive(e)
	if r := s.x.Fact(e, expr.FactRow); r != 0 {
		rw := s.x.Rows.At(r)
		t.classes = s.x.ClassMaps.At(rw.Classes)
		t.targets = s.x.Targets.Slice(rw.Targets, int(rw.N))
		return t, plain
	}
	if b := t.alive.Next(0); b < 256 {
		var known bool
		if t.single, known = s.x.Direct(n, byte(b)); !known {
			t.single = expr.Unresolved
		}
	}
	return t, plain
}

// To returns the state after live byte b, and false if the caller has to call Delta.
func (t *Transitions) To(b byte) (Expr, bool) {
	if t.classes == nil {
		return t.single, t.single != expr.Unresolved
	}
	x := t.targets[t.classes[b]]
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
	return uint32(t.alive[b>>6] >> (b & 63) & 1)
}

// Delta returns the state after byte b, Empty if there is none, TooHard if it exceeds a limit. It takes no lock once
// the transition is known.
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

// GoesOn reports whether some byte has a transition from e. It makes no transitions if e is known to match a non-empty
// string (Lemma 125).
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
