package tokenizer

import (
	"fmt"
	"math/rand"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

func read(t testing.TB, data []byte) *Tokenizer {
	t.Helper()
	v, err := vocab.Read(data, vocab.Options{})
	require.NoError(t, err)
	k, err := Read(v, data)
	require.NoError(t, err)
	return k
}

func committed(t testing.TB) *Tokenizer {
	data, err := os.ReadFile("../../../tests/data/tokenizer.json.gz")
	require.NoError(t, err)
	return read(t, data)
}

func (c *Cutter) strings(text string) (list []string) {
	at := 0
	for _, t := range c.Cut([]byte(text), 0, true, true) {
		list = append(list, text[at:t.End])
		at = t.End
	}
	return list
}

// file is a tokenizer.json with a few tokens and merges. The letters are tokens.
func file(normalizer, preTokenizer, decoder, model string, letters []string, merges ...string) []byte {
	var vocab []string
	add := func(piece string) { vocab = append(vocab, fmt.Sprintf("%q: %d", piece, len(vocab))) }
	for _, s := range letters {
		add(s)
	}
	for i, m := range merges {
		add(strings.ReplaceAll(m, " ", ""))
		merges[i] = fmt.Sprintf("%q", m)
	}
	return []byte(`{"normalizer": ` + normalizer + `, "pre_tokenizer": ` + preTokenizer + `, "decoder": ` + decoder +
		`, "added_tokens": [{"id": 900, "content": "<tool>", "special": false}, {"id": 901, "content": "<tool><tool>",
		"special": false}, {"id": 902, "content": "<s>", "special": true}], "model": {"type": "BPE", ` + model +
		` "vocab": {` + strings.Join(vocab, ", ") + `}, "merges": [` + strings.Join(merges, ", ") + `]}}`)
}

func bytesOf() (list []string) {
	for _, r := range vocab.ByteLevel() {
		list = append(list, string(r))
	}
	return list
}

const byteLevel = `{"type": "ByteLevel", "add_prefix_space": false}`

// The pieces of GPT-2's pre-tokenizer, and merges by rank: "b c" before "a b".
func TestByteLevel(t *testing.T) {
	c := New(read(t, file("null", byteLevel, byteLevel, "", bytesOf(), "b c", "a b", "Ġ abc", "a bc", "l l", "' ll")))
	for text, want := range map[string][]string{
		"abc":                {"abc"},
		"ab":                 {"ab"},
		"aab":                {"a", "ab"},
		"x abc":              {"x", " abc"},
		"x  abc":             {"x", " ", " abc"},
		"abc  ":              {"abc", " ", " "},
		"we'll":              {"w", "e", "'ll"},
		"ab<tool>c":          {"ab", "<tool>", "c"},
		"<tool><tool><tool>": {"<tool><tool>", "<tool>"},
		"<too":               {"<", "t", "o", "o"},
	} {
		require.Equal(t, want, c.strings(text), "%q", text)
	}
	// With add_prefix_space, a space comes before the text behind an added token.
	prefixed := New(read(t, file("null", `{"type": "ByteLevel", "add_prefix_space": true}`, byteLevel, "", bytesOf(), "b c")))
	require.Equal(t, []string{"a", "<tool>"}, prefixed.strings("a<tool>b"))
	cut := func(text string) (n int) {
		for _, k := range c.Cut([]byte(text), 0, true, false) {
			n = k.End
		}
		return n
	}
	// What stays open: a piece that goes on, spaces before a word, an added token that begins.
	for text, n := range map[string]int{
		"abc": 0, "abc ": 3, "abc  ": 3, "abc  a": 4, "abc.": 3, "abc<too": 0, "abc <too": 3, "abc<tool>": 0, "abc<tool>a ": 10, "é": 0, "a\xc3": 0,
		"a\xffb": 0, "a.\uffffb": 1,
	} {
		require.Equal(t, n, cut(text), "%q", text)
	}
}

// Without a pre-tokenizer, or with one that only writes spaces as ▁, a piece ends between two bytes that no token joins.
func TestCharacters(t *testing.T) {
	const replace = `{"type": "Replace", "pattern": {"String": " "}, "content": "▁"}`
	const decoder = `{"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
		{"type": "ByteFallback"}, {"type": "Fuse"}]}`
	letters := []string{"▁", "a", "b", "c", "é", "<0xC3>", "<0xA8>", "<0x0A>"}
	const metaspace = `{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": false}`
	for _, steps := range [][2]string{{replace, "null"}, {"null", metaspace}} {
		c := New(read(t, file(steps[0], steps[1], decoder, `"byte_fallback": true,`, letters, "a b", "▁ ab", "c c")))
		require.Equal(t, []string{"ab", " ab", "cc", "c", "é", "\xc3", "\xa8", "\n"}, c.strings("ab abcccéè\n"))
		require.Empty(t, c.strings("x"), "x has no token")
		require.Empty(t, c.strings("▁"), "the tokenizer cannot tell it from a space")
		list := c.Cut([]byte("abc"), 0, true, false)
		require.Equal(t, []Token{{8, 2}}, list, "c could become cc")
		require.Empty(t, c.Cut([]byte("c"), 1, true, false))
		require.Empty(t, c.Cut([]byte("cc"), 1, true, true), "a token begins before the offset")
		require.Equal(t, []Token{{3, 3}}, c.Cut([]byte("abc"), 2, false, true))
		require.Equal(t, []Token{{3, 7}}, c.Cut([]byte("\xa8▁abc"), 6, false, true), "after characters that are not known")
		require.Empty(t, c.Cut([]byte("b"), 0, false, true), "a could come before")
	}
}

// Added tokens that take whitespace before or behind them, that a space follows, or that have one before them.
func TestAddedTokensAround(t *testing.T) {
	const spaces = `{"type": "Replace", "pattern": {"String": " "}, "content": "▁"}`
	const prepend = `{"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"}, ` + spaces + `]}`
	const decoder = `{"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
		{"type": "ByteFallback"}, {"type": "Fuse"}]}`
	letters := []string{"▁", "a", "b", ".", "\n", "<", "t", "o", "l", ">"}
	byBytes := file("null", byteLevel, byteLevel, "", bytesOf(), "a b")
	prefixed := file("null", `{"type": "ByteLevel", "add_prefix_space": true}`, byteLevel, "", bytesOf(), "a b")
	byLetters := file(spaces, "null", decoder, "", letters, "a b")
	prepended := file(prepend, "null", decoder, "", letters, "a b")
	always := file("null", `{"type": "Metaspace", "replacement": "▁", "split": false}`, decoder, "", letters, "a b")
	for _, x := range []struct {
		file  []byte
		added string
		text  string // | is the offset
		want  string // tokens
	}{
		{byBytes, `"rstrip": false`, "<tool>|\n\nab.", "\n|\n|ab"},
		{byBytes, `"rstrip": true`, "<tool>|\n\nab.", ""},
		{byBytes, `"rstrip": true`, "<tool>\n|\nab.", ""},
		{byBytes, `"rstrip": true`, "<tool>\n\n|ab.", "ab"},
		{byBytes, `"rstrip": true`, "|\nab.", ""},
		{byBytes, `"rstrip": true`, "a|\n\nab.", "\n|\n|ab"},
		{byLetters, `"rstrip": true`, "<tool>|\nab.", ""},
		{byLetters, `"lstrip": false`, ".|ab \n", "ab| "},
		{byLetters, `"lstrip": true`, ".|ab \n", ""},
		{byLetters, `"lstrip": true`, ".|.ab \n<tool>", "."},
		{byLetters, `"lstrip": true`, ".|.ab \n.", ".|ab| |\n"},
		{byBytes, `"lstrip": true`, "a|.ab\n\n<too", "."},
		{prefixed, `"lstrip": false`, "<tool>|\nab.", ""},
		{prefixed, `"lstrip": false`, "<tool>\n|ab.", "ab"},
		{prefixed, `"rstrip": true`, "<tool>\n|ab.", ""},
		{prepended, `"normalized": false`, "a|.<tool>.", ".|<tool>"},
		{prepended, `"normalized": true`, "a|. <tool>.", "."},
		{prepended, `"normalized": true`, "a |<tool>.", ""},
		{always, `"normalized": true`, "a|. <tool>.", ".| |<tool>"},
		{always, `"normalized": true`, "<tool>|.ab.", ""},
	} {
		data := strings.ReplaceAll(string(x.file), `"content": "<tool>",`, `"content": "<tool>", `+x.added+`,`)
		if strings.Contains(x.added, "normalized") { // all tokens of one kind
			data = strings.ReplaceAll(data, `"content"`, x.added+`, "content"`)
		}
		before, behind, _ := strings.Cut(x.text, "|")
		var got []string
		at := len(before)
		for _, k := range New(read(t, []byte(data))).Cut([]byte(before+behind), at, false, false) {
			got = append(got, (before + behind)[at:k.End])
			at = k.End
		}
		require.Equal(t, x.want, strings.Join(got, "|"), "%s: %q", x.added, x.text)
	}
}

// With ignore_merges, the tokenizer looks up a piece as the byte-level alphabet spells it.
func TestIgnoreMerges(t *testing.T) {
	spelled := ""
	for _, b := range []byte("é") {
		spelled += string(vocab.ByteLevel()[b])
	}
	letters := append(bytesOf(), "é", spelled, "abc")
	data := file("null", byteLevel, byteLevel, `"ignore_merges": true,`, letters, "a b")
	for range 8 { // in any order of the vocabulary
		c := New(read(t, data))
		require.Equal(t, []Token{{257, 2}, {' ', 3}}, c.Cut([]byte("é 1"), 0, true, true)[:2])
		require.Equal(t, []string{"abc"}, c.strings("abc"))
	}
	v, err := vocab.Read(data, vocab.Options{})
	require.NoError(t, err)
	_, err = Read(v, []byte(strings.Replace(string(data), byteLevel, `{"type": "ByteLevel", "add_prefix_space": false,
		"use_regex": false}`, 1)))
	require.ErrorContains(t, err, "no pre-tokenizer with a pattern")
}

// The tokens of a beginning of a text are tokens of the whole, and those from an offset on are the rest.
func TestCutsAgree(t *testing.T) {
	k := committed(t)
	c, r := New(k), testkit.Seeded(t, 1)
	for range testkit.Rounds(300, 20000) {
		text := []byte(randomText(r))
		whole := append([]Token(nil), c.Cut(text, 0, true, true)...)
		require.Equal(t, len(text), whole[len(whole)-1].End, "%q", text)
		for n := range text {
			part := c.Cut(text[:n], 0, true, false)
			require.Equal(t, whole[:len(part)], append([]Token{}, part...), "%q of %q", text[:n], text)
		}
		for from := range text {
			var want []Token
			for i := range whole {
				if i == 0 && from == 0 || i > 0 && whole[i-1].End == from {
					want = whole[i:]
				}
			}
			require.Equal(t, want, append([]Token(nil), c.Cut(text, from, true, true)...), "%q from %d", text, from)
			cut := r.Intn(from + 1) // of a longer text the beginning may be missing, within a character too
			if rest := c.Cut(text[cut:], from-cut, false, true); len(rest) > 0 {
				require.Len(t, rest, len(want), "%q from %d", text[cut:], from-cut)
				for i := range rest {
					require.Equal(t, want[i], Token{rest[i].ID, rest[i].End + cut}, "%q from %d", text[cut:], from-cut)
				}
			}
		}
	}
}

func randomText(r *rand.Rand) string {
	parts := []string{
		"\"name\"", ": ", ",", "{", "}", "\n", "    ", "\t", " ", "word", "Über", "12345", "中文", "é", "e\u0301", "'ll", "'S", "don't",
		"--", "==", "\\u00e9", "<", "<|end|>", "😀", "a1b2", "\r\n", "[", "]", "true", "\u00a0", "ʰ", "Ⅷ", "/", "_x",
	}
	var b strings.Builder
	for range 1 + r.Intn(12) {
		b.WriteString(parts[r.Intn(len(parts))])
	}
	return b.String()
}

// The program of a pattern agrees with itself when a text is followed by others, and ends after a count of steps.
func TestSplitIsBounded(t *testing.T) {
	s, err := newSplit(`(?:a|aa|b)+c|.|\s`, "")
	require.NoError(t, err)
	var r run
	text := []byte(strings.Repeat("a", 200))
	_, ok := s.next(&r, text, 0, true)
	require.False(t, ok)
	require.Greater(t, r.steps, 1<<20)
}

func TestSplits(t *testing.T) {
	for pattern, pieces := range map[string][]string{
		`(?i:'s|'t)|\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`: {
			"It", "'S", " ", "123", "45", "  ", " !!\n", "x", "\t\u00a0\n", "\u2003", "y",
		},
		`\p{L}+?|(?>\s+)|(?=\d)\d|[^\p{L}\s]`: {"I", "t", "'", "S", " ", "1", "2", "3", "4", "5"},
	} {
		s, err := newSplit(pattern, "")
		require.NoError(t, err)
		text := strings.Join(pieces, "")
		at, r := 0, run{}
		for _, want := range pieces {
			end, ok := s.next(&r, []byte(text), at, true)
			require.True(t, ok)
			require.Equal(t, want, text[at:end], "%s", pattern)
			if at > 0 && s.parts([]rune(text[:at])[len([]rune(text[:at]))-1], []rune(text[at:])[0]) {
				require.NotEmpty(t, want)
			}
			at = end
		}
	}
	s, err := newSplit(gpt2, "")
	require.NoError(t, err)
	require.True(t, s.parts('a', '"') && s.parts('1', 'a') && s.parts('"', 'a') && s.parts('a', ' ') && s.parts('\n', 'a'))
	require.False(t, s.parts('a', 'b') || s.parts(' ', 'a') || s.parts('\'', 's') || s.parts(' ', ' ') || s.parts('"', ':'))
}

func TestRefusals(t *testing.T) {
	good := func() string {
		return string(file("null", byteLevel, byteLevel, "", bytesOf(), "b c"))
	}
	v, err := vocab.Read([]byte(good()), vocab.Options{})
	require.NoError(t, err)
	split := func(pattern, more string) string {
		return `"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "` + pattern + `"}, "behavior": "Isolated"` + more + `}`
	}
	const own = `"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false}`
	nested := strings.Repeat(`{"type": "Sequence", "pretokenizers": [`, 20) + strings.Repeat("]}", 20)
	for _, x := range []struct {
		old, new, place, says string
	}{
		{`"type": "BPE"`, `"type": "WordPiece"`, "/model/type", "WordPiece"},
		{`"type": "BPE",`, `"type": "BPE", "dropout": 0.1,`, "/model/dropout", "random"},
		{`"type": "BPE",`, `"type": "BPE", "continuing_subword_prefix": "##",`, "/model", "parts of words"},
		{`"normalizer": null`, `"normalizer": {"type": "Lowercase"}`, "/normalizer", "Lowercase"},
		{own, `"pre_tokenizer": {"type": "Whitespace"}`, "/pre_tokenizer", "Whitespace"},
		{own, `"pre_tokenizer": null`, "/normalizer", "ByteLevel"},
		{own, `"pre_tokenizer": {"type": "Metaspace", "replacement": "▁"}`, "/pre_tokenizer", "Metaspace"},
		{own, `"pre_tokenizer": {"type": "Metaspace", "replacement": "_", "split": false}`, "/pre_tokenizer", "Metaspace"},
		{`"normalizer": null`, `"normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}`, "/pre_tokenizer", "▁"},
		{own, `"pre_tokenizer": ` + nested, "/pre_tokenizer" + strings.Repeat("/pretokenizers/0", 9), "Sequence"},
		{own, split("a|.", ""), "/pre_tokenizer/pattern/Regex", "some character"},
		{own, split(`\\\\w|.|\\\\s`, ""), "/pre_tokenizer/pattern/Regex", `\w`},
		{own, split(`(`, ""), "/pre_tokenizer/pattern/Regex", "pattern"},
		{own, split(`^a|.|\\\\s`, ""), "/pre_tokenizer/pattern/Regex", "anchor"},
		{own, split(`(?<=a)b|.|\\\\s`, ""), "/pre_tokenizer/pattern/Regex", "look-behind"},
		{own, split(`(?:a*b*)*c|.|\\\\s`, ""), "/pre_tokenizer/pattern/Regex", "may be empty"},
		{own, split(`.|\\\\s`, `, "invert": true`), "/pre_tokenizer", "Split"},
		{own, split(`.|[\\\\n\\\\r\\\\u2028\\\\u2029]`, ""), "/pre_tokenizer", "without ByteLevel"},
		{`["b c"]`, `["b c d"]`, "/model/merges/0", "two parts"},
		{`["b c"]`, `["b ~c"]`, "/model/merges/0", "model.vocab"},
		{`["b c"]`, `[["b"]]`, "/model/merges/0", "has 1"},
		{`["b c"]`, `1`, "/model/merges", "list of merges"},
	} {
		text := strings.Replace(good(), x.old, strings.ReplaceAll(x.new, `\\\\`, `\\`), 1)
		require.NotEqual(t, good(), text, x.new)
		_, err := Read(v, []byte(text))
		var e *diag.Error
		require.ErrorAs(t, err, &e, x.new)
		require.Equal(t, x.place, e.Place.Pointer, x.new)
		require.Contains(t, err.Error(), x.says)
	}
	for _, data := range []string{"", "AAAA 1\n", "{", "{}"} {
		_, err := Read(v, []byte(data))
		require.Error(t, err, "%q", data)
	}
}

// FuzzRead must not panic on any file, and a tokenizer must cut texts in order.
func FuzzRead(f *testing.F) {
	f.Add(file("null", byteLevel, byteLevel, "", bytesOf(), "b c", "a b"), "abc <tool>")
	f.Add([]byte(tekken), "ab c")
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		v, err := vocab.Read(data, vocab.Options{})
		if err != nil {
			return
		}
		k, err := Read(v, data)
		if err != nil {
			return
		}
		at := 0
		for _, token := range New(k).Cut([]byte(text), 0, true, true) {
			require.Greater(t, token.End, at)
			at = token.End
		}
		require.LessOrEqual(t, at, len(text))
	})
}

const tekken = `{"config": {"pattern": "\\p{L}+| ?[^\\s\\p{L}]+|\\s+(?!\\S)|\\s+", "default_vocab_size": 7,
	"default_num_special_tokens": 1, "version": "v13"}, "special_tokens": [{"rank": 0, "token_str": "<s>"}], "vocab": [
	{"rank": 0, "token_bytes": "YQ=="}, {"rank": 1, "token_bytes": "Yg=="}, {"rank": 2, "token_bytes": "IA=="},
	{"rank": 3, "token_bytes": "YmI="}, {"rank": 4, "token_bytes": "YWI="}, {"rank": 5, "token_bytes": "YWJi"}]}`

// Parts of a tekken.json merge by the rank of the result.
func TestTekken(t *testing.T) {
	c := New(read(t, []byte(tekken)))
	require.Equal(t, []string{"abb"}, c.strings("abb"), "a piece that is a token")
	require.Equal(t, []string{"abb", "bb"}, c.strings("abbbb"))
	require.Equal(t, []string{"ab", "a", " ", "b"}, c.strings("aba b"))
	require.Equal(t, []Token{{5, 2}, {3, 3}}, c.Cut([]byte("ab b"), 0, true, false))
	_, err := Read(nil, []byte(strings.Replace(tekken, `\\s+(?!\\S)|\\s+`, "x", 1)))
	require.ErrorContains(t, err, "some character")
}

func BenchmarkCut(b *testing.B) {
	k := committed(b)
	c := New(k)
	text := []byte(strings.Repeat("{\n  \"name\": \"get_weather\",\n  \"arguments\": {\"city\": \"San Francisco\", \"days\": 10}\n}\n", 8))
	b.SetBytes(int64(len(text)))
	n := 0
	for b.Loop() {
		n += len(c.Cut(text, 0, true, true))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/token")
}
