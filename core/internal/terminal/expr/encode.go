package expr

import (
	"fmt"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// Runes returns the language of one code point of inclusive ranges, in every spelling of enc.
func (s *Store) Runes(pairs []rune, enc Encoding) Expr {
	var alts []Expr
	var ascii ByteSet
	inASCII := true
	for i := 0; i+1 < len(pairs); i += 2 {
		splitSurrogates(pairs[i], pairs[i+1], func(lo, hi rune) {
			for r := lo; r <= hi && r < utf8.RuneSelf; r++ {
				if RawByte(byte(r), enc) {
					ascii.Add(byte(r))
				}
			}
			if hi >= utf8.RuneSelf && !enc.IsASCII() {
				alts = s.utf8Range(alts, max(lo, utf8.RuneSelf), hi)
				inASCII = false
			}
		})
	}
	alts = append(alts, s.Bytes(ascii))
	if enc.HasEscapes() {
		escape := s.Concat(s.ByteOf('\\'), s.escapes(pairs))
		s.markWhole(escape, subsetOf(JSONString, true))
		alts = append(alts, escape)
	}
	alts = s.byHead(alts)
	for _, a := range alts {
		s.markWhole(a, subsetOf(enc, inASCII)) // larger unions have these alternatives as members
	}
	e := s.Or(alts...)
	s.markWhole(e, subsetOf(enc, inASCII))
	return e
}

func splitSurrogates(lo, hi rune, f func(lo, hi rune)) {
	lo, hi = max(lo, 0), min(hi, utf8.MaxRune)
	if lo <= min(hi, 0xD7FF) {
		f(lo, min(hi, 0xD7FF))
	}
	if max(lo, 0xE000) <= hi {
		f(max(lo, 0xE000), hi)
	}
}

// byHead returns the union of alternatives that begin with one byte of a set, as members with disjoint sets and
// different tails. A transition then looks at as many members as an automaton of the union has edges: 50 instead of 350
// for \p{L}.
func (s *Store) byHead(alts []Expr) []Expr {
	var tails [256][]Expr
	var out []Expr
	for _, a := range alts {
		head, tail := a, Epsilon
		if n := s.Node(a); n.Kind == KConcat {
			head, tail = n.Head(), n.Tail()
		}
		if s.Node(head).Kind != KBytes {
			out = append(out, a)
			continue
		}
		set := s.Sets.At(s.Node(head).A)
		for b := set.Next(0); b < 256; b = set.Next(b + 1) {
			tails[b] = append(tails[b], tail)
		}
	}
	sets := map[Expr]ByteSet{}
	var order []Expr
	var last []Expr
	union := Empty
	for b, t := range tails {
		if len(t) == 0 {
			continue
		}
		if !slices.Equal(t, last) {
			last, union = t, t[0]
			if len(t) > 1 {
				union = s.Or(s.byHead(t)...)
			}
		}
		set, known := sets[union]
		if !known {
			order = append(order, union)
		}
		set.Add(byte(b))
		sets[union] = set
	}
	for _, tail := range order {
		out = append(out, s.Concat(s.Bytes(sets[tail]), tail))
	}
	return out
}

// utf8Range appends the byte sequences of lo–hi, which has no ASCII and no surrogates.
func (s *Store) utf8Range(alts []Expr, lo, hi rune) []Expr {
	for _, last := range []rune{0x7FF, 0xFFFF} {
		if lo <= last && hi > last {
			alts = s.utf8Range(alts, lo, last)
			lo = last + 1
		}
	}
	for k := 1; k < 4; k++ {
		m := rune(1)<<(6*k) - 1
		if lo&^m == hi&^m {
			break
		}
		if lo&m != 0 {
			alts = s.utf8Range(alts, lo, lo|m)
			return s.utf8Range(alts, lo|m+1, hi)
		}
		if hi&m != m {
			alts = s.utf8Range(alts, lo, hi&^m-1)
			return s.utf8Range(alts, hi&^m, hi)
		}
	}
	var a, b [4]byte
	n := utf8.EncodeRune(a[:], lo)
	utf8.EncodeRune(b[:], hi)
	e := Epsilon
	for i := n - 1; i >= 0; i-- {
		var set ByteSet
		set.AddRange(a[i], b[i])
		e = s.Concat(s.Bytes(set), e)
	}
	return append(alts, e)
}

// escapes returns the parts after the backslash of JSON escapes of code points in the ranges.
func (s *Store) escapes(pairs []rune) Expr {
	var short ByteSet
	var hex, astral []Expr
	for i := 0; i+1 < len(pairs); i += 2 {
		splitSurrogates(pairs[i], pairs[i+1], func(lo, hi rune) {
			for r := lo; r <= hi && r < 0x80; r++ {
				if c := shortEscape(r); c != 0 {
					short.Add(c)
				}
			}
			if lo <= 0xFFFF {
				hex = s.hexRange(hex, uint32(lo), uint32(min(hi, 0xFFFF)), 4)
			}
			if hi > 0xFFFF {
				astral = s.surrogates(astral, uint32(max(lo, 0x10000))-0x10000, uint32(hi)-0x10000)
			}
		})
	}
	all := s.Or(s.byHead(append(hex, astral...))...)
	return s.Or(s.Bytes(short), s.Concat(s.ByteOf('u'), all))
}

func (s *Store) hexDigits(lo, hi uint32) Expr {
	var set ByteSet
	for d := lo; d <= hi; d++ {
		if d < 10 {
			set.Add(byte('0' + d))
		} else {
			set.Add(byte('a' + d - 10))
			set.Add(byte('A' + d - 10))
		}
	}
	return s.Bytes(set)
}

// hexRange appends the spellings of lo–hi in n hexadecimal digits of either case.
func (s *Store) hexRange(alts []Expr, lo, hi uint32, n int) []Expr {
	if lo > hi {
		return alts
	}
	if n == 1 {
		return append(alts, s.hexDigits(lo, hi))
	}
	unit := uint32(1) << (4 * (n - 1))
	a, b := lo/unit, hi/unit
	part := func(d1, d2, from, to uint32) {
		tail := s.Or(s.hexRange(nil, from, to, n-1)...)
		alts = append(alts, s.Concat(s.hexDigits(d1, d2), tail))
	}
	if a == b {
		part(a, a, lo%unit, hi%unit)
		return alts
	}
	if lo%unit != 0 {
		part(a, a, lo%unit, unit-1)
		a++
	}
	full := b + 1
	if hi%unit != unit-1 {
		full = b
	}
	if a < full {
		part(a, full-1, 0, unit-1)
	}
	if full == b {
		part(b, b, 0, hi%unit)
	}
	return alts
}

// surrogates appends the spellings, after the first "\u", of the code points 0x10000+lo to 0x10000+hi.
func (s *Store) surrogates(alts []Expr, lo, hi uint32) []Expr {
	pair := func(h1, h2, l1, l2 uint32) {
		low := s.Concat(s.text("\\u"), s.Or(s.hexRange(nil, 0xDC00+l1, 0xDC00+l2, 4)...))
		alts = append(alts, s.Concat(s.Or(s.hexRange(nil, 0xD800+h1, 0xD800+h2, 4)...), low))
	}
	a, b := lo>>10, hi>>10
	if a == b {
		pair(a, a, lo&0x3FF, hi&0x3FF)
		return alts
	}
	if lo&0x3FF != 0 {
		pair(a, a, lo&0x3FF, 0x3FF)
		a++
	}
	full := b + 1
	if hi&0x3FF != 0x3FF {
		full = b
	}
	if a < full {
		pair(a, full-1, 0, 0x3FF)
	}
	if full == b {
		pair(b, b, 0, hi&0x3FF)
	}
	return alts
}

func (s *Store) text(t string) Expr {
	e := Epsilon
	for i := len(t) - 1; i >= 0; i-- {
		e = s.Concat(s.ByteOf(t[i]), e)
	}
	return e
}

// escapesOf returns the parts after the backslash of escapes of exactly r. The hexadecimal spelling is one piece, since
// every position of a text has one and walks rarely enter it.
func (s *Store) escapesOf(r rune) Expr {
	if r < 0x80 && s.escape[r] != Empty {
		return s.escape[r]
	}
	before := s.steps
	defer func() { s.steps = before }() // the count must not depend on earlier calls
	hex := fmt.Sprintf("u%04x", r)
	if r > 0xFFFF {
		high, low := utf16.EncodeRune(r)
		hex = fmt.Sprintf("u%04x\\u%04x", high, low)
	}
	e := s.Concat(s.ByteOf(hex[0]), s.spelled(hex[1:]))
	if c := shortEscape(r); c != 0 {
		e = s.Or(s.ByteOf(c), e)
	}
	if r < 0x80 {
		s.escape[r] = e
	}
	return e
}

// spelled returns hexadecimal digits in either case, in one piece.
func (s *Store) spelled(hex string) Expr {
	e := Epsilon
	for i := len(hex) - 1; i >= 0; i-- {
		var set ByteSet
		set.Add(hex[i])
		if 'a' <= hex[i] && hex[i] <= 'f' {
			set.Add(hex[i] - 'a' + 'A')
		}
		if e == Epsilon {
			e = s.Bytes(set)
		} else {
			e = s.Intern(KSpelled, uint32(s.Bytes(set)), uint32(e), 0, nil)
		}
	}
	return e
}
