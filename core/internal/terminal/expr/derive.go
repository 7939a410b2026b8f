package expr

import (
	"slices"
)

// traverse calls f, which walks e and visits shared parts once: optional parts in sequence would take exponential time
// otherwise.
//
// INVARIANT: the steps of f do not depend on earlier work. If the row of e is metered, f uses no rows of parts, which
// may exist or not. If e has And or Not, makePartRows has made the rows of its plain parts.
func (s *Store) traverse(e Expr, f func()) {
	s.epochs++
	epoch, noPartRows := s.epoch, s.noPartRows
	s.epoch, s.noPartRows = s.epochs, s.Node(e).Metered()
	f()
	s.epoch, s.noPartRows = epoch, noPartRows
}

// partRow returns the row of a part of the traversed expression, 0 if there is none that may be used. Rows of
// intersections and complements leave dead ends out, and derivatives do not, so such rows are not used.
func (s *Store) partRow(e Expr) uint32 {
	n := s.Node(e)
	if s.noPartRows {
		return 0
	}
	r := s.Fact(e, FactRow)
	if r == 0 {
		return 0
	}
	if _, direct := s.Direct(n, 0); direct || n.Flags&FBoolean != 0 {
		return 0
	}
	return r
}

// Sign computes the signature of every byte: bytes with equal signatures have the same derivative.
func (s *Store) Sign(e Expr, sig *[256]uint64) { s.traverse(e, func() { s.signature(e, sig) }) }

// Derive returns the derivative of e by b.
func (s *Store) Derive(e Expr, b byte) (t Expr) {
	s.traverse(e, func() { t = s.derivative(e, b) })
	return t
}

// signature mixes into sig[b] all data on which the derivative by b depends.
func (s *Store) signature(e Expr, sig *[256]uint64) {
	for s.Node(e).Kind == KConcat && s.partRow(e) == 0 { // a loop: sequences may be longer than the stack is deep
		m, n := s.mark(e), s.Node(e)
		if m.signed == s.epoch {
			return
		}
		m.signed = s.epoch
		s.signature(n.Head(), sig)
		if !s.Maybe(n.Head()) {
			return
		}
		e = n.Tail()
	}
	m := s.mark(e)
	if m.signed == s.epoch {
		return
	}
	m.signed = s.epoch
	s.steps += signSteps
	n := s.Node(e)
	// Rows of sprawling states have one class for different targets.
	if r := s.partRow(e); r != 0 && !s.Sprawls(n) {
		s.rowSignature(s.Rows.At(r), uint64(e)<<32, sig)
		return
	}
	switch n.Kind {
	case KBytes:
		set := s.Sets.At(n.A)
		for b := set.Next(0); b < 256; b = set.Next(b + 1) {
			sig[b] = mix(sig[b], uint64(n.A)+0x1234567)
		}
	case KText:
		c := s.Texts.At(n.A).Str[n.B]
		sig[c] = mix(sig[c], uint64(e)<<8)
		if n.Enc().HasEscapes() {
			sig['\\'] = mix(sig['\\'], uint64(e)<<8+1)
		}
	case KConcat, KSpelled:
		s.signature(n.Head(), sig)
		if s.Maybe(n.Head()) {
			s.signature(n.Tail(), sig)
		}
	case KOr, KAnd:
		for _, x := range s.List(n) {
			s.signature(x, sig)
		}
	case KNot, KStar, KRepeat, KCount:
		s.signature(n.Body(), sig)
	case KScan:
		s.scanSignature(n, sig)
	case KMachine:
		s.machineSignature(n, sig)
	}
}

// rowSignature is signature for a part with row r.
//
// PERF: it hashes targets once for each class, not for each byte. Intersections of a hundred members with rows spent a
// sixth of their time on that.
func (s *Store) rowSignature(r *Row, part uint64, sig *[256]uint64) {
	var adds [256]uint64
	several := false // some target stands for several
	targets := s.Targets.Slice(r.Targets, int(r.N))
	for c, t := range targets {
		adds[c] = mix(part, uint64(t)+1)
		several = several || t == Unresolved || t == TooHard
	}
	classes := s.ClassMaps.At(r.Classes)
	for b, c := range classes {
		sig[b] = sig[b]*oddFactor + adds[c]
	}
	for b := 0; b < 256 && several; b++ {
		if t := targets[classes[b]]; t == Unresolved || t == TooHard {
			sig[b] = mix(sig[b], uint64(b))
		}
	}
}

// oddFactor multiplies a signature before the next part is added, so that the order of parts matters.
const oddFactor = 0x9E3779B97F4A7C15

// derivative returns the derivative of e by b, and remembers it for the current traversal.
func (s *Store) derivative(e Expr, b byte) Expr {
	m := s.mark(e)
	if m.derived == s.epoch {
		return m.value
	}
	s.steps += partSteps
	t := s.derivativeOf(e, s.Node(e), b)
	m.derived, m.value = s.epoch, t
	return t
}

func (s *Store) derivativeOf(e Expr, n *Node, b byte) Expr {
	if r := s.partRow(e); r != 0 {
		if t := s.Lookup(r, b); t != Unresolved && t != TooHard {
			return t
		}
		noPartRows := s.noPartRows
		s.noPartRows = true
		defer func() { s.noPartRows = noPartRows }()
	}
	switch n.Kind {
	case KEmpty, KEps, KTag, KTooHard:
		return Empty
	case KBytes:
		if s.Sets.At(n.A).Has(b) {
			return Epsilon
		}
		return Empty
	case KText:
		return s.TextDerivative(n, b, Epsilon)
	case KConcat, KSpelled:
		return s.concatDerivative(n, b)
	case KOr:
		base := len(s.Members)
		for _, x := range s.List(n) {
			if y := s.derivative(x, b); y != Empty {
				s.Members = append(s.Members, y)
			}
		}
		union := s.Or(s.Members[base:]...)
		s.Members = s.Members[:base]
		return union
	case KAnd:
		var buf [16]Expr
		l := buf[:0]
		for _, x := range s.List(n) {
			y := s.derivative(x, b)
			if y == Empty {
				return Empty
			}
			l = append(l, y)
		}
		return s.And(l...)
	case KNot:
		return s.Not(s.derivative(n.Body(), b))
	case KStar:
		return s.Concat(s.derivative(n.Body(), b), e)
	case KRepeat:
		return s.repeatDerivative(n, b)
	case KCount:
		if y := s.derivative(n.Body(), b); y != Empty {
			return s.Intern(KCount, uint32(y), n.B, 0, nil)
		}
		return Empty
	case KScan:
		return s.scanDerivative(n, b)
	case KMachine:
		return s.machineDerivative(n, b)
	}
	return e // KTop
}

// repeatDerivative returns the derivative of a repetition by b.
func (s *Store) repeatDerivative(n *Node, b byte) Expr {
	y := s.derivative(n.Body(), b)
	if y == Empty {
		return Empty
	}
	lo, hi := n.B, n.C
	if lo > 0 {
		lo--
	}
	if hi != Unbounded {
		hi--
	}
	return s.Concat(y, s.Repeat(n.Body(), lo, hi))
}

// manyParts is the number of optional parts from which concatDerivative drops parts with equal derivatives.
const manyParts = 32

// concatDerivative returns the derivative of a sequence. Forward, it derives each optional part; backward, uniteParts
// unites the results: a?b?c by a gives b?c, and by b it gives c. Beyond manyParts parts, it drops each part with the
// derivative A of an earlier part: A·R contains A·S if S is R without optional parts at its beginning (Lemma 114).
func (s *Store) concatDerivative(n *Node, b byte) Expr {
	base := len(s.Members) // pairs: the derivative of a part, and the rest after it
	var leads [4]Expr      // derivatives of the first parts beyond manyParts
	known, all := leads[:0], true
	union := Empty
	for {
		a, rest := n.Head(), n.Tail()
		m := s.Node(a)
		if m.Kind == KText {
			union = s.TextDerivative(m, b, rest)
			break
		}
		next := s.Node(rest)
		whole := next.Kind != KConcat || s.partRow(rest) != 0 // rest is derived at once
		x := s.derivative(a, b)
		many := len(s.Members)-base >= 2*manyParts && n.Flags&(FTag|FCount) == 0
		if many && m.Flags&FNullable != 0 && slices.Contains(known, x) {
			all = false
			if whole {
				union = s.derivative(rest, b)
				break
			}
			n = next
			continue
		}
		y := s.Concat(x, rest)
		// INVARIANT: a byte that continues a counted body cannot begin the rest (Lemma 127).
		if !s.Maybe(a) || m.Kind == KCount && x != Empty {
			union = y
			break
		}
		if many && len(known) < len(leads) {
			known = append(known, x)
		}
		s.Members = append(s.Members, y, rest)
		if whole || s.mark(rest).derived == s.epoch {
			union = s.derivative(rest, b)
			break
		}
		n = next
	}
	return s.uniteParts(base, union, all)
}

// uniteParts returns the union of the derivatives of parts, which are in s.Members from base on, and of the rest after
// the last of them. all says that no part was dropped; then the derivative of each rest is remembered.
func (s *Store) uniteParts(base int, union Expr, all bool) Expr {
	for len(s.Members) > base {
		last := len(s.Members) - 2
		rest := s.mark(s.Members[last+1])
		if all {
			rest.derived, rest.value = s.epoch, union
		}
		// Unite many at once: copying all of them for each would be quadratic.
		if n := s.Node(union); n.Kind == KOr && n.N > shortUnion {
			last = max(base, len(s.Members)-2*int(n.N))
		}
		terms := []Expr{union}
		for i := last; i < len(s.Members); i += 2 {
			terms = append(terms, s.Members[i])
		}
		s.Members = s.Members[:last]
		union = s.Or(terms...)
	}
	return union
}
