package testkit

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal/spelling"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
)

// SmallVocabulary is a vocabulary that a test can read token by token. Immutable.
type SmallVocabulary struct {
	Name    string
	Tokens  [][]byte // by id; empty for an id without bytes; the spelling of a special token
	Special []uint32
	End     []uint32 // sorted; their bytes are never text
	Words   int
}

// IsEnd reports whether id is an end token.
func (v *SmallVocabulary) IsEnd(id uint32) bool { return slices.Contains(v.End, id) }

// IsSpecial reports whether id is a special token.
func (v *SmallVocabulary) IsSpecial(id uint32) bool { return slices.Contains(v.Special, id) }

// Spellings returns the byte strings that token id may stand for: for every token itself as a token, for an ordinary
// token its text, for a special one its text in the text view only.
func (v *SmallVocabulary) Spellings(id uint32, text bool) [][]byte {
	named := spelling.Token(id)
	out := [][]byte{named[:]}
	if len(v.Tokens[id]) > 0 && !v.IsEnd(id) && (text || !v.IsSpecial(id)) {
		out = append(out, spelling.Text(v.Tokens[id]))
	}
	return out
}

// MaskTokens returns the vocabulary as masks see it.
func (v *SmallVocabulary) MaskTokens() *tokenset.Tokens {
	bytes := slices.Clone(v.Tokens)
	for _, id := range v.End {
		bytes[id] = nil
	}
	return tokenset.NewTokens(tokenset.Config{Bytes: bytes, Special: v.Special, End: v.End, Words: v.Words})
}

// SmallVocabularies returns vocabularies over the alphabet: all strings up to some length, single bytes, few long
// tokens, pieces of UTF-8 characters; each with duplicates, ids without bytes, special tokens and two end tokens.
func SmallVocabularies(alphabet string) []*SmallVocabulary {
	all := Strings(alphabet, 3)[1:]
	single := Strings(alphabet, 1)[1:]
	long := append(slices.Clone(single), alphabet+alphabet, alphabet[:1]+alphabet+alphabet,
		alphabet[:1]+alphabet[:1]+alphabet[:1]+alphabet[:1])
	pieces := append(Strings(alphabet, 2)[1:], "é", "\xc3", "\xa9", "😀", "\xf0\x9f", "\x98\x80", "\x80"+alphabet[:1],
		"\xff", "\n", " ", `\`, `"`)
	// Many tokens make classes of terminal states pay, another way to the same masks.
	wide := Strings(alphabet+"xyz", 4)[1:]
	return []*SmallVocabulary{
		newSmall("all to 3", all, alphabet), newSmall("single", single, alphabet), newSmall("long", long, alphabet),
		newSmall("pieces", pieces, alphabet), newSmall("wide", wide, alphabet),
	}
}

// newSmall adds to texts, in this order, an id without bytes, duplicates, two special tokens, two end tokens.
func newSmall(name string, texts []string, alphabet string) *SmallVocabulary {
	v := &SmallVocabulary{Name: name}
	add := func(s string) uint32 {
		v.Tokens = append(v.Tokens, []byte(s))
		return uint32(len(v.Tokens) - 1)
	}
	for _, s := range texts {
		add(s)
	}
	add("")
	add(texts[0])
	add(texts[len(texts)-1])
	v.Special = []uint32{add(alphabet[:1] + alphabet[:1]), add(alphabet)}
	v.End = []uint32{add(alphabet[:1]), add("</s>")}
	v.Words = len(v.Tokens)/32 + 1
	return v
}
