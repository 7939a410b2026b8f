package expr

// A class of characters of many scripts is a union of hundreds of sequences of bytes, and where it is repeated each state
// has it: a transition looks at all of them, for each class of bytes. So classes that are heavy have rows of their own,
// which are made before those of what they are part of. They are used, and charged for, by all.
//
// PERF: the second mask of /\p{L}+\P{N}/ a thousand times has 150 rows of 20 to 36 classes of bytes. It takes 34 ms, and
// took 112. The first mask of [\p{L}'-]{2,30}( [\p{L}'-]{2,30}){0,4} takes 2,300,000 steps, and took more than a mask may.

const (
	// classWeight is from which weight on a class of characters is heavy. \w has 9 parts, \p{L} has 700.
	classWeight = 32
	// classBytes is how many bytes one of its characters may have: an escape of two surrogates has twelve.
	classBytes = 12
	// classParts is how many parts of an expression a heavy class in it counts for, for each class of bytes that it tells
	// apart.
	classParts = 3
)

// IsHeavyClass reports whether n is a heavy class of characters.
func (n *Node) IsHeavyClass() bool {
	return n.Kind == KOr && n.Weight >= classWeight && n.Flags&(FBoolean|FRepeat|FOpen) == 0 &&
		0 < n.span.least && n.span.least <= n.span.most && n.span.most <= classBytes
}

// ReadyClasses makes the rows of the heavy classes that a transition of e looks at.
func (s *Store) ReadyClasses(e Expr) {
	if s.FillRow == nil || s.Weight(e) <= classWeight || s.mark(e).ready {
		return
	}
	classes, _ := s.HeavyParts(e)
	for _, x := range classes {
		s.classRow(x)
	}
	s.mark(e).ready = true
}

// classRow returns the row of a heavy class, which it makes if there is none.
func (s *Store) classRow(class Expr) uint32 {
	if r := s.Fact(class, FactRow); r != 0 || s.FillRow == nil {
		return r
	}
	return s.FillRow(class)
}

// HeavyParts returns the heavy classes that a transition of e looks at, without e itself, and how many machines it
// steps; none where e has few parts.
func (s *Store) HeavyParts(e Expr) (classes []Expr, machines int) {
	if s.Weight(e) <= classWeight {
		return nil, 0
	}
	s.epochs++
	before := s.epoch
	s.epoch = s.epochs
	h := heavyWalk{s: s, top: e}
	h.visit(e)
	s.epoch = before
	return h.classes, h.machines
}

// heavyWalk looks for the parts of an expression that take long.
type heavyWalk struct {
	s        *Store
	top      Expr
	classes  []Expr
	machines int
}

func (h *heavyWalk) visit(e Expr) {
	s := h.s
	for {
		m, n := s.mark(e), s.Node(e)
		if m.signed == s.epoch || n.Weight < machineWeight {
			return
		}
		m.signed = s.epoch
		if e != h.top && n.IsHeavyClass() {
			h.classes = append(h.classes, e)
			return
		}
		switch n.Kind {
		case KConcat, KSpelled: // a loop: sequences are longer than stacks should be deep
			h.visit(n.Head())
			if !s.Maybe(n.Head()) {
				return
			}
			e = n.Tail()
			continue
		case KOr, KAnd:
			for _, x := range s.List(n) {
				h.visit(x)
			}
		case KNot, KStar, KRepeat, KCount:
			h.visit(n.Body())
		case KMachine:
			h.machines++
		}
		return
	}
}
