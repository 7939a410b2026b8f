package expr

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// textFrom returns text id from a position on. If only ASCII characters are left, it drops the property ASCII, which
// makes no difference to them.
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

// TextDerivative returns the derivative by b of text n followed by tail.
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

// concatWritten returns a text as JSONWritten spells it, and then rest: runs of plain characters in UTF8, others in
// encoding others.
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

// textWork is the cost of sorting a text and following it in a trie.
const textWork = 20

// Trie returns the union of the texts, each followed by its tail, as a prefix trie.
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

// build returns the rest after the first depth bytes of the texts order[lo:hi], which share them. It skips branches
// with one child, so its recursion is as deep as texts are prefixes of one another.
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
		_, n := utf8.DecodeRuneInString(first[depth:])
		end := lo + 1
		for end < hi && strings.HasPrefix(b.texts[b.order[end]][depth:], first[depth:depth+n]) {
			end++
		}
		common := commonPrefix(first, b.texts[b.order[end-1]], depth+n)
		rest := b.build(lo, end, common)
		alts = append(alts, s.ConcatText(first[depth:common], b.enc, rest))
		lo = end
	}
	return s.Or(alts...)
}

// commonPrefix returns the length of the longest common prefix of a and b in whole code points, given that they share n
// bytes.
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
