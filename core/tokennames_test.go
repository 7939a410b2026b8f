package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// A name of tokens means all special and added tokens with this spelling, in every kind of constraint. An id means one
// token.
func TestTokensOfOneName(t *testing.T) {
	v, err := core.NewVocabulary(core.VocabularyConfig{
		Tokens:  [][]byte{[]byte("a"), []byte("<d>"), []byte("b"), []byte("<d>"), []byte("<e>"), []byte("</s>")},
		Special: []uint32{1, 3, 4, 5}, EndTokens: []uint32{5},
	})
	require.NoError(t, err)
	c := core.NewCompiler(v, core.CompilerConfig{})
	const both, end, e = 1<<1 | 1<<3, 1 << 5, 1 << 4
	tag := func(format string) string { return `{"type": "structural_tag", "format": ` + format + `}` }
	for _, x := range []struct {
		kind  core.Kind
		spec  string
		first uint32 // the tokens that may come first
		then  []int32
		next  uint32
	}{
		{core.Lark, `start: <d>`, both, []int32{3}, end},
		{core.Lark, `start: <[3]>`, 1 << 3, []int32{3}, end},
		{core.EBNF, `root ::= <d> "a"`, both, []int32{1}, 1},
		{core.EBNF, `root ::= Token("<d>", 2)`, both | 1<<2, []int32{3}, end},
		{core.EBNF, `root ::= !<d>`, 1 | 1<<2 | e, []int32{4}, end},
		{core.EBNF, "root ::= TokenTagDispatch((\"<d>\", x))\nx ::= \"a\"", 1 | 1<<2 | both | e | end, []int32{3}, 1},
		{
			core.EBNF, "root ::= TokenTagDispatch((4, x), excludes=(\"<d>\"))\nx ::= \"a\"", 1 | 1<<2 | e | end,
			[]int32{4},
			1,
		},
		{core.StructuralTag, tag(`{"type": "token", "token": "<d>"}`), both, []int32{3}, end},
		{core.StructuralTag, tag(`{"type": "exclude_token", "exclude_tokens": ["<d>"]}`), 1 | 1<<2 | e, []int32{0}, end},
		{
			core.StructuralTag, tag(`{"type": "tag", "begin": {"type": "token", "token": "<d>"},
				"content": {"type": "any_tokens"}, "end": {"type": "token", "token": "<d>"}}`),
			both,
			[]int32{1, 3},
			end,
		},
		{
			core.StructuralTag, tag(`{"type": "token_triggered_tags", "trigger_tokens": ["<d>"], "tags": [
				{"type": "tag", "begin": {"type": "token", "token": "<d>"}, "content":
					{"type": "const_string", "value": "a"}, "end": "b"},
				{"type": "tag", "begin": {"type": "token", "token": 3}, "content":
					{"type": "const_string", "value": "b"}, "end": "b"}]}`),
			1 | 1<<2 | both | e | end,
			[]int32{3},
			1 | 1<<2,
		},
	} {
		g, err := c.Compile(x.kind, []byte(x.spec), nil)
		require.NoError(t, err, x.spec)
		m, err := core.NewMatcher(g, core.MatcherOptions{})
		require.NoError(t, err)
		row := make([]uint32, v.Words())
		_, err = m.Fill(row)
		require.NoError(t, err)
		require.Equal(t, x.first, row[0], x.spec)
		n, err := m.Accept(x.then)
		require.NoError(t, err)
		require.Len(t, x.then, n, x.spec)
		_, err = m.Fill(row)
		require.NoError(t, err)
		require.Equal(t, x.next, row[0], x.spec)
	}
	_, err = c.Compile(core.StructuralTag, []byte(tag(`{"type": "token_dispatch", "rules": [["<d>",
		{"type": "const_string", "value": "a"}]], "exclude_tokens": [4, 3]}`)), nil)
	require.ErrorContains(t, err, "/format/exclude_tokens/1")
}
