package terminal

import "unicode/utf8"

// first returns the bytes that x can begin with, or more of them where x contains And or Not.
func (s *Store) first(x Expr) ByteSet {
	w := firstWalk{s: s}
	w.visit(x)
	return w.set
}

// firstWalk gathers the bytes that an expression can begin with.
type firstWalk struct {
	s   *Store
	set ByteSet
	visits
	seen map[Expr]bool // once there have been many
}

func (w *firstWalk) visit(x Expr) {
	s := w.s
	n := s.node(x)
	for ; n.kind == kConcat; n = s.node(x) { // a loop, as sequences may be long
		if w.again(x) {
			return
		}
		w.visit(Expr(n.a))
		if !s.maybe(Expr(n.a)) {
			return
		}
		x = Expr(n.b)
	}
	switch n.kind {
	case kBytes:
		w.set.Union(s.sets.At(n.a))
	case kText:
		c, enc := s.texts.At(n.a).string[n.b], Encoding(n.c)
		if rawByte(c, enc) {
			w.set.Add(c)
		}
		if enc == JSONString && utf8.RuneStart(c) {
			w.set.Add('\\')
		}
	case kSpelled, kStar, kRepeat, kCount:
		w.visit(Expr(n.a))
	case kOr:
		if !w.again(x) {
			for _, y := range s.list(n) {
				w.visit(y)
			}
		}
	case kAnd:
		if !w.again(x) {
			both := ByteSet{}
			both.AddRange(0, 255)
			for _, y := range s.list(n) {
				t := s.first(y)
				both.Intersect(&t)
			}
			w.set.Union(&both)
		}
	case kNot, kTop, kScan:
		w.set.AddRange(0, 255)
	case kMachine:
		bytes := s.machine(n.a).Bytes()
		w.set.Union(&bytes)
	}
}

// again reports whether the walk remembers x.
func (w *firstWalk) again(x Expr) bool {
	if !w.many() {
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
