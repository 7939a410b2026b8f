package tokentrie

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSubtreesAreRanges(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	var tokens [][]byte
	for range 3000 {
		b := make([]byte, r.Intn(5))
		for i := range b {
			b[i] = []byte("ab\"\xc3\xa9\xff")[r.Intn(6)]
		}
		tokens = append(tokens, b)
	}
	trie := New(tokens)
	seen := map[uint32]string{}
	path := make([]byte, 0, 8)
	for i := uint32(1); i < uint32(len(trie.Nodes)-1); i++ {
		n := trie.Nodes[i]
		path = append(path[:n.Depth-1], n.Byte)
		from, to := trie.Tokens(i)
		for k := from; k < to; k++ {
			seen[trie.Order[k]] = string(path)
		}
		lo, hi := trie.Below(i)
		for k := lo; k < hi; k++ {
			require.Equal(t, string(path), string(trie.Bytes[trie.Order[k]][:n.Depth]))
		}
		require.LessOrEqual(t, to, lo)
	}
	for id, b := range tokens {
		in := len(b) > 0
		for _, c := range b {
			in = in && c != 0xFF
		}
		got, ok := seen[uint32(id)]
		require.Equal(t, in, ok)
		if in {
			require.Equal(t, string(b), got)
			require.Equal(t, uint32(id), trie.Order[trie.Rank[id]])
		}
	}
}

func TestSummaries(t *testing.T) {
	trie := New([][]byte{[]byte("a"), []byte("ab"), []byte("aé"), []byte("aéx"), []byte("a\xe2\x82"), []byte("abcde"), []byte("abcdef"), []byte("xyabcdefgh\x80"), []byte("x")})
	a := trie.Bigs[trie.Nodes[trie.Root['a']].Big]
	require.True(t, a.WellFormed)
	require.True(t, a.NonASCII)
	require.Equal(t, uint16(5), a.MaxRunes)
	require.False(t, trie.Bigs[trie.Nodes[trie.Root['x']].Big].WellFormed)
}
