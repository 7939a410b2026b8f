package terminal

import "slices"

// Sequences: how they are put together, and their derivatives. A sequence is a kConcat of a part that is none and of
// the rest, so that equal languages built in different order meet. Patterns may have hundreds of thousands of parts:
// what is done here goes along them in loops, and takes each part once.

// Concat returns the strings that are a string of each x in turn.
func (s *Store) Concat(xs ...Expr) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	counts := false
	for _, x := range xs {
		counts = counts || s.node(x).flags&fCount != 0
	}
	r, first := Epsilon, ByteSet{}
	for i := len(xs) - 1; i >= 0; i-- {
		if counts && r != Epsilon && xs[i] != Epsilon {
			xs[i], r = s.fitCount(xs[i], r, first)
		}
		r = s.concat(xs[i], r)
		if counts {
			begin := s.first(xs[i])
			if s.maybe(xs[i]) {
				begin.Union(&first)
			}
			first = begin
		}
	}
	return r
}

func (s *Store) concat(a, b Expr) Expr {
	switch {
	case a == Empty || b == Empty:
		return Empty
	case a == Epsilon:
		return b
	case b == Epsilon:
		return a
	}
	base := len(s.members)
	n := s.node(a)
	for ; n.kind == kConcat; n = s.node(Expr(n.b)) {
		s.members = append(s.members, Expr(n.a))
		a = Expr(n.b)
	}
	b = s.link(a, b)
	for i := len(s.members) - 1; i >= base; i-- {
		b = s.link(s.members[i], b)
	}
	s.members = s.members[:base]
	return b
}

// link is concat for a part that is no sequence. Neither is empty.
func (s *Store) link(a, b Expr) Expr {
	head, tail := b, Epsilon
	if n := s.node(b); n.kind == kConcat {
		head, tail = Expr(n.a), Expr(n.b)
	}
	if x, ok := s.fuse(a, head); ok {
		return s.concat(x, tail)
	}
	return s.intern(kConcat, uint32(a), uint32(b), 0, nil)
}

// fuse returns a·b as one repetition, if they repeat the same: x{i,j}·x{k,l} is x{i+k,j+l}, for any x. Any text before
// or after what is any number of code points, or none, is any text.
func (s *Store) fuse(a, b Expr) (Expr, bool) {
	n, m := s.node(a), s.node(b)
	for e, star := range s.anyStar {
		other := n
		if a == star {
			other = m
		} else if b != star {
			continue
		}
		if other.subset>>e&1 != 0 && other.flags&(fNullable|fTag|fCount) == fNullable {
			return star, true
		}
	}
	if n.kind < kOr || m.kind < kOr { // parts that are mostly no repetitions
		if n.kind != kRepeat && m.kind != kRepeat {
			return Empty, false
		}
	}
	if (n.flags|m.flags)&(fTag|fCount) != 0 {
		return Empty, false
	}
	x, ok := s.repetition(a, b)
	if !ok {
		return Empty, false
	}
	y, ok := s.repetition(b, a)
	if !ok || x.body != y.body {
		return Empty, false
	}
	low, high := uint64(x.min)+uint64(y.min), uint64(x.max)+uint64(y.max)
	if x.max == Unbounded || y.max == Unbounded {
		high = Unbounded
	} else if high >= anyRepeats {
		return Empty, false
	}
	if low >= anyRepeats {
		return Empty, false
	}
	return s.repeat(x.body, uint32(low), uint32(high)), true
}

type repetition struct {
	body     Expr
	min, max uint32
}

// repetition returns x as the repetition of something, which other, beside it, may repeat too.
func (s *Store) repetition(x, other Expr) (repetition, bool) {
	n, m := s.node(x), s.node(other)
	if m.kind == kRepeat && m.a == uint32(x) {
		return repetition{x, 1, 1}, true
	}
	switch n.kind {
	case kStar:
		return repetition{Expr(n.a), 0, Unbounded}, true
	case kRepeat:
		return repetition{Expr(n.a), n.b, n.c}, true
	case kOr:
		l := s.list(n)
		if l[0] != Epsilon || x != other && m.kind != kStar && m.kind != kRepeat {
			break
		}
		if len(l) > 2 && x != other {
			if k := s.node(Expr(m.a)); k.kind != kOr || int(k.n) != len(l)-1 {
				break
			}
		}
		return repetition{s.or(l[1:]...), 0, 1}, true
	}
	return repetition{}, false
}

// manyParts is from how many parts on that may be left out concatDerivative looks for those that lead to the same.
const manyParts = 32

// concatDerivative goes along the parts that may be empty, and back from the last of them. Where there are many, those
// that lead to the same as one before them are left out: after a·R beside R the sequence a·S adds nothing, S being what
// is left of R without parts that may be empty.
func (s *Store) concatDerivative(n *node, b byte) Expr {
	base := len(s.members) // for each part on the way, what it leads to and what comes after it
	var leads [4]Expr      // what the parts lead to, without those of which that was found before
	known, all := leads[:0], true
	union := Empty
	for {
		a, rest := Expr(n.a), Expr(n.b)
		m := s.node(a)
		if m.kind == kText {
			union = s.textDerivative(m, b, rest)
			break
		}
		x := s.derivative(a, b)
		many := len(s.members)-base >= 2*manyParts && n.flags&(fTag|fCount) == 0
		if many && m.flags&fNullable != 0 && slices.Contains(known, x) {
			all = false
			if n = s.node(rest); n.kind == kConcat {
				continue
			}
			union = s.derivative(rest, b)
			break
		}
		y := s.concat(x, rest)
		// INVARIANT: fitCount made sure that a byte which continues a counted body cannot begin what follows.
		if !s.maybe(a) || m.kind == kCount && x != Empty {
			union = y
			break
		}
		if many && len(known) < len(leads) {
			known = append(known, x)
		}
		next := s.node(rest)
		if next.subset&suffixClosed != 0 && s.node(x).flags&(fNullable|fTag|fCount) == fNullable {
			union = y // it matches all of rest, so what rest begins with adds nothing
			break
		}
		s.members = append(s.members, y, rest)
		if next.kind != kConcat || s.mark(rest).derived == s.epoch || s.partRow(rest) != 0 {
			union = s.derivative(rest, b)
			break
		}
		n = next
	}
	return s.uniteParts(base, union, all)
}

// uniteParts returns the union of what parts of a sequence lead to, which are in s.members from base on, and of what
// comes after the last of them. all: none was left out, so that what comes after each part is known with it.
func (s *Store) uniteParts(base int, union Expr, all bool) Expr {
	for len(s.members) > base {
		last := len(s.members) - 2
		rest := s.mark(s.members[last+1])
		if all {
			rest.derived, rest.value = s.epoch, union
		}
		// Many at once where there are many: copying them all for each would be quadratic.
		if n := s.node(union); n.kind == kOr && n.n > factorLimit {
			last = max(base, len(s.members)-2*int(n.n))
		}
		terms := []Expr{union}
		for i := last; i < len(s.members); i += 2 {
			terms = append(terms, s.members[i])
		}
		s.members = s.members[:last]
		union = s.or(terms...)
	}
	return union
}

// suffixSteps is how many parts of a sequence that may be empty dropSuffixes looks behind.
const suffixSteps = 64

// dropSuffixes leaves out members of a union that another member is, without parts at its beginning that may be empty.
func (s *Store) dropSuffixes(l []Expr) []Expr {
	var members map[Expr]bool // of long lists, when a member is looked for; false: left out
	drop := func(x Expr) {
		if members == nil {
			members = make(map[Expr]bool, len(l))
			for _, y := range l {
				members[y] = true
			}
		}
		if members[x] {
			members[x] = false
		}
	}
	for i := 0; i < len(l) && len(l) > 1; i++ {
		n := s.node(l[i])
		for steps := 0; n.kind == kConcat && steps < suffixSteps; steps++ {
			if s.node(Expr(n.a)).flags&(fNullable|fTag|fCount) != fNullable {
				break
			}
			if len(l) > factorLimit {
				drop(Expr(n.b))
			} else if j := slices.Index(l, Expr(n.b)); j >= 0 {
				l = slices.Delete(l, j, j+1)
				if j < i {
					i--
				}
			}
			n = s.node(Expr(n.b))
		}
	}
	if members != nil {
		l = slices.DeleteFunc(l, func(x Expr) bool { return !members[x] })
	}
	return l
}

// dropExtended leaves out members that are another one, which begins with a loop, with more of the loop before it:
// beside a*·r the sequences b·a*·r and b·r, where a* matches all that b does. That is what is left of a search once it
// has found something: after "x", any text with an x in it is any text.
func (s *Store) dropExtended(l []Expr) []Expr {
	if len(l) < 2 || len(l) > factorLimit || s.spent() {
		return l
	}
	for i := 0; i < len(l); i++ {
		n := s.node(l[i])
		if n.kind != kConcat || s.node(Expr(n.a)).kind != kStar {
			continue
		}
		for j := 0; j < len(l); {
			if j != i && s.extends(l[j], l[i]) {
				l = slices.Delete(l, j, j+1) // at once, lest two that extend each other both go
				if j < i {
					i--
				}
			} else {
				j++
			}
		}
	}
	return l
}

// extends reports whether x is y, or what comes after the loop that y begins with, and parts before it of which the
// loop has all.
func (s *Store) extends(x, y Expr) bool {
	loop, rest := Expr(s.node(y).a), Expr(s.node(y).b)
	parts := 0
	for at, n := x, s.node(x); ; parts++ {
		if at == rest || at == y {
			break
		}
		if n.kind != kConcat || parts == suffixSteps {
			return false
		}
		at = Expr(n.b)
		n = s.node(at)
	}
	c := s.compare()
	defer c.done()
	for ; parts > 0; parts-- {
		n := s.node(x)
		if !c.contains(loop, Expr(n.a)) {
			return false
		}
		x = Expr(n.b)
	}
	return true
}
