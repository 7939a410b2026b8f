package core

import "github.com/sluice-engine/sluice/core/internal/vocab"

// Vocabulary is a model's tokens: their bytes, which of them are special and which end an output, and how wide the
// model's logits are. Immutable and shared; safe for concurrent use.
type Vocabulary struct{ v *vocab.Vocabulary }

// VocabularyConfig is a vocabulary in memory.
type VocabularyConfig = vocab.Config

// VocabularyOptions is what a tokenizer's file does not say, or says wrongly.
type VocabularyOptions = vocab.Options

// TokenFlags says what kind of token an id is. Its values are those of SLUICE_TOKEN_* in the C header.
type TokenFlags = vocab.Flags

// The flags of a token.
const (
	TokenSpecial = vocab.Special
	TokenAdded   = vocab.Added
	TokenEnd     = vocab.End
)

// Format says how a tokenizer's file is written. Its values are those of SLUICE_FORMAT_* in the C header.
type Format uint32

// The formats.
const (
	FormatAuto          Format = iota // told from the content
	FormatTokenizerJSON               // Hugging Face tokenizers: tokenizer.json
	FormatTiktoken                    // base64 rank lines
	FormatSentencePiece               // tokenizer.model
	FormatTekken                      // mistral-common: tekken.json
)

// NewVocabulary makes a vocabulary from memory.
func NewVocabulary(c VocabularyConfig) (_ *Vocabulary, err error) {
	defer caught(&err)
	return wrapVocabulary(vocab.New(c))
}

// LoadVocabulary reads a vocabulary from a tokenizer's file, gzipped or not.
func LoadVocabulary(path string, o VocabularyOptions) (_ *Vocabulary, err error) {
	defer caught(&err)
	return wrapVocabulary(vocab.FromFile(path, o))
}

// ParseVocabulary reads a vocabulary from the content of a tokenizer's file. Only FormatAuto unpacks gzip.
func ParseVocabulary(f Format, data []byte, o VocabularyOptions) (_ *Vocabulary, err error) {
	defer caught(&err)
	switch f {
	case FormatAuto:
		return wrapVocabulary(vocab.Read(data, o))
	case FormatTokenizerJSON:
		return wrapVocabulary(vocab.FromTokenizerJSON(data, o))
	case FormatTiktoken:
		return wrapVocabulary(vocab.FromTiktoken(data, o))
	case FormatSentencePiece:
		return wrapVocabulary(vocab.FromSentencePiece(data, o))
	case FormatTekken:
		return wrapVocabulary(vocab.FromTekken(data, o))
	}
	return nil, Errorf(CodeArgument, "vocabulary", "there is no format %d: 0 (auto), 1 (tokenizer.json), 2 "+
		"(tiktoken), 3 (SentencePiece), 4 (tekken.json)", f)
}

func wrapVocabulary(v *vocab.Vocabulary, err error) (*Vocabulary, error) {
	if err != nil {
		return nil, err
	}
	return &Vocabulary{v}, nil
}

// Size returns the largest id + 1.
func (v *Vocabulary) Size() int { return v.v.Size() }

// PaddedSize returns how wide the model's logits are, at least Size.
func (v *Vocabulary) PaddedSize() int { return v.v.PaddedSize() }

// Words returns how many 32-bit words a mask's row has.
func (v *Vocabulary) Words() int { return v.v.Words() }

// Token returns the bytes of an id (of a special one, the text that it spells) and its flags; nil and 0 for an id that
// is not in the vocabulary. The bytes must not be changed.
func (v *Vocabulary) Token(id uint32) ([]byte, TokenFlags) {
	f := v.v.Flags(id)
	if f&TokenSpecial != 0 {
		return v.v.SpecialBytes(id), f
	}
	return v.v.Bytes(id), f
}

// TokenID returns the special or added token that is spelled text.
func (v *Vocabulary) TokenID(text string) (uint32, bool) { return v.v.TokenID(text) }

// EndTokens returns the ids that end an output, ascending.
func (v *Vocabulary) EndTokens() []uint32 { return v.v.EndTokens() }

// SpecialTokens returns the ids of all special tokens, ascending.
func (v *Vocabulary) SpecialTokens() []uint32 { return v.v.Special() }

// MaxTokenLength returns the length in bytes of the longest token.
func (v *Vocabulary) MaxTokenLength() int { return v.v.MaxTokenLen() }

// Hash returns a digest that is equal for equal vocabularies, whatever they were read from.
func (v *Vocabulary) Hash() [32]byte { return v.v.Hash() }
