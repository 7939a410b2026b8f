package terminal

import "slices"

// A union of the same counted parts at different counts, as derivatives of (.{1,63}\.){1,127} are, has a member for
// every way to divide the text. Most of them match nothing that another one does not: of two that are alike but for
// what may still be repeated, the one that may repeat more has all the other has. Without those a handful is left of
// thousands.

const (
	// containedMembers bounds the unions that are looked through, each member being compared with each.
	containedMembers = 96
	// containedDepth bounds how deep two members are compared, pairSteps how many of their parts, and unionSteps how
	// many parts for a whole union or intersection. Beyond them nothing counts as contained.
	containedDepth = 12
	pairSteps      = 64
	unionSteps     = 3000
)

// comparison is what one look for contained members may still spend, and one pair of them.
type comparison struct {
	s         *Store
	left, all int
}

// compared is what comparing a pair has found. The derivatives of a state by different bytes have most of their members
// in common, and with those of states nearby, so that most pairs are met again soon.
type compared struct {
	x, y  Expr
	steps int16
	found bool
}

// comparedMost is how many pairs are remembered at most, in 32 KiB, and comparedFirst how many at first: most grammars
// compare few.
const (
	comparedFirst = 1 << 6
	comparedMost  = 1 << 11
)

// placeOfPair returns where the comparison of x and y is remembered. Once as many have been found as there are places,
// there become more.
func (s *Store) placeOfPair(x, y Expr) *compared {
	n := len(s.compared)
	if n == 0 || s.comparisons > n && n < comparedMost {
		n = max(4*n, comparedFirst)
		s.compared, s.comparisons = make([]compared, n), 0
	}
	return &s.compared[(uint32(x)*0x9E3779B1^uint32(y)*0x85EBCA6B)>>8&uint32(n-1)]
}

// contains reports whether x matches all that y matches, as far as their structure tells.
func (c *comparison) contains(x, y Expr) bool {
	c.left = min(pairSteps, c.all)
	before := c.left
	known := c.s.placeOfPair(x, y)
	if known.x == x && known.y == y && known.steps > 0 && (before == pairSteps || int(known.steps) <= before) {
		c.all -= int(known.steps) // as if it had been found now: what is known must not decide what a union becomes
		return known.found
	}
	found := c.compare(x, y, containedDepth)
	c.all -= before - c.left
	if before == pairSteps {
		*known = compared{x, y, int16(before - c.left), found}
		c.s.comparisons++
	}
	return found
}

// compare begins a look for contained members, which done ends.
func (s *Store) compare() comparison { return comparison{s: s, all: unionSteps} }

// done counts what the look took.
func (c *comparison) done() { c.s.countSteps(unionSteps - c.all) }

// dropContained leaves out members that repeat something and that another member contains.
func (s *Store) dropContained(l []Expr) []Expr {
	repeats := 0
	for _, x := range l {
		if s.node(x).flags&fRepeat != 0 {
			repeats++
		}
	}
	if repeats == 0 || len(l) < 2 || len(l) > containedMembers || s.spent() {
		return l
	}
	c := s.compare()
	defer c.done()
	var room [containedMembers]counted
	shapes := room[:0]
	for _, x := range l {
		shape := s.shapeOf(x)
		if !shape.is {
			s.beginning(x, &shape)
		}
		shapes = append(shapes, shape)
	}
	for i := 0; i < len(l) && c.all > 0; {
		if c.containedIn(i, l, shapes) {
			l = slices.Delete(l, i, i+1) // at once, lest two that contain each other both go
			shapes = slices.Delete(shapes, i, i+1)
		} else {
			i++
		}
	}
	return l
}

// counted is the shape of most members of the unions that have most: a count of one part, of which a character may have
// begun, that is after a few bytes.
//
// PERF: of the ten thousand unions that masks of .*x.{300} ask for each compares a thousand pairs of these.
type counted struct {
	is        bool
	n         int // of heads
	heads     [3]Expr
	bytes     [3]*ByteSet
	tails     [4]Expr // the member itself, what follows its first head, and so on to the count
	of        Expr    // the count is of any number of these from low to high
	low, high uint32

	begins      bool // it is no count, but begins with one: head, of any number of body from least to most
	loops       bool // what follows that begins with a loop
	head, body  Expr
	least, most uint32
}

// shapeOf returns the shape of a member, if it is a count.
func (s *Store) shapeOf(x Expr) (c counted) {
	n := s.node(x)
	if n.flags&fRepeat == 0 || n.flags&(fTag|fCount) != 0 {
		return c
	}
	for c.tails[0] = x; n.kind == kConcat; n = s.node(x) {
		head := s.node(Expr(n.a))
		if head.kind != kBytes || c.n == len(c.heads) {
			return c
		}
		c.heads[c.n], c.bytes[c.n], x = Expr(n.a), s.sets.At(head.a), Expr(n.b)
		c.n++
		c.tails[c.n] = x
	}
	c.is, c.of, c.low, c.high = n.kind == kRepeat, Expr(n.a), n.b, n.c
	return c
}

// beginning adds to the shape of x how it begins, if that is with a count.
func (s *Store) beginning(x Expr, c *counted) {
	n := s.node(x)
	if n.kind != kConcat || n.flags&(fTag|fCount) != 0 {
		return
	}
	head, rest := s.node(Expr(n.a)), s.node(Expr(n.b))
	if head.kind != kRepeat || head.flags&fNullable != 0 {
		return
	}
	if rest.kind == kConcat {
		rest = s.node(Expr(rest.a))
	}
	c.begins, c.loops, c.head = true, rest.kind == kStar, Expr(n.a)
	c.body, c.least, c.most = Expr(head.a), head.b, head.c
}

// apart reports whether contains finds for sure that member x does not contain y, because of the counts that they begin
// with. So it is for most pairs of what a loop of counted alternatives leads to.
//
// PERF: a mask of (w{1,20}|x{3,9}y{5}|…)* asks for millions of pairs, which took 50 ns each.
func (x *counted) apart(y *counted) bool {
	if !x.begins || !y.begins {
		return false
	}
	if x.body == y.body && x.least <= y.least {
		return !x.loops && x.most < y.most
	}
	return x.least > 1 || y.head != x.body
}

// containsCount is contains for two members x and y that are counts. It takes as many steps.
func (c *comparison) containsCount(x, y *counted) bool {
	steps, found, i := 1, false, 0
	for ; i < x.n && i < y.n; i++ {
		if x.heads[i] != y.heads[i] {
			if steps++; !x.bytes[i].Contains(y.bytes[i]) {
				break
			}
		}
		if x.tails[i+1] == y.tails[i+1] {
			found = true
			break
		}
		steps++
	}
	if i == x.n {
		once := y.tails[i] == x.of && x.low <= 1 && x.high >= 1
		found = once || i == y.n && x.of == y.of && x.low <= y.low && x.high >= y.high
	}
	found = found && steps <= c.all
	c.all -= steps
	return found
}

// containedIn reports whether another member contains the one at index i, which repeats something.
func (c *comparison) containedIn(i int, l []Expr, shapes []counted) bool {
	if c.s.node(l[i]).flags&fRepeat == 0 {
		return false
	}
	y, whole := &shapes[i], c.s.node(l[i]).span
	for j := 0; j < len(l) && c.all > 0; j++ {
		if j == i {
			continue
		}
		if x := &shapes[j]; c.s.node(l[j]).span.cannotContain(whole) {
			c.all--
		} else if y.is && x.is {
			if c.containsCount(x, y) {
				return true
			}
		} else if x.apart(y) {
			c.all--
		} else if c.contains(l[j], l[i]) {
			return true
		}
	}
	return false
}

// compare is contains within depth.
func (c *comparison) compare(x, y Expr, depth int) bool {
	if x == y || y == Empty {
		return true
	}
	if c.left--; c.left < 0 {
		return false
	}
	s := c.s
	n, m := s.node(x), s.node(y)
	if depth == 0 || (n.flags|m.flags)&(fTag|fCount) != 0 {
		return false
	}
	depth--
	for e, star := range s.anyStar {
		if x == star && m.subset>>e&1 != 0 {
			return true
		}
	}
	if y == Epsilon {
		return n.flags&fNullable != 0
	}
	switch m.kind {
	case kOr:
		for _, z := range s.list(m) {
			if !c.compare(x, z, depth) {
				return false
			}
		}
		return true
	case kAnd:
		if n.kind != kAnd {
			return slices.ContainsFunc(s.list(m), func(z Expr) bool { return c.compare(x, z, depth) })
		}
	}
	switch n.kind {
	case kTop:
		return true
	case kOr:
		return slices.ContainsFunc(s.list(n), func(z Expr) bool { return c.compare(z, y, depth) })
	case kAnd:
		for _, z := range s.list(n) {
			if !c.compare(z, y, depth) {
				return false
			}
		}
		return true
	case kNot:
		return m.kind == kNot && c.compare(Expr(m.a), Expr(n.a), depth)
	case kBytes:
		return m.kind == kBytes && s.sets.At(n.a).Contains(s.sets.At(m.a))
	case kStar:
		return c.star(x, Expr(n.a), y, depth)
	case kRepeat:
		return m.kind == kRepeat && m.a == n.a && n.b <= m.b && n.c >= m.c || y == Expr(n.a) && n.b <= 1 && n.c >= 1
	case kConcat:
		if m.kind == kConcat && c.sequence(n, m, x, depth) {
			return true
		}
		if s.nullable(Expr(n.a)) && c.compare(Expr(n.b), y, depth) {
			return true
		}
		byte := s.node(Expr(n.a)).kind == kBytes && m.kind != kBytes // see containsCount
		return s.nullable(Expr(n.b)) && !byte && c.compare(Expr(n.a), y, depth)
	}
	return false
}

// sequence is compare where x is the concatenation n and y the concatenation m.
func (c *comparison) sequence(n, m *node, x Expr, depth int) bool {
	s, rest, other := c.s, Expr(n.b), Expr(m.b)
	if c.compare(Expr(n.a), Expr(m.a), depth) {
		if c.compare(rest, other, depth) || s.node(Expr(n.a)).kind == kStar && c.compare(x, other, depth) {
			return true
		}
	}
	// Where x goes on with a loop, the loop takes what y repeats more often: a{3}U contains a{5}U if U contains a*.
	body, least := s.repeated(Expr(n.a))
	if again, more := s.repeated(Expr(m.a)); again != body || least > more {
		return false
	}
	loop := rest
	if n := s.node(rest); n.kind == kConcat {
		loop = Expr(n.a)
	}
	return s.node(loop).kind == kStar && c.compare(loop, body, depth) && c.compare(rest, other, depth)
}

// repeated returns what x repeats and how often at least: x itself once if it is no repetition.
func (s *Store) repeated(x Expr) (body Expr, least uint32) {
	if n := s.node(x); n.kind == kRepeat {
		return Expr(n.a), n.b
	}
	return x, 1
}

// star is compare where x is any number of strings of body.
func (c *comparison) star(x, body, y Expr, depth int) bool {
	m := c.s.node(y)
	switch m.kind {
	case kStar, kRepeat:
		return c.compare(x, Expr(m.a), depth)
	case kConcat:
		if c.compare(x, Expr(m.a), depth) && c.compare(x, Expr(m.b), depth) {
			return true
		}
	}
	return c.compare(body, y, depth)
}

// excludesItself reports whether what one member of an intersection excludes contains another member.
func (s *Store) excludesItself(l []Expr) bool {
	c := s.compare()
	defer c.done()
	for _, x := range l {
		n := s.node(x)
		if n.kind != kNot || s.node(Expr(n.a)).subset&extentFinite != 0 {
			continue // a search tells more cheaply what is left of finitely many
		}
		for _, y := range l {
			if s.node(y).kind != kNot && c.contains(Expr(n.a), y) {
				return true
			}
		}
	}
	return false
}
