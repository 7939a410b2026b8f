package ending

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
	"github.com/sluice-engine/sluice/core/internal/tokentrie"
)

// lexicon has facts of a vocabulary that endings need. Immutable but for the templates.
type lexicon struct {
	*tokenset.Tokens
	templates templates
	trie      *tokentrie.Trie
	longest   int      // bytes of the longest token; at least 4, the length of a token's name
	complete  bool     // each byte except the mark is a token
	byRun     []byte   // the mark, then all bytes, sorted by the longest token that repeats them
	ragged    []uint32 // ranks of the tokens that end within a code point
}

func lexiconOf(t *tokenset.Tokens) *lexicon {
	return t.Beside(func() any { return newLexicon(t) }).(*lexicon)
}

func newLexicon(t *tokenset.Tokens) *lexicon {
	x := &lexicon{Tokens: t, trie: t.Trie, longest: max(t.Trie.MaxLen, 4)}
	var single [256]bool
	var runs [256]int // bytes of the longest token that repeats a byte
	for rank, id := range t.Trie.Order {
		text := t.Trie.Bytes[id]
		if len(text) == 1 && !t.IsSpec[id] {
			single[text[0]] = true
		}
		run := bytes.Count(text, text[:1]) == len(text)
		if run && !t.IsSpec[id] {
			runs[text[0]] = max(runs[text[0]], len(text))
		}
		if cut(text) {
			x.ragged = append(x.ragged, uint32(rank))
		}
	}
	for _, m := range t.Marked {
		x.longest = max(x.longest, len(m.Text))
	}
	runs[terminal.TokenMark] = math.MaxInt
	for b := range 256 {
		x.byRun = append(x.byRun, byte(b))
	}
	slices.SortStableFunc(x.byRun, func(a, b byte) int { return cmp.Compare(runs[b], runs[a]) })
	x.complete = true
	for b := range 255 {
		x.complete = x.complete && single[b]
	}
	return x
}

// cut reports whether a text ends within a code point.
func cut(text []byte) bool {
	for n := 1; n <= min(len(text), utf8.UTFMax-1); n++ {
		if b := text[len(text)-n]; utf8.RuneStart(b) {
			return b >= 0xC0 && !utf8.FullRune(text[len(text)-n:])
		}
	}
	return false
}

// usable reports whether a token of the trie counts as text.
func (f *Finder) usable(id uint32) bool {
	if f.lexicon.IsSpec[id] && !f.masks.TextView() {
		return false
	}
	return !slices.Contains(f.stops.Text, id)
}
