package terminal

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Counters stay out of expression identity: "body, with between min and max code points" is one node however far the
// count has come, and the count travels beside the state (Counter). What the count decides, whether the state may
// still be completed within the bounds, is answered from the lengths that each body state can still produce
// (spectrum.go).

// Counted returns the strings of body with min to max code points of enc. body must be made of whole code points.
func (s *Store) Counted(body Expr, enc Encoding, minimum, maximum uint32) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counted(s.plain(body), enc, minimum, maximum)
}

// AndCounted returns the intersection of xs with min to max code points of enc. Members of xs that are Counted share one
// counter beside the state: And writes each count out, as a part of the state, and ^[\p{L} ]{1,100}$ without null in it
// has thousands of states then. ok is false where no member is a counted loop over characters, nor one of two members
// Counted, and where the counter would not be exact; the caller uses And.
func (s *Store) AndCounted(xs []Expr, enc Encoding, minimum, maximum uint32) (x Expr, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	bodies := make([]Expr, len(xs))
	for i, x := range xs {
		bodies[i] = x
		if n := s.x.Node(x); n.Kind == expr.KCount {
			bd, body := s.x.Bounds.At(n.B), s.x.Node(n.Body())
			// Of many searches beside each other it takes long to find out that a counter would not be exact.
			loop := body.Kind == expr.KStar && s.a.SingleRunes(body.Body(), bd.Enc)
			if bd.Enc == enc && (loop || len(xs) == 2) {
				bodies[i], minimum, maximum, ok = n.Body(), max(minimum, bd.Min), min(maximum, bd.Max), true
			}
		}
		bodies[i] = s.plain(bodies[i])
	}
	if !ok {
		return Empty, false
	}
	x = s.counted(s.x.And(bodies...), enc, minimum, maximum)
	return x, x == Empty || s.x.Node(x).Kind == expr.KCount
}

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
	if minimum > 0 {
		body = s.nonEmpty(body)
	}
	bd := expr.Bounds{Min: minimum, Max: maximum, Enc: enc}
	if s.a.Emptiness(body) == expr.Nothing { // cheaper than to find lengths
		return Empty
	}
	switch fits, known := s.a.CanFit(body, 0, bd); {
	case !known: // nor is it of the states that follow: a counter beside them would be of no use
		return s.x.And(body, s.x.Repeat(s.x.AnyRune[enc], minimum, maximum))
	case !fits:
		return Empty
	}
	return s.x.Intern(expr.KCount, uint32(body), s.x.InternBounds(bd), 0, nil)
}

// nonEmpty returns x, without the empty string if x is a union that lists it. Lengths are found quickly where the
// shortest completion passes a loop. In ^$|^(\S+\s+){0,99}\S+$ it is the empty string, which passes none.
func (s *Store) nonEmpty(x Expr) Expr {
	n := s.x.Node(x)
	if n.Kind != expr.KOr {
		return x
	}
	xs := slices.Clone(s.x.List(n))
	return s.x.Or(slices.DeleteFunc(xs, func(y Expr) bool { return y == Epsilon })...)
}

// plain returns x with its Counted written out, where a counter beside the state would not be exact.
func (s *Store) plain(x Expr) Expr {
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
		return s.x.Or(s.plainAll(s.x.List(n))...)
	}
	return s.x.Concat(s.plain(n.Head()), s.plain(n.Tail()))
}

// countedMachine returns what plain does of a machine that counts by itself. An intersection with the length would be
// searched for a match from each of its states.
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

func (s *Store) plainAll(xs []Expr) []Expr {
	out := make([]Expr, len(xs))
	for i, x := range xs {
		out[i] = s.plain(x)
	}
	return out
}

// part returns the members of a union, with their Counted written out unless the first byte already decides which
// member the text is in: then at most one counter runs.
func (s *Store) part(xs []Expr) []Expr {
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
			return s.plainAll(xs) // the union itself would have to count its first byte
		}
		for j := range xs {
			if j != i && firsts[i].Intersects(&firsts[j]) {
				return s.plainAll(xs)
			}
		}
	}
	return xs
}

// fitCount returns a and b such that a·b may keep its counter beside the state: at most one Counted, entered at one
// place only and left by a byte that cannot continue it. Where that cannot be seen the Counted is written out.
// first holds the bytes that b can begin with.
func (s *Store) fitCount(a, b Expr, first ByteSet) (Expr, Expr) {
	if (s.x.Node(a).Flags|s.x.Node(b).Flags)&expr.FCount == 0 {
		return a, b
	}
	if n := s.x.Node(b); n.Flags&expr.FCount != 0 {
		exposed := n.Flags&expr.FHead != 0 && s.x.Maybe(a)
		if exposed || s.x.Node(a).Flags&expr.FCount != 0 || !s.separate(a, first) {
			b = s.plain(b)
		}
	}
	if s.x.Node(a).Flags&expr.FCount != 0 && !s.leaves(a, b) {
		a = s.plain(a)
	}
	return a, b
}

// separate reports whether, after any string of x, a byte of next can only mean that x is over, and any other byte only
// that it is not.
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
				var inside ByteSet // as in whitespace before a quote
				s.x.AllBytes(x, &inside, map[Expr]bool{})
				return !inside.Intersects(&next)
			}
		}
		return true
	}
	return false
}

// leaves reports whether the Counted in a is left, in a·b, only by bytes that cannot continue its body.
func (s *Store) leaves(a, b Expr) bool {
	n := s.x.Node(a)
	switch {
	case n.Flags&expr.FCount == 0:
		return true
	case n.Kind == expr.KOr:
		for _, x := range s.x.List(n) {
			if !s.leaves(x, b) {
				return false
			}
		}
		return true
	case n.Kind == expr.KConcat:
		if s.x.Node(n.Head()).Flags&expr.FCount != 0 {
			return s.leaves(n.Head(), s.x.Concat(n.Tail(), b))
		}
		return s.leaves(n.Tail(), b)
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
