// Package tokenizer cuts text into tokens as a model's own tokenizer does.
//
// Invariant: Cutter.Cut returns tokens that the tokenizer gives for the text and for every continuation of it. Reading
// the file fails for a tokenizer whose cut is not known exactly. A text is cut up to the place from which its cut is
// unknown.
//
// The package knows no grammar. Start reading at Tokenizer and Cutter.Cut; split.go has the pre-tokenizer's regular
// expression, merge.go the merges, file.go reads tokenizer.json, and tekken.go and sentencepiece.go the other files.
package tokenizer

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

const source = "tokenizer"

// Tokenizer has the rules by which a tokenizer cuts text. Immutable and shared; safe for concurrent use.
type Tokenizer struct {
	vocabulary *vocab.Vocabulary
	split      *split // nil: pieces end between bytes that no token joins
	joins      pairs  // bytes that are neighbours within a token; with a split, within an added one
	added      added
	composed   bool // the tokenizer brings text to Unicode's form NFC first
	spaced     bool // the tokenizer writes a space as U+2581, so it cannot tell that character from a space
	prefixed   bool // the tokenizer puts a space before the text behind an added token
	model      model
}

// model cuts a piece of text, which ends before or at a place that no token crosses.
type model interface {
	// cut appends the tokens of piece. It reports false at an unknown token.
	cut(c *Cutter, piece []byte) bool
}

// pairs is a set of pairs of bytes.
type pairs [256][4]uint64

func (p *pairs) add(text []byte) {
	for i := 1; i < len(text); i++ {
		p[text[i-1]][text[i]/64] |= 1 << (text[i] % 64)
	}
}

func (p *pairs) has(a, b byte) bool { return p[a][b/64]>>(b%64)&1 != 0 }

// Cutter has the memory of one sequence's cuts. One goroutine at a time.
type Cutter struct {
	t     *Tokenizer
	out   []Token
	parts parts
	run   run
}

// Token is a token of a text.
type Token struct {
	ID  uint32
	End int // the offset in the text after its bytes
}

// New returns a cutter for a tokenizer.
func New(t *Tokenizer) *Cutter { return &Cutter{t: t} }

// Cut returns tokens of text from the offset from on. It ends before the first token that depends on a continuation of
// the text. whole says that nothing stands before text, and ends that nothing will stand behind it.
//
// Cut returns no tokens if one begins before from and ends behind it, or if no token is known to begin within
// limits.TokenizedBytes before from. The result is valid until the next call.
func (c *Cutter) Cut(text []byte, from int, whole, ends bool) []Token {
	c.out, c.run.steps = c.out[:0], 0
	start, ok := c.t.start(text, from)
	if !ok && !whole {
		return nil
	}
	known := c.t.known(text, start)
	c.sections(text[:known], start, ends && known == len(text))
	for i, t := range c.out {
		if t.End <= from {
			continue
		}
		if i == 0 && start == from || i > 0 && c.out[i-1].End == from {
			return c.exact(text, from, c.out[i:])
		}
		return nil
	}
	return nil
}

// exact returns the tokens up to the first one whose bytes differ from the text.
func (c *Cutter) exact(text []byte, from int, list []Token) []Token {
	for i, t := range list {
		b := c.t.vocabulary.Bytes(t.ID)
		if b == nil {
			b = c.t.vocabulary.SpecialBytes(t.ID)
		}
		if !bytes.Equal(b, text[from:t.End]) {
			return list[:i]
		}
		from = t.End
	}
	return list
}

// known returns the offset of the first character from start on that the tokenizer may change; the end if there is
// none.
func (t *Tokenizer) known(text []byte, start int) int {
	for i := start; i < len(text); {
		n, ok := t.keeps(text[i:])
		if !ok {
			return i
		}
		i += n
	}
	return len(text)
}

// keeps returns the length of the first character of a text, and whether the tokenizer reads it as it is: it is valid
// UTF-8, no normalizer changes it, and it is assigned. To a tokenizer with a later Unicode, others may be letters.
func (t *Tokenizer) keeps(text []byte) (n int, ok bool) {
	if text[0] < utf8.RuneSelf {
		return 1, true
	}
	r, n := utf8.DecodeRune(text)
	if r == utf8.RuneError && n == 1 || t.spaced && r == '▁' || unicode.Is(unicode.Cn, r) {
		return n, false
	}
	if t.composed && r >= 0x300 {
		// PRECONDITION (Lemma 84): each character is its own form NFC and does not join the one before.
		return n, norm.NFC.Properties(text).BoundaryBefore() && norm.NFC.IsNormal(text[:n])
	}
	return n, true
}

// start returns the last place up to from at which a token begins in every text around it. It reports false,
// and returns 0, if there is none within limits.TokenizedBytes.
func (t *Tokenizer) start(text []byte, from int) (at int, ok bool) {
	for i := min(from, len(text)-1); i > 0 && i > from-limits.TokenizedBytes; i-- {
		if !utf8.RuneStart(text[i]) || t.joins.has(text[i-1], text[i]) {
			continue
		}
		a, n := utf8.DecodeLastRune(text[:i])
		b, _ := utf8.DecodeRune(text[i:])
		if t.split != nil && !t.split.parts(a, b) {
			continue
		}
		_, before := t.keeps(text[i-n:])
		if _, behind := t.keeps(text[i:]); before && behind && !t.added.alter(text, i, t.prefixed) {
			return i, true
		}
	}
	return 0, false
}

// Begins reports whether a token begins within text, with any text before and behind it.
func (t *Tokenizer) Begins(text []byte) bool {
	_, ok := t.start(text, len(text))
	return ok
}

// sections appends the tokens of text from start on. Added tokens come first: the text between them is cut alone.
func (c *Cutter) sections(text []byte, start int, ends bool) {
	for at := start; ; {
		from, to, id, unsure := c.t.added.find(text, at, ends)
		switch {
		case unsure: // an added token may begin there
			c.open(text[:from], at)
			return
		case from < 0 && !ends:
			c.open(text, at)
			return
		case from < 0:
			c.pieces(text, at, true)
			return
		}
		if !c.pieces(text[:from], at, true) {
			return
		}
		c.out = append(c.out, Token{id, to})
		if at = to; c.t.prefixed {
			return
		}
	}
}

// open appends the tokens of a text that goes on, maybe with an added token.
func (c *Cutter) open(text []byte, at int) {
	if c.t.added.lstrip {
		text = bytes.TrimRightFunc(text, unicode.IsSpace)
	}
	c.pieces(text, at, false)
}

// pieces appends the tokens of text from an offset on, and reports whether they reach its end.
func (c *Cutter) pieces(text []byte, at int, ends bool) bool {
	for at < len(text) {
		end, ok := c.t.piece(&c.run, text, at, ends)
		if !ok {
			return false
		}
		n := len(c.out)
		ok = c.t.model.cut(c, text[at:end])
		for i := n; i < len(c.out); i++ {
			c.out[i].End += at
		}
		if !ok {
			return false
		}
		at = end
	}
	return ends
}

// piece returns the end of the piece that begins at an offset. It reports false if the end depends on later text.
func (t *Tokenizer) piece(r *run, text []byte, at int, ends bool) (end int, ok bool) {
	if t.split != nil {
		end, ok = t.split.next(r, text, at, ends)
		return end, ok && (end < len(text) || ends)
	}
	for i := at + 1; i < len(text); i++ {
		if utf8.RuneStart(text[i]) && !t.joins.has(text[i-1], text[i]) {
			return i, true
		}
	}
	return len(text), ends
}
