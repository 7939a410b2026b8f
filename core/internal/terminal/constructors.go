package terminal

import "github.com/sluice-engine/sluice/core/internal/terminal/expr"

// Bytes returns the language of one byte of the set.
func (s *Store) Bytes(set ByteSet) Expr { s.mu.Lock(); defer s.mu.Unlock(); return s.x.Bytes(set) }

// Or returns the union.
func (s *Store) Or(xs ...Expr) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.x.Or(s.withOneCounter(xs)...)
}

// And returns the intersection.
func (s *Store) And(xs ...Expr) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x, ok := s.andQuoted(xs); ok {
		return x
	}
	return s.x.And(s.allWithoutCounters(xs)...)
}

// Not returns every byte string that x does not match.
func (s *Store) Not(x Expr) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.x.Not(s.withoutCounters(x))
}

// Star returns any number of strings of x.
func (s *Store) Star(x Expr) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.x.Star(s.withoutCounters(x))
}

// Plus returns one or more strings of x.
func (s *Store) Plus(x Expr) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	x = s.withoutCounters(x)
	return s.x.Concat(x, s.x.Star(x))
}

// Optional returns x or the empty string.
func (s *Store) Optional(x Expr) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.x.Or(s.withOneCounter([]Expr{Epsilon, x})...)
}

// Repeat returns min to max strings of x; max may be Unbounded. The count is part of the state. For counts of code
// points use Counted.
func (s *Store) Repeat(x Expr, minimum, maximum uint32) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.x.Repeat(s.withoutCounters(x), minimum, maximum)
}

// Tag returns the empty string with a tag: a terminal that ends here carries it. It may stand only at the end of a
// terminal, under Concat and Or.
func (s *Store) Tag(tag uint32) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.x.Intern(expr.KTag, tag, 0, 0, nil)
}

// Concat returns the strings that consist of a string of each x in turn.
func (s *Store) Concat(xs ...Expr) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	counts := false
	for _, x := range xs {
		counts = counts || s.x.Node(x).Flags&expr.FCount != 0
	}
	r, first := Epsilon, ByteSet{}
	for i := len(xs) - 1; i >= 0; i-- {
		if counts && r != Epsilon && xs[i] != Epsilon {
			xs[i], r = s.fitCounter(xs[i], r, first)
		}
		r = s.x.Concat(xs[i], r)
		if counts {
			begin := s.x.First(xs[i])
			if s.x.Maybe(xs[i]) {
				begin.Union(&first)
			}
			first = begin
		}
	}
	return r
}

// Runes returns the language of one code point in one of the inclusive ranges pairs[0]–pairs[1], pairs[2]–pairs[3], …,
// in every spelling of enc, without surrogates.
func (s *Store) Runes(pairs []rune, enc Encoding) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.x.Runes(pairs, enc)
}

// AnyRune returns the language of one code point.
func (s *Store) AnyRune(enc Encoding) Expr { return s.x.AnyRune[enc] }

// Literal returns exactly these bytes.
func (s *Store) Literal(text string) Expr { return s.Text(text, UTF8) }

// Text returns this text in any spelling of enc. For JSON, text is the value of the string, and the expression is the
// part between its quotes.
func (s *Store) Text(text string, enc Encoding) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.x.ConcatText(text, enc, Epsilon)
}

// Scan returns the language of free text up to the first of patterns, which are valid UTF-8. Valid UTF-8 text without
// any of them has the tag ScanEnd. Text up to the end of the first pattern has the pattern's tag; if several patterns
// end there, the longest one's. Empty patterns are ignored. anyBytes allows any bytes as text.
func (s *Store) Scan(patterns []ScanPattern, anyBytes bool) Expr {
	sc, begin := s.scanner(patterns), uint32(expr.U8Between)
	if anyBytes {
		begin = expr.U8Any
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.x.Intern(expr.KScan, s.x.InternScan(sc), 0, begin, nil)
}

// scanner returns the automaton of the patterns. Scans with the same patterns share one automaton; the compilation is
// charged for it each time.
func (s *Store) scanner(patterns []ScanPattern) *expr.Scanner {
	s.mu.Lock()
	i, found := s.x.FindScan(patterns)
	s.mu.Unlock()
	if !found {
		return expr.NewScanner(patterns, s.x.Work)
	}
	sc := *s.x.Scans.At(i)
	s.x.Work.Spend(expr.ScanWork * len(sc.Next))
	return sc
}

// Machine returns the language of m. Precondition: in all stores, machines of equal names have equal states with equal
// futures.
func (s *Store) Machine(name string, m Machine) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.x.MachineState(s.x.InternMachine(expr.NamedMachine{Machine: m, Text: expr.NewText(name)}), m.Start())
}
