package core_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// TestBudgetsOfACompiler shows that a compiler's budgets decide what is refused, and that one compiler's do not concern
// another one's grammars.
func TestBudgetsOfACompiler(t *testing.T) {
	tokens := [][]byte{[]byte("</s>"), []byte("a"), []byte("b"), []byte("ab"), []byte("1")}
	v, err := core.NewVocabulary(core.VocabularyConfig{Tokens: tokens, EndTokens: []uint32{0}})
	require.NoError(t, err)
	config, err := core.ParseCompilerConfig([]byte(`{"mask_budget": 5, "search_budget": 1000, "transition_budget": 1000}`))
	require.NoError(t, err)
	low, usual := core.NewCompiler(v, config), core.NewCompiler(v, core.CompilerConfig{})
	for range 2 {
		_, err = low.Compile(core.Regex, []byte(`(a|b1)*ab`), nil)
		var e *core.Error
		require.True(t, errors.As(err, &e))
		require.Equal(t, core.CodeLimit, e.Code)
		_, err = usual.Compile(core.Regex, []byte(`(a|b1)*ab`), nil)
		require.NoError(t, err)
	}
}
