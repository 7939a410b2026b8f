package tokenset

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/wire"
)

// A class that was written and read again is the class: only the states of irregular tokens are found anew.
func TestSavedClassesAreTheSame(t *testing.T) {
	r := rand.New(rand.NewSource(9))
	texts := append(denseVocabulary(r, 2000), longTokens(r, 100)...)
	config := Config{Bytes: texts, Special: []uint32{3, 70}, Words: (len(texts) + 31) / 32}
	first := NewTokens(config)
	for _, enc := range []terminal.Encoding{terminal.UTF8, terminal.JSONString} {
		st := terminal.NewStore()
		e := New(first, st)
		for _, x := range append(countedTerminals(st, enc), st.Literal("ab"), st.Star(st.AnyRune(enc))) {
			_, known := e.walkNewClass(x, nil, started(e))
			require.True(t, known)
		}
	}
	config.Order = first.Trie.Order
	again := NewTokens(config)
	require.Equal(t, first.Trie, again.Trie)
	var m wire.Message
	first.AppendShared(&m, 1)
	require.NoError(t, wire.Fields(m, 0, again.ReadShared))
	irregular, counted := 0, 0
	require.Len(t, again.sets.recent, len(first.sets.recent))
	for k, c := range first.sets.recent {
		got := again.sets.recent[k]
		if c.narrow {
			require.Same(t, narrowClass, got)
			continue
		}
		require.Equal(t, c.size()-cut(c), got.size()-cut(got))
		require.True(t, got.isShared)
		if c.Counted {
			counted++
		}
		want := c.found
		want.Irregular = nil
		if len(want.order) == 0 {
			want.order = nil // no list and an empty one are the same
		}
		for i, x := range c.Irregular {
			irregular++
			require.Equal(t, [2]uint32{x.Token, x.N}, [2]uint32{got.Irregular[i].Token, got.Irregular[i].N})
		}
		require.Len(t, got.Irregular, len(c.Irregular))
		got.Irregular = nil
		require.Equal(t, want, got.found)
	}
	require.Greater(t, irregular, 50)
	require.Greater(t, counted, 50)

	config.Order = config.Order[1:]
	require.Nil(t, NewTokens(config))
	config.Order = append([]uint32{first.Trie.Order[1], first.Trie.Order[0]}, first.Trie.Order[2:]...)
	require.Nil(t, NewTokens(config))
}

// cut returns the bytes that are capacity beyond the length.
func cut(c *Class) int {
	return (cap(c.ranks)-len(c.ranks)+cap(c.order)-len(c.order)+cap(c.List)-len(c.List))*4 +
		(cap(c.Irregular)-len(c.Irregular)+cap(c.Ends)-len(c.Ends))*16 + (cap(c.Exits)-len(c.Exits))*8 +
		(cap(c.upTo)-len(c.upTo))*4 + (cap(c.goesOn)-len(c.goesOn))*32
}

// Sets with numbers beyond the vocabulary, or lists that do not fit one another, are refused.
func TestSavedClassesAreChecked(t *testing.T) {
	texts := denseVocabulary(rand.New(rand.NewSource(1)), 400)
	tokens := NewTokens(Config{Bytes: texts, Words: (len(texts) + 31) / 32})
	name := make([]byte, 16)
	for _, c := range []struct {
		says string
		set  func(m *wire.Message)
	}{
		{"no name", func(m *wire.Message) { *m = nil }},
		{"wrong length", func(m *wire.Message) { m.Bytes(setState, name[1:]) }},
		{"wrong length", func(m *wire.Message) { m.Bytes(setPlace, name[1:]) }},
		{"wrong length", func(m *wire.Message) { m.Bytes(setGoesOn, name) }},
		{"range of tokens", func(m *wire.Message) { wire.Packed(m, setRanks, []uint32{5, 1 << 20}) }},
		{"range of tokens", func(m *wire.Message) { wire.Packed(m, setRanks, []uint32{5, 0}) }},
		{"incomplete", func(m *wire.Message) { wire.Packed(m, setRanks, []uint32{5}) }},
		{"an end", func(m *wire.Message) { wire.Packed(m, setEnds, []uint32{1 << 20, 0, 0, 0}) }},
		{"an end", func(m *wire.Message) { wire.Packed(m, setEnds, []uint32{1, 0, 0, 0}) }},
		{"lacks tokens", func(m *wire.Message) { m.Number(setCounted, 1) }},
		{"out of order", func(m *wire.Message) { m.Number(setCounted, 1); wire.Packed(m, setUpTo, []uint32{1, 0}) }},
		{"not in the vocabulary", func(m *wire.Message) {
			m.Number(setCounted, 1)
			wire.Packed(m, setUpTo, []uint32{1})
			wire.Packed(m, setOrder, []uint32{1 << 20})
		}},
		{"not in the vocabulary", func(m *wire.Message) {
			m.Number(setCounted, 1)
			wire.Packed(m, setUpTo, []uint32{0})
			wire.Packed(m, setExits, []uint32{1 << 20, 1})
		}},
		{"not in the vocabulary", func(m *wire.Message) {
			m.Number(setCounted, 1)
			wire.Packed(m, setUpTo, []uint32{0})
			wire.Packed(m, setIrregular, []uint32{1 << 20, 1})
		}},
		{"group", func(m *wire.Message) { m.Bytes(setGroups, []byte{groupBeyond << 3, 1}) }},
		{"no text", func(m *wire.Message) {
			var g wire.Message
			bits := make([]byte, tokens.words*4)
			bits[len(bits)-1] = 0xFF
			g.Bytes(groupBitmap, bits)
			m.Bytes(setGroups, g)
		}},
	} {
		var set, m wire.Message
		set.Bytes(setState, name)
		set.Number(setCost, 9)
		c.set(&set)
		m.Bytes(1, set)
		err := wire.Fields(m, 0, tokens.ReadShared)
		require.ErrorContains(t, err, c.says)
	}
	require.Empty(t, tokens.sets.recent)
}
