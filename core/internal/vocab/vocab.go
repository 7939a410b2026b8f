// Package vocab is the vocabulary of a model: the bytes of each token id, control tokens, end tokens, and the width of
// a row of logits.
//
// Invariant: the bytes of an id are exactly the output of the tokenizer's own decoder in the middle of a text. A
// tokenizer is rejected if they depend on anything else, such as neighbouring tokens.
//
// The package keeps nothing about tokenization (merges, scores, normalizers).
//
// Start with Vocabulary and New. Each file format has a file that ends in a call of builder.build: tokenizerjson.go
// (with decoder.go), tekken.go, tiktoken.go, sentencepiece.go, message.go. detect.go chooses between them. saved.go is the
// file of a compiler, of which the vocabulary is a part.
package vocab

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

const source = "vocabulary"

// Flags are the properties of a token id.
type Flags uint8

// The flags of a token. An id with bytes and without Special or Added is an ordinary token.
const (
	// Special marks a control token: never text, even if its spelling is.
	Special Flags = 1 << iota
	// Added marks a named token beside the trained pieces. Unless it is Special too, it is ordinary text.
	Added
	// End marks a token that may end a generation.
	End
)

// span is the range of an id's spelling in the arena. An id of length zero has no spelling.
type span struct{ start, length uint32 }

// Vocabulary maps token ids to exact bytes. Immutable and shared; safe for concurrent use.
type Vocabulary struct {
	arena  []byte
	spans  []span  // by id
	flags  []Flags // by id
	padded int
	ends   []uint32 // sorted
	spec   []uint32 // sorted
	names  map[string]uint32
	alike  map[string][]uint32 // by name: the ids above the one in names
	maxLen int
	hash   [32]byte
}

// Config describes a vocabulary in memory.
type Config struct {
	// Tokens holds the bytes of each id. An id without bytes is never allowed as text. The slices are copied.
	Tokens [][]byte
	// Special lists the control tokens. Their names come from SpecialText or else from Tokens. Ids at or beyond
	// len(Tokens) extend the vocabulary.
	Special []uint32
	// Added lists tokens that TokenID should find by name although they may be text.
	Added []uint32
	// EndTokens lists the tokens that may end a generation. nil: the special and added tokens with well-known names
	// (see endNames). Empty but not nil: none.
	EndTokens []uint32
	// PaddedSize is the number of logits in a row; 0 means Size. Ids at or above PaddedSize are dropped, because the
	// model cannot choose them; an end token among them is an error.
	PaddedSize int
	// SpecialText names special or added tokens whose entry in Tokens is not their name.
	SpecialText map[uint32][]byte
}

// New returns a vocabulary from an array in memory.
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

// nameListed names the special and added tokens of c, in order of ids, so that the lower of two ids keeps a name.
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

// Size returns the highest id plus one. Holes, ids without bytes, count.
func (v *Vocabulary) Size() int { return len(v.spans) }

// PaddedSize returns the number of logits in a row, at least Size.
func (v *Vocabulary) PaddedSize() int { return v.padded }

// Words returns the number of 32-bit words of a mask row.
func (v *Vocabulary) Words() int { return (v.padded + 31) / 32 }

func (v *Vocabulary) spelling(id uint32) []byte {
	s := v.spans[id]
	if s.length == 0 {
		return nil
	}
	return v.arena[s.start : s.start+s.length : s.start+s.length]
}

// Bytes returns the text of an ordinary or added token, nil for a hole, a special token or an unknown id. The bytes
// need not be valid UTF-8, and several ids may have the same bytes. An end token that is not special has bytes too.
// The caller must not change the result.
func (v *Vocabulary) Bytes(id uint32) []byte {
	if int64(id) >= int64(len(v.spans)) || v.flags[id]&Special != 0 {
		return nil
	}
	return v.spelling(id)
}

// SpecialBytes returns the name of a special token, nil if the id is not special or has no name. The caller must not
// change the result.
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

// IsSpecial reports whether id is a control token.
func (v *Vocabulary) IsSpecial(id uint32) bool { return v.Flags(id)&Special != 0 }

// IsAdded reports whether id is an added token.
func (v *Vocabulary) IsAdded(id uint32) bool { return v.Flags(id)&Added != 0 }

// IsEnd reports whether id may end a generation.
func (v *Vocabulary) IsEnd(id uint32) bool { return v.Flags(id)&End != 0 }

// EndTokens returns the ids that may end a generation, sorted. The caller owns the result.
func (v *Vocabulary) EndTokens() []uint32 { return slices.Clone(v.ends) }

// Special returns the ids of all special tokens, sorted. The caller owns the result.
func (v *Vocabulary) Special() []uint32 { return slices.Clone(v.spec) }

// TokenID returns the special or added token with a spelling, the lowest id of several.
func (v *Vocabulary) TokenID(text string) (uint32, bool) {
	id, ok := v.names[text]
	return id, ok
}

// TokenIDs returns all special and added tokens with a spelling, lowest id first, nil if there are none.
func (v *Vocabulary) TokenIDs(text string) []uint32 {
	id, ok := v.names[text]
	if !ok {
		return nil
	}
	return append([]uint32{id}, v.alike[text]...)
}

// MaxTokenLen returns the length in bytes of the longest spelling, special tokens included.
func (v *Vocabulary) MaxTokenLen() int { return v.maxLen }

// Hash returns a digest of all data that masks depend on: sizes, bytes, kinds, names and end tokens. Vocabularies with
// equal hashes give equal masks.
func (v *Vocabulary) Hash() [32]byte { return v.hash }

func checkID(id int64) error {
	if id < 0 || id >= limits.VocabularyIDs {
		return diag.Errorf(diag.Limit, source, diag.Place{}, idOutOfRange, id, limits.VocabularyIDs-1)
	}
	return nil
}

const idOutOfRange = "token id %v is out of range: ids go from 0 to %d"
