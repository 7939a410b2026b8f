package corpus

import "github.com/sluice-engine/sluice/core"

// Tokenizer cuts texts into the tokens of a vocabulary by repeatedly taking the longest one that fits. No model's
// tokenizer does just that, but a model may write every cut. Immutable.
type Tokenizer struct {
	v       *core.Vocabulary
	ids     map[string]int32 // ordinary tokens by their bytes; the lowest id of equal ones
	longest int
}

// NewTokenizer prepares a vocabulary.
func NewTokenizer(v *core.Vocabulary) *Tokenizer {
	t := &Tokenizer{v: v, ids: map[string]int32{}}
	for id := range uint32(v.Size()) {
		text, flags := v.Token(id)
		if _, known := t.ids[string(text)]; len(text) > 0 && flags&(core.TokenSpecial|core.TokenEnd) == 0 && !known {
			t.ids[string(text)] = int32(id)
			t.longest = max(t.longest, len(text))
		}
	}
	return t
}

// Cut returns the tokens of an output, at most most of them. A piece that is the name of a special token is that token.
// ok is false if the vocabulary cannot spell the output.
func (t *Tokenizer) Cut(pieces []string, most int) (ids []int32, ok bool) {
	for _, text := range pieces {
		if id, named := t.v.TokenID(text); named && len(pieces) > 1 {
			ids, text = append(ids, int32(id)), ""
		}
		for len(text) > 0 && len(ids) < most {
			n := min(len(text), t.longest)
			for ; n > 0; n-- {
				if id, found := t.ids[text[:n]]; found {
					ids = append(ids, id)
					break
				}
			}
			if n == 0 {
				return nil, false
			}
			text = text[n:]
		}
	}
	return ids, true
}
