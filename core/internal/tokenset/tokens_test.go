package tokenset

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// IsText and Texts tell the same tokens: all that have a text, special ones and those with a marked byte among them.
func TestTextsAreWhatIsTextTells(t *testing.T) {
	bytes := [][]byte{[]byte("a"), nil, []byte("<s>"), {0xFF}, []byte("a\xFFb"), {}, []byte("é")}
	tokens := NewTokens(Config{Bytes: bytes, Special: []uint32{2}, Words: 2})
	row := []uint32{^uint32(0), ^uint32(0)}
	tokens.Texts(row)
	for id := range uint32(64) {
		want := int(id) < len(bytes) && len(bytes[id]) > 0
		require.Equal(t, want, tokens.IsText(id), "token %d", id)
		require.Equal(t, want, row[id>>5]>>(id&31)&1 == 1, "token %d", id)
	}
}
