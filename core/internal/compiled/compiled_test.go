package compiled_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/mask"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// rows returns the masks along a text, byte by byte.
func rows(m *mask.Masks, text string, words int) (out [][]uint32) {
	for i := range len(text) + 1 {
		row := make([]uint32, words)
		m.Fill(m.Automaton().StepBytes(m.Automaton().Start(), []byte(text[:i])), row, nil)
		out = append(out, row)
	}
	return out
}

func bytesAndWords() vocab.Config {
	c := vocab.Config{Tokens: [][]byte{[]byte("ab"), []byte("abc"), []byte(`": `), nil}, EndTokens: []uint32{3}}
	for b := range 128 {
		c.Tokens = append(c.Tokens, []byte{byte(b)})
	}
	return c
}

// Each generation gives the same masks. Trim starts one only beyond the bounds.
func TestGenerationsAnswerAlike(t *testing.T) {
	v, err := vocab.New(bytesAndWords())
	require.NoError(t, err)
	c := compiler.New(v, compiler.Config{StateCap: 4})
	g, err := c.Compile(source.Regex, []byte(`(ab*c){2,5}`), &source.Options{})
	require.NoError(t, err)
	first := g.Current()
	want := rows(first, "abbcac", v.Words())
	g.Renew(first)
	require.NotSame(t, first, g.Current())
	require.Equal(t, want, rows(g.Current(), "abbcac", v.Words()))

	second := g.Current()
	g.Renew(first) // no longer in use
	require.Same(t, second, g.Current())
	g.Trim(second)
	require.NotSame(t, second, g.Current(), "there are more than four states")
	require.Equal(t, 2, g.Stats().Renewals)
	require.Equal(t, want, rows(g.Current(), "abbcac", v.Words()))
}

// Places count as memory of their grammar from the first explanation on.
func TestPlacesCount(t *testing.T) {
	v, err := vocab.New(bytesAndWords())
	require.NoError(t, err)
	spec := []byte(`{"properties":{"a":{"type":"object","properties":{"b":{"type":"string"},"c":{"type":"integer"}}}}}`)
	g, err := compiler.New(v, compiler.Config{}).Compile(source.JSONSchema, spec, &source.Options{})
	require.NoError(t, err)
	held, stats := g.Held(), g.Stats().Bytes
	for range 2 {
		require.NotNil(t, g.Places(g.Current()))
		require.Greater(t, g.Held(), held+10*len(spec))
		require.Equal(t, g.Held()-held, g.Stats().Bytes-stats)
	}
}

// Stats reports the cost of a grammar.
func Example() {
	v, err := vocab.New(bytesAndWords())
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := compiler.New(v, compiler.Config{}).Compile(source.Regex, []byte(`ab`), &source.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	before := g.Stats().States
	m := g.Current().Automaton()
	m.StepBytes(m.Start(), []byte("ab"))
	fmt.Println(g.Stats().States > before, g.Stats().Renewals)
	// Output: true 0
}
