package analysis

import (
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// fillExclusionRow is fillRow for "B but not T, then tail": wherever T cannot go on, the row is that of "B, then tail",
// so only the bytes that T knows are derived. The keys that an object does not declare are such states, one for each
// place within its declared keys.
func (s *Analysis) fillExclusionRow(e expr.Expr) (uint32, bool) {
	text, excluded, tail, ok := s.Exclusion(e)
	if !ok {
		return 0, false
	}
	base := s.Concat(text, tail)
	differs := s.First(excluded)
	if s.Nullable(excluded) {
		t := s.First(tail)
		differs.Union(&t)
	}
	if differs.Len() > 64 {
		return 0, false
	}
	r := s.Fact(base, expr.FactRow)
	if r == 0 {
		r = s.fillRow(base)
	}
	rw := *s.Rows.At(r)
	classes := *s.ClassMaps.At(rw.Classes)
	n := int(rw.N)
	if n+differs.Len() > 256 {
		return 0, false
	}
	tally := s.Count(expr.NoBudget)
	defer tally.Close()
	row := append(make([]expr.Expr, 0, n+differs.Len()), s.Targets.Slice(rw.Targets, n)...)
	alive := *s.Sets.At(rw.Alive)
	// Escapes are seldom written: what follows a backslash is made when somebody asks, where it is sure to be
	// something.
	open, afterTail := alive.Has('\\') && s.Outlasts(text, excluded), s.First(tail)
	open = open && !afterTail.Has('\\')
	for b := differs.Next(0); b < 256; b = differs.Next(b + 1) {
		t := expr.Unresolved
		if b != '\\' || !open {
			t = s.target(s.Derive(e, byte(b)))
		}
		classes[b] = uint8(len(row))
		row = append(row, t)
		alive[b>>6] &^= 1 << (b & 63)
		if t != expr.Empty {
			alive.Add(byte(b))
		}
	}
	return s.keepRow(e, s.internClasses(&classes), row, s.InternSet(alive), s.estimate(e)), true
}

// Outlasts reports whether what finitely many excluded texts leave of a text is alive wherever the text is: infinitely
// many strings go on from each place in it.
func (s *Analysis) Outlasts(text, excluded expr.Expr) bool {
	return s.Node(excluded).Subset&expr.ExtentFinite != 0 && s.endless(text)
}

// endless reports whether x, which has no And or Not in it, goes on in infinitely many ways after whatever a string of
// it begins with. That it has infinitely many strings is not enough: a|b* ends after a. Unions share what follows them,
// so each is looked at once.
func (s *Analysis) endless(x expr.Expr) bool {
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

// Exclusion takes e apart into B, T and tail, if e is (B ∧ ¬T)·tail and neither B nor T nor tail has And or Not in
// it.
func (s *Analysis) Exclusion(e expr.Expr) (text, excluded, tail expr.Expr, ok bool) {
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
