package terminal

import (
	"sort"
	"unicode/utf8"
)

// Literal returns exactly these bytes.
func (s *Store) Literal(text string) Expr { return s.Text(text, UTF8) }

// Text returns this text in any spelling of enc. For JSONString the text is what the string means, and the expression
// stands inside the quotes. One node stands for all that is spelled alike; its states are made where somebody goes.
func (s *Store) Text(text string, enc Encoding) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.concatText(text, enc, Epsilon)
}

func (s *Store) internText(t string) uint32 {
	id, ok := s.textOf.get(t)
	if !ok {
		id = s.texts.Append(newText(t))
		s.textOf.put(t, id)
		s.extra.Add(int64(len(t)))
	}
	return id
}

func (s *Store) textFrom(id, pos uint32, enc Encoding) Expr {
	t := s.texts.At(id).string
	switch {
	case int(pos) == len(t):
		return Epsilon
	case int(pos)+1 == len(t) && enc == UTF8:
		return s.byteOf(t[pos])
	}
	return s.intern(kText, id, pos, uint32(enc), nil)
}

// rawByte reports whether byte b of a text may stand for itself in enc.
func rawByte(b byte, enc Encoding) bool {
	return enc == UTF8 || b >= 0x20 && b != '"' && b != '\\'
}

// textDerivative is the derivative by b of a text, n, before tail.
func (s *Store) textDerivative(n *node, b byte, tail Expr) Expr {
	t, enc := s.texts.At(n.a).string, Encoding(n.c)
	c := t[n.b]
	if b == c && rawByte(c, enc) {
		return s.concat(s.textFrom(n.a, n.b+1, enc), tail)
	}
	if b == '\\' && enc == JSONString && utf8.RuneStart(c) {
		r, w := utf8.DecodeRuneInString(t[n.b:])
		return s.concat(s.escapesOf(r), s.concat(s.textFrom(n.a, n.b+uint32(w), enc), tail))
	}
	return Empty
}

// Literals returns one of the texts, factored into a prefix trie.
func (s *Store) Literals(texts []string, enc Encoding) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trie(texts, enc, func(int) Expr { return Epsilon })
}

// Prefixed returns one of the texts and after it its tail, or one of its tails where texts are equal, factored into a
// prefix trie.
func (s *Store) Prefixed(texts []string, enc Encoding, tails []Expr) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trie(texts, enc, func(i int) Expr { return tails[i] })
}

// Keys returns one of the texts, each followed by suffix and then by Tag(i), i its index.
func (s *Store) Keys(texts []string, enc Encoding, suffix Expr) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trie(texts, enc, func(i int) Expr { return s.concat(suffix, s.intern(kTag, uint32(i), 0, 0, nil)) })
}

// textWork is what sorting a text and following it in a trie count for.
const textWork = 20

func (s *Store) trie(texts []string, enc Encoding, tail func(i int) Expr) Expr {
	s.work.Spend(textWork * len(texts))
	order := make([]int, len(texts))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool {
		s.work.Spend(1)
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

// build returns what follows the first depth bytes of the texts order[lo:hi], which share them. Depth of recursion is
// bounded by halving: a branch with one child is skipped over, so each level has at least two texts that part.
func (b *trieBuilder) build(lo, hi, depth int) Expr {
	s := b.s
	var alts []Expr
	for lo < hi && len(b.texts[b.order[lo]]) == depth {
		alts = append(alts, b.tail(b.order[lo]))
		lo++
	}
	for lo < hi {
		first := b.texts[b.order[lo]]
		s.work.Spend(textWork)
		r, n := utf8.DecodeRuneInString(first[depth:])
		end := lo + 1
		for end < hi && startsWithRune(b.texts[b.order[end]][depth:], r, n, first[depth:]) {
			end++
		}
		common := commonPrefix(first, b.texts[b.order[end-1]], depth+n)
		rest := b.build(lo, end, common)
		alts = append(alts, s.concatText(first[depth:common], b.enc, rest))
		lo = end
	}
	return s.or(alts...)
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

func (s *Store) concatText(text string, enc Encoding, rest Expr) Expr {
	if enc == JSONWritten {
		return s.concatWritten(text, rest)
	}
	return s.concat(s.textFrom(s.internText(text), 0, enc), rest)
}
