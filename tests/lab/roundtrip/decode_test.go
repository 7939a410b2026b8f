//go:build tokenizers

package roundtrip

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// byteTokens finds, for each byte, an ordinary token that is this byte alone.
func byteTokens(v *core.Vocabulary) (ids [256]uint32, found [256]bool) {
	for id := range uint32(v.Size()) {
		if b, f := v.Token(id); len(b) == 1 && f&core.TokenSpecial == 0 && !found[b[0]] {
			ids[b[0]], found[b[0]] = id, true
		}
	}
	return ids, found
}

// beginnings and endings complete a token that starts or stops inside a character: every lead byte with every narrower
// second byte that UTF-8 demands, with 0 to 3 bytes left.
var (
	beginnings = [][]byte{
		{},
		{0xC3},
		{0xE1},
		{0xE0},
		{0xED},
		{0xE1, 0x80},
		{0xF1},
		{0xF0},
		{0xF4},
		{0xF1, 0x80},
		{0xF1, 0x80, 0x80},
	}
	endings = [][]byte{
		{},
		{0x80},
		{0x80, 0x80},
		{0x80, 0x80, 0x80},
		{0xA0, 0x80},
		{0x90, 0x80, 0x80},
	}
)

// complete returns bytes that make b valid UTF-8 when put around it.
func complete(b []byte) (before, after []byte, ok bool) {
	for _, before = range beginnings {
		for _, after = range endings {
			if utf8.Valid(bytes.Join([][]byte{before, b, after}, nil)) {
				return before, after, true
			}
		}
	}
	return nil, nil, false
}

// TestDecode decodes every id between an "a" and an "a" and compares the bytes between them with ours. The letters keep
// the decoder from treating the token as the beginning of a text. A token that is part of a character is decoded
// together with the byte tokens that complete it.
func TestDecode(t *testing.T) {
	eachPair(t, func(t *testing.T, p *pair) {
		single, found := byteTokens(p.ours)
		require.True(t, found['a'], "no token is the letter a alone")
		var exact, completed, impossible, nul, special, holes, bad int
		for id := range uint32(p.ours.Size()) {
			want, flags := p.ours.Token(id)
			before, after, ok := complete(want)
			seq := []uint32{single['a']}
			for _, c := range before {
				require.True(t, found[c], "no token is the byte %#x alone", c)
				seq = append(seq, single[c])
			}
			seq = append(seq, id)
			for _, c := range after {
				seq = append(seq, single[c])
			}
			seq = append(seq, single['a'])
			if bytes.IndexByte(want, 0) >= 0 {
				// The binding passes text as a C string, so this cannot be tested.
				nul++
				assert.Empty(t, bytes.Trim(want, "\x00"), "id %d", id)
				continue
			}
			got := p.lib.Decode(seq, false)
			switch {
			case !ok:
				// Bytes that no text contains. The library shows them as replacement characters.
				impossible++
				assert.Contains(t, got, "\uFFFD", "id %d, ours %q", id, want)
				continue
			case flags&core.TokenSpecial != 0:
				special++
			case want == nil:
				holes++
			case len(before)+len(after) > 0:
				completed++
			default:
				exact++
			}
			if text := "a" + string(before) + string(want) + string(after) + "a"; got != text {
				if bad++; bad <= 20 {
					t.Errorf("id %d: the library decodes %q, ours is %q", id, got, text)
				}
			}
		}
		t.Logf("%s: %d ids are exact alone, %d with the rest of a character, %d special, %d holes; %d bytes that no "+
			"text has, %d with a NUL",
			p.name, exact, completed, special, holes, impossible, nul)
		assert.Zero(t, bad)
		assert.LessOrEqual(t, nul, 2, "at most a NUL and a run of them may be left out")
		// No token of these files is an odd mixture, apart from the bytes 0xC0, 0xC1 and 0xF5 to 0xFF.
		assert.LessOrEqual(t, impossible, 13)
	})
}

// TestVocabularySize checks that no id of the library is beyond ours.
func TestVocabularySize(t *testing.T) {
	eachPair(t, func(t *testing.T, p *pair) {
		// The library counts tokens, we count up to the highest id.
		assert.GreaterOrEqual(t, p.ours.Size(), int(p.lib.VocabSize()))
		for id := uint32(p.ours.Size()); id < uint32(p.ours.Size())+100; id++ {
			assert.Empty(t, p.lib.Decode([]uint32{id}, false), "id %d", id)
		}
	})
}

// TestEndTokens checks the names of the end tokens that were found.
func TestEndTokens(t *testing.T) {
	want := map[string]string{
		"llama3_1": "<|end_of_text|> <|eot_id|>",
		"qwen2_5":  "<|endoftext|> <|im_end|>",
		"gpt4o":    "<|endoftext|>",
		"llama2":   "</s>",
		"gemma3":   "<eos> <end_of_turn>",
	}
	eachPair(t, func(t *testing.T, p *pair) {
		var names []string
		for _, id := range p.ours.EndTokens() {
			b, _ := p.ours.Token(id)
			names = append(names, string(b))
		}
		require.NotEmpty(t, names)
		for key, list := range want {
			if strings.Contains(p.name, key) {
				assert.Equal(t, list, strings.Join(names, " "))
			}
		}
	})
}
