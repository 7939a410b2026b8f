package analysis

import (
	"slices"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Where no minimum is left to reach, all that a bound asks of a body state is how few code points can complete it; and
// most states whose shortest completion passes a loop can take any length from there on. Both are found by looking a
// few bytes ahead, while the lengths themselves (spectrum.go) take the whole automaton, which has thousands of states
// where a body is a format.

// leastStates bounds the states that one search for the shortest completion visits.
const leastStates = 8192

// Regular reports whether every length from the least one on is possible.
func (sp *Spectrum) Regular() bool {
	return !sp.partial && !sp.TooHard && sp.Gaps == nil && sp.Max == expr.Unbounded
}

// known returns what has been found out about the lengths of body state p, nil if nothing has.
func (s *Analysis) known(p expr.Expr, phase uint8, enc expr.Encoding) *Spectrum {
	i := s.Fact(p, expr.FactLength)
	if i == 0 {
		return nil
	}
	if sp := s.lengths.At(i - 1); sp.of(phase, enc) {
		return sp
	}
	if i, ok := s.lengthOf.Get(lengthKey{p, phase, enc}); ok {
		return s.lengths.At(i)
	}
	return nil
}

// ahead is a search for the shortest completion: the states by how many code points lead to them.
type ahead struct {
	s     *Analysis
	enc   expr.Encoding
	nodes []aheadNode
	index map[spectrumKey]int32
	next  []int32 // one code point further than those being visited
	queue []int32

	met     expr.Numbers // questions that have been counted
	cost    int          // of what has been visited
	tooHard bool         // it is not known where some way leads
	late    bool         // see Spectrum.late
}

type aheadNode struct {
	key   spectrumKey
	from  int32
	dist  uint32
	done  bool
	loops bool // some byte that is a code point of its own leads back here
}

// Shortest returns lengths of body state p of which at least the minimum is right. Where no more is known they are
// partial.
//
// INVARIANT: what is kept for a state is what a search of its own would find. A search that comes to an end writes down
// the lengths of the states on the shortest way; their own searches would visit no state that this one has not visited
// before the last distance, and what is visited there is not counted. So theirs are as cheap where this one is; where
// it is not, each has its own, as what it costs is known in no other way.
func (s *Analysis) Shortest(p expr.Expr, phase uint8, enc expr.Encoding) *Spectrum {
	if sp := s.structural(p, phase, enc); sp != nil {
		return sp
	}
	if sp := s.known(p, phase, enc); sp != nil {
		return sp
	}
	if sp, ok := s.shortestWithin(p, phase, enc, min(longSearch, s.Budgets.Search)); ok {
		return sp
	}
	return s.keepSpectrum(p, Spectrum{Min: 0, Max: expr.Unbounded, TooHard: true, late: true, phase: phase, enc: enc})
}

// shortestWithin is shortest within a budget. ok is false if that was spent.
func (s *Analysis) shortestWithin(p expr.Expr, phase uint8, enc expr.Encoding, budget int) (sp *Spectrum, ok bool) {
	a := ahead{s: s, enc: enc, index: map[spectrumKey]int32{}, late: budget > quickSearch}
	a.reach(spectrumKey{p, phase}, -1, 0, &a.queue)
	best, end, tail := uint32(expr.Unbounded), int32(-1), (*Spectrum)(nil)
	for d := uint32(0); (len(a.queue) > 0 || a.tooHard) && d < best; d++ {
		if a.tooHard || a.cost > budget {
			return nil, false
		}
		for k := 0; k < len(a.queue); k++ {
			i := a.queue[k]
			n := &a.nodes[i]
			if n.done || n.dist != d {
				continue
			}
			n.done = true
			if n.key.phase == PhaseBetween && s.Nullable(n.key.p) {
				best, end, tail = d, i, nil
				break
			}
			if sp := a.guess(n.key); sp != nil {
				if d+sp.Min < best {
					best, end, tail = d+sp.Min, i, sp
				}
				continue
			}
			if len(a.nodes) > leastStates {
				a.tooHard = true
				break
			}
			a.expand(i)
		}
		a.queue, a.next = a.next, a.queue[:0]
	}
	if end < 0 {
		none := Spectrum{
			Min: expr.Unbounded, Max: expr.Unbounded, partial: true, phase: phase, enc: enc,
			late: a.late, cost: uint32(a.cost),
		}
		return s.keepSpectrum(p, none), true
	}
	return a.keep(best, end, tail), true
}

// guess returns the lengths of a state if they can be guessed.
func (a *ahead) guess(k spectrumKey) *Spectrum {
	if k.phase != PhaseBetween {
		return nil
	}
	a.cost += limits.SearchVisit
	if sp := a.s.ConditionLengths(k.p, a.enc); sp != nil {
		return sp
	}
	if sp := a.s.fixedLength(k.p, a.enc); sp != nil {
		return sp
	}
	sp, cost := a.s.guessShortest(k.p, a.enc)
	if !a.late { // nobody has to do without what the budget of a search allows because of guesses
		a.cost += cost
	}
	return sp
}

// fixedLength returns the lengths of an intersection that has a member all of whose strings have one, nil if it has
// none.
func (s *Analysis) fixedLength(p expr.Expr, enc expr.Encoding) *Spectrum {
	n := s.Node(p)
	if n.Kind != expr.KAnd || n.Flags&expr.FCount != 0 {
		return nil
	}
	for _, x := range s.List(n) {
		steps := guessSteps
		length, ok := s.onlyLength(x, enc, &steps)
		if !ok {
			continue
		}
		switch s.Emptiness(p) {
		case expr.Something:
			return s.keepSpectrum(p, Spectrum{Min: length, Max: length, enc: enc})
		case expr.Nothing:
			return s.keepSpectrum(p, Spectrum{Min: expr.Unbounded, Max: expr.Unbounded, enc: enc})
		}
	}
	return nil
}

// onlyLength returns how many code points every string of x has, if that is the same number.
func (s *Analysis) onlyLength(x expr.Expr, enc expr.Encoding, steps *int) (length uint32, ok bool) {
	for {
		n := s.Node(x)
		if *steps--; *steps < 0 || n.Subset>>enc&1 == 0 {
			return 0, false
		}
		switch n.Kind {
		case expr.KEps:
			return length, true
		case expr.KConcat:
			m, ok := s.onlyLength(n.Head(), enc, steps)
			if length += m; !ok {
				return 0, false
			}
			x = n.Tail()
			continue
		case expr.KRepeat:
			m, ok := s.onlyLength(n.Body(), enc, steps)
			most := uint64(m)*uint64(n.C) + uint64(length)
			return uint32(most), ok && n.B == n.C && most < spectrumCap
		case expr.KText:
			return length + uint32(utf8.RuneCountInString(s.Texts.At(n.A).Str[n.B:])), true
		}
		return length + 1, s.conditionOf(x, enc).single
	}
}

// lengthGuess is what guessShortest has found, so that searches which meet the same states do not guess again.
type lengthGuess struct {
	cost  int
	found bool
}

// guessShortest finds the shortest completion of p without a search, where the first string that comes to mind has no
// more code points than any must have. It returns nil where that does not work.
//
// PERF: searches of one mask meet the same states. Where many of them were long, 451 states were guessed at 5,000 times,
// which took half of 100 ms.
func (s *Analysis) guessShortest(p expr.Expr, enc expr.Encoding) (sp *Spectrum, cost int) {
	key := lengthKey{p, PhaseBetween, enc}
	g, ok := s.lengthGuesses[key]
	if !ok {
		sp, g.cost = s.newGuess(p, enc)
		s.Work.Spend(g.cost)
		g.found = sp != nil
		remember(s, &s.lengthGuesses, key, g)
		return sp, g.cost
	}
	if g.found {
		sp = s.known(p, PhaseBetween, enc)
	}
	return sp, g.cost
}

// newGuess is guessShortest where nothing is remembered.
func (s *Analysis) newGuess(p expr.Expr, enc expr.Encoding) (sp *Spectrum, cost int) {
	steps := guessSteps
	low := max(s.lowest(p, enc, &steps), s.fewestCharacters(p, enc))
	text, path, cost := s.guess(p, low)
	if path == nil {
		return nil, cost
	}
	phases := make([]uint8, len(path))
	ahead := make([]uint32, len(path)) // code points from the start
	for i, b := range text {
		ph, begins := Advance(enc, phases[i], b)
		phases[i+1], ahead[i+1] = ph, ahead[i]
		if begins {
			ahead[i+1]++
		}
	}
	end := len(path) - 1
	if phases[end] != PhaseBetween || ahead[end] != low {
		return nil, cost
	}
	regular := false
	for i := end; i >= 0 && !regular; i-- {
		regular = i >= end-1 && s.hasLoop(spectrumKey{path[i], phases[i]}, enc)
	}
	return s.keepSpectrum(p, Spectrum{
		Min: ahead[end], Max: expr.Unbounded, partial: !regular, phase: PhaseBetween, enc: enc,
		cost: uint32(limits.SearchVisit + cost),
	}), cost
}

// reach notes that a state is dist code points away.
func (a *ahead) reach(k spectrumKey, from int32, dist uint32, queue *[]int32) {
	j, ok := a.index[k]
	if !ok {
		j = int32(len(a.nodes))
		a.index[k] = j
		a.nodes = append(a.nodes, aheadNode{key: k, dist: expr.Unbounded})
	}
	if n := &a.nodes[j]; dist < n.dist {
		n.dist, n.from = dist, from
		*queue = append(*queue, j)
	}
}

// expand visits the successors of node i.
func (a *ahead) expand(i int32) {
	defer func() {
		own, _, asked := a.s.RowParts(a.nodes[i].key.p)
		n := limits.SearchVisit + own + a.s.QuestionCost(asked, a.met.Add)
		a.cost += n
		a.s.Work.Spend(n)
	}()
	cur, dist := a.nodes[i].key, a.nodes[i].dist
	var last expr.Expr
	var lastPhase uint8
	f := a.s.fanOf(cur.p)
	for b := f.alive.Next(0); b < 256; b = f.alive.Next(b + 1) {
		t := f.to(byte(b))
		if t == expr.Empty {
			continue
		}
		if t == expr.TooHard {
			a.tooHard = true
			return
		}
		ph, begins := Advance(a.enc, cur.phase, byte(b))
		if t == cur.p && ph == PhaseBetween && begins && b < 0x80 {
			a.nodes[i].loops = true
		}
		if t == last && ph == lastPhase && b != 0x80 && b != 0xC0 {
			continue
		}
		last, lastPhase = t, ph
		if begins {
			a.reach(spectrumKey{t, ph}, i, dist+1, &a.next)
		} else {
			a.reach(spectrumKey{t, ph}, i, dist, &a.queue)
		}
	}
}

// keep writes down what the way to end has shown about all the states on it: how far the end is, and that any length
// from there on is possible where the way passes a loop.
func (a *ahead) keep(best uint32, end int32, tail *Spectrum) *Spectrum {
	s := a.s
	regular := tail != nil && tail.Regular()
	if tail == nil {
		a.nodes[end].loops = s.hasLoop(a.nodes[end].key, a.enc)
	}
	var sp *Spectrum
	for i := end; i >= 0; i = a.nodes[i].from {
		n := &a.nodes[i]
		regular = regular || n.loops
		if i > 0 && !a.late && a.cost > sharedCost {
			continue
		}
		sp = s.known(n.key.p, n.key.phase, a.enc)
		if sp == nil || sp.late && !a.late {
			sp = s.keepSpectrum(n.key.p, Spectrum{
				Min: best - n.dist, Max: expr.Unbounded, partial: !regular, phase: n.key.phase, enc: a.enc,
				late: a.late,
				cost: uint32(a.cost),
			})
		}
	}
	return sp
}

// countsDown reports whether x begins with a repetition that has a bound, or one of its members does: then any byte
// leaves fewer of them, and what was before hardly ever comes back at once. Its row need not be made to know that.
func (s *Analysis) countsDown(x expr.Expr, depth int) bool {
	n := s.Node(x)
	if n.Flags&expr.FRepeat == 0 || depth == 0 {
		return false
	}
	switch n.Kind {
	case expr.KRepeat:
		return n.C != expr.Unbounded
	case expr.KConcat, expr.KNot:
		return s.countsDown(n.Head(), depth-1)
	case expr.KOr, expr.KAnd:
		return slices.ContainsFunc(s.List(n), func(y expr.Expr) bool { return s.countsDown(y, depth-1) })
	}
	return false
}

// hasLoop reports whether some byte that is a code point of its own leads from a state to itself.
func (s *Analysis) hasLoop(k spectrumKey, enc expr.Encoding) bool {
	if k.phase != PhaseBetween || s.Node(k.p).Subset&expr.ExtentFinite != 0 || s.countsDown(k.p, expr.ContainedDepth) {
		return false
	}
	f := s.fanOf(k.p)
	for b := f.alive.Next(0); b < 0x80; b = f.alive.Next(b + 1) {
		if enc.HasEscapes() && b == '\\' {
			continue
		}
		if f.to(byte(b)) == k.p {
			return true
		}
	}
	return false
}
