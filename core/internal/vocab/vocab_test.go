package vocab

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// raw turns strings into the bytes of ids 0, 1, 2, …
func raw(texts ...string) [][]byte {
	out := make([][]byte, len(texts))
	for i, t := range texts {
		out[i] = []byte(t)
	}
	return out
}

// requireError checks that err is a complete *diag.Error of this package with the given code and words.
func requireError(t *testing.T, err error, code diag.Code, words ...string) *diag.Error {
	t.Helper()
	var e *diag.Error
	require.True(t, errors.As(err, &e), "want a *diag.Error, got %v", err)
	assert.Equal(t, source, e.Source)
	assert.Equal(t, code, e.Code, "%v", e)
	for _, w := range words {
		assert.Contains(t, e.Error(), w)
	}
	return e
}

func TestNewKeepsBytesExactly(t *testing.T) {
	tokens := raw("a", "", "\xff", "\xf0\x9f", "a", "<|im_end|>", "\x00", "<tool_call>")
	tokens[1] = nil
	v, err := New(Config{Tokens: tokens, Special: []uint32{5}, Added: []uint32{5, 7}})
	require.NoError(t, err)
	assert.Equal(t, 8, v.Size())
	assert.Equal(t, 8, v.PaddedSize())
	assert.Equal(t, 1, v.Words())
	assert.Equal(t, []byte("a"), v.Bytes(0))
	assert.Nil(t, v.Bytes(1), "an id without bytes")
	assert.Equal(t, []byte{0xff}, v.Bytes(2))
	assert.Equal(t, []byte{0xf0, 0x9f}, v.Bytes(3))
	assert.Equal(t, []byte("a"), v.Bytes(4), "two ids may have the same bytes")
	assert.Nil(t, v.Bytes(5), "a special token is no text")
	assert.Equal(t, []byte("<|im_end|>"), v.SpecialBytes(5))
	assert.Nil(t, v.SpecialBytes(0))
	assert.Equal(t, []byte{0}, v.Bytes(6))
	assert.Equal(t, []byte("<tool_call>"), v.Bytes(7), "an added token is text")
	assert.Nil(t, v.Bytes(8))
	assert.Nil(t, v.Bytes(1<<31))
	assert.Nil(t, v.SpecialBytes(1<<31))
	assert.Zero(t, v.Flags(1<<31))
	assert.Equal(t, Special|Added|End, v.Flags(5))
	assert.True(t, v.IsSpecial(5) && v.IsEnd(5) && v.IsAdded(7))
	assert.False(t, v.IsSpecial(7) || v.IsEnd(7) || v.IsAdded(0))
	assert.Equal(t, []uint32{5}, v.EndTokens())
	assert.Equal(t, []uint32{5}, v.Special())
	assert.Equal(t, 11, v.MaxTokenLen())
	id, ok := v.TokenID("<tool_call>")
	assert.True(t, ok)
	assert.Equal(t, uint32(7), id)
	_, ok = v.TokenID("a")
	assert.False(t, ok, "ordinary tokens have no name")

	tokens[0][0] = 'z'
	assert.Equal(t, []byte("a"), v.Bytes(0), "the caller's bytes are copied")
	assert.Equal(t, 1, cap(v.Bytes(0)), "appending to a result must not reach the next token")
}

func TestNewSpecialText(t *testing.T) {
	v, err := New(Config{
		Tokens:      raw("a", "\x01control", "b"),
		Special:     []uint32{1, 9},
		Added:       []uint32{2},
		SpecialText: map[uint32][]byte{1: []byte("<|eot_id|>"), 2: []byte("<b>"), 9: []byte("</s>")},
	})
	require.NoError(t, err)
	assert.Equal(t, 10, v.Size(), "special ids beyond the array extend it")
	assert.Equal(t, []byte("<|eot_id|>"), v.SpecialBytes(1))
	assert.Equal(t, []byte("b"), v.Bytes(2), "naming an added token does not change its text")
	assert.Nil(t, v.Bytes(5), "ids between are holes")
	id, ok := v.TokenID("<b>")
	assert.True(t, ok && id == 2)
	assert.Equal(t, []uint32{1, 9}, v.EndTokens())

	_, err = New(Config{Tokens: raw("a"), SpecialText: map[uint32][]byte{0: []byte("x")}})
	requireError(t, err, diag.Argument, "id 0", "neither Special nor Added")
}

func TestEndTokens(t *testing.T) {
	special := func(names ...string) Config {
		c := Config{Tokens: raw(append([]string{"a"}, names...)...)}
		for i := range names {
			c.Special = append(c.Special, uint32(i+1))
		}
		return c
	}
	text := func(names ...string) Config {
		c := special(names...)
		c.Added, c.Special = c.Special, nil
		return c
	}
	plain := func(names ...string) Config { return Config{Tokens: raw(names...)} }
	override := special("<|eot_id|>", "<x>")
	override.EndTokens = []uint32{2, 0, 2}
	none := special("<|eot_id|>")
	none.EndTokens = []uint32{}
	for _, c := range []struct {
		name   string
		config Config
		want   []uint32
	}{
		{"llama 3", special("<|begin_of_text|>", "<|end_of_text|>", "<|eom_id|>", "<|eot_id|>"), []uint32{2, 3, 4}},
		{"phi", special("<|endoftext|>", "<|end|>", "<|user|>"), []uint32{1, 2}},
		{"harmony: a message may end and another follow", special("<|return|>", "<|end|>", "<|call|>",
			"<|endoftext|>"), []uint32{1, 3, 4}},
		{"deepseek", special("<｜end▁of▁sentence｜>", "<｜User｜>"), []uint32{1}},
		{"an HTML tag is not an end", text("</s>", "<eos>"), []uint32{}},
		{"an end that the file calls text", text("<|im_end|>"), []uint32{1}},
		{"only special and added tokens count", plain("<|im_end|>", "</s>"), []uint32{}},
		{"the caller decides", override, []uint32{0, 2}},
		{"the caller wants none", none, []uint32{}},
		{"of two with one name the lower", special("</s>", "</s>"), []uint32{1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := New(c.config)
			require.NoError(t, err)
			assert.Equal(t, c.want, append([]uint32{}, v.EndTokens()...))
			for id := range uint32(v.Size()) {
				assert.Equal(t, contains(c.want, id), v.IsEnd(id))
			}
		})
	}
	v, err := New(text("<|im_end|>"))
	require.NoError(t, err)
	assert.True(t, v.IsSpecial(1), "an end found by name is a control signal")
	assert.Nil(t, v.Bytes(1))
	v, err = New(override)
	require.NoError(t, err)
	assert.Equal(t, []byte("a"), v.Bytes(0), "an end that the caller names stays what it is")
}

func contains(ids []uint32, id uint32) bool {
	for _, x := range ids {
		if x == id {
			return true
		}
	}
	return false
}

func TestPaddedSize(t *testing.T) {
	c := Config{Tokens: raw("a", "b", "</s>", "[PAD]"), Special: []uint32{2, 3}}
	c.PaddedSize = 40
	v, err := New(c)
	require.NoError(t, err)
	assert.Equal(t, 4, v.Size())
	assert.Equal(t, 40, v.PaddedSize())
	assert.Equal(t, 2, v.Words())

	c.PaddedSize = 3 // the model was never given a logit for [PAD]
	v, err = New(c)
	require.NoError(t, err)
	assert.Equal(t, 3, v.Size())
	assert.Equal(t, 3, v.PaddedSize())
	assert.Equal(t, []uint32{2}, v.Special())
	_, ok := v.TokenID("[PAD]")
	assert.False(t, ok)

	c.PaddedSize = 2
	_, err = New(c)
	requireError(t, err, diag.Argument, "cuts off the end token 2")
	c.PaddedSize = -1
	_, err = New(c)
	requireError(t, err, diag.Argument, "-1")
	c.PaddedSize = limits.VocabularyIDs + 1
	_, err = New(c)
	requireError(t, err, diag.Argument)
}

func TestNewRefuses(t *testing.T) {
	_, err := New(Config{})
	requireError(t, err, diag.Invalid, "no tokens")
	_, err = New(Config{Tokens: raw("a"), Special: []uint32{limits.VocabularyIDs}})
	requireError(t, err, diag.Limit, "4194304")
	_, err = New(Config{Tokens: raw("a"), EndTokens: []uint32{1}})
	requireError(t, err, diag.Argument, "end token 1", "0 to 0")
	_, err = New(Config{Tokens: raw(strings.Repeat("a", limits.TokenBytes+1))})
	requireError(t, err, diag.Limit, "token 0")
}

func TestSpecialTokensOption(t *testing.T) {
	data := []byte("YQ== 0\nYg== 1\n")
	v, err := FromTiktoken(data, Options{SpecialTokens: map[string]uint32{"<|endoftext|>": 3, "<|x|>": 5}})
	require.NoError(t, err)
	assert.Equal(t, 6, v.Size())
	assert.Equal(t, []uint32{3}, v.EndTokens())
	assert.Equal(t, []byte("<|x|>"), v.SpecialBytes(5))
	assert.Nil(t, v.Bytes(2))

	_, err = FromTiktoken(data, Options{SpecialTokens: map[string]uint32{"<|x|>": 1}})
	requireError(t, err, diag.Argument, `"<|x|>"`, "id 1", `"b"`)
	_, err = FromTiktoken(data, Options{SpecialTokens: map[string]uint32{"<y>": 2, "<x>": 2}})
	requireError(t, err, diag.Argument, "two names")
	_, err = FromTiktoken(data, Options{SpecialTokens: map[string]uint32{"": 2}})
	requireError(t, err, diag.Argument, "empty name")
	_, err = FromTiktoken(data, Options{SpecialTokens: map[string]uint32{"<x>": 1 << 31}})
	requireError(t, err, diag.Limit)
	_, err = New(Config{Tokens: raw("a", "<x>"), Special: []uint32{1}})
	require.NoError(t, err)

	json := readTestdata(t, "bytelevel.json")
	_, err = FromTokenizerJSON(json, Options{SpecialTokens: map[string]uint32{"<tool_call>": 20}})
	requireError(t, err, diag.Argument, "id 20", "id 12")
	v, err = FromTokenizerJSON(json, Options{SpecialTokens: map[string]uint32{"<tool_call>": 12}})
	require.NoError(t, err)
	assert.True(t, v.IsSpecial(12), "a caller may know better what is special")
}

// TestHash changes everything that a mask depends on, one thing at a time.
func TestHash(t *testing.T) {
	base := func() Config {
		return Config{Tokens: raw("a", "bc", "</s>", "<t>"), Special: []uint32{2}, Added: []uint32{3}, PaddedSize: 8}
	}
	hash := func(change func(*Config)) [32]byte {
		c := base()
		change(&c)
		v, err := New(c)
		require.NoError(t, err)
		return v.Hash()
	}
	seen := map[[32]byte]string{hash(func(*Config) {}): "base"}
	for name, change := range map[string]func(*Config){
		"bytes":   func(c *Config) { c.Tokens[0] = []byte("b") },
		"borders": func(c *Config) { c.Tokens[0], c.Tokens[1] = []byte("ab"), []byte("c") },
		"order":   func(c *Config) { c.Tokens[0], c.Tokens[1] = c.Tokens[1], c.Tokens[0] },
		"hole":    func(c *Config) { c.Tokens = append(c.Tokens, nil) },
		"padding": func(c *Config) { c.PaddedSize = 9 },
		"special": func(c *Config) { c.Special = []uint32{2, 3} },
		"added":   func(c *Config) { c.Added = nil },
		"ends":    func(c *Config) { c.EndTokens = []uint32{3} },
		"name":    func(c *Config) { c.SpecialText = map[uint32][]byte{3: []byte("<u>")} },
	} {
		h := hash(change)
		assert.Empty(t, seen[h], "%s gives the same hash as this", name)
		seen[h] = name
	}
	assert.Equal(t, hash(func(*Config) {}), hash(func(c *Config) { c.EndTokens = []uint32{2} }),
		"found or given, the end token is the same")
}

// Tokens that are spelled alike are all found.
func TestTokensOfOneName(t *testing.T) {
	v, err := New(Config{
		Tokens:  [][]byte{[]byte("a"), []byte("<d>"), []byte("<d>"), []byte("<d>"), []byte("<e>"), []byte("</s>")},
		Special: []uint32{3, 1, 5}, Added: []uint32{4}, EndTokens: []uint32{5},
	})
	require.NoError(t, err)
	require.Equal(t, []uint32{1, 3}, v.TokenIDs("<d>")) // 2 is text
	require.Equal(t, []uint32{4}, v.TokenIDs("<e>"))
	require.Nil(t, v.TokenIDs("a"))
	id, ok := v.TokenID("<d>")
	require.True(t, ok)
	require.Equal(t, uint32(1), id)
}
