package relax

import (
	"sync"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/analysis"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// At every count that a token cannot exhaust, a token passes an optional repetition in the same way (Lemma 137). So
// package tokenset shares one set of tokens among such states.

// manyRepeats is the least number of repetitions left that Generalise replaces.
const manyRepeats = 16

// Generalise returns e with expr.AnyRepeats for each optional repetition of which at least manyRepeats are left, and
// the least and the greatest number left. ok is false if there is none.
func Generalise(st *terminal.Store, e expr.Expr) (shape expr.Expr, least, most uint32, ok bool) {
	if st.View().Node(e).Flags&expr.FRepeat == 0 {
		return e, 0, 0, false
	}
	s := st.Lock()
	defer st.Unlock()
	left := repeatsLeft{least: expr.Unbounded, becomes: expr.AnyRepeats, from: manyRepeats}
	shape = generalise(s, e, &left)
	return shape, left.least, left.most, left.most > 0
}

// repeatsLeft collects the least and the greatest number left of generalised repetitions.
type repeatsLeft struct {
	least, most, becomes uint32
	from                 uint32 // the least number that is replaced
	expr.Visits
	to map[expr.Expr]expr.Expr // results by part, filled after many visits
}

func generalise(s *analysis.Analysis, e expr.Expr, left *repeatsLeft) expr.Expr {
	n := s.Node(e)
	if n.Flags&expr.FRepeat == 0 || n.Flags&expr.FBoolean != 0 {
		return e
	}
	if !left.Many() {
		return generalisePart(s, e, n, left)
	}
	x, ok := left.to[e]
	if !ok {
		x = generalisePart(s, e, n, left)
		if left.to == nil {
			left.to = map[expr.Expr]expr.Expr{}
		}
		left.to[e] = x
	}
	return x
}

func generalisePart(s *analysis.Analysis, e expr.Expr, n *expr.Node, left *repeatsLeft) expr.Expr {
	switch n.Kind {
	case expr.KConcat:
		a := generalise(s, n.Head(), left)
		return s.Concat(a, generalise(s, n.Tail(), left))
	case expr.KOr:
		members := append([]expr.Expr(nil), s.List(n)...)
		for i, x := range members {
			members[i] = generalise(s, x, left)
		}
		return s.Or(members...)
	case expr.KCount:
		return s.Intern(expr.KCount, uint32(generalise(s, n.Body(), left)), n.B, 0, nil)
	case expr.KRepeat:
		if n.B == 0 && n.C != expr.Unbounded && n.C >= left.from {
			left.least, left.most = min(left.least, n.C), max(left.most, n.C)
			return s.Repeat(n.Body(), 0, left.becomes)
		}
	}
	return e
}

// Heads generalises the heads of expressions, and keeps results: a walk of the trie needs one state's head thousands of
// times. Safe for concurrent use, bounded.
//
// PERF: BenchmarkPatterns/counted: worst-mask-ms 82 without, 10 with it.
type Heads struct {
	mu    sync.Mutex
	known map[expr.Expr]head
}

type head struct {
	shape expr.Expr
	left  uint32
	ok    bool
}

// Generalise returns e with unbounded repetitions for those that e begins with, also after the rest of a character, and
// the least number left. Other parts are unchanged. ok is false if there is none.
func (h *Heads) Generalise(st *terminal.Store, e expr.Expr) (shape expr.Expr, left uint32, ok bool) {
	if n := st.View().Node(e); n.Flags&expr.FRepeat == 0 || n.Flags&(expr.FBoolean|expr.FCount|expr.FTag) != 0 {
		return e, 0, false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	x, known := h.known[e]
	if !known {
		all := repeatsLeft{least: expr.Unbounded, becomes: expr.Unbounded, from: manyRepeats}
		x.shape = generaliseHead(st.Lock(), e, &all)
		st.Unlock()
		x.left, x.ok = all.least, all.most > 0
		if len(h.known) >= headsKept || h.known == nil {
			h.known = map[expr.Expr]head{}
		}
		h.known[e] = x
	}
	return x.shape, x.left, x.ok
}

// headsKept bounds the kept results, which take 100 KiB.
const headsKept = 4096

// continuation holds the bytes of UTF-8 that continue a character.
var continuation = func() (set expr.ByteSet) { set.AddRange(0x80, 0xBF); return set }()

func generaliseHead(s *analysis.Analysis, e expr.Expr, left *repeatsLeft) expr.Expr {
	switch n := s.Node(e); n.Kind {
	case expr.KConcat:
		if first := s.First(n.Head()); !first.IsEmpty() && continuation.Contains(&first) && !s.Maybe(n.Head()) {
			return s.Concat(n.Head(), generaliseHead(s, n.Tail(), left))
		}
		return s.Concat(generaliseHead(s, n.Head(), left), n.Tail())
	case expr.KOr:
		members := append([]expr.Expr(nil), s.List(n)...)
		for i, x := range members {
			members[i] = generaliseHead(s, x, left)
		}
		return s.Or(members...)
	case expr.KRepeat:
		return generalise(s, e, left)
	}
	return e
}

// RepeatsLeft returns the least number of times that a bounded optional repetition in e may still happen, Unbounded if
// there is none.
//
// PERF: a constant with many members is a sequence of thousands of parts, and the states of a walk share its ends. So
// the answer is kept for some ends. Without it, the first mask of an object of 3,000 members took twice its 400 ms.
func RepeatsLeft(st *terminal.Store, e expr.Expr) uint32 {
	v := st.View().View
	if v.Node(e).Flags&expr.FRepeat == 0 {
		return expr.Unbounded
	}
	w := repeatsWalk{v: v, left: expr.Unbounded}
	type end struct {
		of     expr.Expr
		before uint32 // the least number of the parts between it and the end noted before
	}
	var ends []end
	n := v.Node(e)
	for ; n.Kind == expr.KConcat && n.Flags&expr.FRepeat != 0; n = v.Node(e) {
		if uint32(e)*spread>>(32-notedBits) == 0 { // independent of the distance of ids
			s := st.Lock()
			left, ok := s.RepeatsLeft(e)
			st.Unlock()
			if ok {
				w.left = min(w.left, left)
				break
			}
			// A new walk forgets visited parts, which may also be in this end.
			ends, w = append(ends, end{e, w.left}), repeatsWalk{v: v, left: expr.Unbounded}
		}
		w.visit(n.Head())
		e = n.Tail()
	}
	if n.Kind != expr.KConcat {
		w.visit(e)
	}
	if len(ends) > 0 {
		s := st.Lock()
		defer st.Unlock()
		for i := len(ends) - 1; i >= 0; i-- {
			s.SetRepeatsLeft(ends[i].of, w.left)
			w.left = min(w.left, ends[i].before)
		}
	}
	return w.left
}

const (
	// One in 2^notedBits ends of sequences keeps its answer.
	notedBits = 6
	// spread is an odd number near 2^32 divided by the golden ratio, which spreads neighbouring ids.
	spread = 0x9E3779B1
)

// repeatsWalk searches for the least number of repetitions left.
type repeatsWalk struct {
	v    expr.View
	left uint32
	expr.Visits
	seen map[expr.Expr]bool // filled after many visits
}

func (w *repeatsWalk) visit(e expr.Expr) {
	for {
		n := w.v.Node(e)
		if n.Flags&expr.FRepeat == 0 {
			return
		}
		if w.Many() {
			if w.seen[e] {
				return
			}
			if w.seen == nil {
				w.seen = map[expr.Expr]bool{}
			}
			w.seen[e] = true
		}
		switch n.Kind {
		case expr.KConcat:
			w.visit(n.Head())
			e = n.Tail()
			continue
		case expr.KOr:
			for _, x := range w.v.List(n) {
				w.visit(x)
			}
		case expr.KCount:
			w.visit(n.Body())
		case expr.KRepeat:
			if n.B == 0 {
				w.left = min(w.left, n.C)
			}
		}
		return
	}
}
