package terminal

import "github.com/sluice-engine/sluice/core/internal/terminal/expr"

// Bytes returns the language of one byte of the set.
func (s *Store) Bytes(set ByteSet) Expr { s.mu.Lock(); defer s.mu.Unlock(); return s.x.Bytes(set) }

// Or returns the union.
func (s *Store) Or(xs ...Expr) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.x.Or(s.part(xs)...)
}

// And returns the intersection.
func (s *Store) And(xs ...Expr) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x, ok := s.andQuoted(xs); ok {
		return x
	}
	return s.x.And(s.plainAll(xs)...)
}

// Not returns every byte string that x does not match.
func (s *Store) Not(x Expr) Expr { s.mu.Lock(); defer s.mu.Unlock(); return s.x.Not(s.plain(x)) }

// Star returns any number of strings of x.
func (s *Store) Star(x Expr) Expr { s.mu.Lock(); defer s.mu.Unlock(); return s.x.Star(s.plain(x)) }

// Plus returns one or more strings of x.
func (s *Store) Plus(x Expr) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	x = s.plain(x)
	return s.x.Concat(x, s.x.Star(x))
}

// Optional returns x or the empty string.
func (s *Store) Optional(x Expr) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.x.Or(s.part([]Expr{Epsilon, x})...)
}

// Repeat returns min to max strings of x; max may be Unbounded. What remains to be counted is part of the state: use
// Counted where the count runs over code points.
func (s *Store) Repeat(x Expr, minimum, maximum uint32) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.x.Repeat(s.plain(x), minimum, maximum)
}

// Tag returns the empty string, marked: a terminal that ends here carries the tag. It belongs at the very end of a
// terminal, under Concat and Or only.
func (s *Store) Tag(tag uint32) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.x.Intern(expr.KTag, tag, 0, 0, nil)
}

// Concat returns the strings that are a string of each x in turn.
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
			xs[i], r = s.fitCount(xs[i], r, first)
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

// Runes returns the language of one code point in one of the inclusive ranges pairs[0]–pairs[1], pairs[2]–pairs[3],
// …, in every spelling of enc. Surrogates are left out: no text contains them.
func (s *Store) Runes(pairs []rune, enc Encoding) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.x.Runes(pairs, enc)
}

// AnyRune returns the language of one code point.
func (s *Store) AnyRune(enc Encoding) Expr { return s.x.AnyRune[enc] }

// Literal returns exactly these bytes.
func (s *Store) Literal(text string) Expr { return s.Text(text, UTF8) }

// Text returns this text in any spelling of enc. For JSON the text is what the string means, and the expression
// stands inside the quotes. One node stands for all that is spelled alike; its states are made where somebody goes.
func (s *Store) Text(text string, enc Encoding) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.x.ConcatText(text, enc, Epsilon)
}

// Scan returns free text watched for patterns: any valid UTF-8 text that contains none of them, which then carries
// ScanEnd, and any such text up to the end of the first occurrence of a pattern, which then carries the pattern's tag.
// Of patterns that end together the longest counts, which is the one that begins first. Empty patterns are ignored. The
// patterns are valid UTF-8. anyBytes: the text may be any bytes.
func (s *Store) Scan(patterns []ScanPattern, anyBytes bool) Expr {
	sc, begin := s.scanner(patterns), uint32(expr.U8Between)
	if anyBytes {
		begin = expr.U8Any
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.x.Intern(expr.KScan, s.x.InternScan(sc), 0, begin, nil)
}

// scanner returns the automaton of the patterns. Regions of free text that watch for the same share one; each counts as
// if it were made for it.
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

// Machine returns the language of m. name says all that there is to know of it: machines of equal names, in whatever
// store, have equal states with equal futures.
func (s *Store) Machine(name string, m Machine) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.x.MachineState(s.x.InternMachine(expr.NamedMachine{Machine: m, Text: expr.NewText(name)}), m.Start())
}
