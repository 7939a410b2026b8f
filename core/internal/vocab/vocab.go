// Package vocab is the vocabulary of a model: which bytes each token id stands for, which ids are control signals,
// which of them end a generation, and how wide a row of logits is.
//
// Invariant: the bytes of an id are exactly what the tokenizer's own decoder makes of it in the middle of a text, so a
// mask computed from them speaks about the text that the user will see. Where that depends on anything else (the
// neighbouring tokens, a rule that cannot be read), there is an error and not a guess.
//
// The package knows nothing of grammars, tries or masks, and keeps nothing of the file it read: merges, scores and
// normalizers say how text becomes tokens, which is not a question here.
//
// Start with Vocabulary and New in this file. Each file format has a file that ends in a call of builder.build:
// tokenizerjson.go (with decoder.go for its decoders), tiktoken.go, sentencepiece.go; detect.go chooses between them.
package vocab

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// source is the Source of every error of this package.
const source = "vocabulary"

// Flags says what kind of token an id is.
type Flags uint8

// The flags of a token. An id that has bytes and neither flag is an ordinary token.
const (
	// Special marks a control signal: never text, whatever it is spelled like.
	Special Flags = 1 << iota
	// Added marks a token that was put beside the trained pieces under a name. Unless it is Special too, it is
	// ordinary text that happens to be one token.
	Added
	// End marks a token that may end a generation.
	End
)

// span is where the spelling of an id lies in the arena. A zero length means that the id spells nothing.
type span struct{ start, length uint32 }

// Vocabulary maps token ids to exact bytes. Immutable and shared; safe for concurrent use.
type Vocabulary struct {
	arena  []byte  // the spellings of all ids
	spans  []span  // by id
	flags  []Flags // by id
	padded int
	ends   []uint32 // sorted
	spec   []uint32 // sorted
	names  map[string]uint32
	alike  map[string][]uint32 // by name, the ids above the one that names has
	maxLen int
	hash   [32]byte
}

// Config is a vocabulary in memory: the raw id → bytes array and what is known about its ids.
type Config struct {
	// Tokens holds the bytes of each id. nil and empty both mean that the id has no bytes; it is then never allowed
	// as text. The slices are copied.
	Tokens [][]byte
	// Special lists the control tokens. Their bytes are taken from SpecialText or else from Tokens; either way they
	// are what the token is called, and never text. Ids at or beyond len(Tokens) extend the vocabulary.
	Special []uint32
	// Added lists tokens that TokenID should find by name although they may be text.
	Added []uint32
	// EndTokens lists the tokens that may end a generation. nil: detected from well-known names among the special and
	// added ones (see endNames). Empty but not nil: there are none.
	EndTokens []uint32
	// PaddedSize is the number of logits in a row; 0 means Size. Models pad their vocabulary, seldom they cut it: ids
	// at or above PaddedSize cannot be chosen by the model and are dropped, unless one of them is an end token, which
	// is an error.
	PaddedSize int
	// SpecialText names special or added tokens whose entry in Tokens is not their name.
	SpecialText map[uint32][]byte
}

// New makes a vocabulary from an array in memory.
func New(c Config) (*Vocabulary, error) {
	b, err := newBuilder(len(c.Tokens))
	if err != nil {
		return nil, err
	}
	for id, text := range c.Tokens {
		if err := b.set(uint32(id), text, 0); err != nil {
			return nil, err
		}
	}
	mark := func(ids []uint32, f Flags) error {
		for _, id := range ids {
			if err := b.grow(id); err != nil {
				return err
			}
			b.flags[id] |= f
		}
		return nil
	}
	if err := mark(c.Special, Special); err != nil {
		return nil, err
	}
	if err := mark(c.Added, Added); err != nil {
		return nil, err
	}
	if err := b.nameListed(c); err != nil {
		return nil, err
	}
	return b.build(Options{EndTokens: c.EndTokens, PaddedSize: c.PaddedSize})
}

// nameListed gives the special and added tokens of c their names. Ids are visited in order, so that of two tokens with
// one name the lower id keeps it.
func (b *builder) nameListed(c Config) error {
	for id := range c.SpecialText {
		if int64(id) >= int64(len(b.flags)) || b.flags[id]&(Special|Added) == 0 {
			return diag.Errorf(diag.Argument, source, diag.Place{},
				"SpecialText names id %d, which is in neither Special nor Added: list it in one of them", id)
		}
	}
	for id, f := range b.flags {
		if f&(Special|Added) == 0 {
			continue
		}
		id := uint32(id)
		name, named := c.SpecialText[id]
		if !named {
			name = b.text(id)
		} else if f&Special != 0 {
			if err := b.set(id, name, 0); err != nil {
				return err
			}
		}
		b.name(string(name), id)
	}
	return nil
}

// Size returns the number of real ids: the highest one plus one. Ids without bytes (holes) count.
func (v *Vocabulary) Size() int { return len(v.spans) }

// PaddedSize returns the number of logits in a row, at least Size.
func (v *Vocabulary) PaddedSize() int { return v.padded }

// Words returns the number of 32-bit words of a mask row.
func (v *Vocabulary) Words() int { return (v.padded + 31) / 32 }

// spelling returns what id spells, as text or as a special token's name.
func (v *Vocabulary) spelling(id uint32) []byte {
	s := v.spans[id]
	if s.length == 0 {
		return nil
	}
	return v.arena[s.start : s.start+s.length : s.start+s.length]
}

// Bytes returns the text of an ordinary or added token, nil if the id has none: a hole, a special token, or no id of
// this vocabulary. The bytes need not be valid UTF-8 (a token may be part of a character, or 0xFF), several ids may
// have the same bytes, and an end token that is not special has bytes too. The result must not be changed.
func (v *Vocabulary) Bytes(id uint32) []byte {
	if int64(id) >= int64(len(v.spans)) || v.flags[id]&Special != 0 {
		return nil
	}
	return v.spelling(id)
}

// SpecialBytes returns the text that a special token spells, nil if the id is not special or has no name. The result
// must not be changed.
func (v *Vocabulary) SpecialBytes(id uint32) []byte {
	if int64(id) >= int64(len(v.spans)) || v.flags[id]&Special == 0 {
		return nil
	}
	return v.spelling(id)
}

// Flags returns the flags of an id, 0 for an id outside the vocabulary.
func (v *Vocabulary) Flags(id uint32) Flags {
	if int64(id) >= int64(len(v.flags)) {
		return 0
	}
	return v.flags[id]
}

// IsSpecial tells whether id is a control signal.
func (v *Vocabulary) IsSpecial(id uint32) bool { return v.Flags(id)&Special != 0 }

// IsAdded tells whether id was put beside the trained pieces under a name.
func (v *Vocabulary) IsAdded(id uint32) bool { return v.Flags(id)&Added != 0 }

// IsEnd tells whether id may end a generation.
func (v *Vocabulary) IsEnd(id uint32) bool { return v.Flags(id)&End != 0 }

// EndTokens returns the ids that may end a generation, sorted. The caller owns the result.
func (v *Vocabulary) EndTokens() []uint32 { return slices.Clone(v.ends) }

// Special returns the ids of all special tokens, sorted. The caller owns the result.
func (v *Vocabulary) Special() []uint32 { return slices.Clone(v.spec) }

// TokenID returns the special or added token that is spelled text. Of several, the lowest id.
func (v *Vocabulary) TokenID(text string) (uint32, bool) {
	id, ok := v.names[text]
	return id, ok
}

// TokenIDs returns all special and added tokens that are spelled text, the lowest id first; none is nil.
func (v *Vocabulary) TokenIDs(text string) []uint32 {
	id, ok := v.names[text]
	if !ok {
		return nil
	}
	return append([]uint32{id}, v.alike[text]...)
}

// MaxTokenLen returns the length in bytes of the longest spelling, of text and special tokens alike.
func (v *Vocabulary) MaxTokenLen() int { return v.maxLen }

// Hash returns a digest of everything that masks depend on: sizes, bytes, kinds, names and end tokens. Two vocabularies
// with equal hashes give equal masks, whatever they were read from.
func (v *Vocabulary) Hash() [32]byte { return v.hash }

// checkID refuses ids that no vocabulary may have.
func checkID(id int64) error {
	if id < 0 || id >= limits.VocabularyIDs {
		return diag.Errorf(diag.Limit, source, diag.Place{}, idOutOfRange, id, limits.VocabularyIDs-1)
	}
	return nil
}

// idOutOfRange is said of an id, a number or the text of one.
const idOutOfRange = "token id %v is out of range: ids go from 0 to %d"
