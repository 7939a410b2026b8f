package terminal

// Transitions are the transitions of one state at hand, for walks that ask a state for many of them. Immutable.
type Transitions struct {
	classes *[256]uint8
	targets []Expr
	alive   *ByteSet
	single  Expr // without classes: where every byte that is alive leads to
}

// Transitions returns the transitions of e, and whether they are all there is to it: no counter goes with them.
func (s *Store) Transitions(e Expr) (t Transitions, plain bool) {
	n := s.node(e)
	plain = n.flags&fCount == 0
	t.alive = s.Alive(e)
	if r := s.fact(e, factRow); r != 0 {
		rw := s.rows.At(r)
		t.classes = s.classMaps.At(rw.classes)
		t.targets = s.targets.Slice(rw.targets, int(rw.n))
		return t, plain
	}
	if b := t.alive.Next(0); b < 256 {
		var known bool
		if t.single, known = s.direct(n, byte(b)); !known {
			t.single = unresolved
		}
	}
	return t, plain
}

// To returns the state after byte b, which is alive, and false if the store has to be asked.
func (t *Transitions) To(b byte) (Expr, bool) {
	if t.classes == nil {
		return t.single, t.single != unresolved
	}
	x := t.targets[t.classes[b]]
	return x, x != unresolved
}

// Classes returns how many classes of bytes t tells apart, the one of bytes that are not alive included.
func (t *Transitions) Classes() int {
	if t.classes == nil {
		return 2
	}
	return len(t.targets)
}

// Class returns the class of byte b: bytes of one class lead to the same state, where To knows it.
func (t *Transitions) Class(b byte) uint32 {
	if t.classes != nil {
		return uint32(t.classes[b])
	}
	return uint32(t.alive[b>>6] >> (b & 63) & 1)
}
