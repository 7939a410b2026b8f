package expr

import (
	"slices"
)

// Bytes returns the language of one byte of the set.
func (s *Store) Bytes(set ByteSet) Expr {
	if set.IsEmpty() {
		return Empty
	}
	return s.Intern(KBytes, s.InternSet(set), 0, 0, nil)
}

// ByteOf returns the language of one byte.
func (s *Store) ByteOf(b byte) Expr { var set ByteSet; set.Add(b); return s.Bytes(set) }

// Not returns every byte string that x, which counts nothing, does not match.
func (s *Store) Not(x Expr) Expr {
	n := s.Node(x)
	switch n.Kind {
	case KNot:
		return n.Body()
	case KEmpty:
		return s.top()
	case KTop:
		return Empty
	}
	return s.Intern(KNot, uint32(x), 0, 0, nil)
}

func (s *Store) top() Expr { return s.Intern(KTop, 0, 0, 0, nil) }

// Star returns any number of strings of x, which counts nothing.
func (s *Store) Star(x Expr) Expr {
	n := s.Node(x)
	switch n.Kind {
	case KEmpty, KEps:
		return Epsilon
	case KStar, KTop:
		return x
	}
	return s.Intern(KStar, uint32(x), 0, 0, nil)
}

// Repeat returns minimum to maximum strings of x, which counts nothing. maximum may be Unbounded.
func (s *Store) Repeat(x Expr, minimum, maximum uint32) Expr {
	switch {
	case maximum == 0 || x == Epsilon:
		return Epsilon
	case minimum > maximum:
		return Empty
	case x == Empty:
		if minimum == 0 {
			return Epsilon
		}
		return Empty
	}
	if s.Nullable(x) {
		minimum = 0
	}
	switch {
	case maximum == Unbounded && minimum == 0:
		return s.Star(x)
	case maximum == Unbounded && minimum == 1:
		return s.Concat(x, s.Star(x))
	case minimum == 1 && maximum == 1:
		return x
	case minimum == 0 && maximum == 1:
		return s.Or(Epsilon, x)
	case s.Node(x).Kind == KStar:
		return x
	}
	return s.Intern(KRepeat, uint32(x), minimum, maximum, nil)
}

// orNormal collects the members of a union.
type orNormal struct {
	bytes ByteSet
	sets  int
	top   bool
}

// flattenOr adds the members of x: sets of bytes to o, others to the stack s.Members.
func (s *Store) flattenOr(o *orNormal, x Expr) {
	n := s.Node(x)
	switch n.Kind {
	case KEmpty:
	case KTop:
		o.top = true
	case KOr:
		for _, y := range s.List(n) {
			s.flattenOr(o, y)
		}
	case KBytes:
		o.bytes.Union(s.Sets.At(n.A))
		o.sets++
	default:
		s.Members = append(s.Members, x)
	}
}

// Or returns the union of xs. Precondition: counters of different members never run at once.
//
// Or, Concat and Repeat call each other, since a union of sequences factors their heads and a sequence of repetitions
// is one repetition.
func (s *Store) Or(xs ...Expr) Expr {
	base := len(s.Members)
	defer func() { s.Members = s.Members[:base] }()
	var o orNormal
	for _, x := range xs {
		s.flattenOr(&o, x)
	}
	if o.top {
		return s.top()
	}
	if o.sets > 0 {
		s.Members = append(s.Members, s.Bytes(o.bytes))
	}
	s.countMembers(len(s.Members) - base)
	return s.unite(s.SortedSet(s.Members[base:len(s.Members):len(s.Members)]))
}

// countMembers counts the steps for n members of a new union. In large and nested unions they count as comparisons: the
// members are seldom in a CPU cache, and the weight of the expression does not show how many there are.
func (s *Store) countMembers(n int) {
	if s.depth > 0 || n > shortUnion {
		s.countSteps(memberSteps * n)
	} else {
		s.steps += memberSteps * n
	}
}

// unite returns the union of l, a sorted set, which it changes. It remembers unions within a tally, see unions.
func (s *Store) unite(l []Expr) Expr {
	repeats := func(x Expr) bool { return s.Node(x).Flags&FRepeat != 0 }
	kept := len(l) > 1 && len(l) <= containedMembers &&
		(s.depth >= unitedWithin || len(l) >= unitedLeast && slices.ContainsFunc(l, repeats))
	s.depth++
	defer func() { s.depth-- }()
	if !kept {
		return s.normalUnion(l)
	}
	h := hashNode(KOr, 0, 0, 0, l)
	s.steps += internSteps + listSteps*len(l)
	if union, ok := s.unions.get(h, l); ok {
		return union
	}
	var room [containedMembers]Expr
	members := append(room[:0], l...)
	union := s.normalUnion(l)
	if !s.Spent() {
		s.unions.put(h, members, union)
	}
	return union
}

// normalUnion returns the union of l, a sorted set, which it changes.
func (s *Store) normalUnion(l []Expr) Expr {
	l = s.mergeCounts(s.dropContained(s.dropSuffixes(s.absorb(l))))
	if len(l) > 1 && len(l) <= shortUnion {
		l = s.factor(l)
	}
	switch len(l) {
	case 0:
		return Empty
	case 1:
		return l[0]
	}
	return s.Intern(KOr, 0, 0, 0, l)
}

// factor turns a·x | a·y into a·(x|y), so that a union of sequences with equal heads stays one state.
func (s *Store) factor(l []Expr) []Expr {
	for i := 0; i < len(l) && !s.Spent(); i++ { // after the budget the result is discarded
		n := s.Node(l[i])
		if n.Kind != KConcat || n.Flags&FCount != 0 {
			continue
		}
		var tails []Expr
		for j := i + 1; j < len(l); {
			m := s.Node(l[j])
			if m.Kind == KConcat && m.A == n.A && m.Flags&FCount == 0 {
				tails = append(tails, m.Tail())
				l = slices.Delete(l, j, j+1)
				continue
			}
			j++
		}
		if tails != nil {
			l[i] = s.Concat(n.Head(), s.Or(append(tails, n.Tail())...))
		}
	}
	return s.SortedSet(l)
}

// mergeCounts unites members that repeat the same body before the same tail: x{a,b}·t and x{c,d}·t are x{a,d}·t if a ≤
// c ≤ b+1 and b ≤ d (Lemma 111). A window such as .{5,60} that may have begun at many places becomes one member.
//
// PERF: ^.{5,60} .{5,60}$ has 125,000 transitions over UTF-8 without it and 17,000 with it.
func (s *Store) mergeCounts(l []Expr) []Expr {
	if len(l) < 2 || len(l) > containedMembers || s.Spent() {
		return l
	}
	merged := false
	for i := 0; i < len(l); i++ {
		x, xTail, ok := s.leadingCount(l[i])
		if !ok {
			continue
		}
		for j := 0; j < len(l); j++ {
			y, yTail, ok := s.leadingCount(l[j])
			s.steps++
			if !ok || i == j || x.body != y.body || xTail != yTail || x.min > y.min || y.min > x.max+1 {
				continue
			}
			x.max = max(x.max, y.max)
			l[i] = s.Concat(s.Repeat(x.body, x.min, x.max), xTail)
			l = append(l[:j], l[j+1:]...)
			merged = true
			i, j = -1, len(l) // the result may reach others
		}
	}
	if merged {
		return s.SortedSet(l)
	}
	return l
}

// leadingCount returns the bounded repetition that x begins with, and the rest of x. ok is false if there is none.
func (s *Nodes) leadingCount(x Expr) (r repetition, tail Expr, ok bool) {
	n := s.Node(x)
	if n.Flags&FRepeat == 0 || n.Flags&(FTag|FCount) != 0 {
		return r, Empty, false
	}
	tail = Epsilon
	if n.Kind == KConcat {
		tail, n = n.Tail(), s.Node(n.Head())
	}
	if n.Kind != KRepeat || n.C == Unbounded {
		return r, Empty, false
	}
	return repetition{n.Body(), n.B, n.C}, tail, true
}

// Concat returns the strings that are a string of a and then one of b. A sequence is a KConcat of a part that is no
// sequence, and the rest. Patterns may have hundreds of thousands of parts, so it loops along them and takes each part
// once.
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
	for ; n.Kind == KConcat; n = s.Node(n.Tail()) {
		s.Members = append(s.Members, n.Head())
		a = n.Tail()
	}
	b = s.link(a, b)
	for i := len(s.Members) - 1; i >= base; i-- {
		b = s.link(s.Members[i], b)
	}
	s.Members = s.Members[:base]
	return b
}

// link is Concat for an a that is no sequence. Neither is empty.
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

// fuse returns a·b as one repetition: x{i,j}·x{k,l} is x{i+k,j+l}, and any text before or after optional code points is
// any text (Lemma 110). ok is false for other a and b.
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
	if n.Kind < KOr || m.Kind < KOr { // such a part fuses only with a KRepeat of it
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
	} else if high >= Unbounded {
		return Empty, false
	}
	if low >= Unbounded {
		return Empty, false
	}
	return s.Repeat(x.body, uint32(low), uint32(high)), true
}

// repetition is body{min,max}.
type repetition struct {
	body     Expr
	min, max uint32
}

// repetition returns x as a repetition, if its neighbour other may have the same body. x itself is one round if other
// repeats x.
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
