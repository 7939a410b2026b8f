package terminal

import "slices"

// Counters stay out of expression identity: "body, with between min and max code points" is one node however far the
// count has come, and the count travels beside the state (Counter). What the count decides, whether the state may
// still be completed within the bounds, is answered from the lengths that each body state can still produce
// (spectrum.go).

// bounds of a Counted; interned.
type bounds struct {
	min, max uint32
	enc      Encoding
}

// Counter is what a counted state has seen: the number of code points begun, and for JSONString where in an escape the
// text stands. Zero at the start, and zero for every state that counts nothing.
type Counter uint32

const phaseBits = 4

// counterMax keeps count<<phaseBits within 32 bits.
const counterMax = 1<<(32-phaseBits) - 1

// Count returns the number of code points begun.
func (c Counter) Count() uint32 { return uint32(c) >> phaseBits }

func (c Counter) phase() uint8 { return uint8(c & (1<<phaseBits - 1)) }

// MakeCounter returns a counter between code points.
func MakeCounter(count uint32) Counter { return Counter(count << phaseBits) }

// WithCount returns the counter with another count at the same place within a code point.
func (c Counter) WithCount(count uint32) Counter {
	return Counter(count<<phaseBits) | c&(1<<phaseBits-1)
}

// Phases of an escape in a JSON string. A surrogate pair is one code point: phases from 9 on belong to its second half
// and begin none.
const (
	phBetween   = 0
	phBackslash = 1
	phHex1      = 2
	phHex2AftD  = 3
	phHigh3     = 4
	phHigh4     = 5
	phHex2      = 6
	phHex3      = 7
	phHex4      = 8
	phLowSlash  = 9
	phLow4      = 14
)

// advance returns the phase after byte b and whether b begins a code point.
func advance(enc Encoding, phase uint8, b byte) (uint8, bool) {
	if enc == UTF8 || phase == phBetween {
		if enc == JSONString && b == '\\' {
			return phBackslash, true
		}
		return phBetween, b&0xC0 != 0x80
	}
	switch phase {
	case phBackslash:
		if b == 'u' {
			return phHex1, false
		}
		return phBetween, false
	case phHex1:
		if b|0x20 == 'd' {
			return phHex2AftD, false
		}
		return phHex2, false
	case phHex2AftD:
		if b == '8' || b == '9' || b|0x20 == 'a' || b|0x20 == 'b' {
			return phHigh3, false
		}
		return phHex3, false
	case phHigh4:
		return phLowSlash, false
	case phHex4, phLow4:
		return phBetween, false
	}
	return phase + 1, false
}

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
		if s.nullable(body) {
			return Epsilon
		}
		return Empty
	}
	bd := bounds{minimum, maximum, enc}
	if s.emptiness(body) == empty { // cheaper than to find lengths
		return Empty
	}
	if fits, known := s.fits(body, 0, bd); known && !fits {
		return Empty
	}
	return s.intern(kCount, uint32(body), s.internBounds(bd), 0, nil)
}

func (s *Store) internBounds(bd bounds) uint32 {
	id, ok := s.boundsOf.get(bd)
	if !ok {
		id = s.bounds.Append(bd)
		s.boundsOf.put(bd, id)
	}
	return id
}

// plain returns x with its Counted written out, where a counter beside the state would not be exact.
func (s *Store) plain(x Expr) Expr {
	n := s.node(x)
	if n.flags&fCount == 0 {
		return x
	}
	switch n.kind {
	case kCount:
		bd := s.bounds.At(n.b)
		if body := s.node(Expr(n.a)); body.kind == kStar && s.singleRunes(Expr(body.a), bd.enc) {
			return s.repeat(Expr(body.a), bd.min, bd.max)
		}
		return s.and(Expr(n.a), s.repeat(s.anyRune[bd.enc], bd.min, bd.max))
	case kOr:
		return s.or(s.plainAll(s.list(n))...)
	}
	return s.concat(s.plain(Expr(n.a)), s.plain(Expr(n.b)))
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
		counted = counted || s.node(x).flags&fCount != 0
	}
	if !counted || len(xs) == 1 {
		return xs
	}
	xs = s.sortedSet(slices.Clone(xs))
	if len(xs) == 1 {
		return xs
	}
	firsts := make([]ByteSet, len(xs))
	for i, x := range xs {
		firsts[i] = s.first(x)
	}
	for i, x := range xs {
		if s.node(x).flags&fCount == 0 {
			continue
		}
		if s.node(x).flags&fHead != 0 {
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
	if (s.node(a).flags|s.node(b).flags)&fCount == 0 {
		return a, b
	}
	if n := s.node(b); n.flags&fCount != 0 {
		exposed := n.flags&fHead != 0 && s.maybe(a)
		if exposed || s.node(a).flags&fCount != 0 || !s.separate(a, first) {
			b = s.plain(b)
		}
	}
	if s.node(a).flags&fCount != 0 && !s.leaves(a, b) {
		a = s.plain(a)
	}
	return a, b
}

// separate reports whether, after any string of x, a byte of next can only mean that x is over, and any other byte only
// that it is not.
func (s *Store) separate(x Expr, next ByteSet) bool {
	n := s.node(x)
	switch n.kind {
	case kEps, kBytes, kText:
		return true
	case kConcat, kSpelled:
		after := s.first(Expr(n.b))
		if s.nullable(Expr(n.b)) {
			after.Union(&next)
		}
		return s.separate(Expr(n.a), after) && s.separate(Expr(n.b), next)
	case kStar, kRepeat:
		c := s.node(Expr(n.a))
		return c.kind == kBytes && !s.sets.At(c.a).Intersects(&next)
	case kOr:
		for _, y := range s.list(n) {
			c := s.node(y)
			if c.kind == kEps {
				continue
			}
			if c.kind != kBytes || s.nullable(x) && s.sets.At(c.a).Intersects(&next) {
				return false
			}
		}
		return true
	}
	return false
}

// leaves reports whether the Counted in a is left, in a·b, only by bytes that cannot continue its body.
func (s *Store) leaves(a, b Expr) bool {
	n := s.node(a)
	switch {
	case n.flags&fCount == 0:
		return true
	case n.kind == kOr:
		for _, x := range s.list(n) {
			if !s.leaves(x, b) {
				return false
			}
		}
		return true
	case n.kind == kConcat:
		if s.node(Expr(n.a)).flags&fCount != 0 {
			return s.leaves(Expr(n.a), s.concat(Expr(n.b), b))
		}
		return s.leaves(Expr(n.b), b)
	}
	next := s.first(b)
	if s.bounds.At(n.b).enc == JSONString {
		var quote ByteSet
		quote.Add('"')
		return quote.Contains(&next)
	}
	var inside ByteSet
	s.allBytes(Expr(n.a), &inside, map[Expr]bool{})
	return !inside.Intersects(&next)
}

// allBytes adds every byte that occurs in x.
func (s *Store) allBytes(x Expr, set *ByteSet, seen map[Expr]bool) {
	if seen[x] {
		return
	}
	seen[x] = true
	n := s.node(x)
	switch n.kind {
	case kBytes:
		set.Union(s.sets.At(n.a))
	case kText:
		for _, b := range []byte(s.texts.At(n.a).string) {
			set.Add(b)
		}
	case kConcat, kSpelled:
		s.allBytes(Expr(n.a), set, seen)
		s.allBytes(Expr(n.b), set, seen)
	case kOr, kAnd:
		for _, y := range s.list(n) {
			s.allBytes(y, set, seen)
		}
	case kNot, kTop, kScan:
		set.AddRange(0, 255)
	case kMachine:
		bytes := s.machine(n.a).Bytes()
		set.Union(&bytes)
	case kStar, kRepeat, kCount:
		s.allBytes(Expr(n.a), set, seen)
	}
}

// countHead returns the kCount that state e is inside of, or nil.
func (s *Store) countHead(e Expr) *node {
	n := s.node(e)
	if n.flags&fHead == 0 {
		return nil
	}
	if n.kind == kConcat {
		n = s.node(Expr(n.a))
	}
	return n
}

// Counting reports whether state e is inside a Counted, and that Counted's bounds.
func (s *Store) Counting(e Expr) (minimum, maximum uint32, ok bool) {
	n := s.countHead(e)
	if n == nil {
		return 0, 0, false
	}
	b := s.bounds.At(n.b)
	return b.min, b.max, true
}

// Step returns the state and counter after byte b; Empty if there is none, TooHard if that is not known.
func (s *Store) Step(e Expr, c Counter, b byte) (Expr, Counter) {
	t := s.Delta(e, b)
	if t == Empty || t == TooHard || (s.node(e).flags|s.node(t).flags)&fHead == 0 {
		return t, 0
	}
	return s.stepCounted(e, c, t, b)
}

func (s *Store) stepCounted(e Expr, c Counter, t Expr, b byte) (Expr, Counter) {
	from, to := s.countHead(e), s.countHead(t)
	switch {
	case from == nil:
		return t, 0
	case to == nil:
		bd := s.bounds.At(from.b)
		if n := c.Count(); n < bd.min || n > bd.max {
			return Empty, 0
		}
		return t, 0
	}
	bd := s.bounds.At(to.b)
	phase, begins := advance(bd.enc, c.phase(), b)
	n := c.Count()
	if begins && n < counterMax {
		n++
	}
	if bd.max == Unbounded {
		n = min(n, bd.min)
	}
	next := Counter(n<<phaseBits) | Counter(phase)
	switch fits, known := s.Fits(Expr(to.a), next, *bd); {
	case !known:
		return TooHard, 0
	case !fits:
		return Empty, 0
	}
	return t, next
}

// Accepts reports whether state e with counter c is complete here.
func (s *Store) Accepts(e Expr, c Counter) bool {
	n := s.node(e)
	if n.flags&fHead == 0 {
		return n.flags&fNullable != 0
	}
	if n.flags&fMaybe == 0 {
		return false
	}
	bd := s.bounds.At(s.countHead(e).b)
	k := c.Count()
	return c.phase() == phBetween && k >= bd.min && k <= bd.max
}

// Uncounted returns the state that e is when its bounds are left out: the same for every bound, so that what depends on
// the body alone is kept once. All that is left of the bounds is whether there is a minimum.
func (s *Store) Uncounted(e Expr) Expr {
	if s.node(e).flags&fHead == 0 {
		return e
	}
	bd := *s.bounds.At(s.countHead(e).b)
	return s.rebound(e, bounds{min(bd.min, 1), Unbounded, bd.enc})
}

// AsStar returns x* for x·x*, and other expressions as they are. Both go on with every byte alike: only one of them may
// end at once.
func (s *Store) AsStar(e Expr) Expr {
	n := s.node(e)
	if n.kind != kConcat || n.flags&(fTag|fCount) != 0 {
		return e
	}
	if tail := s.node(Expr(n.b)); tail.kind == kStar && tail.a == n.a {
		return Expr(n.b)
	}
	return e
}

// WithoutMinimum returns what Uncounted does for e if its minimum has been reached.
func (s *Store) WithoutMinimum(e Expr) Expr {
	return s.rebound(e, bounds{0, Unbounded, s.bounds.At(s.countHead(e).b).enc})
}

// rebound returns counted state e with other bounds.
func (s *Store) rebound(e Expr, bd bounds) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.intern(kCount, s.countHead(e).a, s.internBounds(bd), 0, nil)
	if n := s.node(e); n.kind == kConcat {
		x = s.concat(x, Expr(n.b))
	}
	return x
}

// WithState returns a number of its own for each state and place within a code point, whatever the count is.
func (c Counter) WithState(e Expr) uint32 { return uint32(e)<<phaseBits | uint32(c.phase()) }

// Between reports whether counter c stands between code points.
func (c Counter) Between() bool { return c.phase() == phBetween }

// WithinBounds reports whether n code points satisfy the bounds of counted state e.
func (s *Store) WithinBounds(e Expr, n uint32) bool {
	bd := s.bounds.At(s.countHead(e).b)
	return n >= bd.min && n <= bd.max
}

// FitsRest reports whether, after n code points, the body of counted state t can be completed within the bounds of
// counted state e, for a counter in phase of c. known is false if finding out was given up.
func (s *Store) FitsRest(e Expr, n uint32, t Expr, c Counter) (fits, known bool) {
	return s.Fits(Expr(s.countHead(t).a), c.WithCount(n), *s.bounds.At(s.countHead(e).b))
}

// StepFree is Step without bounds: the counter of a counted state runs on, and stays as it is once the body is over. A
// body that is entered on the way begins to count at zero, within its bounds. inside: the new state is still counted.
func (s *Store) StepFree(e Expr, c Counter, b byte) (t Expr, next Counter, inside bool) {
	t = s.Delta(e, b)
	if t == Empty || t == TooHard {
		return t, 0, false
	}
	inside = s.node(t).flags&fHead != 0
	if !inside || s.node(e).flags&fHead == 0 {
		return t, c, inside
	}
	if c.phase() == phBetween && b != '\\' {
		if b&0xC0 != 0x80 {
			c += 1 << phaseBits
		}
		return t, c, true
	}
	phase, begins := advance(s.bounds.At(s.countHead(t).b).enc, c.phase(), b)
	n := c.Count()
	if begins && n < counterMax {
		n++
	}
	return t, Counter(n<<phaseBits) | Counter(phase), true
}

// Inside reports whether state e is inside a Counted.
func (s *Store) Inside(e Expr) bool { return s.node(e).flags&fHead != 0 }

// Begun returns the counter after one more code point.
func (c Counter) Begun() Counter { return c + 1<<phaseBits }

// Complete reports whether state e is complete at some count: Accepts, bounds aside.
func (s *Store) Complete(e Expr) bool { return s.maybe(e) }
