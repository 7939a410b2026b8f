package tokentrie

import (
	"math/rand"
	"testing"
	"unicode/utf8"

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
	trie := New([][]byte{
		[]byte("a"), []byte("ab"), []byte("aé"), []byte("aéx"), []byte("a\xe2\x82"), []byte("abcde"), []byte("abcdef"),
		[]byte("xyabcdefgh\x80"), []byte("x"),
	})
	a := trie.Bigs[trie.Nodes[trie.Root['a']].Big]
	require.True(t, a.WellFormed)
	require.Equal(t, uint64(1)<<(0xC3-0xC0)|1<<(0xE2-0xC0), a.Leads)
	require.Equal(t, uint16(5), a.MaxRunes)
	require.False(t, trie.Bigs[trie.Nodes[trie.Root['x']].Big].WellFormed)
}

// TestSummariesOfRandomTokens compares each summary with the texts below its node.
func TestSummariesOfRandomTokens(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	var tokens [][]byte
	for range 4000 {
		var b []byte
		for range r.Intn(6) {
			b = append(b, []string{
				"a", "b", "é", "ß", "日", "本", "😀", "\u2028", "\xe6", "\xf0\x9f", "\x97",
			}[r.Intn(11)]...)
		}
		tokens = append(tokens, b)
	}
	trie := New(tokens)
	path := make([]byte, 0, 32)
	small, wellFormed, within := 0, 0, 0
	for i := uint32(1); i < uint32(len(trie.Nodes)-1); i++ {
		n := trie.Nodes[i]
		path = append(path[:n.Depth-1], n.Byte)
		want := Big{WellFormed: true}
		lo, hi := trie.Below(i)
		for k := lo; k < hi; k++ {
			summarise(&want, trie.Bytes[trie.Order[k]][n.Depth:])
		}
		if n.Big < 0 {
			got := trie.Summary(i)
			require.Equal(t, want.WellFormed && want.Leads == 0, got.WellFormed, "%q", path)
			if got.WellFormed {
				small++
				require.Equal(t, want.ASCII, got.ASCII, "%q", path)
				require.GreaterOrEqual(t, got.MaxRunes, want.MaxRunes, "%q", path)
			}
			continue
		}
		got := trie.Bigs[n.Big]
		require.Equal(t, want.WellFormed, got.WellFormed, "%q", path)
		if want.WellFormed {
			wellFormed++
			require.Equal(t, want, got, "%q", path)
		} else if !utf8.Valid(path) {
			within++
		}
	}
	require.Greater(t, small, 100)
	require.Greater(t, wellFormed, 300)
	require.Greater(t, within, 100)
}

func summarise(b *Big, text []byte) {
	runes := uint16(0)
	for len(text) > 0 {
		lead, size := text[0], 1
		switch r, n := utf8.DecodeRune(text); {
		case lead < 0x80:
			b.ASCII[lead>>6] |= 1 << (lead & 63)
		case r != utf8.RuneError:
			size = n
		case utf8.FullRune(text):
			b.WellFormed = false
		default: // a prefix
			size = len(text)
		}
		if lead >= 0xC0 {
			b.Leads |= 1 << (lead - 0xC0)
		}
		text = text[size:]
		runes++
	}
	b.MaxRunes = max(b.MaxRunes, runes)
}

// A node has the kinds of the bytes below it, and KindsOf compares kinds with a set.
func TestKinds(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	var tokens [][]byte
	for range 3000 {
		b := make([]byte, r.Intn(6))
		for i := range b {
			b[i] = []byte("abAZ09 \"\\_~\n\xc3\xa9")[r.Intn(14)]
		}
		tokens = append(tokens, b)
	}
	trie := New(tokens)
	for range 200 {
		var ascii [2]uint64
		for b := range 128 {
			if r.Intn(8) > 0 {
				ascii[b>>6] |= 1 << (b & 63)
			}
		}
		others := r.Intn(2) == 0
		all, none := KindsOf(ascii, others)
		for i := range trie.Nodes[:len(trie.Nodes)-1] {
			within, beyond := true, true // all bytes below the node are in the set, or not in it
			for _, n := range trie.Nodes[i+1 : trie.Nodes[i].End] {
				in := n.Byte < 128 && ascii[n.Byte>>6]>>(n.Byte&63)&1 != 0 || n.Byte >= 128 && others
				within, beyond = within && in, beyond && !in
			}
			kinds := trie.Nodes[i].Kinds
			if kinds&^all == 0 {
				require.True(t, within)
			}
			if kinds != 0 && kinds&^none == 0 {
				require.True(t, beyond)
			}
		}
	}
	require.Equal(t, ^Kinds(0)>>1, trie.Nodes[0].Kinds&^otherKind)
	require.NotZero(t, trie.Nodes[0].Kinds&otherKind)
}
