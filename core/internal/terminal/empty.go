package terminal

import "github.com/sluice-engine/sluice/core/internal/limits"

// Whether an expression with intersections or complements in it matches anything is found by a search. What the search
// may look at is bounded, and what it finds within that bound is a fact about the expression alone: it goes through the
// states in an order that their content decides, counts them as if nobody had met them before, and makes no use of what
// other searches have found. So every process comes to the same verdict, whatever it was asked before.

// verdict is what a search for a string has come to.
type verdict uint8

const (
	unasked  verdict = iota
	nonEmpty         // it matches something
	empty            // it matches nothing
	tooHard          // the search was given up
)

// IsEmpty reports whether x is known to match nothing, deciding intersections and complements by search.
func (s *Store) IsEmpty(x Expr) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.emptiness(x) == empty
}

// emptiness returns what is to be found out about e within the budget of a search for each of its parts.
func (s *Store) emptiness(e Expr) verdict {
	n := s.node(e)
	if e == Empty {
		return empty
	}
	if n.flags&fBoolean == 0 || n.subset&extentInfinite != 0 {
		return nonEmpty
	}
	if v := s.foundEmptiness(e); v != unasked {
		return v
	}
	v, cost := nonEmpty, 0
	part := func(x Expr) verdict {
		v := s.emptiness(x)
		if s.node(x).flags&fBoolean != 0 {
			cost += s.emptinessCost(x)
		}
		return v
	}
	switch n.kind {
	case kConcat:
		// Both matter by themselves, and what is found of them holds in whatever else they are part of.
		if v = part(Expr(n.a)); v != empty {
			if w := part(Expr(n.b)); w != nonEmpty {
				v = w
			}
		}
	case kOr:
		v = empty
		for _, x := range s.list(n) {
			if w := part(x); w == nonEmpty {
				v = w
				break
			} else if w == tooHard {
				v = w
			}
		}
	case kStar:
	case kRepeat:
		if n.b > 0 {
			v = part(Expr(n.a))
		}
	case kCount:
		v = part(Expr(n.a))
	default:
		if cost = limits.SearchVisit; s.meetsConditions(e) {
			cost = s.weight(e)
		} else if !s.likely(e) {
			v, cost = s.search(e)
		}
	}
	s.setEmptiness(e, v, cost)
	return v
}

// plainParts calls f with each largest part of e that a transition looks at and that has neither intersections nor
// complements in it, some of them more than once.
func (s *Store) plainParts(e Expr, f func(x Expr)) {
	n := s.node(e)
	if n.flags&fBoolean == 0 {
		f(e)
		return
	}
	switch n.kind {
	case kConcat:
		s.plainParts(Expr(n.a), f)
		if s.maybe(Expr(n.a)) {
			s.plainParts(Expr(n.b), f)
		}
	case kOr, kAnd:
		for _, x := range s.list(n) {
			s.plainParts(x, f)
		}
	case kNot, kStar, kRepeat, kCount:
		s.plainParts(Expr(n.a), f)
	}
}

// partRows makes the transitions of the plain parts of e, which is not plain: many combinations have them in common, and
// a transition of e is put together from theirs then. It returns how many there are, and what those that seen does not
// have cost.
func (s *Store) partRows(e Expr, seen map[Expr]bool) (parts, cost int) {
	s.plainParts(e, func(x Expr) {
		parts++
		if seen[x] {
			return
		}
		seen[x] = true
		if _, simple := s.direct(s.node(x), 0); !simple && s.fact(x, factRow) == 0 {
			s.fillRow(x)
		}
		cost += s.RowCost(x)
	})
	return parts, cost
}

// searchWork is what a unit of the budget of a search counts for in that of a compilation.
const searchWork = 1

// search looks for a string of e. cost is what it has visited.
func (s *Store) search(e Expr) (v verdict, cost int) {
	parts := map[Expr]bool{}
	seen := map[Expr]bool{e: true}
	queue, done := []Expr{e}, []bool{false}
	first, last := 0, 0 // what is visited next from either end
	// From both ends in turn: a short string is found breadth first, and one of the many long ones depth first.
	for turn := 0; first < len(queue); turn++ {
		i := first
		if turn&1 == 0 {
			first++
		} else {
			i = last
			last--
		}
		if last = max(last, 0); done[i] {
			continue
		}
		done[i] = true
		at := queue[i]
		x := s.node(at)
		if x.flags&fMaybe != 0 || x.flags&fBoolean == 0 || x.subset&extentInfinite != 0 || s.meetsConditions(at) {
			return nonEmpty, cost + limits.SearchVisit
		}
		plain, made := s.partRows(at, parts)
		if cost += made; cost > s.budgets.Search {
			return tooHard, cost
		}
		var sig [256]uint64
		s.sign(at, &sig)
		before, successors := Empty, 1
		for b := 0; b < 256; b++ {
			if b > 0 && sig[b] == sig[b-1] {
				continue
			}
			y := s.derive(at, byte(b))
			if y == before {
				continue
			}
			before = y
			successors++
			if y != Empty && !seen[y] {
				seen[y] = true
				queue, done = append(queue, y), append(done, false)
				last = len(queue) - 1
			}
		}
		s.work.Spend(searchWork * (limits.SearchVisit + successors*plain))
		if cost += limits.SearchVisit + successors*plain; cost > s.budgets.Search {
			return tooHard, cost
		}
	}
	return empty, cost
}

// likely tries one string and reports whether e matches it: mostly an exclusion forbids little, and a look at the string
// tells what a search takes hundreds of derivatives for.
func (s *Store) likely(e Expr) bool {
	g := guesser{s: s, steps: guessSteps}
	return g.add(e)
}
