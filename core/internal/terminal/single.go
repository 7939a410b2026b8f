package terminal

// SingleRunes reports whether every string of x is one code point of enc. False where that takes more than a look.
func (s *Store) SingleRunes(x Expr, enc Encoding) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.singleRunes(x, enc)
}
