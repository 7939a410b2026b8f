package terminal

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// A counter is not part of an expression: "body, with between min and max code points" is one node at every count, and
// the count travels beside the state (analysis.Counter). The lengths of each body state (analysis.Spectrum) decide
// whether the state can still be completed within the bounds. Lemma 127 says when a counter is exact.

// Counted returns the strings of body with min to max code points of enc. Precondition: body consists of whole code
// points.
func (s *Store) Counted(body Expr, enc Encoding, minimum, maximum uint32) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counted(s.withoutCounters(body), enc, minimum, maximum)
}

// AndCounted returns the intersection of xs with min to max code points of enc. Counted members of xs share one
// counter. The method And would make each count a part of the state: ^[\p{L} ]{1,100}$ that excludes the text "null"
// would have thousands of states. A Counted member of the same encoding joins the shared counter if its body is a loop
// over characters, or if xs has two members. ok is false if no member joins it, or if the result has a string but no
// counter. Then callers use And.
func (s *Store) AndCounted(xs []Expr, enc Encoding, minimum, maximum uint32) (x Expr, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	bodies := make([]Expr, len(xs))
	for i, x := range xs {
		bodies[i] = x
		if n := s.x.Node(x); n.Kind == expr.KCount {
			bd, body := s.x.Bounds.At(n.B), s.x.Node(n.Body())
			// Several unanchored patterns often exceed the limit for lengths, and reaching it is costly.
			loop := body.Kind == expr.KStar && s.a.SingleRunes(body.Body(), bd.Enc)
			if bd.Enc == enc && (loop || len(xs) == 2) {
				bodies[i], minimum, maximum, ok = n.Body(), max(minimum, bd.Min), min(maximum, bd.Max), true
			}
		}
		bodies[i] = s.withoutCounters(bodies[i])
	}
	if !ok {
		return Empty, false
	}
	x = s.counted(s.x.And(bodies...), enc, minimum, maximum)
	return x, x == Empty || s.x.Node(x).Kind == expr.KCount
}

// counted is Counted under the lock, for a body without counters.
func (s *Store) counted(body Expr, enc Encoding, minimum, maximum uint32) Expr {
	switch {
	case minimum > maximum || body == Empty:
		return Empty
	case minimum == 0 && maximum == Unbounded:
		return body
	case maximum == 0:
		if s.x.Nullable(body) {
			return Epsilon
		}
		return Empty
	}
	bd := expr.Bounds{Min: minimum, Max: maximum, Enc: enc}
	if s.a.Emptiness(body) == expr.Nothing { // cheaper than lengths
		return Empty
	}
	switch fits, known := s.a.CanFit(body, 0, bd); {
	case !known: // lengths of later states are unknown too, so a counter would not help
		return s.x.And(body, s.x.Repeat(s.x.AnyRune[enc], minimum, maximum))
	case !fits:
		return Empty
	}
	return s.x.Intern(expr.KCount, uint32(body), s.x.InternBounds(bd), 0, nil)
}

// withoutCounters returns x with each counter written into the expression: as a repetition, a machine that counts, or
// an intersection with a number of code points.
func (s *Store) withoutCounters(x Expr) Expr {
	n := s.x.Node(x)
	if n.Flags&expr.FCount == 0 {
		return x
	}
	switch n.Kind {
	case expr.KCount:
		bd := s.x.Bounds.At(n.B)
		if body := s.x.Node(n.Body()); body.Kind == expr.KStar && s.a.SingleRunes(body.Body(), bd.Enc) {
			return s.x.Repeat(body.Body(), bd.Min, bd.Max)
		}
		if x, ok := s.countedMachine(n.Body(), *bd); ok {
			return x
		}
		return s.x.And(n.Body(), s.x.Repeat(s.x.AnyRune[bd.Enc], bd.Min, bd.Max))
	case expr.KOr:
		return s.x.Or(s.allWithoutCounters(s.x.List(n))...)
	}
	return s.x.Concat(s.withoutCounters(n.Head()), s.withoutCounters(n.Tail()))
}

// countedMachine returns a machine for the strings of body whose lengths are within bd. Its states contain the count.
// body is a state of a machine. ok is false unless the machine is Measured and bd has no minimum. An intersection with
// the length would need a search from each state.
func (s *Store) countedMachine(body Expr, bd expr.Bounds) (Expr, bool) {
	n := s.x.Node(body)
	if n.Kind != expr.KMachine || bd.Min > 0 {
		return Empty, false
	}
	m, ok := s.x.MachineOf(n.A).(expr.Measured)
	if !ok {
		return Empty, false
	}
	counted, start := m.AtMost(s.x.Texts.At(n.B).Str, bd.Max)
	return s.x.MachineState(s.x.InternMachine(counted), start), true
}

func (s *Store) allWithoutCounters(xs []Expr) []Expr {
	out := make([]Expr, len(xs))
	for i, x := range xs {
		out[i] = s.withoutCounters(x)
	}
	return out
}

// withOneCounter returns the members of a union. It writes their counters out unless the first byte decides between the
// members and no counter has begun, so that at most one counter runs (Lemma 127).
func (s *Store) withOneCounter(xs []Expr) []Expr {
	counted := false
	for _, x := range xs {
		counted = counted || s.x.Node(x).Flags&expr.FCount != 0
	}
	if !counted || len(xs) == 1 {
		return xs
	}
	xs = s.x.SortedSet(slices.Clone(xs))
	if len(xs) == 1 {
		return xs
	}
	firsts := make([]ByteSet, len(xs))
	for i, x := range xs {
		firsts[i] = s.x.First(x)
	}
	for i, x := range xs {
		if s.x.Node(x).Flags&expr.FCount == 0 {
			continue
		}
		if s.x.Node(x).Flags&expr.FHead != 0 {
			return s.allWithoutCounters(xs) // a step of the union would not count its first byte
		}
		for j := range xs {
			if j != i && firsts[i].Intersects(&firsts[j]) {
				return s.allWithoutCounters(xs)
			}
		}
	}
	return xs
}

// fitCounter returns a and b such that the counter of a·b is exact (Lemma 127): there is one Counted at most, one place
// at which it begins, and a byte that ends it cannot continue it. It writes other counters out. first holds the first
// bytes of b.
func (s *Store) fitCounter(a, b Expr, first ByteSet) (Expr, Expr) {
	if (s.x.Node(a).Flags|s.x.Node(b).Flags)&expr.FCount == 0 {
		return a, b
	}
	if n := s.x.Node(b); n.Flags&expr.FCount != 0 {
		exposed := n.Flags&expr.FHead != 0 && s.x.Maybe(a)
		if exposed || s.x.Node(a).Flags&expr.FCount != 0 || !s.separate(a, first) {
			b = s.withoutCounters(b)
		}
	}
	if s.x.Node(a).Flags&expr.FCount != 0 && !s.endsCounter(a, b) {
		a = s.withoutCounters(a)
	}
	return a, b
}

// separate reports whether the byte after each string of x decides whether x has ended: it has if the byte is in next,
// and it goes on otherwise.
func (s *Store) separate(x Expr, next ByteSet) bool {
	n := s.x.Node(x)
	switch n.Kind {
	case expr.KEps, expr.KBytes, expr.KText:
		return true
	case expr.KConcat, expr.KSpelled:
		after := s.x.First(n.Tail())
		if s.x.Nullable(n.Tail()) {
			after.Union(&next)
		}
		return s.separate(n.Head(), after) && s.separate(n.Tail(), next)
	case expr.KStar, expr.KRepeat:
		c := s.x.Node(n.Body())
		return c.Kind == expr.KBytes && !s.x.Sets.At(c.A).Intersects(&next)
	case expr.KOr:
		for _, y := range s.x.List(n) {
			c := s.x.Node(y)
			if c.Kind == expr.KEps {
				continue
			}
			if c.Kind != expr.KBytes || s.x.Nullable(x) && s.x.Sets.At(c.A).Intersects(&next) {
				var inside ByteSet // such as whitespace before a quote
				s.x.AllBytes(x, &inside, map[Expr]bool{})
				return !inside.Intersects(&next)
			}
		}
		return true
	}
	return false
}

// endsCounter reports whether, in a·b, no byte that may follow the Counted of a can continue its body.
func (s *Store) endsCounter(a, b Expr) bool {
	n := s.x.Node(a)
	switch {
	case n.Flags&expr.FCount == 0:
		return true
	case n.Kind == expr.KOr:
		for _, x := range s.x.List(n) {
			if !s.endsCounter(x, b) {
				return false
			}
		}
		return true
	case n.Kind == expr.KConcat:
		if s.x.Node(n.Head()).Flags&expr.FCount != 0 {
			return s.endsCounter(n.Head(), s.x.Concat(n.Tail(), b))
		}
		return s.endsCounter(n.Tail(), b)
	}
	next := s.x.First(b)
	if s.x.Bounds.At(n.B).Enc.HasEscapes() {
		var quote ByteSet
		quote.Add('"')
		return quote.Contains(&next)
	}
	var inside ByteSet
	s.x.AllBytes(n.Body(), &inside, map[Expr]bool{})
	return !inside.Intersects(&next)
}
