package analysis

import (
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// textRow is the part that the rows of all texts before the same byte share.
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

	textRows expr.Dict[uint16, textRow]
	openRows expr.Dict[expr.ByteSet, uint32]  // rows by live bytes, for states whose targets are found one by one
	resolved expr.Dict[transition, expr.Expr] // targets that rows leave unresolved
	life     map[expr.Expr]*lifeNode
}

// initOver begins with the transitions that below has found.
func (s *States) initOver(below *States) {
	s.textRows, s.openRows = expr.Over(&below.textRows), expr.Over(&below.openRows)
	s.resolved = expr.Over(&below.resolved)
}

// mapEntry is what an entry of the maps here takes, about.
const mapEntry = 64

// remember adds an entry to one of the maps of s, and counts what it takes.
func remember[K comparable, V any](s *expr.Store, m *map[K]V, key K, v V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = v
	s.Extra.Add(mapEntry)
}

// decided reports whether e matches anything if its structure decides that for e and all its derivatives; Unasked
// otherwise.
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

// Exclusion takes e apart into B, T and tail, if e is (B ∧ ¬T)·tail and neither B nor T nor tail has And or Not in
// it.
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

// Outlasts reports whether what finitely many excluded texts leave of a text is alive wherever the text is: infinitely
// many strings go on from each place in it.
func (s *States) Outlasts(text, excluded expr.Expr) bool {
	return s.Node(excluded).Subset&expr.ExtentFinite != 0 && s.endless(text)
}

// endless reports whether x, which has no And or Not in it, goes on in infinitely many ways after whatever a string of
// it begins with. That it has infinitely many strings is not enough: a|b* ends after a. Unions share what follows them,
// so each is looked at once.
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

// AliveKnown returns what Alive does where no row has to be filled for it, else nil.
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

// keepRow publishes the row of e, with its price.
func (s *States) keepRow(e expr.Expr, classes uint32, targets []expr.Expr, alive uint32, price int) uint32 {
	r := s.AddRow(classes, targets, alive, price)
	s.SetFact(e, expr.FactRow, r)
	return r
}
