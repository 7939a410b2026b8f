package analysis

import (
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// textRow is the part that the rows of all texts with the same next byte share.
type textRow struct{ classes, alive uint32 }

// transition is a state and a byte.
type transition struct {
	e expr.Expr
	b byte
}

// States finds the transitions of states. None leads to a dead end, so States also decides whether expressions match
// anything.
type States struct {
	*expr.Store
	Budgets limits.Budgets

	textRows      expr.Dict[uint16, textRow]
	sprawlingRows expr.Dict[expr.ByteSet, uint32]  // rows by live bytes, for states whose targets are found one by one
	resolved      expr.Dict[transition, expr.Expr] // targets that rows leave unresolved
	life          map[expr.Expr]*lifeNode
}

// initOver begins with the transitions that below has found.
func (s *States) initOver(below *States) {
	s.textRows, s.sprawlingRows = expr.Over(&below.textRows), expr.Over(&below.sprawlingRows)
	s.resolved = expr.Over(&below.resolved)
}

// mapEntry is about the memory of a map's entry.
const mapEntry = 64

// remember adds an entry to *m, and its memory to s.Extra.
func remember[K comparable, V any](s *expr.Store, m *map[K]V, key K, v V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = v
	s.Extra.Add(mapEntry)
}

// decided returns whether e matches anything, if the structure of e answers that for e and its derivatives, and Unasked
// otherwise. Derivatives within the last character of an exclusion are not covered: they are asked anew.
func (s *States) decided(e expr.Expr, n *expr.Node) expr.Verdict {
	switch {
	case e == expr.Empty:
		return expr.Nothing
	case n.Flags&expr.FBoolean == 0:
		return expr.Something
	case n.Kind == expr.KAnd:
		if text, excluded, _, ok := s.Exclusion(e); ok && s.Outlasts(text, excluded) {
			return expr.Something
		}
	}
	return expr.Unasked
}

// Exclusion splits e = (B ∧ ¬T)·tail into B, T and tail, none of which contains And or Not. ok is false for other e.
func (s *States) Exclusion(e expr.Expr) (text, excluded, tail expr.Expr, ok bool) {
	n := s.Node(e)
	if n.Flags&(expr.FTag|expr.FCount) != 0 {
		return
	}
	tail = expr.Epsilon
	if n.Kind == expr.KConcat {
		tail = n.Tail()
		n = s.Node(n.Head())
	}
	if n.Kind != expr.KAnd || n.N != 2 || s.Node(tail).Flags&expr.FBoolean != 0 {
		return
	}
	x, y := s.List(n)[0], s.List(n)[1]
	if s.Node(x).Kind == expr.KNot {
		x, y = y, x
	}
	m := s.Node(y)
	if m.Kind != expr.KNot || s.Node(x).Flags&expr.FBoolean != 0 || s.Node(m.Body()).Flags&expr.FBoolean != 0 {
		return
	}
	return x, m.Body(), tail, true
}

// Outlasts reports whether text without the excluded strings is alive in every state in which text is: excluded is
// finite, and text is endless (Lemma 120).
func (s *States) Outlasts(text, excluded expr.Expr) bool {
	return s.Node(excluded).Subset&expr.ExtentFinite != 0 && s.endless(text)
}

// endless reports whether every prefix of a string of x, which contains no And or Not, has infinitely many
// continuations in x, as far as its structure shows. Infinitely many strings are not enough: a|b* ends after a.
func (s *States) endless(x expr.Expr) bool {
	seen := map[expr.Expr]bool{}
	for left := []expr.Expr{x}; len(left) > 0; {
		x, left = left[len(left)-1], left[:len(left)-1]
		n := s.Node(x)
		for n.Kind == expr.KConcat {
			x = n.Tail()
			n = s.Node(x)
		}
		switch {
		case n.Kind == expr.KStar, n.Kind == expr.KTop, n.Kind == expr.KRepeat && n.C == expr.Unbounded:
		case n.Kind != expr.KOr:
			return false
		case !seen[x]:
			seen[x] = true
			left = append(left, s.List(n)...)
		}
	}
	return true
}

// AliveKnown returns the bytes with a transition from e, nil if that needs a new row. It takes no lock.
func (s *States) AliveKnown(e expr.Expr) *expr.ByteSet {
	n := s.Node(e)
	if r := s.Fact(e, expr.FactRow); r != 0 {
		return s.Sets.At(s.Rows.At(r).Alive)
	}
	switch n.Kind {
	case expr.KEmpty, expr.KEps, expr.KTag, expr.KTooHard:
		return s.Sets.At(0)
	case expr.KBytes:
		return s.Sets.At(n.A)
	case expr.KConcat:
		m := s.Node(n.Head())
		if m.Kind == expr.KSpelled {
			m = s.Node(m.Head())
		}
		if m.Kind == expr.KBytes && n.Flags&expr.FBoolean == 0 {
			return s.Sets.At(m.A)
		}
	case expr.KSpelled:
		return s.Sets.At(s.Node(n.Head()).A)
	}
	return nil
}

// keepRow publishes the row of e and its price.
func (s *States) keepRow(e expr.Expr, classes uint32, targets []expr.Expr, alive uint32, price int) uint32 {
	r := s.AddRow(classes, targets, alive, price)
	s.SetFact(e, expr.FactRow, r)
	return r
}
