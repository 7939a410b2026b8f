package analysis

import (
	"math"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Whether an expression with intersections or complements in it matches anything is found by a search. What the search
// may look at is bounded, and what it finds within that bound is a fact about the expression alone: it goes through the
// states in an order that their content decides, counts them as if nobody had met them before, and makes no use of what
// other searches have found. So every process comes to the same verdict, whatever it was asked before.

// Emptiness returns what is to be found out about e within the budget of a search for each of its parts.
func (s *Analysis) Emptiness(e expr.Expr) expr.Verdict {
	n := s.Node(e)
	if e == expr.Empty {
		return expr.Nothing
	}
	if n.Flags&expr.FBoolean == 0 || n.Subset&expr.ExtentInfinite != 0 {
		return expr.Something
	}
	if v := s.FoundEmptiness(e); v != expr.Unasked {
		return v
	}
	q := expr.Inquiry{S: s.Store}
	v := s.findEmptiness(e, n, &q)
	s.SetEmptiness(e, v, q.Keep())
	return v
}

// findEmptiness is emptiness where it is not known. What it takes is counted in q.
func (s *Analysis) findEmptiness(e expr.Expr, n *expr.Node, q *expr.Inquiry) (v expr.Verdict) {
	part := func(x expr.Expr) expr.Verdict {
		v := s.Emptiness(x)
		if s.Node(x).Flags&expr.FBoolean != 0 {
			q.Ask(s.AskedEmptiness(x))
		}
		return v
	}
	switch n.Kind {
	case expr.KConcat:
		// Both matter by themselves, and what is found of them holds in whatever else they are part of.
		if v = part(n.Head()); v != expr.Nothing {
			if w := part(n.Tail()); w != expr.Something {
				v = w
			}
		}
		return v
	case expr.KOr:
		// One member is enough, and there may be one about which there is no doubt, at once or after the first way that
		// comes to mind, where others take a search.
		q.Own = int(n.N)
		if slices.ContainsFunc(s.List(n), func(x expr.Expr) bool { return s.surelySome(x, q) }) || s.plunge(e, q) {
			return expr.Something
		}
		v = expr.Nothing
		for _, x := range s.List(n) {
			if q.Spent() > s.Budgets.Search { // hundreds of members may each ask for as much
				return expr.GivenUp
			}
			if w := part(x); w == expr.Something {
				return expr.Something
			} else if w == expr.GivenUp {
				v = w
			}
		}
		return v
	case expr.KStar:
		return expr.Something
	case expr.KRepeat:
		if n.B == 0 {
			return expr.Something
		}
		return part(n.Body())
	case expr.KCount:
		return part(n.Body())
	}
	if q.Own = limits.SearchVisit; s.MeetsConditions(e) {
		return expr.Something
	}
	if s.guessed(e, q) || s.plunge(e, q) {
		return expr.Something
	}
	return s.search(e, q)
}

// surelySome reports whether e matches something, as far as one look or one guess tells.
func (s *Analysis) surelySome(e expr.Expr, q *expr.Inquiry) bool {
	n := s.Node(e)
	if n.Flags&expr.FBoolean == 0 || n.Subset&expr.ExtentInfinite != 0 {
		return true
	}
	switch n.Kind {
	case expr.KConcat:
		return s.surelySome(n.Head(), q) && s.surelySome(n.Tail(), q)
	case expr.KAnd, expr.KNot:
		return s.guessed(e, q)
	}
	return false
}

// guessed reports whether one string, or one look, shows that e matches something: mostly an exclusion forbids little,
// and a look at a string tells what a search takes hundreds of derivatives for. Unions that grow with a text ask it of
// their members again and again, so it is kept.
func (s *Analysis) guessed(e expr.Expr, q *expr.Inquiry) bool {
	g, ok := s.guesses[e]
	if !ok {
		one := guesser{s: s, steps: guessSteps, most: expr.Unbounded}
		g.some = one.add(e)
		looked := one.cost()
		if !g.some {
			var looks int
			g.some, looks = s.isLive(e)
			looked += looks
		}
		own := expr.Inquiry{S: s.Store, Own: 1 + looked/looksAtOne}
		s.Work.Spend(own.Own)
		g.question = own.Keep()
		remember(s, &s.guesses, e, g)
	}
	q.Ask(g.question)
	return g.some
}

// guess is what a guess has shown.
type guess struct {
	some     bool
	question uint32
}

// plainParts calls f once with each largest part of e that a transition looks at and that has neither intersections nor
// complements in it, but for what seen has, to which it adds what it has seen: parts are shared, in some expressions in
// so many ways that their number doubles with every level.
func (s *Analysis) plainParts(e expr.Expr, seen map[expr.Expr]bool, f func(x expr.Expr)) {
	if seen[e] {
		return
	}
	seen[e] = true
	n := s.Node(e)
	if n.Flags&expr.FBoolean == 0 {
		f(e)
		return
	}
	switch n.Kind {
	case expr.KConcat:
		s.plainParts(n.Head(), seen, f)
		if s.Maybe(n.Head()) {
			s.plainParts(n.Tail(), seen, f)
		}
	case expr.KOr, expr.KAnd:
		for _, x := range s.List(n) {
			s.plainParts(x, seen, f)
		}
	case expr.KNot, expr.KStar, expr.KRepeat, expr.KCount:
		s.plainParts(n.Body(), seen, f)
	}
}

// partRows makes the transitions of the plain parts of e, which is not plain: many combinations have them in common,
// and a transition of e is put together from theirs then. It returns what those that seen does not have cost, where q
// does not pay for them: a row that is counted is a question, which many share.
func (s *Analysis) partRows(e expr.Expr, seen map[expr.Expr]bool, q *expr.Inquiry) (cost int) {
	s.plainParts(e, seen, func(x expr.Expr) {
		if s.needsRow(x) {
			r := s.Fact(x, expr.FactRow)
			if r == 0 {
				r = s.fillRow(x)
			}
			if rw := s.Rows.At(r); rw.By != 0 {
				q.Ask(rw.By)
				cost += int(rw.Own)
				return
			}
		}
		// not what it took: questions share parts, and each is charged for all
		cost += expr.RowWeight * s.DistinctParts(x)
	})
	return cost
}

// needsRow reports whether the transitions of x are found in a row, and not by a look at x, whether there is one or not.
func (s *Analysis) needsRow(x expr.Expr) bool {
	_, simple := s.Direct(s.Node(x), 0)
	return !simple
}

// What visiting a state in a search costs besides the rows of its parts and its derivatives, in the units of
// Budgets.Search and of a compilation, about 25 ns: searchState once, searchSuccessor for each transition.
const (
	searchState     = 60
	searchSuccessor = 15
	// searchParts times a budget is more than the parts that use it up: derivatives beyond are not finished.
	searchParts = 4
)

// search looks for a string of e. It goes first where the least seems to be left to match.
func (s *Analysis) search(e expr.Expr, q *expr.Inquiry) expr.Verdict {
	return s.SearchFor(e, q, s.Budgets.Search, func(at expr.Expr, _ uint32) bool { return s.isSome(at, q) })
}

// SearchFor is search until some says that the state at so many bytes matches something, within a budget.
func (s *Analysis) SearchFor(
	e expr.Expr, q *expr.Inquiry, budget int, some func(at expr.Expr, bytes uint32) bool,
) expr.Verdict {
	most := q.Spent() + budget
	parts := map[expr.Expr]bool{}
	seen := map[expr.Expr]bool{e: true}
	var queue frontier
	queue.push(e, 0, 0)
	derived := s.Count(0)
	derived.Rest()
	defer derived.Done()
	for len(queue.heap) > 0 {
		at, bytes := queue.pop()
		if some(at, bytes) {
			s.Work.Spend(searchState)
			q.Own += searchState
			return expr.Something
		}
		made := s.partRows(at, parts, q)
		s.Work.Spend(made)
		if q.Own += made; q.Spent() > most {
			return expr.GivenUp
		}
		derived.Go(searchParts * (most - q.Spent()))
		var sig [256]uint64
		s.Sign(at, &sig)
		before, successors, looks := expr.Empty, 1, 0
		for b := 0; b < 256 && !s.Spent(); b++ {
			if b > 0 && sig[b] == sig[b-1] {
				continue
			}
			y := s.Derive(at, byte(b))
			if y == before {
				continue
			}
			before = y
			successors++
			if y != expr.Empty && !seen[y] {
				seen[y] = true
				left, n := s.leastLeft(y)
				queue.push(y, left, bytes+1)
				looks += n
			}
		}
		visit := searchState + successors*searchSuccessor + looks/looksAtOne
		counted, compared := derived.Searched(), derived.Compared()
		derived.Rest()
		s.Work.Spend(visit + counted - compared) // comparisons have spent theirs
		if q.Own += visit + counted; q.Spent() > most {
			return expr.GivenUp
		}
	}
	return expr.Nothing
}

// isSome reports whether state e, come to by a search, matches something for sure.
func (s *Analysis) isSome(e expr.Expr, q *expr.Inquiry) bool {
	n := s.Node(e)
	if n.Flags&expr.FMaybe != 0 || n.Flags&expr.FBoolean == 0 || n.Subset&expr.ExtentInfinite != 0 ||
		s.MeetsConditions(e) {
		return true
	}
	some, looks := s.isLive(e)
	q.Own += looks / looksAtOne
	s.Work.Spend(looks / looksAtOne)
	for _, enc := range s.EncodingsOf(e) {
		if some {
			break
		}
		_, some = s.Promises(e, enc, q)
	}
	return some
}

// plunge goes a few bytes along the first way that comes to mind and reports whether it leads to where something
// matches for sure. Within code points that is the whole answer.
//
// What may follow within an escape is too much to guess from; where the escape is over, a guess mostly tells. So one is
// made at the first state on the way that goes on with a character that is part of none.
func (s *Analysis) plunge(e expr.Expr, q *expr.Inquiry) (some bool) {
	guessed := false
	own := q.Own
	defer func() { s.Work.Spend(q.Own - own) }()
	for i := range plungeBytes {
		if s.MeetsConditions(e) {
			q.Own += limits.SearchVisit
			return true
		}
		q.Own += s.Weight(e)
		if s.isSome(e, q) {
			return true
		}
		if i > 0 && !guessed {
			first := s.First(e)
			if guessed = first.Intersects(&stranger); guessed && s.guessed(e, q) {
				return true
			}
		}
		next, _, tried := s.firstStep(e)
		q.Own += deriveCost * tried * s.Weight(e)
		if e = next; e == expr.Empty {
			break
		}
	}
	return false
}

// firstStep returns where the byte that comes to mind first leads from e, Empty if that takes too many tries. It is
// remembered.
//
// PERF: plunges from the successors of one state meet the same states. Where these are unions of exclusions, the steps
// took two thirds of a mask of 100 ms.
func (s *Analysis) firstStep(e expr.Expr) (next expr.Expr, b byte, tried int) {
	step, ok := s.firstSteps[e]
	if !ok {
		first := s.First(e)
		for step.next == expr.Empty && step.tried < plungeTries && !first.IsEmpty() {
			step.b = plainest(&first)
			first[step.b>>6] &^= 1 << (step.b & 63)
			step.next = s.Derive(e, step.b)
			step.tried++
		}
		remember(s, &s.firstSteps, e, step)
	}
	return step.next, step.b, step.tried
}

// firstStep is a step of a plunge, and how many bytes have been tried for it.
type firstStep struct {
	next  expr.Expr
	b     byte
	tried int
}

// plungeBytes is how far a plunge goes: an escape of two surrogates has twelve bytes. plungeTries is how many bytes it
// tries at each place.
const (
	plungeBytes = 14
	plungeTries = 4
)

// frontier is what a search has yet to visit, the most promising first; of equals, that which was found last.
type frontier struct {
	heap []waiting
	n    uint32
}

type waiting struct {
	e     expr.Expr
	left  uint64
	order uint32
	bytes uint32 // that lead to e
}

func (w waiting) before(x waiting) bool {
	return w.left < x.left || w.left == x.left && w.order > x.order
}

func (f *frontier) push(e expr.Expr, left uint64, bytes uint32) {
	f.n++
	f.heap = append(f.heap, waiting{e, left, f.n, bytes})
	for i := len(f.heap) - 1; i > 0; {
		up := (i - 1) / 2
		if !f.heap[i].before(f.heap[up]) {
			break
		}
		f.heap[i], f.heap[up] = f.heap[up], f.heap[i]
		i = up
	}
}

func (f *frontier) pop() (e expr.Expr, bytes uint32) {
	top := f.heap[0]
	last := len(f.heap) - 1
	f.heap[0] = f.heap[last]
	f.heap = f.heap[:last]
	for i := 0; ; {
		least := i
		for _, c := range [2]int{2*i + 1, 2*i + 2} {
			if c < last && f.heap[c].before(f.heap[least]) {
				least = c
			}
		}
		if least == i {
			return top.e, top.bytes
		}
		f.heap[i], f.heap[least] = f.heap[least], f.heap[i]
		i = least
	}
}

// leastLeft estimates how much a string of e has to match still. Searches go by it; nothing is wrong where it is.
// Members of an intersection that stay met once they are met come first, one after the other, and of those that have to
// be met by the end it counts which takes longest: to try to meet them sooner would lead nowhere.
//
// looks is how many parts it has looked at.
func (s *Analysis) leastLeft(e expr.Expr) (left uint64, looks int) {
	steps := leftSteps
	left = s.leastLeftOf(e, &steps)
	return left, leftSteps - steps
}

func (s *Analysis) leastLeftOf(e expr.Expr, steps *int) uint64 {
	n := s.Node(e)
	if n.Flags&expr.FBoolean == 0 || *steps < 0 {
		return uint64(s.left(e, steps))
	}
	switch n.Kind {
	case expr.KConcat, expr.KCount:
		return s.leastLeftOf(n.Head(), steps)
	case expr.KOr:
		least := uint64(math.MaxUint64)
		for _, x := range s.List(n) {
			least = min(least, s.leastLeftOf(x, steps))
		}
		return least
	case expr.KAnd:
		first, last := uint32(0), uint32(0)
		for _, x := range s.List(n) {
			if left := s.left(x, steps); s.Node(x).Kind == expr.KNot || s.keeps(x, steps) {
				first += left
			} else {
				last = max(last, left)
			}
		}
		return uint64(first)<<32 | uint64(last)
	}
	return uint64(s.left(e, steps))
}

// keeps reports whether x, once met, goes on in a loop. Unions within unions share what follows them, in some patterns in
// so many ways that their number doubles with every level.
func (s *Analysis) keeps(x expr.Expr, steps *int) bool {
	n := s.Node(x)
	for ; n.Kind == expr.KConcat && *steps >= 0; n = s.Node(n.Tail()) {
		*steps--
	}
	*steps--
	return *steps >= 0 && (n.Kind == expr.KStar || n.Kind == expr.KOr &&
		slices.ContainsFunc(s.List(n), func(y expr.Expr) bool { return s.keeps(y, steps) }))
}

const (
	leftSteps = 2000
	// leftExcluded is what an exclusion counts for that can still be violated.
	leftExcluded = 3
	leftMost     = 1 << 20
)

func (s *Analysis) left(e expr.Expr, steps *int) (sum uint32) {
	for {
		n := s.Node(e)
		if *steps--; *steps < 0 || n.Flags&expr.FNullable != 0 && n.Flags&expr.FBoolean == 0 {
			return sum
		}
		switch n.Kind {
		case expr.KBytes:
			sum++
		case expr.KText:
			sum += uint32(len(s.Texts.At(n.A).Str)) - n.B
		case expr.KConcat, expr.KSpelled:
			sum += s.left(n.Head(), steps)
			e = n.Tail()
			continue
		case expr.KOr:
			least := uint32(leftMost)
			for _, x := range s.List(n) {
				if least = min(least, s.left(x, steps)); least <= 1 {
					break // as any character is
				}
			}
			sum += least
		case expr.KAnd:
			for _, x := range s.List(n) {
				sum += s.left(x, steps)
			}
		case expr.KNot:
			sum += leftExcluded
		case expr.KRepeat:
			sum += uint32(min(uint64(n.B)*uint64(s.left(n.Body(), steps)), leftMost))
		case expr.KCount:
			e = n.Body()
			continue
		case expr.KMachine, expr.KScan:
			*steps = -1 // nobody knows
		}
		return min(sum, leftMost)
	}
}
