package expr

import (
	"unicode/utf8"
)

// First returns the bytes that strings of x begin with. It may return more if x contains And, Not, a scan or a machine.
func (s *Nodes) First(x Expr) ByteSet {
	w := firstWalk{s: s}
	w.visit(x)
	return w.set
}

// firstWalk collects the first bytes of an expression.
type firstWalk struct {
	s   *Nodes
	set ByteSet
	Visits
	seen  map[Expr]bool    // filled after many visits
	sides map[Expr]ByteSet // first bytes of members of intersections, shared by nested walks
}

func (w *firstWalk) visit(x Expr) {
	s := w.s
	n := s.Node(x)
	for ; n.Kind == KConcat; n = s.Node(x) { // a loop, as sequences may be long
		if w.again(x) {
			return
		}
		w.visit(n.Head())
		if !s.Maybe(n.Head()) {
			return
		}
		x = n.Tail()
	}
	switch n.Kind {
	case KBytes:
		w.set.Union(s.Sets.At(n.A))
	case KText:
		c, enc := s.Texts.At(n.A).Str[n.B], n.Enc()
		if RawByte(c, enc) {
			w.set.Add(c)
		}
		if enc.HasEscapes() && utf8.RuneStart(c) {
			w.set.Add('\\')
		}
	case KSpelled, KStar, KRepeat, KCount:
		w.visit(n.Head())
	case KOr:
		if !w.again(x) {
			for _, y := range s.List(n) {
				w.visit(y)
			}
		}
	case KAnd:
		if !w.again(x) {
			both := ByteSet{}
			both.AddRange(0, 255)
			if w.sides == nil {
				w.sides = map[Expr]ByteSet{}
			}
			for _, y := range s.List(n) {
				t, ok := w.sides[y]
				if !ok {
					side := firstWalk{s: s, sides: w.sides}
					side.visit(y)
					t = side.set
					w.sides[y] = t
				}
				both.Intersect(&t)
			}
			w.set.Union(&both)
		}
	case KNot, KTop, KScan:
		w.set.AddRange(0, 255)
	case KMachine:
		bytes := s.MachineOf(n.A).Bytes()
		w.set.Union(&bytes)
	}
}

// again reports whether the walk has visited x before, as far as it remembers.
func (w *firstWalk) again(x Expr) bool {
	if !w.Many() {
		return false
	}
	if w.seen[x] {
		return true
	}
	if w.seen == nil {
		w.seen = map[Expr]bool{}
	}
	w.seen[x] = true
	return false
}

// Visits counts the parts that a walk visits. Patterns with look-arounds share parts so often that there are
// exponentially many ways to each. So walks remember the visited parts after manyVisits of them.
type Visits struct{ n int }

const manyVisits = 64

// Many counts a part and reports whether the walk should remember it.
func (v *Visits) Many() bool { v.n++; return v.n > manyVisits }

// AllBytes adds every byte that occurs in strings of x, and possibly others. seen holds the visited parts.
func (s *Nodes) AllBytes(x Expr, set *ByteSet, seen map[Expr]bool) {
	if seen[x] {
		return
	}
	seen[x] = true
	n := s.Node(x)
	switch n.Kind {
	case KBytes:
		set.Union(s.Sets.At(n.A))
	case KText:
		for _, b := range []byte(s.Texts.At(n.A).Str) {
			set.Add(b)
		}
		if n.Enc().HasEscapes() {
			set.Union(&EscapeBytes)
		}
	case KConcat, KSpelled:
		s.AllBytes(n.Head(), set, seen)
		s.AllBytes(n.Tail(), set, seen)
	case KOr, KAnd:
		for _, y := range s.List(n) {
			s.AllBytes(y, set, seen)
		}
	case KNot, KTop, KScan:
		set.AddRange(0, 255)
	case KMachine:
		bytes := s.MachineOf(n.A).Bytes()
		set.Union(&bytes)
	case KStar, KRepeat, KCount:
		s.AllBytes(n.Body(), set, seen)
	}
}

// PrefixFree reports whether the structure of x shows that it has finitely many strings, none empty and none a prefix
// of another, and that the next byte always decides how a string continues. looks bounds the parts that it looks at.
func (s *Nodes) PrefixFree(x Expr, looks *int) bool {
	for {
		if *looks--; *looks < 0 {
			return false
		}
		switch n := s.Node(x); n.Kind {
		case KBytes, KText:
			return true
		case KConcat, KSpelled:
			if !s.PrefixFree(n.Head(), looks) {
				return false
			}
			x = n.Tail()
		case KRepeat:
			return n.B == n.C && n.B > 0 && s.PrefixFree(n.Body(), looks)
		case KOr:
			var met ByteSet
			for _, y := range s.List(n) {
				first := s.First(y)
				if met.Intersects(&first) || !s.PrefixFree(y, looks) {
					return false
				}
				met.Union(&first)
			}
			return true
		default:
			return false
		}
	}
}
