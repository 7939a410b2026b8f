package vocab

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

func TestTiktokenFile(t *testing.T) {
	v, err := FromTiktoken(readTestdata(t, "small.tiktoken"), Options{PaddedSize: 64})
	require.NoError(t, err)
	assert.Equal(t, []string{"a", " ", "\xff", "\xf0\x9f\x98", "-", " the", "a"}, texts(v))
	assert.Equal(t, 64, v.PaddedSize())
	assert.Empty(t, v.EndTokens())

	crlf := bytes.ReplaceAll(readTestdata(t, "small.tiktoken"), []byte("\n"), []byte("\r\n"))
	w, err := FromTiktoken(append(crlf, '\n', '\n'), Options{PaddedSize: 64})
	require.NoError(t, err)
	assert.Equal(t, v.Hash(), w.Hash(), "line ends and blank lines make no difference")

	w, err = FromTiktoken([]byte("YQ== 0\n= 1\nYg== 2\n"), Options{}) // as in the file of Whisper
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "-", "b"}, texts(w))
}

func TestTiktokenRefused(t *testing.T) {
	long := strings.Repeat("YWFh", limits.TokenBytes/3+1)
	for _, c := range []struct {
		data  string
		code  diag.Code
		words []string
	}{
		{"", diag.Invalid, []string{"no tokens"}},
		{"YQ==", diag.Syntax, []string{":1:1", "a space and a rank", "YQ=="}},
		{"YQ== 0\nYg== x\n", diag.Syntax, []string{":2:6", "whole number"}},
		{"YQ== 0\nYg== -1\n", diag.Syntax, []string{":2:6"}},
		{"YQ== 0\nYg== 1 2\n", diag.Syntax, []string{":2:6"}},
		{"== 0\n", diag.Syntax, []string{":1:1", "base64"}},
		{"YQ 0\n", diag.Syntax, []string{":1:1", "base64"}},
		{"Y\rQ== 0\n", diag.Syntax, []string{"base64"}},
		{"YQ== 0\nYg== 0\n", diag.Invalid, []string{":2:6", "rank 0"}},
		{"YQ== 4194304\n", diag.Limit, []string{"4194303"}},
		{"YQ== 999999999999999999999999999\n", diag.Syntax, []string{"whole number"}},
		{long + " 0\n", diag.Limit, nil},
		{long + long + " 0\n", diag.Limit, []string{"longer than"}},
	} {
		_, err := FromTiktoken([]byte(c.data), Options{})
		requireError(t, err, c.code, c.words...)
	}
}

// TestSentencePieceModels compares with the output of SentencePiece; see make_sentencepiece.py.
func TestSentencePieceModels(t *testing.T) {
	for name, ends := range map[string][]uint32{"unigram": {2, 3}, "bpe": {2}} {
		t.Run(name, func(t *testing.T) {
			v, err := FromSentencePiece(readTestdata(t, name+".model"), Options{})
			require.NoError(t, err)
			assert.Equal(t, ends, v.EndTokens())
			var want map[string]struct {
				Text, Piece string
				Special     bool
			}
			require.NoError(t, json.Unmarshal(readTestdata(t, name+".expected.json"), &want))
			byteIDs := 0
			for id := range uint32(v.Size()) {
				e, ok := want[strconv.Itoa(int(id))]
				switch {
				case !ok:
					assert.Equal(t, []byte{byte(byteIDs)}, v.Bytes(id), "id %d", id)
					byteIDs++
				case e.Special:
					assert.Equal(t, e.Piece, string(v.SpecialBytes(id)), "id %d", id)
				default:
					assert.Equal(t, e.Text, string(v.Bytes(id)), "id %d", id)
				}
			}
			assert.Equal(t, v.Size(), len(want)+byteIDs)
		})
	}
}

// message encodes protobuf fields: a string or []byte is length-delimited, an int is a varint.
func message(fields ...any) []byte {
	var out []byte
	for i := 0; i < len(fields); i += 2 {
		number := uint64(fields[i].(int))
		switch value := fields[i+1].(type) {
		case string:
			out = binary.AppendUvarint(out, number<<3|2)
			out = binary.AppendUvarint(out, uint64(len(value)))
			out = append(out, value...)
		case int:
			out = binary.AppendUvarint(out, number<<3)
			out = binary.AppendUvarint(out, uint64(value))
		}
	}
	return out
}

// model encodes a ModelProto of pieces, each a text and a type.
func model(pieces ...any) []byte {
	var out []byte
	for i := 0; i < len(pieces); i += 2 {
		piece := message(1, pieces[i], 3, pieces[i+1])
		piece = append(piece, 2<<3|5, 0, 0, 0x80, 0x3f) // the score, a 32-bit float
		out = append(out, message(1, string(piece))...)
	}
	return out
}

func TestSentencePieceTypes(t *testing.T) {
	data := model("<unk>", spUnknown, "<s>", spControl, "▁a", spNormal, "<0x0A>", spByte, "▁▁x", spUserDefined,
		"un▁used", spUnused, "<end_of_turn>", spUserDefined)
	data = append(data, message(2, "trainer", 3, "normalizer", 5, string(message(1, "identity")), 4, "self test")...)
	v, err := FromSentencePiece(data, Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{"!<unk>", "!<s>", " a", "\n", "  x", "un used", "!<end_of_turn>"}, texts(v))
	assert.Equal(t, []uint32{6}, v.EndTokens())
	assert.True(t, v.IsAdded(4))
	id, ok := v.TokenID("▁▁x")
	assert.True(t, ok && id == 4)

	// A piece without a type is normal, and fields nobody knows are skipped.
	v, err = FromSentencePiece(message(1, string(message(9, "?", 1, "b"))), Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{"b"}, texts(v))
}

func TestSentencePieceRefused(t *testing.T) {
	good := model("a", spNormal)
	for _, c := range []struct {
		name  string
		data  []byte
		code  diag.Code
		words []string
	}{
		{"nothing", nil, diag.Invalid, []string{"no tokens"}},
		{"cut off", good[:len(good)-1], diag.Syntax, []string{"byte 1", "cut off"}},
		{"cut off in a piece", message(1, "\x0a\x05a"), diag.Syntax, []string{"byte 3", "cut off"}},
		{"endless tag", bytes.Repeat([]byte{0xff}, 11), diag.Syntax, []string{"byte 0", "tag"}},
		{"endless number", append([]byte{8}, bytes.Repeat([]byte{0xff}, 11)...), diag.Syntax, []string{"64 bits"}},
		{"group", []byte{1<<3 | 3}, diag.Syntax, []string{"wire type"}},
		{"field zero", []byte{2, 0}, diag.Syntax, []string{"no valid number"}},
		{"bytes that are none", model("<0xZZ>", spByte), diag.Invalid, []string{"piece 0", "<0xZZ>"}},
		{"unknown type", model("a", 9), diag.Unsupported, []string{"piece 0", "type 9"}},
		{"rewriting", append(model("a", spNormal), message(5,
			string(message(2, "map")))...), diag.Unsupported, []string{"denormalizer"}},
		{"long", model(strings.Repeat("a", limits.TokenBytes+1), spNormal), diag.Limit, []string{"piece 0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := FromSentencePiece(c.data, Options{})
			requireError(t, err, c.code, c.words...)
		})
	}
}

// pack compresses data.
func pack(t testing.TB, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, err := z.Write(data)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return out.Bytes()
}

func TestFromFile(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"bytelevel.json", "metaspace.json", "unigram.json", "wordpiece.json", "small.tiktoken", "unigram.model",
		"bpe.model",
	} {
		plain, err := FromFile(filepath.Join("testdata", name), Options{})
		require.NoError(t, err, name)
		path := filepath.Join(dir, "anything.gz")
		require.NoError(t, os.WriteFile(path, pack(t, readTestdata(t, name)), 0o600))
		packed, err := FromFile(path, Options{})
		require.NoError(t, err, name)
		assert.Equal(t, plain.Hash(), packed.Hash(), name)
	}
}

func TestFromFileRefused(t *testing.T) {
	dir := t.TempDir()
	write := func(data string) string {
		path := filepath.Join(dir, "file")
		require.NoError(t, os.WriteFile(path, []byte(data), 0o600))
		return path
	}
	_, err := FromFile(filepath.Join(dir, "absent"), Options{})
	requireError(t, err, diag.IO, "absent")
	_, err = FromFile(dir, Options{})
	requireError(t, err, diag.IO, "directory")
	_, err = FromFile(write(""), Options{})
	requireError(t, err, diag.Invalid, "empty")
	_, err = FromFile(write(" \n "), Options{})
	requireError(t, err, diag.Invalid, "empty")
	_, err = FromFile(write("what is this?"), Options{})
	requireError(t, err, diag.Unsupported, "neither", "what is this?")
	_, err = FromFile(write("[[97],[98]]"), Options{})
	requireError(t, err, diag.Unsupported)
	_, err = FromFile(write("\x1f\x8bxx"), Options{})
	requireError(t, err, diag.Invalid, "gzip")
	packed := pack(t, readTestdata(t, "bytelevel.json"))
	_, err = FromFile(write(string(packed[:len(packed)/2])), Options{})
	requireError(t, err, diag.Invalid, "damaged")
	_, err = FromFile(write("{}"), Options{})
	requireError(t, err, diag.Invalid, "`model`")
}

// A file that is larger than its reported size, as in /proc, is read up to the limit. A file that unfolds beyond the
// limit takes little more memory than the limit.
func TestFileLimit(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	chunk := make([]byte, 1<<20)
	for range limits.VocabularyFile>>20 + 1 {
		_, err := z.Write(chunk)
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Read(packed.Bytes(), Options{})
	runtime.ReadMemStats(&after)
	requireError(t, err, diag.Limit, "unfolds to more than the 134217728 bytes")
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(2*limits.VocabularyFile+16<<20))

	data, err := readLimited(endless{}, 0)
	require.NoError(t, err)
	assert.Len(t, data, limits.VocabularyFile+1)
	_, err = Read(data, Options{})
	requireError(t, err, diag.Limit, "may have 134217728 bytes, this one has 134217729")
	path := filepath.Join(t.TempDir(), "large")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	require.NoError(t, os.Truncate(path, limits.VocabularyFile+1))
	_, err = FromFile(path, Options{})
	requireError(t, err, diag.Limit, path+" has 134217729 bytes: a vocabulary file may have 134217728")
}

// endless is a file without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestVocabularyBytes(t *testing.T) {
	token := make([]byte, limits.TokenBytes)
	tokens := make([][]byte, limits.VocabularyBytes/limits.TokenBytes)
	for i := range tokens {
		tokens[i] = token
	}
	_, err := New(Config{Tokens: tokens})
	require.NoError(t, err)
	_, err = New(Config{Tokens: append(tokens, []byte("a"))})
	requireError(t, err, diag.Limit, "the tokens up to id 1024 have more than 16777216 bytes together")
}
