package tokenizer

import (
	"encoding/base64"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

type tekkenConfig struct {
	Pattern string `json:"pattern"`
	Size    uint32 `json:"default_vocab_size"`
	Special uint32 `json:"default_num_special_tokens"`
}

type tekkenLetter struct {
	Rank  uint32 `json:"rank"`
	Bytes string `json:"token_bytes"`
}

// tekken reads a tekken.json of mistral-common: parts merge by the rank of the text that they become. Its tokenizer
// does not look for special tokens in text.
func (f *jsonFile) tekken(v *vocab.Vocabulary) (_ *Tokenizer, err error) {
	if f.Config == nil || f.Config.Special > f.Config.Size {
		return nil, diag.Errorf(diag.Invalid, source, diag.At("/config"), "the JSON is no tekken.json")
	}
	t := &Tokenizer{vocabulary: v}
	if t.split, err = newSplit(f.Config.Pattern, "/config/pattern"); err != nil {
		return nil, err
	}
	m := &merges{ranks: make(map[string]merged, len(f.Vocab)), whole: make(map[string]uint32, len(f.Vocab))}
	for b := range m.bytes {
		m.bytes[b] = -1
	}
	for _, letter := range f.Vocab {
		if letter.Rank >= f.Config.Size-f.Config.Special {
			continue
		}
		text, err := base64.StdEncoding.DecodeString(letter.Bytes)
		if err != nil {
			return nil, diag.Errorf(diag.Invalid, source, diag.At("/vocab"), "%v", err)
		}
		id := letter.Rank + f.Config.Special
		m.ranks[string(text)] = merged{letter.Rank, id}
		m.whole[string(text)] = id
		if len(text) == 1 {
			m.bytes[text[0]] = int32(id)
		}
	}
	t.model = m
	return t, nil
}
