package vocab

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
)

func TestTekkenFile(t *testing.T) {
	v, err := FromTekken(readTestdata(t, "small.tekken.json"), Options{})
	require.NoError(t, err)
	assert.Equal(t, 9, v.Size(), "what is beyond default_vocab_size is no token of the model")
	for id, want := range []string{"<unk>", "<s>", "</s>", "<SPECIAL_3>"} {
		assert.Equal(t, want, string(v.SpecialBytes(uint32(id))))
		at, ok := v.TokenID(want)
		assert.True(t, ok && at == uint32(id), want)
	}
	for i, want := range []string{"a", " ", "\xff", "\xf0\x9f\x98", " the"} {
		assert.Equal(t, want, string(v.Bytes(uint32(4+i))))
	}
	assert.Equal(t, []uint32{2}, v.EndTokens())

	auto, err := Read(pack(t, readTestdata(t, "small.tekken.json")), Options{})
	require.NoError(t, err)
	assert.Equal(t, v.Hash(), auto.Hash())
}

// Files of old versions do not list their special tokens.
func TestTekkenOfOldVersions(t *testing.T) {
	old := `{"config": {"default_vocab_size": 24, "default_num_special_tokens": 23, "version": "v3"}, ` +
		`"vocab": [{"rank": 0, "token_bytes": "YQ=="}], "special_tokens": null}`
	v, err := FromTekken([]byte(old), Options{})
	require.NoError(t, err)
	assert.Equal(t, "[TOOL_CALLS]", string(v.SpecialBytes(9)))
	assert.Equal(t, "[TOOL_CONTENT]", string(v.SpecialBytes(19)))
	assert.Equal(t, "<SPECIAL_20>", string(v.SpecialBytes(20)))
	assert.Equal(t, "a", string(v.Bytes(23)))
	_, err = FromTekken([]byte(strings.Replace(old, "v3", "v13", 1)), Options{})
	requireError(t, err, diag.Invalid, "special_tokens", "v13")
}

func TestTekkenRefused(t *testing.T) {
	file := func(config, vocab, special string) string {
		return `{"config": {` + config + `}, "vocab": [` + vocab + `], "special_tokens": [` + special + `]}`
	}
	const sizes, a, unk = `"default_vocab_size": 2, "default_num_special_tokens": 1`,
		`{"rank": 0, "token_bytes": "YQ==", "token_str": "a"}`, `{"rank": 0, "token_str": "<unk>"}`
	_, err := FromTekken([]byte(file(sizes, a, unk)), Options{})
	require.NoError(t, err)
	for _, c := range []struct {
		data  string
		code  diag.Code
		words []string
	}{
		{`{"vocab": []}`, diag.Invalid, []string{"config", "tekken.json"}},
		{`{"config": 1, "vocab": []}`, diag.Invalid, []string{"/config"}},
		{file(`"default_vocab_size": 2`, a, unk), diag.Invalid, []string{"/config", "default_num_special_tokens"}},
		{file(`"default_vocab_size": 1, "default_num_special_tokens": 2`, a, unk), diag.Invalid, []string{"more than"}},
		{
			file(`"default_vocab_size": 4000000, "default_num_special_tokens": 70000`, a, unk), diag.Limit,
			[]string{"65536"},
		},
		{file(`"default_vocab_size": 4194304, "default_num_special_tokens": 1`, a, unk), diag.Limit, []string{"4194303"}},
		{file(sizes, "", unk), diag.Invalid, []string{"/vocab", "has 0 tokens"}},
		{file(sizes, "7", unk), diag.Invalid, []string{"/vocab/0", "object"}},
		{file(sizes, `{"rank": 0}`, unk), diag.Invalid, []string{"/vocab/0", "token_bytes"}},
		{file(sizes, `{"rank": 1, "token_bytes": "YQ=="}`, unk), diag.Invalid, []string{"/vocab/0/rank", "must be 0"}},
		{file(sizes, `{"rank": 0, "token_bytes": "Y"}`, unk), diag.Invalid, []string{"/vocab/0/token_bytes", "base64"}},
		{file(sizes, `{"rank": 0, "token_bytes": "YQ\n=="}`, unk), diag.Invalid, []string{"base64"}},
		{file(sizes, a, "3"), diag.Invalid, []string{"/special_tokens/0", "object"}},
		{file(sizes, a, `{"token_str": "x"}`), diag.Invalid, []string{"/special_tokens/0", "rank"}},
		{file(sizes, a, `{"rank": 1, "token_str": "x"}`), diag.Invalid, []string{"/special_tokens/0/rank"}},
		{file(sizes, a, unk+","+unk), diag.Invalid, []string{"/special_tokens/1/rank", "already"}},
		{
			file(`"default_vocab_size": 3, "default_num_special_tokens": 2`, a, unk+`, {"rank": 1, "token_str": "<unk>"}`),
			diag.Invalid,
			[]string{"/special_tokens/1/token_str", "token 0 already"},
		},
		{
			file(`"default_vocab_size": 3, "default_num_special_tokens": 2`, a, `{"rank": 0, "token_str": "<SPECIAL_1>"}`),
			diag.Invalid,
			[]string{"/special_tokens", "token 1 has no name", "token 0"},
		},
		{`{"config": {` + sizes + `}, "vocab": {}, "special_tokens": []}`, diag.Invalid, []string{"/vocab", "array"}},
		{
			`{"config": {` + sizes + `}, "vocab": [], "special_tokens": {}}`, diag.Invalid,
			[]string{"/special_tokens", "array"},
		},
	} {
		_, err := FromTekken([]byte(c.data), Options{})
		requireError(t, err, c.code, c.words...)
	}
}
