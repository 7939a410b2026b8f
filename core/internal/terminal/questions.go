package terminal

import "github.com/sluice-engine/sluice/core/internal/terminal/expr"

// Counts reports whether e has a counter beside its state, which what stands around it may have to write out.
func (s *Store) Counts(e Expr) bool { return s.x.Node(e).Flags&expr.FCount != 0 }

// SingleRunes reports whether every string of x is one code point of enc. False where that takes more than a look.
func (s *Store) SingleRunes(x Expr, enc Encoding) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.a.SingleRunes(x, enc)
}

// Contains reports whether x matches all that y matches, as far as their structure tells. It does not depend on what
// was asked before.
func (s *Store) Contains(x, y Expr) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.x.Compare()
	return c.Contains(x, y)
}
