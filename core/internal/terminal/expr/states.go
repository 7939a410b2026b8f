package expr

// scanDerivative returns the derivative of a Scan by b.
func (s *Store) scanDerivative(n *Node, b byte) Expr {
	u8 := UTF8Step(n.C, b)
	if u8 == U8Bad {
		return Empty
	}
	sc := *s.Scans.At(n.A)
	at := sc.step(n.B, b)
	tags, ends := sc.ending(at, nil)
	if !ends {
		if done, on := sc.completions(at, u8, nil); !on && len(done) == 0 {
			return Empty
		}
		return s.Intern(KScan, n.A, at, u8, nil)
	}
	parts := make([]Expr, len(tags))
	for i, tag := range tags {
		parts[i] = s.Intern(KTag, tag, 0, 0, nil)
	}
	return s.Or(parts...)
}

// MachineState returns the expression of a state of machine id.
func (s *Store) MachineState(id uint32, state string) Expr {
	if w := s.wordsOf(id); w != nil {
		return s.wordsState(id, w, state)
	}
	final := uint32(0)
	if s.MachineOf(id).Accepts(state) {
		final = 1
	}
	return s.Intern(KMachine, id, s.InternText(state), final, nil)
}

// wordsState returns the expression of a state of w, which is machine id. At the end of a text this includes its tag or
// Epsilon.
func (s *Store) wordsState(id uint32, w *Words, state string) Expr {
	at := wordStateOf(state)
	ends, e, final := w.ends(state), Empty, uint32(0)
	if ends && w.tags == nil {
		final = 1
	}
	if at.length > 0 || len(w.following(at.at)) > 0 {
		e = s.Intern(KMachine, id, s.InternText(state), final, nil)
	}
	switch {
	case !ends:
		return e
	case w.tags != nil:
		return s.Or(s.Intern(KTag, w.tags[at.at.node], 0, 0, nil), e)
	case e == Empty:
		return Epsilon
	}
	return e
}

// machineDerivative returns the derivative of a machine's state by b.
func (s *Store) machineDerivative(n *Node, b byte) Expr {
	next, ok := s.MachineOf(n.A).Step(s.Texts.At(n.B).Str, b)
	if !ok {
		return Empty
	}
	return s.MachineState(n.A, next)
}
