package terminal

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// manyTexts is the least number of texts of a list that becomes a machine, see expr.Words. Shorter lists become
// expressions, because their structure shows whether one list contains another, and exclusions can remove texts.
//
// PERF: the first mask within 10,000 numbers of seven digits took 6 ms as expressions.
const manyTexts = 256

// Texts returns the union of the texts, each followed by its tail; nil tails are empty. A text that occurs several
// times has several tails.
func (s *Store) Texts(texts []string, enc Encoding, tails []Expr) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	if tail, ok := sameTail(tails); ok && len(texts) >= manyTexts {
		return s.x.Concat(s.words(texts, enc, nil), tail)
	}
	return s.x.Trie(texts, enc, func(i int) Expr {
		if tails == nil {
			return Epsilon
		}
		return tails[i]
	})
}

// sameTail returns the tail of all texts. ok is false if they differ.
func sameTail(tails []Expr) (tail Expr, ok bool) {
	tail = Epsilon
	for i, t := range tails {
		if i > 0 && t != tail {
			return Empty, false
		}
		tail = t
	}
	return tail, true
}

// Excluded returns the complement of the texts in every spelling of enc. Long lists are no machines here, so that the
// structure shows the texts.
func (s *Store) Excluded(texts []string, enc Encoding) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.x.Not(s.x.Trie(texts, enc, func(int) Expr { return Epsilon }))
}

// Keys returns the union of the texts, which are different, each followed by suffix and then by Tag(i), i its index.
func (s *Store) Keys(texts []string, enc Encoding, suffix Expr) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	if suffix == Epsilon && enc == UTF8 && len(texts) >= manyTexts {
		tags := make([]uint32, len(texts))
		for i := range tags {
			tags[i] = uint32(i)
		}
		return s.words(texts, enc, tags)
	}
	return s.x.Trie(texts, enc, func(i int) Expr {
		return s.x.Concat(suffix, s.x.Intern(expr.KTag, uint32(i), 0, 0, nil))
	})
}

// Words returns the texts as a machine, however few. tags are the tags of the texts, or nil. Texts with tags must be in
// UTF8.
func (s *Store) Words(texts []string, enc Encoding, tags []uint32) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.words(texts, enc, tags)
}

func (s *Store) words(texts []string, enc Encoding, tags []uint32) Expr {
	if enc.IsASCII() && !enc.HasEscapes() { // other texts have no spelling
		texts, enc = slices.DeleteFunc(slices.Clone(texts), func(t string) bool { return !isASCII(t) }), UTF8
	}
	if len(texts) == 0 {
		return Empty
	}
	w := expr.NewWords(texts, enc, tags, s.x.Work)
	return s.x.MachineState(s.x.InternMachine(expr.NamedMachine{Machine: w, Text: expr.NewText(w.Name())}), w.Start())
}

func isASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}
