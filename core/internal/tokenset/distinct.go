package tokenset

import (
	"bytes"

	"github.com/sluice-engine/sluice/core/internal/distinct"
	"github.com/sluice-engine/sluice/core/internal/tokentrie"
)

// distinctTokens are the tokens of a vocabulary by their part in distinct arrays. Immutable.
type distinctTokens struct {
	Lively  []uint32 // those that are not distinct.Inert
	Closing []uint32 // those with a closing bracket
	Opening []uint32 // those that are distinct.Inert, with a quote in them
	Escapes []uint32 // those with a backslash and no quote in them
}

func sortForDistinct(trie *tokentrie.Trie, words int) (t distinctTokens) {
	t.Lively, t.Closing = make([]uint32, words), make([]uint32, words)
	for _, id := range trie.Order {
		text := trie.Bytes[id]
		quoted := bytes.IndexByte(text, '"') >= 0
		switch {
		case !distinct.Inert(text):
			t.Lively[id>>5] |= 1 << (id & 31)
		case quoted:
			t.Opening = append(t.Opening, id)
		}
		if !quoted && bytes.IndexByte(text, '\\') >= 0 {
			t.Escapes = append(t.Escapes, id)
		}
		if bytes.ContainsAny(text, "]}") {
			t.Closing[id>>5] |= 1 << (id & 31)
		}
	}
	return t
}
