package expr

import (
	"sort"
	"unicode/utf8"
)

// textFrom returns what a text has from a position on. Of characters of ASCII the encodings differ in nothing but
// escapes.
func (s *Store) textFrom(id, pos uint32, enc Encoding) Expr {
	t := s.Texts.At(id).Str
	if enc.IsASCII() {
		switch {
		case pos >= s.Texts.At(id).ascii:
			enc &^= ASCII
		case !enc.HasEscapes():
			return Empty
		}
	}
	switch {
	case int(pos) == len(t):
		return Epsilon
	case int(pos)+1 == len(t) && enc == UTF8:
		return s.ByteOf(t[pos])
	}
	return s.Intern(KText, id, pos, uint32(enc), nil)
}

// TextDerivative is the derivative by b of a text, n, before tail.
func (s *Store) TextDerivative(n *Node, b byte, tail Expr) Expr {
	t, enc := s.Texts.At(n.A).Str, n.Enc()
	c := t[n.B]
	if b == c && RawByte(c, enc) {
		return s.Concat(s.textFrom(n.A, n.B+1, enc), tail)
	}
	if b == '\\' && enc.HasEscapes() && utf8.RuneStart(c) {
		r, w := utf8.DecodeRuneInString(t[n.B:])
		return s.Concat(s.escapesOf(r), s.Concat(s.textFrom(n.A, n.B+uint32(w), enc), tail))
	}
	return Empty
}

// ConcatText returns a text in any spelling of enc, and then rest.
func (s *Store) ConcatText(text string, enc Encoding, rest Expr) Expr {
	if enc&written != 0 {
		return s.concatWritten(text, enc&^written, rest)
	}
	return s.Concat(s.textFrom(s.InternText(text), 0, enc), rest)
}

// concatWritten returns a text as it is written, and what follows it: runs of plain characters are UTF8, and the others
// in an encoding of JSON.
func (s *Store) concatWritten(text string, others Encoding, rest Expr) Expr {
	for end := len(text); end > 0; {
		at, plain, enc := end-1, isPlain(text[end-1]), others
		for at > 0 && isPlain(text[at-1]) == plain {
			at--
		}
		if plain {
			enc = UTF8
		}
		rest = s.Concat(s.textFrom(s.InternText(text[at:end]), 0, enc), rest)
		end = at
	}
	return rest
}

// textWork is what sorting a text and following it in a trie count for.
const textWork = 20

// Trie returns one of the texts, each followed by its tail, factored into a prefix trie.
func (s *Store) Trie(texts []string, enc Encoding, tail func(i int) Expr) Expr {
	s.Work.Spend(textWork * len(texts))
	order := make([]int, len(texts))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool {
		s.Work.Spend(1)
		return texts[order[a]] < texts[order[b]]
	})
	b := trieBuilder{s: s, texts: texts, order: order, enc: enc, tail: tail}
	return b.build(0, len(order), 0)
}

type trieBuilder struct {
	s     *Store
	texts []string
	order []int
	enc   Encoding
	tail  func(i int) Expr
}

// build returns what follows the first depth bytes of the texts order[lo:hi], which share them. A branch with one child
// is skipped over, so that each level of the recursion leaves out at least one text: it goes as deep as texts begin
// with one another.
func (b *trieBuilder) build(lo, hi, depth int) Expr {
	s := b.s
	var alts []Expr
	for lo < hi && len(b.texts[b.order[lo]]) == depth {
		alts = append(alts, b.tail(b.order[lo]))
		lo++
	}
	for lo < hi {
		first := b.texts[b.order[lo]]
		s.Work.Spend(textWork)
		r, n := utf8.DecodeRuneInString(first[depth:])
		end := lo + 1
		for end < hi && startsWithRune(b.texts[b.order[end]][depth:], r, n, first[depth:]) {
			end++
		}
		common := commonPrefix(first, b.texts[b.order[end-1]], depth+n)
		rest := b.build(lo, end, common)
		alts = append(alts, s.ConcatText(first[depth:common], b.enc, rest))
		lo = end
	}
	return s.Or(alts...)
}

func startsWithRune(t string, _ rune, n int, first string) bool {
	return len(t) >= n && t[:n] == first[:n]
}

// commonPrefix returns how many bytes a and b share, a whole number of code points, given that they share n.
func commonPrefix(a, b string, n int) int {
	for n < len(a) {
		_, w := utf8.DecodeRuneInString(a[n:])
		if len(b) < n+w || b[n:n+w] != a[n:n+w] {
			break
		}
		n += w
	}
	return n
}
