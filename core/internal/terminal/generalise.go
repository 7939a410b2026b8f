package terminal

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// A repetition that may still happen many times and need not happen at all looks the same to a token at every count
// from which the token cannot exhaust it. Generalise and RepeatsLeft let the mask package share one token set among
// such states.

// manyRepeats is the least number of repetitions left that Generalise takes for any number.
const manyRepeats = 16

// Generalise returns e with expr.AnyRepeats of each optional repetition of which at least manyRepeats are left, and the
// least and the greatest number left among them. ok is false if there is none.
func (s *Store) Generalise(e Expr) (shape Expr, least, most uint32, ok bool) {
	if s.x.Node(e).Flags&expr.FRepeat == 0 {
		return e, 0, 0, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	left := repeatsLeft{least: Unbounded, becomes: expr.AnyRepeats, from: manyRepeats}
	shape = s.generalise(e, &left)
	return shape, left.least, left.most, left.most > 0
}

// repeatsLeft is the least and the greatest number left of the repetitions that were generalised, and what it became.
type repeatsLeft struct {
	least, most, becomes uint32
	from                 uint32 // so many make it worth it
	conditions           bool   // within intersections, too, but for what they exclude
	whole                uint8  // a bit of node.subset that what is repeated must have
	expr.Visits
	to map[Expr]Expr // what parts became, once there have been many
}

func (s *Store) generalise(e Expr, left *repeatsLeft) Expr {
	n := s.x.Node(e)
	if n.Flags&expr.FRepeat == 0 || n.Flags&expr.FBoolean != 0 && !left.conditions {
		return e
	}
	if !left.Many() {
		return s.generalisePart(e, n, left)
	}
	x, ok := left.to[e]
	if !ok {
		x = s.generalisePart(e, n, left)
		if left.to == nil {
			left.to = map[Expr]Expr{}
		}
		left.to[e] = x
	}
	return x
}

func (s *Store) generalisePart(e Expr, n *expr.Node, left *repeatsLeft) Expr {
	switch n.Kind {
	case expr.KConcat:
		a := s.generalise(Expr(n.A), left)
		return s.x.Concat(a, s.generalise(Expr(n.B), left))
	case expr.KOr:
		members := append([]Expr(nil), s.x.List(n)...)
		for i, x := range members {
			members[i] = s.generalise(x, left)
		}
		return s.x.Or(members...)
	case expr.KAnd:
		members := slices.Clone(s.x.List(n))
		for i, x := range members {
			members[i] = s.generalise(x, left)
		}
		return s.x.And(members...)
	case expr.KCount:
		return s.x.Intern(expr.KCount, uint32(s.generalise(Expr(n.A), left)), n.B, 0, nil)
	case expr.KRepeat:
		if n.B == 0 && n.C != Unbounded && n.C >= left.from && s.x.Node(Expr(n.A)).Subset&left.whole == left.whole {
			left.least, left.most = min(left.least, n.C), max(left.most, n.C)
			return s.x.Repeat(Expr(n.A), 0, left.becomes)
		}
	}
	return e
}

// UnboundedBody returns counted state e with each optional repetition of whole code points in its body of which at
// least so many are left made unbounded, and the least number left among them, 0 if there is none.
//
// Lemma: after any text both go on with the same bytes, and equally few code points complete them, as long as these are
// not more than there are repetitions left. Proof: what e matches the other one matches, too. Each repetition takes a
// code point or more, so the shortest completion of the other one repeats nothing more often than e still may, and
// completes e. ∎ A text uses up one repetition a byte at most.
func (s *Store) UnboundedBody(e Expr, many uint32) (shape Expr, left uint32) {
	if n := s.x.Node(e); n.Flags&expr.FRepeat == 0 || n.Flags&expr.FTag != 0 || n.Flags&expr.FHead == 0 {
		return e, 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	all := repeatsLeft{least: Unbounded, becomes: Unbounded, from: many, conditions: true}
	all.whole = 1 << s.x.Bounds.At(s.x.CountHead(e).B).Enc
	if shape = s.generalise(e, &all); all.most == 0 || s.x.Node(shape).Flags&expr.FHead == 0 {
		return e, 0
	}
	return shape, all.least
}

// AfterBytes returns the state after a text, and what finding it took. It appends those between to through, for which
// it makes no transitions, and of which it does not find out whether anything follows.
func (s *Store) AfterBytes(e Expr, text []byte, through []Expr) (t Expr, between []Expr, cost int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, b := range text {
		if s.x.Weight(e) > s.a.Budgets.Expression {
			return TooHard, through, cost
		}
		if i > 0 {
			through = append(through, e)
		}
		cost += s.x.Weight(e)
		t = expr.Unresolved
		if r := s.x.Fact(e, expr.FactRow); r != 0 {
			t = s.x.Lookup(r, b)
		}
		if t == expr.Unresolved || t == Empty || t == TooHard { // a transition that is known must make no difference
			t = s.x.Derive(e, b)
		}
		e = t
	}
	t, asked := s.a.Settle(e)
	return t, through, cost + asked
}

// GeneraliseHead returns e with each such repetition that it may begin with made unbounded, and the least number left
// among them; what follows stays as it is.
func (s *Store) GeneraliseHead(e Expr) (shape Expr, left uint32, ok bool) {
	if n := s.x.Node(e); n.Flags&expr.FRepeat == 0 || n.Flags&(expr.FBoolean|expr.FCount|expr.FTag) != 0 {
		return e, 0, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h, known := s.heads[e]
	if !known {
		all := repeatsLeft{least: Unbounded, becomes: Unbounded, from: manyRepeats}
		h.shape = s.generaliseHead(e, &all)
		h.left, h.ok = all.least, all.most > 0
		if len(s.heads) >= headsKept || s.heads == nil {
			s.heads = map[Expr]generalisedHead{}
		}
		s.heads[e] = h
	}
	return h.shape, h.left, h.ok
}

// generalisedHead is what GeneraliseHead has returned. A walk of the trie asks for that of one state thousands of
// times.
//
// PERF: BenchmarkPatterns/counted: worst-mask-ms 82 without, 10 with it.
type generalisedHead struct {
	shape Expr
	left  uint32
	ok    bool
}

// headsKept bounds the remembered ones. They take 100 KiB.
const headsKept = 4096

func (s *Store) generaliseHead(e Expr, left *repeatsLeft) Expr {
	switch n := s.x.Node(e); n.Kind {
	case expr.KConcat:
		return s.x.Concat(s.generaliseHead(Expr(n.A), left), Expr(n.B))
	case expr.KOr:
		members := append([]Expr(nil), s.x.List(n)...)
		for i, x := range members {
			members[i] = s.generaliseHead(x, left)
		}
		return s.x.Or(members...)
	case expr.KRepeat:
		return s.generalise(e, left)
	}
	return e
}

// RepeatsLeft returns the least number of times that a bounded optional repetition in e may still happen, Unbounded if
// there is none.
func (s *Store) RepeatsLeft(e Expr) uint32 {
	if s.x.Node(e).Flags&expr.FRepeat == 0 {
		return Unbounded
	}
	w := repeatsWalk{s: s, left: Unbounded}
	w.visit(e)
	return w.left
}

// repeatsWalk is one look for the least number of repetitions left.
type repeatsWalk struct {
	s    *Store
	left uint32
	expr.Visits
	seen map[Expr]bool // once there have been many
}

func (w *repeatsWalk) visit(e Expr) {
	s := w.s
	for {
		n := s.x.Node(e)
		if n.Flags&expr.FRepeat == 0 {
			return
		}
		if w.Many() {
			if w.seen[e] {
				return
			}
			if w.seen == nil {
				w.seen = map[Expr]bool{}
			}
			w.seen[e] = true
		}
		switch n.Kind {
		case expr.KConcat:
			w.visit(Expr(n.A))
			e = Expr(n.B)
			continue
		case expr.KOr:
			for _, x := range s.x.List(n) {
				w.visit(x)
			}
		case expr.KCount:
			w.visit(Expr(n.A))
		case expr.KRepeat:
			if n.B == 0 {
				w.left = min(w.left, n.C)
			}
		}
		return
	}
}
