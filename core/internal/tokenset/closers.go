package tokenset

import (
	"bytes"

	"github.com/sluice-engine/sluice/core/internal/distinct"
)

// maxClosers bounds the closing brackets that are counted in a token.
const maxClosers = 3

// sortForDistinct sorts the tokens for distinct arrays: by their closing brackets and braces, all of them and those after
// a quote, and by whether they matter before an item.
func (t *Tokens) sortForDistinct() {
	t.Lively = make([]uint32, t.words)
	for i := range t.closers {
		t.closers[i] = [2][]uint32{make([]uint32, t.words), make([]uint32, t.words)}
	}
	for _, id := range t.Trie.Order {
		text := t.Trie.Bytes[id]
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
		for _, b := range t.Trie.Bytes[id] {
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
}

// Closing returns tokens among which are all that have at least so many closing brackets, and before them a quote if
// they are in a string.
func (t *Tokens) Closing(brackets uint32, inString bool) []uint32 {
	kinds := &t.closers[min(max(brackets, 1), maxClosers)-1]
	if inString {
		return kinds[1]
	}
	return kinds[0]
}
