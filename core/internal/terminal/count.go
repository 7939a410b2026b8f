package terminal

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal/analysis"
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
	if s.a.Emptiness(body) == expr.Nothing { // cheaper than to find lengths
		return Empty
	}
	if fits, known := s.a.CanFit(body, 0, bd); known && !fits {
		return Empty
	}
	return s.x.Intern(expr.KCount, uint32(body), s.x.InternBounds(bd), 0, nil)
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
		if body := s.x.Node(Expr(n.A)); body.Kind == expr.KStar && s.a.SingleRunes(Expr(body.A), bd.Enc) {
			return s.x.Repeat(Expr(body.A), bd.Min, bd.Max)
		}
		return s.x.And(Expr(n.A), s.x.Repeat(s.x.AnyRune[bd.Enc], bd.Min, bd.Max))
	case expr.KOr:
		return s.x.Or(s.plainAll(s.x.List(n))...)
	}
	return s.x.Concat(s.plain(Expr(n.A)), s.plain(Expr(n.B)))
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
		after := s.x.First(Expr(n.B))
		if s.x.Nullable(Expr(n.B)) {
			after.Union(&next)
		}
		return s.separate(Expr(n.A), after) && s.separate(Expr(n.B), next)
	case expr.KStar, expr.KRepeat:
		c := s.x.Node(Expr(n.A))
		return c.Kind == expr.KBytes && !s.x.Sets.At(c.A).Intersects(&next)
	case expr.KOr:
		for _, y := range s.x.List(n) {
			c := s.x.Node(y)
			if c.Kind == expr.KEps {
				continue
			}
			if c.Kind != expr.KBytes || s.x.Nullable(x) && s.x.Sets.At(c.A).Intersects(&next) {
				return false
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
		if s.x.Node(Expr(n.A)).Flags&expr.FCount != 0 {
			return s.leaves(Expr(n.A), s.x.Concat(Expr(n.B), b))
		}
		return s.leaves(Expr(n.B), b)
	}
	next := s.x.First(b)
	if s.x.Bounds.At(n.B).Enc == JSONString {
		var quote ByteSet
		quote.Add('"')
		return quote.Contains(&next)
	}
	var inside ByteSet
	s.x.AllBytes(Expr(n.A), &inside, map[Expr]bool{})
	return !inside.Intersects(&next)
}

// Counting reports whether state e is inside a Counted, and that Counted's bounds.
func (s *Store) Counting(e Expr) (minimum, maximum uint32, ok bool) {
	n := s.x.CountHead(e)
	if n == nil {
		return 0, 0, false
	}
	b := s.x.Bounds.At(n.B)
	return b.Min, b.Max, true
}

// Step returns the state and counter after byte b; Empty if there is none, TooHard if that is not known.
func (s *Store) Step(e Expr, c Counter, b byte) (Expr, Counter) {
	t := s.Delta(e, b)
	if t == Empty || t == TooHard || (s.x.Node(e).Flags|s.x.Node(t).Flags)&expr.FHead == 0 {
		return t, 0
	}
	return s.stepCounted(e, c, t, b)
}

func (s *Store) stepCounted(e Expr, c Counter, t Expr, b byte) (Expr, Counter) {
	from, to := s.x.CountHead(e), s.x.CountHead(t)
	switch {
	case from == nil:
		return t, 0
	case to == nil:
		bd := s.x.Bounds.At(from.B)
		if n := c.Count(); n < bd.Min || n > bd.Max {
			return Empty, 0
		}
		return t, 0
	}
	bd := s.x.Bounds.At(to.B)
	phase, begins := analysis.Advance(bd.Enc, c.Phase(), b)
	n := c.Count()
	if begins && n < analysis.CounterMax {
		n++
	}
	if bd.Max == Unbounded {
		n = min(n, bd.Min)
	}
	next := analysis.CounterAt(n, phase)
	switch fits, known := s.fits(Expr(to.A), next, *bd); {
	case !known:
		return TooHard, 0
	case !fits:
		return Empty, 0
	}
	return t, next
}

// Accepts reports whether state e with counter c is complete here.
func (s *Store) Accepts(e Expr, c Counter) bool {
	n := s.x.Node(e)
	if n.Flags&expr.FHead == 0 {
		return n.Flags&expr.FNullable != 0
	}
	if n.Flags&expr.FMaybe == 0 {
		return false
	}
	bd := s.x.Bounds.At(s.x.CountHead(e).B)
	k := c.Count()
	return c.Phase() == analysis.PhaseBetween && k >= bd.Min && k <= bd.Max
}

// WithinBounds reports whether n code points satisfy the bounds of counted state e.
func (s *Store) WithinBounds(e Expr, n uint32) bool {
	bd := s.x.Bounds.At(s.x.CountHead(e).B)
	return n >= bd.Min && n <= bd.Max
}

// FitsRest reports whether, after n code points, the body of counted state t can be completed within the bounds of
// counted state e, for a counter in phase of c. known is false if finding out was given up.
func (s *Store) FitsRest(e Expr, n uint32, t Expr, c Counter) (fits, known bool) {
	return s.fits(Expr(s.x.CountHead(t).A), c.WithCount(n), *s.x.Bounds.At(s.x.CountHead(e).B))
}

// StepFree is Step without bounds: the counter of a counted state runs on, and stays as it is once the body is over. A
// body that is entered on the way begins to count at zero, within its bounds. inside: the new state is still counted.
func (s *Store) StepFree(e Expr, c Counter, b byte) (t Expr, next Counter, inside bool) {
	t = s.Delta(e, b)
	if t == Empty || t == TooHard {
		return t, 0, false
	}
	inside = s.x.Node(t).Flags&expr.FHead != 0
	if !inside || s.x.Node(e).Flags&expr.FHead == 0 {
		return t, c, inside
	}
	if c.Phase() == analysis.PhaseBetween && b != '\\' {
		if b&0xC0 != 0x80 {
			c = c.Begun()
		}
		return t, c, true
	}
	phase, begins := analysis.Advance(s.x.Bounds.At(s.x.CountHead(t).B).Enc, c.Phase(), b)
	n := c.Count()
	if begins && n < analysis.CounterMax {
		n++
	}
	return t, analysis.CounterAt(n, phase), true
}

// Inside reports whether state e is inside a Counted.
func (s *Store) Inside(e Expr) bool { return s.x.Node(e).Flags&expr.FHead != 0 }

// Complete reports whether state e is complete at some count: Accepts, bounds aside.
func (s *Store) Complete(e Expr) bool { return s.x.Maybe(e) }
