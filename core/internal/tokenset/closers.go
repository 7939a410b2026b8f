package tokenset

import (
	"bytes"

	"github.com/sluice-engine/sluice/core/internal/distinct"
	"github.com/sluice-engine/sluice/core/internal/tokentrie"
)

// maxClosers bounds the closing brackets that are counted in a token.
const maxClosers = 3

// distinctTokens are the tokens of a vocabulary by their part in distinct arrays. Immutable.
type distinctTokens struct {
	Lively  []uint32                // those that are not distinct.Inert
	Opening []uint32                // those that are, with a quote in them
	Escapes []uint32                // those with a backslash and no quote in them
	closers [maxClosers][2][]uint32 // see Closing
}

// sortForDistinct sorts the tokens for arrays with distinct items: by the number of their closing brackets, by the
// number of those behind a quote, and by whether they can end or begin an item.
func sortForDistinct(trie *tokentrie.Trie, words int) (t distinctTokens) {
	t.Lively = make([]uint32, words)
	for i := range t.closers {
		t.closers[i] = [2][]uint32{make([]uint32, words), make([]uint32, words)}
	}
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
		var n [2]int
		quote := false
		for _, b := range text {
			switch b {
			case '"':
				quote = true
			case ']', '}':
				if n[0]++; quote {
					n[1]++
				}
			}
		}
		for kind := range n {
			for i := range min(n[kind], maxClosers) {
				t.closers[i][kind][id>>5] |= 1 << (id & 31)
			}
		}
	}
	return t
}

// Closing returns a superset of the tokens with at least so many closing brackets. In a string it counts only brackets
// behind a quote.
func (t *distinctTokens) Closing(brackets uint32, inString bool) []uint32 {
	kinds := &t.closers[min(max(brackets, 1), maxClosers)-1]
	if inString {
		return kinds[1]
	}
	return kinds[0]
}
