package terminal

// IsEmpty reports whether x matches nothing, deciding intersections and complements by search.
func (s *Store) IsEmpty(x Expr) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.isEmpty(x)
}

const (
	knownFull  = 1
	knownEmpty = 2
	// emptinessWork bounds one emptiness search, in derivatives of parts of expressions; a tenth of a second. What is
	// undecided by then counts as not empty: nothing wrong is let through, but a text may come to a dead end.
	emptinessWork = 1_000_000
	// visitWork is what visiting a state costs besides its derivatives, in the same unit.
	visitWork = 100
)

func (s *Store) isEmpty(e Expr) bool {
	n := s.node(e)
	if e == Empty || n.empty == knownEmpty {
		return true
	}
	if n.flags&fBoolean == 0 || n.empty == knownFull || n.subset&extentInfinite != 0 {
		return false
	}
	empty := false
	switch n.kind {
	case kConcat:
		// Both matter by themselves, and what is found of them holds in whatever else they are part of.
		empty = s.isEmpty(Expr(n.a)) || s.isEmpty(Expr(n.b))
	case kOr:
		empty = true
		for _, x := range s.list(n) {
			if !s.isEmpty(x) {
				empty = false
				break
			}
		}
	case kStar:
	case kRepeat:
		empty = n.b > 0 && s.isEmpty(Expr(n.a))
	case kCount:
		empty = s.isEmpty(Expr(n.a))
	default:
		empty = !s.meetsConditions(e) && !s.likely(e) && s.searchEmpty(e)
	}
	s.node(e).empty = knownFull
	if empty {
		s.node(e).empty = knownEmpty
	}
	return empty
}

// searchEmpty is isEmpty by a search for a string.
func (s *Store) searchEmpty(e Expr) bool {
	type visit struct {
		e      Expr
		parent int32
	}
	before := s.work
	seen := map[Expr]bool{e: true}
	queue := []visit{{e, -1}}
	done := []bool{false}
	first, last := 0, 0 // what is visited next from either end
	// From both ends in turn: a short string is found breadth first, and one of the many long ones depth first.
	for turn := 0; first < len(queue); turn++ {
		i := int32(first)
		if turn&1 == 0 {
			first++
		} else {
			i = int32(last)
			last--
		}
		if last = max(last, 0); done[i] {
			continue
		}
		done[i] = true
		x := s.node(queue[i].e)
		full := x.flags&fMaybe != 0 || x.flags&fBoolean == 0 || x.empty == knownFull || x.subset&extentInfinite != 0
		if full || s.work-before > emptinessWork {
			for j := i; j >= 0; j = queue[j].parent {
				s.node(queue[j].e).empty = knownFull
			}
			return false
		}
		if x.empty == knownEmpty {
			continue
		}
		s.work += visitWork
		var sig [256]uint64
		s.sign(queue[i].e, &sig)
		for b := 0; b < 256; b++ {
			if b > 0 && sig[b] == sig[b-1] {
				continue
			}
			if y := s.derive(queue[i].e, byte(b)); y != Empty && !seen[y] {
				seen[y] = true
				queue = append(queue, visit{y, i})
				done = append(done, false)
				last = len(queue) - 1
			}
		}
	}
	for _, v := range queue {
		s.node(v.e).empty = knownEmpty
	}
	return true
}

// likely tries one string and reports whether e matches it: mostly an exclusion forbids little, and a look at the string
// tells what a search takes hundreds of derivatives for.
func (s *Store) likely(e Expr) bool {
	g := guesser{s: s, steps: guessSteps}
	return g.add(e)
}
