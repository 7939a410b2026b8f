package core

import (
	"github.com/sluice-engine/sluice/core/internal/tokenizer"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// Vocabulary holds the tokens of a model: their bytes, which of them are special or end an output, and the width of the
// model's logits. Immutable; safe for concurrent use.
type Vocabulary struct {
	v *vocab.Vocabulary
	t *tokenizer.Tokenizer // nil: not asked for
}

// VocabularyConfig is a vocabulary in memory.
type VocabularyConfig struct {
	// Tokens holds the bytes of each id as the tokenizer decodes it in the middle of a text. An id with none is never
	// allowed as text. The slices are copied.
	Tokens [][]byte
	// Special lists the special tokens: control signals, which ordinary text does not produce. Their bytes are their
	// names. Ids at or beyond len(Tokens) extend the vocabulary.
	Special []uint32
	// Added lists ordinary tokens that constraints may name, as added tokens of a tokenizer ("<tool_call>").
	Added []uint32
	// EndTokens lists the tokens that end an output. nil: those with well-known names ("</s>", "<|eot_id|>", …) among
	// Special and Added. Empty but not nil: none.
	EndTokens []uint32
	// PaddedSize is the width of the model's logits; 0: the number of ids. Ids at or beyond it are left out; an end
	// token there is an error.
	PaddedSize int
	// SpecialText gives the names of special or added tokens whose entry in Tokens is not their name.
	SpecialText map[uint32][]byte
}

// VocabularyOptions holds facts that a tokenizer's file leaves out or gets wrong.
type VocabularyOptions struct {
	EndTokens  []uint32 // as in VocabularyConfig; nil: as in the file, or well-known names
	PaddedSize int      // as in VocabularyConfig
	// SpecialTokens gives the ids of special tokens that the file leaves out: a tiktoken file has none. A name that the
	// file has too must have the same id there, and becomes special.
	SpecialTokens map[string]uint32
	// KeepTokenizer also reads how the tokenizer cuts text into tokens, for Matcher.ForcedTokens. It takes some 20 MB for
	// 128,000 tokens, and half a second. A tokenizer whose cut Sluice cannot reproduce exactly fails with
	// CodeUnsupported; see docs/drafts.md.
	KeepTokenizer bool
}

func (o *VocabularyOptions) options() vocab.Options {
	return vocab.Options{EndTokens: o.EndTokens, PaddedSize: o.PaddedSize, SpecialTokens: o.SpecialTokens}
}

// TokenFlags is the kind of a token. Its values equal SLUICE_TOKEN_* in the C header and never change.
type TokenFlags uint8

// The flags of a token. An ordinary token has none.
const (
	TokenSpecial TokenFlags = 1 // a control signal, never text
	TokenAdded   TokenFlags = 2 // added to the tokenizer under a name; text unless it is special too
	TokenEnd     TokenFlags = 4 // may end an output
)

// Format is the file format of a tokenizer. Its values equal SLUICE_FORMAT_* in the C header and never change.
type Format uint32

// The formats.
const (
	FormatAuto          Format = 0 // detected from the content
	FormatTokenizerJSON Format = 1 // Hugging Face tokenizers: tokenizer.json
	FormatTiktoken      Format = 2 // tiktoken: lines of a base64 token and its rank
	FormatSentencePiece Format = 3 // SentencePiece: tokenizer.model
	FormatTekken        Format = 4 // mistral-common: tekken.json
	FormatSluice        Format = 5 // Sluice: a file of Compiler.Save
)

// NewVocabulary makes a vocabulary from tokens in memory. A token of more than 16 KiB, or more than 16 MiB of all
// tokens, fail with CodeLimit.
func NewVocabulary(c VocabularyConfig) (_ *Vocabulary, err error) {
	defer caught(&err)
	return wrapVocabulary(vocab.New(vocab.Config(c)))
}

// LoadVocabulary reads a vocabulary from a tokenizer's file of any Format, gzipped or not. Errors are CodeIO,
// CodeSyntax and CodeInvalid with a place, CodeUnsupported for a tokenizer whose tokens have no fixed bytes, and
// CodeLimit for a file of more than 128 MiB.
func LoadVocabulary(path string, o VocabularyOptions) (_ *Vocabulary, err error) {
	defer caught(&err)
	if !o.KeepTokenizer {
		return wrapVocabulary(vocab.FromFile(path, o.options()))
	}
	data, err := vocab.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return ParseVocabulary(FormatAuto, data, o)
}

// ParseVocabulary reads a vocabulary from the content of a tokenizer's file, as LoadVocabulary does. Each format but
// FormatSluice unpacks gzip.
func ParseVocabulary(f Format, data []byte, o VocabularyOptions) (_ *Vocabulary, err error) {
	defer caught(&err)
	read, ok := readers[f]
	if !ok {
		return nil, Errorf(CodeArgument, "vocabulary", "there is no format %d: 0 (auto), 1 (tokenizer.json), 2 "+
			"(tiktoken), 3 (SentencePiece), 4 (tekken.json), 5 (a saved compiler)", f)
	}
	v, err := wrapVocabulary(read(data, o.options()))
	if err != nil || !o.KeepTokenizer {
		return v, err
	}
	v.t, err = tokenizer.Read(v.v, data)
	if err != nil {
		return nil, err
	}
	return v, nil
}

var readers = map[Format]func([]byte, vocab.Options) (*vocab.Vocabulary, error){
	FormatAuto: vocab.Read, FormatTokenizerJSON: vocab.FromTokenizerJSON, FormatTiktoken: vocab.FromTiktoken,
	FormatSentencePiece: vocab.FromSentencePiece, FormatTekken: vocab.FromTekken,
	FormatSluice: vocab.FromSaved,
}

func wrapVocabulary(v *vocab.Vocabulary, err error) (*Vocabulary, error) {
	if err != nil {
		return nil, err
	}
	return &Vocabulary{v: v}, nil
}

// Size returns the largest id + 1.
func (v *Vocabulary) Size() int { return v.v.Size() }

// PaddedSize returns the width of the model's logits, at least Size.
func (v *Vocabulary) PaddedSize() int { return v.v.PaddedSize() }

// Words returns the number of 32-bit words in the row of a mask.
func (v *Vocabulary) Words() int { return v.v.Words() }

// Token returns the bytes of an id and its flags; of a special token the bytes are its name. It returns nil and 0 for
// an id that is not in the vocabulary. The bytes must not be changed.
func (v *Vocabulary) Token(id uint32) ([]byte, TokenFlags) {
	f := TokenFlags(v.v.Flags(id))
	if f&TokenSpecial != 0 {
		return v.v.SpecialBytes(id), f
	}
	return v.v.Bytes(id), f
}

// TokenID returns the id of the special or added token with that name.
func (v *Vocabulary) TokenID(text string) (uint32, bool) { return v.v.TokenID(text) }

// EndTokens returns the ids of the tokens that end an output, ascending.
func (v *Vocabulary) EndTokens() []uint32 { return v.v.EndTokens() }

// SpecialTokens returns the ids of all special tokens, ascending.
func (v *Vocabulary) SpecialTokens() []uint32 { return v.v.Special() }

// MaxTokenLength returns the length in bytes of the longest token.
func (v *Vocabulary) MaxTokenLength() int { return v.v.MaxTokenLen() }

// Hash returns a digest of the vocabulary. Equal vocabularies have equal digests, also if they come from different
// files.
func (v *Vocabulary) Hash() [32]byte { return v.v.Hash() }
