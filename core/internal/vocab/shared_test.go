package vocab

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sharedTokenizers returns the folder of real tokenizers that may lie beside the repository, "" if there is none.
func sharedTokenizers(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	require.NoError(t, err)
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
	dir = filepath.Join(filepath.Dir(dir), "shared", "data", "tokenizers")
	if _, err := os.Stat(dir); err != nil {
		return ""
	}
	return dir
}

// TestRealTokenizers checks known facts about five real tokenizers. tests/lab/roundtrip, which needs cgo, checks every
// token.
func TestRealTokenizers(t *testing.T) {
	dir := sharedTokenizers(t)
	if dir == "" {
		t.Skip("shared/data/tokenizers is not beside the repository")
	}
	for _, c := range []struct {
		name                 string
		size, special, holes int
		ends                 []uint32
		longest              int
		text                 map[uint32]string
		names                map[string]uint32
	}{
		{"llama2", 32000, 3, 0, []uint32{2}, 25, map[uint32]string{13: "\n", 259: "  ", 272: " " +
			"the", 258: "\xff", 28705: " "}, map[string]uint32{"<s>": 1}},
		{"llama3_1", 128256, 256, 0, []uint32{128001, 128009}, 128, map[uint32]string{0: "!", 220: " " +
			"", 198: "\n", 279: " the"}, map[string]uint32{"<|begin_of_text|>": 128000, "<|start_header_id|>": 128006}},
		{"qwen2_5", 151665, 14, 0, []uint32{151643, 151645}, 128, map[uint32]string{0: "!", 220: " ", 279: " " +
			"the", 151657: "<tool_call>"}, map[string]uint32{"<tool_call>": 151657, "<|im_start|>": 151644}},
		{"gpt4o", 200019, 2, 19, []uint32{199999}, 128, map[uint32]string{0: "!", 220: " ", 290: " " +
			"the"}, map[string]uint32{"<|endofprompt|>": 200018}},
		{"gemma3", 262145, 9, 0, []uint32{1, 106}, 48, map[uint32]string{107: "\n", 139: "   " +
			"", 248: "\n", 493: "\xff", 506: " the", 247723: "Ċ", 212: "</s>", 255968: "\t", 236743: " " +
			""}, map[string]uint32{"</s>": 212, "▁▁▁": 139, "<start_of_turn>": 105}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := FromFile(filepath.Join(dir, c.name+".json.gz"), Options{})
			require.NoError(t, err)
			checkConsistent(t, v)
			assert.Equal(t, c.size, v.Size())
			assert.Len(t, v.Special(), c.special)
			assert.Equal(t, c.ends, v.EndTokens())
			assert.Equal(t, c.longest, v.MaxTokenLen())
			for id, want := range c.text {
				assert.Equal(t, want, string(v.Bytes(id)), "id %d", id)
			}
			for name, want := range c.names {
				id, ok := v.TokenID(name)
				assert.True(t, ok && id == want, "%s is %d", name, id)
			}
			fallback := c.name == "llama2" || c.name == "gemma3"
			var single [256]bool
			holes, partial := 0, 0
			for id := range uint32(v.Size()) {
				b := v.Bytes(id)
				switch {
				case b == nil && !v.IsSpecial(id):
					holes++
				case len(b) == 1:
					single[b[0]] = true
				case !utf8.Valid(b):
					partial++
				}
				assert.False(t, fallback && bytes.Contains(b, []byte("▁")), "id %d still has a visible space", id)
			}
			assert.Equal(t, c.holes, holes)
			for b, ok := range single {
				assert.True(t, ok, "no token is the byte %#x alone", b)
			}
			// A vocabulary with byte fallback has only whole characters besides; a byte-level one has parts of
			// characters.
			assert.Equal(t, fallback, partial == 0)
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	dir := sharedTokenizers(b)
	if dir == "" {
		b.Skip("shared/data/tokenizers is not beside the repository")
	}
	for _, name := range []string{"llama2", "llama3_1", "qwen2_5", "gpt4o", "gemma3"} {
		packed, err := os.ReadFile(filepath.Join(dir, name+".json.gz"))
		require.NoError(b, err)
		data, err := Unpack(packed)
		require.NoError(b, err)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := FromTokenizerJSON(data, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/gzip", func(b *testing.B) {
			for b.Loop() {
				if _, err := Read(packed, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/skip", func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				s := scanner{data: data}
				if _, err := s.skip(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
