package matcher

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// tokenOf returns the ordinary token with a text.
func tokenOf(t *testing.T, v *vocab.Vocabulary, text string) uint32 {
	for id := range uint32(v.Size()) {
		if string(v.Bytes(id)) == text && !v.IsSpecial(id) {
			return id
		}
	}
	t.Fatalf("there is no token %q", text)
	return 0
}

func compiledWith(t *testing.T, v *vocab.Vocabulary, kind source.Kind, text string) *compiled.Grammar {
	g, err := compiler.New(v, compiler.Config{}).Compile(kind, []byte(text), &source.Options{})
	require.NoError(t, err)
	return g
}

// A stop token that is the only token of a byte leaves no way through this byte, under any limit.
func TestLimitsKeepAwayFromBytesThatStop(t *testing.T) {
	v := testkit.CommittedTokenizer(t)
	g := compiledWith(t, v, source.EBNF, `root ::= "a" | "b" [\x01] "c"`)
	b := tokenOf(t, v, "b")
	for _, limit := range []int{2, 3, 5, 100} {
		m, err := New(g, Options{StopTokens: []uint32{tokenOf(t, v, "\x01")}, MaxTokens: limit})
		require.NoError(t, err)
		row := make([]uint32, v.Words())
		_, err = m.Fill(row)
		require.NoError(t, err)
		require.Equal(t, []int32{int32(tokenOf(t, v, "a"))}, allowed(row), "limit %d", limit)
		n, err := m.Accept([]int32{int32(b)})
		require.NoError(t, err)
		require.Zero(t, n, "limit %d", limit)
	}
}

// Matchers with the same stop tokens share the tokens to the end, in any order, with or without those that are no text.
func TestStopTokensShareEndings(t *testing.T) {
	v := testkit.CommittedTokenizer(t)
	g := compiledWith(t, v, source.JSONSchema, `{"type": "object", "properties": {"name": {"type": "string"}}}`)
	a, b, end := tokenOf(t, v, "a"), tokenOf(t, v, "b"), v.EndTokens()[0]
	finder := func(stops ...uint32) any {
		m, err := New(g, Options{StopTokens: stops, MaxTokens: 14})
		require.NoError(t, err)
		return m.finder()
	}
	first := finder(a, b)
	size := g.Current().Size()
	require.Same(t, first, finder(b, a))
	require.Same(t, first, finder(a, end, b))
	require.Equal(t, size, g.Current().Size())
	require.NotSame(t, first, finder(a))
	require.NotSame(t, first, finder(end))
	require.Same(t, finder(end), finder())
}

// A question about tokens by name pays for the states that it makes, and for the memory of its results.
func TestNamedTokensArePaidFor(t *testing.T) {
	v := testkit.CommittedTokenizer(t)
	g := compiledWith(t, v, source.EBNF, `root ::= (!<[5]> | [^#]{9,40} "#" | ([^#][^#]){4,30} "!"){4}`)
	m, err := New(g, Options{})
	require.NoError(t, err)
	_, err = m.MinTokens()
	require.ErrorContains(t, err, "no shortest output is found")
	require.Less(t, g.Current().Automaton().Len(), 1000)

	g = compiledWith(t, v, source.EBNF, `root ::= !<[5]>{10}`)
	size := g.Current().Size()
	m, err = New(g, Options{})
	require.NoError(t, err)
	n, err := m.MinTokens()
	require.NoError(t, err)
	require.Equal(t, 11, n)
	grown := g.Current().Size() - size
	require.Greater(t, grown, 10*8*64)
	require.Less(t, grown, 8*v.Size()) // all tokens lead to one state, and few of them are kept
}

// Before it is decided whether reasoning comes, a call that must not work searches nothing.
func TestLimitsBesideReasoningAskBeforeWork(t *testing.T) {
	v := testkit.CommittedTokenizer(t)
	g := compiledWith(t, v, source.JSONSchema,
		`{"type": "object", "properties": {"name": {"type": "string", "minLength": 900}}, "required": ["name"]}`)
	begin := []uint32{tokenOf(t, v, `{"`), tokenOf(t, v, "name"), tokenOf(t, v, "z")}
	m, err := New(g, Options{MaxTokens: 2000, Reasoning: &Reasoning{Begin: begin, End: []uint32{tokenOf(t, v, "q")}}})
	require.NoError(t, err)
	for _, id := range begin[:2] {
		asked := false
		stopped := Until{m, func() bool { asked = true; return true }}
		states := g.Current().Automaton().Len()
		n, err := stopped.Accept([]int32{int32(id)})
		require.Equal(t, unfinished, err)
		require.Zero(t, n)
		require.True(t, asked)
		require.Equal(t, states, g.Current().Automaton().Len())
		n, err = m.Accept([]int32{int32(id)})
		require.NoError(t, err)
		require.Equal(t, 1, n)
	}
}
