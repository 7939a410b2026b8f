package vocab

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// readTestdata returns a file of testdata.
func readTestdata(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return data
}

// texts returns the text of each id; special tokens as "!" and their name, holes as "-".
func texts(v *Vocabulary) []string {
	var out []string
	for id := range uint32(v.Size()) {
		switch b := v.Bytes(id); {
		case b != nil:
			out = append(out, string(b))
		case v.IsSpecial(id):
			out = append(out, "!"+string(v.SpecialBytes(id)))
		default:
			out = append(out, "-")
		}
	}
	return out
}

func TestByteLevelFile(t *testing.T) {
	v, err := FromTokenizerJSON(readTestdata(t, "bytelevel.json"), Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{
		"a", " ", "\n", " x", "\"}", "\\", "\xc3", "\xf0\x9f\x98", "\xff",
		"Ġ😀", // a character outside the alphabet: the piece is plain text
		"!<|begin|>", "!<|im_end|>", "<tool_call>", "  two spaces", "-",
		"\xf8", // within the alphabet, and that is how the library decodes it
		"!<｜end▁of▁sentence｜>",
	}, texts(v))
	assert.Equal(t, []uint32{11, 16}, v.EndTokens())
	assert.True(t, v.IsAdded(3) && v.IsAdded(12) && !v.IsAdded(4))
	for name, want := range map[string]uint32{"Ġx": 3, "ø": 15, "<tool_call>": 12, "<|begin|>": 10} {
		id, ok := v.TokenID(name)
		assert.True(t, ok, name)
		assert.Equal(t, want, id, name)
	}
}

func TestMetaspaceFile(t *testing.T) {
	v, err := FromTokenizerJSON(readTestdata(t, "metaspace.json"), Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{
		"!<unk>", "!<s>", "!</s>", "\n", "\xe2", "\xff", "<0xZZ>", " ", " the", "a b", "\n", "  ", "<0x0A",
	}, texts(v))
	id, ok := v.TokenID("▁▁")
	assert.True(t, ok && id == 11, "an added token is named by its content")
}

func TestUnigramFile(t *testing.T) {
	v, err := FromTokenizerJSON(readTestdata(t, "unigram.json"), Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{"!<pad>", "!</s>", "<unk>", " ", " Hello", "lo\"["}, texts(v))
}

func TestWordPieceFile(t *testing.T) {
	v, err := FromTokenizerJSON(readTestdata(t, "wordpiece.json"), Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{"![PAD]", "![SEP]", " word", "ing", ".", "'s", "-"}, texts(v))
	assert.Empty(t, v.EndTokens())
}

// minimal returns a tokenizer.json with this decoder and vocabulary.
func minimal(decoder, vocab string) string {
	return `{"decoder":` + decoder + `,"model":{"type":"BPE","vocab":` + vocab + `}}`
}

const byteLevelDecoder = `{"type":"ByteLevel"}`

func TestDecoders(t *testing.T) {
	for _, c := range []struct{ decoder, piece, want string }{
		{`{"type":"ByteLevel"}`, `Ġa`, " a"},
		{`{"type":"ByteLevel"}`, `▁a`, "▁a"},
		{`{"type":"Metaspace"}`, `▁a▁`, " a "},
		{`{"type":"Metaspace","replacement":"_"}`, `_a▁`, " a▁"},
		{`{"type":"ByteFallback"}`, `<0x7f>`, "\x7f"},
		{`{"type":"Fuse"}`, `▁a`, "▁a"},
		{`{"type":"WordPiece","prefix":"@@","cleanup":false}`, `@@.`, "."},
		{`{"type":"WordPiece","prefix":"@@","cleanup":false}`, `.`, " ."},
		{`{"type":"WordPiece"}`, `do not`, " don't"},
		{`{"type":"Sequence","decoders":[]}`, `x`, "x"},
		{
			`{"type":"Sequence","decoders":[{"type":"Sequence","decoders":[{"type":"Metaspace"}]},{"type":"Fuse"}]}`,
			`▁`, " ",
		},
		{`{"type":"Sequence","decoders":[{"type":"Replace","pattern":{"String":"ab"},"content":"b"},` +
			`{"type":"Replace","pattern":{"String":"b"},"content":""},{"type":"ByteLevel"}]}`, `aabĠb`, "a "},
		{`{"type":"Sequence","decoders":[{"type":"Replace","pattern":{"String":"x"},"content":"<0x41>"},` +
			`{"type":"ByteFallback"},{"type":"Fuse"}]}`, `x`, "A"},
	} {
		v, err := FromTokenizerJSON([]byte(minimal(c.decoder, `{"`+c.piece+`":0}`)), Options{})
		if assert.NoError(t, err, c.decoder) {
			assert.Equal(t, c.want, string(v.Bytes(0)), c.decoder)
		}
	}
}

func TestDecodersRefused(t *testing.T) {
	for _, c := range []struct {
		decoder string
		code    diag.Code
		words   []string
	}{
		{`null`, diag.Unsupported, []string{"/decoder", "no decoder", "array"}},
		{`{"type":"CTC","pad_token":"<pad>"}`, diag.Unsupported, []string{"/decoder", "CTC"}},
		{`{"type":"BPEDecoder","suffix":"</w>"}`, diag.Unsupported, []string{"BPEDecoder", "last piece"}},
		{`{"type":"Strip","content":" ","start":1,"stop":0}`, diag.Unsupported, []string{"Strip"}},
		{`{"type":"Sequence","decoders":[{"type":"Fuse"},{"type":"Strip","content":" ` +
			`","start":0,"stop":1}]}`, diag.Unsupported, []string{"/decoder/decoders/1", "end of a text"}},
		{
			`{"type":"Sequence","decoders":[{"type":"ByteFallback"},{"type":"Metaspace"}]}`, diag.Unsupported,
			[]string{"/decoder/decoders/1", "borders"},
		},
		{
			`{"type":"Sequence","decoders":[{"type":"Fuse"},{"type":"ByteLevel"}]}`, diag.Unsupported,
			[]string{"borders"},
		},
		{`{"type":"Replace","pattern":{"Regex":"a+"},"content":""}`, diag.Unsupported, []string{"Replace", "pattern"}},
		{`{"type":"Replace","pattern":{"String":""},"content":""}`, diag.Unsupported, nil},
		{`{"type":"Replace","pattern":{"String":"a"},"content":"` + strings.Repeat("b",
			257) + `"}`, diag.Limit, []string{"257"}},
		{`{"type":"Metaspace","replacement":"ab"}`, diag.Invalid, []string{"/decoder/replacement", "one character"}},
		{`{}`, diag.Invalid, []string{"type"}},
		{`[]`, diag.Invalid, []string{"/decoder"}},
		{`{"type":7}`, diag.Invalid, []string{"/decoder"}},
		{`{"type" "x"}`, diag.Invalid, []string{"/decoder"}},
		{`{"type":"Sequence","decoders":[` + strings.Repeat(`{"type":"Metaspace"},`,
			32) + `{"type":"Metaspace"}]}`, diag.Limit, []string{"32"}},
	} {
		_, err := FromTokenizerJSON([]byte(minimal(c.decoder, `{"a":0}`)), Options{})
		requireError(t, err, c.code, c.words...)
	}
}

// TestDecoderGrowth checks that replacements, each of which may multiply the length, cannot fill memory.
func TestDecoderGrowth(t *testing.T) {
	grow := `{"type":"Replace","pattern":{"String":"a"},"content":"` + strings.Repeat("a", 256) + `"}`
	decoder := `{"type":"Sequence","decoders":[` + strings.Repeat(grow+",", 7) + grow + `]}`
	_, err := FromTokenizerJSON([]byte(minimal(decoder, `{"a":0}`)), Options{})
	requireError(t, err, diag.Limit, "decoder")
}

func TestTokenizerJSONRefused(t *testing.T) {
	added := func(tokens string) string {
		return `{"decoder":` + byteLevelDecoder + `,"model":{"vocab":{"a":0}},"added_tokens":` + tokens + `}`
	}
	long := strings.Repeat("a", limits.TokenBytes+1)
	for _, c := range []struct {
		name, data string
		code       diag.Code
		words      []string
	}{
		{"nothing", ``, diag.Syntax, []string{"1:1", "cut off"}},
		{"not an object", `[1]`, diag.Syntax, []string{"`{`"}},
		{"cut off", `{"model":{"vocab":{"a":0`, diag.Syntax, []string{"cut off"}},
		{"cut off in a string", `{"model":{"vocab":{"a`, diag.Syntax, []string{"never ends"}},
		{"trailing text", minimal(byteLevelDecoder, `{"a":0}`) + " x", diag.Syntax, []string{"follows the end"}},
		{"no UTF-8", "{\n\"mod\xffel\":1}", diag.Syntax, []string{"2:5", "0xFF"}},
		{
			"trailing comma", `{"decoder":` + byteLevelDecoder + `,"model":{"vocab":{"a":0},}}`, diag.Syntax,
			[]string{"a string is expected"},
		},
		{"trailing comma in the vocabulary", minimal(byteLevelDecoder,
			`{"a":0,}`), diag.Syntax, []string{"a string is expected"}},
		{"wrong bracket", `{"x":[1}}`, diag.Syntax, []string{"closes nothing"}},
		{"deep", `{"x":` + strings.Repeat("[", 65) + strings.Repeat("]", 65) + `}`, diag.Syntax, []string{"64"}},
		{"a vocab.json", `{"decoder":1,"model":0}`, diag.Invalid, []string{"/model", "not a tokenizer.json"}},
		{"no model", `{"decoder":{}}`, diag.Invalid, []string{"`model`", "not a tokenizer.json"}},
		{"null model", `{"model":null}`, diag.Invalid, []string{"`model`"}},
		{"two models", `{"model":{"vocab":{}},"model":{"vocab":{}}}`, diag.Syntax, []string{"twice"}},
		{"model no object", `{"decoder":` + byteLevelDecoder + `,"model":3}`, diag.Invalid, []string{"/model"}},
		{
			"no vocabulary", `{"decoder":` + byteLevelDecoder + `,"model":{}}`, diag.Invalid,
			[]string{"/model", "`vocab`"},
		},
		{
			"two vocabularies", `{"decoder":` + byteLevelDecoder + `,"model":{"vocab":{},"vocab":{}}}`, diag.Syntax,
			[]string{"twice"},
		},
		{"vocabulary of another kind", minimal(byteLevelDecoder, `"a"`), diag.Invalid, []string{"/model/vocab"}},
		{"empty vocabulary", minimal(byteLevelDecoder, `{}`), diag.Invalid, []string{"no tokens"}},
		{"negative id", minimal(byteLevelDecoder, `{"a":-1}`), diag.Syntax, []string{"whole number", "-1"}},
		{"fraction", minimal(byteLevelDecoder, `{"a":1.5}`), diag.Syntax, []string{"whole number"}},
		{"leading zero", minimal(byteLevelDecoder, `{"a":01}`), diag.Syntax, []string{"whole number"}},
		{"text id", minimal(byteLevelDecoder, `{"a":"1"}`), diag.Syntax, []string{"whole number"}},
		{
			"huge id", minimal(byteLevelDecoder, `{"a":99999999999999999999}`), diag.Limit,
			[]string{"token id 99999999999999999999 is out of range"},
		},
		{"id at the limit", minimal(byteLevelDecoder, `{"a":4194304}`), diag.Limit, []string{"4194304", "4194303"}},
		{"id twice", minimal(byteLevelDecoder, `{"a":1,"b":1}`), diag.Invalid, []string{"id 1", "chance"}},
		{"long piece", minimal(byteLevelDecoder, `{"`+long+`":1}`), diag.Limit, []string{"16385"}},
		{"half a surrogate pair", minimal(byteLevelDecoder, `{"\ud800x":1}`), diag.Syntax, []string{"surrogate"}},
		{"surrogates swapped", minimal(byteLevelDecoder, `{"\udc00\ud800":1}`), diag.Syntax, []string{"surrogate"}},
		{"bad escape", minimal(byteLevelDecoder, `{"\x41":1}`), diag.Syntax, []string{"escape"}},
		{"bad hex", minimal(byteLevelDecoder, `{"\u00g0":1}`), diag.Syntax, []string{"hexadecimal"}},
		{"raw control character", minimal(byteLevelDecoder, "{\"a\nb\":1}"), diag.Syntax, []string{"\\u000a"}},
		{"raw control character after an escape", minimal(byteLevelDecoder,
			"{\"\\n\nb\":1}"), diag.Syntax, []string{"\\u000a"}},
		{"score without piece", minimal(byteLevelDecoder, `[[]]`), diag.Invalid, []string{"/model/vocab/0", "score"}},
		{"no pair", minimal(byteLevelDecoder, `[["a",0],"b"]`), diag.Invalid, []string{"/model/vocab/1"}},
		{"long scored piece", minimal(byteLevelDecoder, `[["`+long+`",0]]`), diag.Limit, nil},
		{"added no array", added(`{}`), diag.Invalid, []string{"/added_tokens"}},
		{"added no object", added(`[1]`), diag.Invalid, []string{"/added_tokens/0"}},
		{"added without id", added(`[{"content":"x"}]`), diag.Invalid, []string{"/added_tokens/0", "`id`"}},
		{"added without content", added(`[{"id":1}]`), diag.Invalid, []string{"`content`"}},
		{
			"added id twice", added(`[{"id":1,"content":"x"},{"id":1,"content":"y"}]`), diag.Invalid,
			[]string{"/added_tokens/1/id"},
		},
		{"special no boolean", added(`[{"id":1,"content":"x","special":1}]`), diag.Syntax, []string{"true or false"}},
		{"added too long", added(`[{"id":1,"content":"` + long + `"}]`), diag.Limit, nil},
		{"special too long", added(`[{"id":1,"special":true,"content":"` + long + `"}]`), diag.Limit, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := FromTokenizerJSON([]byte(c.data), Options{})
			requireError(t, err, c.code, c.words...)
		})
	}
}

func TestTokenizerJSONAccepted(t *testing.T) {
	// The order of sections, a byte order mark and an added token that is written twice make no difference.
	a := `{"added_tokens":[{"id":1,"content":"<x>","special":true}],"decoder":{"type":"ByteLevel"},` +
		`"model":{"vocab":{"a":0}}}`
	b := "\xef\xbb\xbf" + ` { "model" : { "merges" : [ ] , "vocab" : { "\u0061" : 0 } } , "decoder" : { "type" : "ByteLevel" } , "added_tokens" : [
		{ "special" : true , "content" : "<x>" , "id" : 1 } , { "special" : true , "content" : "<x>" , "id" : 1 } ] } `
	va, err := FromTokenizerJSON([]byte(a), Options{})
	require.NoError(t, err)
	vb, err := FromTokenizerJSON([]byte(b), Options{})
	require.NoError(t, err)
	assert.Equal(t, va.Hash(), vb.Hash())
}

func TestEscapes(t *testing.T) {
	s, err := newScanner([]byte(`"\"\\\/\b\f\n\r\t\u0041\u00e9\u20ac\ud83d\ude00é"`))
	require.NoError(t, err)
	got, err := s.str()
	require.NoError(t, err)
	assert.Equal(t, "\"\\/\b\f\n\r\tAé€😀é", string(got))
}

// TestByteLevelAlphabet checks that the alphabet has one character for every byte, and well-known ones.
func TestByteLevelAlphabet(t *testing.T) {
	seen := map[int16]rune{}
	for c, b := range byteLevelBytes {
		if b >= 0 {
			assert.Zero(t, seen[b], "byte %d", b)
			seen[b] = rune(c)
		}
	}
	assert.Len(t, seen, 256)
	for b, c := range map[int16]rune{
		' ': 'Ġ', '\n': 'Ċ', '\t': 'ĉ', '\r': 'č', 0: 'Ā', 'a': 'a', 0xAD: 'Ń', 0xFF: 'ÿ', 0x7F: 'ġ',
	} {
		assert.Equal(t, string(c), string(seen[b]), "byte %#x", b)
	}
}
