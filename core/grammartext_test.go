package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// A grammar text behaves like the language that it is read as, and its errors name that language.
func TestGrammarText(t *testing.T) {
	c := core.NewCompiler(loadCaseVocabulary(t).v, core.CompilerConfig{})
	for text, kind := range map[string]core.Kind{`root ::= "a"`: core.EBNF, `start: "a" // ::=`: core.Lark} {
		g, err := c.Compile(core.GrammarText, []byte(text), nil)
		require.NoError(t, err)
		require.Equal(t, kind, g.Kind())
		before := c.CacheStats()
		_, err = c.Compile(kind, []byte(text), nil)
		require.NoError(t, err)
		require.Equal(t, before.Hits+1, c.CacheStats().Hits, "an equal constraint is kept once")

		j := c.Start(core.GrammarText, []byte(text), nil)
		g, err = j.Result()
		require.NoError(t, err)
		require.Equal(t, kind, g.Kind())
	}
	for text, said := range map[string]string{
		`root ::= (`: "^ebnf:1.*read as EBNF: there is a ::= ", `root = "a"`: "^lark:1.*read as Lark: there is no ::= ",
	} {
		for range 2 { // the error is kept, and kept as it was
			_, err := c.Compile(core.GrammarText, []byte(text), nil)
			require.Regexp(t, said, err.Error())
		}
		_, err := c.Compile(core.GrammarText.Resolve([]byte(text)), []byte(text), nil)
		require.NotContains(t, err.Error(), "read as")
	}

	_, _, err := core.Concat(partOf(core.GrammarText, `root ::= "a"`), partOf(core.Regex, "b"))
	require.NoError(t, err)
	_, _, err = core.Union(partOf(core.GrammarText, `start: "a"`), partOf(core.Regex, "b"))
	require.NoError(t, err)
}
