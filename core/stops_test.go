package core_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// stopVocabulary has, beside the bytes: 256 "<stop>" as text, 257 `"}`, 258 "<|x|>" special, 259 the end token.
func stopVocabulary(t *testing.T) *core.Vocabulary {
	var c core.VocabularyConfig
	for b := range 256 {
		c.Tokens = append(c.Tokens, []byte{byte(b)})
	}
	for _, text := range []string{"<stop>", `"}`, "<|x|>", "</s>"} {
		c.Tokens = append(c.Tokens, []byte(text))
	}
	c.Special, c.EndTokens = []uint32{258, 259}, []uint32{259}
	v, err := core.NewVocabulary(c)
	require.NoError(t, err)
	return v
}

const (
	stopText    = 256
	stopSpecial = 258
	stopEnd     = 259
)

// requireExact checks that accept takes exactly the tokens of fill, and that validate, a batch and a fork agree.
func requireExact(t *testing.T, v *core.Vocabulary, m *core.Matcher, where string) (row []uint32, err error) {
	t.Helper()
	row = make([]uint32, v.Words())
	_, err = m.Fill(row)
	var b core.Batch
	other := make([]uint32, v.Words())
	fork, ferr := m.Fork()
	require.NoError(t, ferr)
	b.Items = []core.BatchItem{{Matcher: fork}}
	b.Fill(core.Rows{Words: other, Count: 1, Stride: v.Words(), Width: v.Words()}, 1)
	require.Equal(t, row, other, where)
	require.Equal(t, err == nil, b.Items[0].Err == nil, where)
	key, kerr := m.MaskKey()
	require.Equal(t, err == nil, kerr == nil, where)
	_ = key
	for id := range int32(v.Size()) {
		want := 0
		if row[id/32]>>(id%32)&1 != 0 {
			want = 1
		}
		n, err := m.Validate([]int32{id})
		require.NoError(t, err)
		require.Equal(t, want, n, "%s: token %d", where, id)
		f, err := m.Fork()
		require.NoError(t, err)
		n, err = f.Accept([]int32{id})
		require.NoError(t, err)
		require.Equal(t, want, n, "%s: token %d", where, id)
	}
	return row, err
}

func has(row []uint32, id int) bool { return row[id/32]>>(id%32)&1 != 0 }

// A stop token that is ordinary text is allowed only if the output may end: an engine stops at it in the middle of any
// text.
func TestStopTokensAreNoText(t *testing.T) {
	v := stopVocabulary(t)
	c := core.NewCompiler(v, core.CompilerConfig{})
	g, err := c.Compile(core.JSONSchema, []byte(`{"type":"object"}`), nil)
	require.NoError(t, err)
	for _, stops := range [][]uint32{{stopText}, {stopText, 'b'}, {'"'}, {stopText, stopSpecial, stopEnd}, {}} {
		m, err := core.NewMatcher(g, core.MatcherOptions{StopTokens: stops})
		require.NoError(t, err)
		plain, err := core.NewMatcher(g, core.MatcherOptions{})
		require.NoError(t, err)
		for i, b := range []byte(`{"ab": "ab<"}`) {
			where := fmt.Sprint(stops, " before byte ", i)
			row, _ := requireExact(t, v, m, where)
			for _, id := range stops {
				require.False(t, has(row, int(id)), "%s: %d", where, id)
			}
			// The mask differs from another matcher's only in the stop tokens, and has its key only if it equals it.
			full := make([]uint32, v.Words())
			_, err = plain.Fill(full)
			require.NoError(t, err)
			differ := false
			for _, id := range stops {
				differ = differ || has(full, int(id))
				full[id/32] &^= 1 << (id % 32)
			}
			require.Equal(t, full, row, where)
			key, err := m.MaskKey()
			require.NoError(t, err)
			shared, err := plain.MaskKey()
			require.NoError(t, err)
			if differ {
				require.Zero(t, key, where)
			} else {
				require.Equal(t, shared, key, where)
			}
			one := []byte{b} // text is text, in any tokens
			for _, x := range []*core.Matcher{m, plain} {
				ok, err := x.AcceptBytes(one)
				require.NoError(t, err)
				require.True(t, ok, where)
			}
		}
		row := make([]uint32, v.Words())
		_, err = m.Fill(row)
		if len(stops) == 0 {
			require.Equal(t, core.CodeUnsatisfiable, core.AsError(err).Code)
			continue
		}
		require.NoError(t, err)
		for _, id := range stops {
			require.True(t, has(row, int(id)), "%d ends the output", id)
		}
		n, err := m.Accept([]int32{int32(stops[0])})
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.True(t, m.Terminated())
	}
}

// If the output may end or continue with the text of a stop token, accepting the token ends it.
func TestStopTokenThatCouldGoOn(t *testing.T) {
	v := stopVocabulary(t)
	g, err := core.NewCompiler(v, core.CompilerConfig{}).Compile(core.Regex, []byte(`a(<stop>)*b?`), nil)
	require.NoError(t, err)
	m, err := core.NewMatcher(g, core.MatcherOptions{StopTokens: []uint32{stopText}, RejectAfterEnd: true})
	require.NoError(t, err)
	n, err := m.Accept([]int32{'a', stopText, 'b'})
	require.NoError(t, err)
	require.Equal(t, 2, n)
	require.True(t, m.Terminated())
	require.NoError(t, m.Rollback(1))
	ok, err := m.AcceptBytes([]byte("<stop>b"))
	require.NoError(t, err)
	require.True(t, ok)
	require.False(t, m.Terminated())
}

// Special tokens as stop tokens: their spelling is no text for their matcher, in either view; a grammar that names them
// as tokens allows them there.
func TestSpecialStopTokens(t *testing.T) {
	v := stopVocabulary(t)
	c := core.NewCompiler(v, core.CompilerConfig{})
	o, err := core.ParseOptions([]byte(`{"special_tokens": "text"}`))
	require.NoError(t, err)
	text, err := c.Compile(core.Regex, []byte(`a.*b`), o)
	require.NoError(t, err)
	named, err := c.Compile(core.EBNF, []byte(`root ::= "a" <|x|> "b"`), nil)
	require.NoError(t, err)
	for _, g := range []*core.Grammar{text, named} {
		for _, stops := range [][]uint32{nil, {stopSpecial}} {
			m, err := core.NewMatcher(g, core.MatcherOptions{StopTokens: stops})
			require.NoError(t, err)
			_, err = m.Accept([]int32{'a'})
			require.NoError(t, err)
			row, err := requireExact(t, v, m, fmt.Sprint(stops))
			require.NoError(t, err)
			require.Equal(t, g == named || stops == nil, has(row, stopSpecial))
		}
	}
}

// If only a stop token could continue, none may: the row is untouched, and no key names it.
func TestOnlyAStopTokenGoesOn(t *testing.T) {
	var c core.VocabularyConfig
	c.Tokens, c.EndTokens = [][]byte{[]byte("a"), []byte("<stop>"), []byte("</s>")}, []uint32{2}
	v, err := core.NewVocabulary(c)
	require.NoError(t, err)
	g, err := core.NewCompiler(v, core.CompilerConfig{}).Compile(core.Regex, []byte(`a<stop>a`), nil)
	require.NoError(t, err)
	m, err := core.NewMatcher(g, core.MatcherOptions{StopTokens: []uint32{1}})
	require.NoError(t, err)
	_, err = m.Accept([]int32{0})
	require.NoError(t, err)
	row := []uint32{0xDEADBEEF}
	_, err = m.Fill(row)
	require.Equal(t, core.CodeUnsatisfiable, core.AsError(err).Code)
	require.EqualValues(t, 0xDEADBEEF, row[0])
	_, err = m.MaskKey()
	require.Equal(t, core.CodeUnsatisfiable, core.AsError(err).Code)
}

// A failed row is untouched, alone and in a batch.
func TestFailedRowsAreUntouched(t *testing.T) {
	v, err := core.NewVocabulary(core.VocabularyConfig{
		Tokens: [][]byte{[]byte("a"), []byte("b"), []byte("</s>")}, EndTokens: []uint32{2},
	})
	require.NoError(t, err)
	g, err := core.NewCompiler(v, core.CompilerConfig{}).Compile(core.Regex, []byte(`ac|b`), nil)
	require.NoError(t, err)
	dead, err := core.NewMatcher(g, core.MatcherOptions{})
	require.NoError(t, err)
	n, err := dead.Accept([]int32{0})
	require.NoError(t, err)
	require.Equal(t, 1, n, "the grammar allows it; the vocabulary has no c")
	alive, err := core.NewMatcher(g, core.MatcherOptions{})
	require.NoError(t, err)
	row := []uint32{0xDEADBEEF, 0xDEADBEEF}
	_, err = dead.Fill(row)
	require.Equal(t, core.CodeUnsatisfiable, core.AsError(err).Code)
	require.Equal(t, []uint32{0xDEADBEEF, 0xDEADBEEF}, row)
	b := core.Batch{Items: []core.BatchItem{{Matcher: dead, Row: 0}, {Matcher: alive, Row: 1}}}
	b.Fill(core.Rows{Words: row, Count: 2, Stride: 1, Width: 1}, 2)
	require.Equal(t, core.CodeUnsatisfiable, core.AsError(b.Items[0].Err).Code)
	require.NoError(t, b.Items[1].Err)
	require.Equal(t, []uint32{0xDEADBEEF, 3}, row)
}
