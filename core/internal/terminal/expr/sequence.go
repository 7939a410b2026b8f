package expr

import "slices"

// Sequences: how they are put together, and their derivatives. A sequence is a KConcat of a part that is none and of
// the rest, so that equal languages built in different order meet. Patterns may have hundreds of thousands of parts:
// what is done here goes along them in loops, and takes each part once.

// Concat returns the strings that are a string of a and then one of b.
func (s *Store) Concat(a, b Expr) Expr {
	switch {
	case a == Empty || b == Empty:
		return Empty
	case a == Epsilon:
		return b
	case b == Epsilon:
		return a
	}
	base := len(s.Members)
	n := s.Node(a)
	whole := n.Subset & s.Node(b).Subset & allEncodings
	for ; n.Kind == KConcat; n = s.Node(n.Tail()) {
		s.Members = append(s.Members, n.Head())
		a = n.Tail()
	}
	b = s.link(a, b)
	for i := len(s.Members) - 1; i >= base; i-- {
		b = s.link(s.Members[i], b)
	}
	s.Members = s.Members[:base]
	s.markWhole(b, whole)
	return b
}

// link is concat for a part that is no sequence. Neither is empty.
func (s *Store) link(a, b Expr) Expr {
	head, tail := b, Epsilon
	if n := s.Node(b); n.Kind == KConcat {
		head, tail = n.Head(), n.Tail()
	}
	if x, ok := s.fuse(a, head); ok {
		return s.Concat(x, tail)
	}
	return s.Intern(KConcat, uint32(a), uint32(b), 0, nil)
}

// fuse returns a·b as one repetition, if they repeat the same: x{i,j}·x{k,l} is x{i+k,j+l}, for any x. Any text
// before or after what is any number of code points, or none, is any text.
func (s *Store) fuse(a, b Expr) (Expr, bool) {
	n, m := s.Node(a), s.Node(b)
	for e, star := range s.AnyText {
		other := n
		if a == star {
			other = m
		} else if b != star {
			continue
		}
		if other.Subset>>e&1 != 0 && other.Flags&(FNullable|FTag|FCount) == FNullable {
			return star, true
		}
	}
	if n.Kind < KOr || m.Kind < KOr { // parts that are mostly no repetitions
		if n.Kind != KRepeat && m.Kind != KRepeat {
			return Empty, false
		}
	}
	if (n.Flags|m.Flags)&(FTag|FCount) != 0 {
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
	} else if high >= AnyRepeats {
		return Empty, false
	}
	if low >= AnyRepeats {
		return Empty, false
	}
	return s.Repeat(x.body, uint32(low), uint32(high)), true
}

type repetition struct {
	body     Expr
	min, max uint32
}

// repetition returns x as the repetition of something, which other, beside it, may repeat too.
func (s *Store) repetition(x, other Expr) (repetition, bool) {
	n, m := s.Node(x), s.Node(other)
	if m.Kind == KRepeat && m.A == uint32(x) {
		return repetition{x, 1, 1}, true
	}
	switch n.Kind {
	case KStar:
		return repetition{n.Body(), 0, Unbounded}, true
	case KRepeat:
		return repetition{n.Body(), n.B, n.C}, true
	case KOr:
		l := s.List(n)
		if l[0] != Epsilon || x != other && m.Kind != KStar && m.Kind != KRepeat {
			break
		}
		if len(l) > 2 && x != other {
			if k := s.Node(m.Body()); k.Kind != KOr || int(k.N) != len(l)-1 {
				break
			}
		}
		return repetition{s.Or(l[1:]...), 0, 1}, true
	}
	return repetition{}, false
}

// manyParts is from how many parts on that may be left out concatDerivative looks for those that lead to the same.
const manyParts = 32

// concatDerivative goes along the parts that may be empty, and back from the last of them. Where there are many, those
// that lead to the same as one before them are left out: after a·R beside R the sequence a·S adds nothing, S being
// what is left of R without parts that may be empty.
func (s *Store) concatDerivative(n *Node, b byte) Expr {
	base := len(s.Members) // for each part on the way, what it leads to and what comes after it
	var leads [4]Expr      // what the parts lead to, without those of which that was found before
	known, all := leads[:0], true
	union := Empty
	for {
		a, rest := n.Head(), n.Tail()
		m := s.Node(a)
		if m.Kind == KText {
			union = s.TextDerivative(m, b, rest)
			break
		}
		x := s.derivative(a, b)
		many := len(s.Members)-base >= 2*manyParts && n.Flags&(FTag|FCount) == 0
		if many && m.Flags&FNullable != 0 && slices.Contains(known, x) {
			all = false
			if n = s.Node(rest); n.Kind == KConcat {
				continue
			}
			union = s.derivative(rest, b)
			break
		}
		y := s.Concat(x, rest)
		// INVARIANT: fitCount made sure that a byte which continues a counted body cannot begin what follows.
		if !s.Maybe(a) || m.Kind == KCount && x != Empty {
			union = y
			break
		}
		if many && len(known) < len(leads) {
			known = append(known, x)
		}
		next := s.Node(rest)
		if next.Subset&suffixClosed != 0 && s.Node(x).Flags&(FNullable|FTag|FCount) == FNullable {
			union = y // it matches all of rest, so what rest begins with adds nothing
			break
		}
		s.Members = append(s.Members, y, rest)
		if next.Kind != KConcat || s.mark(rest).derived == s.epoch || next.Flags&FBoolean == 0 && s.partRow(rest) != 0 {
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
	for len(s.Members) > base {
		last := len(s.Members) - 2
		rest := s.mark(s.Members[last+1])
		if all {
			rest.derived, rest.value = s.epoch, union
		}
		// Many at once where there are many: copying them all for each would be quadratic.
		if n := s.Node(union); n.Kind == KOr && n.N > factorLimit {
			last = max(base, len(s.Members)-2*int(n.N))
		}
		terms := []Expr{union}
		for i := last; i < len(s.Members); i += 2 {
			terms = append(terms, s.Members[i])
		}
		s.Members = s.Members[:last]
		union = s.Or(terms...)
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
		n := s.Node(l[i])
		for steps := 0; n.Kind == KConcat && steps < suffixSteps; steps++ {
			if s.Node(n.Head()).Flags&(FNullable|FTag|FCount) != FNullable {
				break
			}
			if len(l) > factorLimit {
				drop(n.Tail())
			} else if j := slices.Index(l, n.Tail()); j >= 0 {
				l = slices.Delete(l, j, j+1)
				if j < i {
					i--
				}
			}
			n = s.Node(n.Tail())
		}
	}
	if members != nil {
		l = slices.DeleteFunc(l, func(x Expr) bool { return !members[x] })
	}
	return l
}

// dropExtended leaves out members that are another one, which begins with a loop, with more of the loop before it:
// beside a*·r the sequences b·a*·r and b·r, where a* matches all that b does. That is what is left of a search once
// it has found something: after "x", any text with an x in it is any text.
func (s *Store) dropExtended(l []Expr) []Expr {
	if len(l) < 2 || len(l) > factorLimit || s.Spent() {
		return l
	}
	for i := 0; i < len(l); i++ {
		n := s.Node(l[i])
		if n.Kind != KConcat || s.Node(n.Head()).Kind != KStar {
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
	loop, rest := s.Node(y).Head(), s.Node(y).Tail()
	parts := 0
	for at, n := x, s.Node(x); ; parts++ {
		if at == rest || at == y {
			break
		}
		if n.Kind != KConcat || parts == suffixSteps {
			return false
		}
		at = n.Tail()
		n = s.Node(at)
	}
	c := s.Compare()
	defer c.done()
	for ; parts > 0; parts-- {
		n := s.Node(x)
		if !c.Contains(loop, n.Head()) {
			return false
		}
		x = n.Tail()
	}
	return true
}
