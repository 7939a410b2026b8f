package terminal

// Loop says which text leaves a state where it is. It lets a mask skip whole subtrees of the token trie. Immutable.
type Loop struct {
	ASCII    [2]uint64 // ASCII bytes that lead from the state to itself
	NonASCII bool      // every other code point does, in UTF-8
}

// minLoop is the least number of looping ASCII bytes for which a loop is worth knowing.
const minLoop = 10

// Loop returns the text that loops on state e; the zero Loop where nothing much does. Lock-free once known.
func (s *Store) Loop(e Expr) *Loop {
	n := s.node(e)
	if i := n.loop.Load(); i != 0 {
		return s.loops.At(i - 1)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := n.loop.Load(); i != 0 {
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
	n.loop.Store(at + 1)
	return s.loops.At(at)
}

func (s *Store) findLoop(e Expr) Loop {
	var l Loop
	n := s.node(e)
	if _, simple := s.direct(n, 0); simple {
		return l // a bytes head always moves on
	}
	if s.sprawls(n) {
		return l // so does such a machine
	}
	if n.subset&extentFinite != 0 && n.flags&fCount == 0 {
		return l
	}
	if n.kind == kConcat {
		if head := s.node(Expr(n.a)); head.kind == kText && n.flags&fBoolean == 0 {
			return l
		}
	}
	k := 0
	for b := 0; b < 128; b++ {
		if s.delta(e, byte(b)) == e {
			l.ASCII[b>>6] |= 1 << (b & 63)
			k++
		}
	}
	if k < minLoop {
		return Loop{}
	}
	l.NonASCII = s.loopsNonASCII(e)
	return l
}

// loopsNonASCII walks e beside the UTF-8 automaton through every code point above ASCII.
func (s *Store) loopsNonASCII(e Expr) bool {
	type pair struct {
		e  Expr
		u8 uint32
	}
	seen := map[pair]bool{}
	stack := []pair{{e, u8Between}}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for b := 0x80; b < 0x100; b++ {
			u8 := utf8Step(p.u8, byte(b))
			if u8 == u8Bad {
				continue
			}
			t := s.delta(p.e, byte(b))
			if t == Empty || u8 == u8Between && t != e {
				return false
			}
			if q := (pair{t, u8}); u8 != u8Between && !seen[q] {
				seen[q] = true
				stack = append(stack, q)
			}
		}
	}
	return true
}
