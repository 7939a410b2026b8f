package testkit

import "github.com/sluice-engine/sluice/core/internal/vocab"

// Tokenizing cuts text into the tokens of a vocabulary by repeatedly taking the longest one that fits. No model's
// tokenizer does just that, but a model could make every cut. Immutable.
type Tokenizing struct {
	ids    map[string]uint32 // ordinary tokens by their bytes; the lowest id of equal ones
	maxLen int
}

// NewTokenizing prepares a vocabulary.
func NewTokenizing(v *vocab.Vocabulary) *Tokenizing {
	t := &Tokenizing{ids: map[string]uint32{}}
	for id := range uint32(v.Size()) {
		b := v.Bytes(id)
		if len(b) == 0 || v.IsSpecial(id) || v.IsEnd(id) {
			continue
		}
		if _, ok := t.ids[string(b)]; !ok {
			t.ids[string(b)] = id
			t.maxLen = max(t.maxLen, len(b))
		}
	}
	return t
}

// Cut returns the tokens of text; ok is false if the vocabulary cannot spell it.
func (t *Tokenizing) Cut(text []byte) (ids []int32, ok bool) {
	for len(text) > 0 {
		n := min(len(text), t.maxLen)
		for ; n > 0; n-- {
			if id, found := t.ids[string(text[:n])]; found {
				ids = append(ids, int32(id))
				break
			}
		}
		if n == 0 {
			return nil, false
		}
		text = text[n:]
	}
	return ids, true
}
