package compiler

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/matcher"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// jsonVocabulary has the ASCII bytes, and texts of JSON.
func jsonVocabulary(t testing.TB) *vocab.Vocabulary {
	c := vocab.Config{Special: []uint32{160}, SpecialText: map[uint32][]byte{160: []byte("</s>")}}
	for b := range 128 {
		c.Tokens = append(c.Tokens, []byte{byte(b)})
	}
	for _, text := range []string{`": "`, `", "`, `"}`, "  ", "\n ", "ab", `a"`, `\n`, "12", "true", "é", "\xc3", "a1"} {
		c.Tokens = append(c.Tokens, []byte(text))
	}
	v, err := vocab.New(c)
	require.NoError(t, err)
	return v
}

// A file's meaning changes with the digests of terminal states, with the walks for token sets and with the fields. If
// this test fails for such a reason, raise vocab.SavedFormat, so that no version reads the token sets of another.
func TestSavedFormat(t *testing.T) {
	sum := sha256.Sum256(New(jsonVocabulary(t), Config{}).Save())
	require.Equal(t, "e77b56f55f1a8393", hex.EncodeToString(sum[:8]), "vocab.SavedFormat is %d", vocab.SavedFormat)
}

// forged returns data with a matching checksum.
func forged(data []byte) []byte {
	if len(data) > 5 {
		body := len(data) - 4
		sum := crc32.Checksum(data[:body-1], crc32.MakeTable(crc32.Castagnoli))
		binary.LittleEndian.PutUint32(data[body:], sum)
	}
	return data
}

// A forged file has a checksum that fits. It never makes a call panic or a mask too wide for its row; its token sets may
// be wrong.
func FuzzSaved(f *testing.F) {
	v := jsonVocabulary(f)
	k := New(v, Config{})
	compile := func(t testing.TB, k *Compiler, text string, use func(m *matcher.Matcher)) {
		g, err := k.Compile(source.JSONSchema, []byte(text), new(source.Options))
		require.NoError(t, err)
		m, err := matcher.New(g, matcher.Options{})
		require.NoError(t, err)
		use(m)
	}
	schema := `{"properties": {"a": {"pattern": "^[a-f]{3,9}x"}, "b": {"minLength": 2, "maxLength": 6}}, "required": ["b"]}`
	row := make([]uint32, v.Words())
	walk := func(m *matcher.Matcher) {
		for _, text := range []string{`{"a": "`, `abc`, `abx", `, `"b": "`, "aa", "12é", `"}`} {
			_, _ = m.Fill(row)
			if ok, err := m.AcceptBytes([]byte(text)); !ok || err != nil {
				return
			}
		}
		_, _ = m.Fill(row)
	}
	compile(f, k, schema, walk)
	data := k.Save()
	f.Add(data)
	for i := 40; i < len(data)-6; i += 97 {
		changed := append([]byte(nil), data...)
		changed[i] ^= byte(1 + i%255)
		f.Add(changed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		data = forged(append([]byte(nil), data...))
		if v, err := vocab.FromSaved(data, vocab.Options{PaddedSize: 200}); err == nil {
			_ = v.Hash()
		}
		file, err := vocab.OpenSaved(data)
		if err != nil {
			return
		}
		compile(t, load(v, file, Config{}), schema, walk)
	})
}
