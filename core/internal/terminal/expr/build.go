package expr

import "slices"

// Bytes returns the language of one byte of the set.
func (s *Store) Bytes(set ByteSet) Expr {
	if set.IsEmpty() {
		return Empty
	}
	return s.Intern(KBytes, s.InternSet(set), 0, 0, nil)
}

// InternSet returns the number of a set of bytes.
func (s *Store) InternSet(set ByteSet) uint32 {
	id, ok := s.setOf.Get(set)
	if !ok {
		id = s.Sets.Append(set)
		s.setOf.Put(set, id)
	}
	return id
}

// orNormal gathers the members of a union.
type orNormal struct {
	bytes ByteSet
	sets  int
	top   bool
}

// flattenOr puts the members of x into o and, those that are not sets of bytes, onto the stack s.members.
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

// Or returns the union. Counters of different members must not run at once.
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

// normalUnion returns the union of l, a sorted set, which it changes.
func (s *Store) normalUnion(l []Expr) Expr {
	l = s.mergeCounts(s.dropContained(s.dropExtended(s.dropSuffixes(s.absorb(l)))))
	switch {
	case len(l) >= ManyMembers:
		l = s.factorMany(l)
	case len(l) > 1 && len(l) <= factorLimit:
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

// factorLimit bounds the quadratic search for common heads. Tries are factored when they are built, and derivatives
// of what users write rarely have more alternatives than this.
const factorLimit = 24

// factor turns a·x | a·y into a·(x|y), so that a union of sequences that have begun alike stays one state.
func (s *Store) factor(l []Expr) []Expr {
	for i := 0; i < len(l) && !s.Spent(); i++ { // what is made when the budget is spent is given up
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

// ManyMembers is from how many members on a union is looked through for a head that most of them have.
const ManyMembers = 64

// factorMany is factor of a large union, for a head that repeats something and that most members have: whitespace
// between bounds before a thousand alternatives would be a thousand members at each number of blanks.
func (s *Store) factorMany(l []Expr) []Expr {
	head := func(x Expr) Expr {
		if n := s.Node(x); n.Kind == KConcat && n.Flags&FCount == 0 && s.Node(n.Head()).Kind == KRepeat {
			return n.Head()
		}
		return Empty
	}
	// The head that most members have is the one that is left when pairs of different ones are taken away.
	most, left := Empty, 0
	for _, x := range l {
		switch h := head(x); {
		case left == 0:
			most, left = h, 1
		case h == most:
			left++
		default:
			left--
		}
	}
	if most == Empty {
		return l
	}
	var kept, tails []Expr
	for _, x := range l {
		if head(x) == most {
			tails = append(tails, s.Node(x).Tail())
		} else {
			kept = append(kept, x)
		}
	}
	if len(tails) <= len(l)/2 {
		return l
	}
	return s.SortedSet(append(kept, s.Concat(most, s.Or(tails...))))
}

// absorb drops members that others contain: ε beside a nullable member, and parts of "any text" beside it.
func (s *Store) absorb(l []Expr) []Expr {
	if len(l) < 2 {
		return l
	}
	if l[0] == Epsilon {
		for _, x := range l[1:] {
			if n := s.Node(x); n.Flags&FNullable != 0 && n.Flags&(FTag|FCount) == 0 {
				l = l[1:]
				break
			}
		}
	}
	for e, star := range s.AnyText {
		if star == Empty || !slices.Contains(l, star) {
			continue
		}
		kept := l[:0]
		for _, x := range l {
			n := s.Node(x)
			if x == star || n.Subset>>e&1 == 0 || n.Flags&(FTag|FCount) != 0 {
				kept = append(kept, x)
			}
		}
		l = kept
	}
	return l
}

// manyMembers is the number of members beyond which sorting and comparing those of an intersection is charged for
// (manySteps). It takes most of the time there.
const manyMembers = 16

// And returns the intersection of expressions that count nothing.
func (s *Store) And(xs ...Expr) Expr {
	var buf [manyMembers]Expr
	l := buf[:0]
	for _, x := range xs {
		n := s.Node(x)
		switch n.Kind {
		case KEmpty:
			return Empty
		case KTop:
		case KAnd:
			l = append(l, s.List(n)...)
		default:
			l = append(l, x)
		}
	}
	l = s.SortedSet(l)
	if len(l) > manyMembers {
		s.steps += manySteps * len(l)
	}
	var room [manyMembers]Expr
	l, others := s.dropImplied(l, room[:0])
	if s.excludesItself(l, others) {
		return Empty
	}
	switch len(l) {
	case 0:
		return s.top()
	case 1:
		return l[0]
	}
	if l[0] == Epsilon {
		for _, x := range l[1:] {
			if !s.Nullable(x) {
				return Empty
			}
		}
		return Epsilon
	}
	if e, ok := s.factorAnd(l); ok {
		return e
	}
	set := ByteSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	for _, x := range l {
		n := s.Node(x)
		if n.Kind != KBytes {
			return s.Intern(KAnd, 0, 0, 0, l)
		}
		t := s.Sets.At(n.A)
		for i := range set {
			set[i] &= t[i]
		}
	}
	return s.Bytes(set)
}

// dropImplied leaves out "any text" where another member is text already, and "not the empty string" where another
// member does not match that. It appends to others the members that are no exclusions. They are mostly few, where there may
// be hundreds of exclusions.
func (s *Store) dropImplied(l, others []Expr) (kept, positive []Expr) {
	for e, star := range s.AnyText {
		i := slices.Index(l, star)
		if i < 0 || len(l) < 2 {
			continue
		}
		for j, x := range l {
			if j != i && s.Node(x).Subset>>e&1 != 0 {
				l = slices.Delete(l, i, i+1)
				break
			}
		}
	}
	notEmpty := -1
	for i, x := range l {
		if n := s.Node(x); n.Kind != KNot {
			others = append(others, x)
		} else if n.A == uint32(Epsilon) {
			notEmpty = i
		}
	}
	if notEmpty >= 0 && slices.ContainsFunc(l, func(y Expr) bool { return y != l[notEmpty] && !s.Nullable(y) }) {
		l = slices.Delete(l, notEmpty, notEmpty+1)
	}
	return l, others
}

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

// Repeat returns minimum to maximum strings of x, which counts nothing; maximum may be Unbounded.
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

// AnyRepeats is the number of repetitions that Generalise writes for any number. It is not Unbounded: a repetition that
// has no bound uses nothing up, and what is found out about a state with one must not be taken for what holds with a
// bound.
const AnyRepeats = Unbounded - 1
