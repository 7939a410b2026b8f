package corpus

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// A constraint that is refused, or a text that leaves its language, would measure nothing.
func TestSlowConstraintsTakeTheirTexts(t *testing.T) {
	root, err := Checkout()
	require.NoError(t, err)
	v, err := Vocabulary(root, Small)
	require.NoError(t, err)
	compiler, tokenizer := core.NewCompiler(v, core.CompilerConfig{}), NewTokenizer(v)
	seen := map[string]bool{}
	require.NoError(t, Slow(func(x *Job) {
		require.False(t, seen[x.ID], x.ID)
		seen[x.ID] = true
		g, err := compiler.Compile(x.Kind, x.Spec, &x.Options)
		require.NoError(t, err, x.ID)
		require.NotEmpty(t, x.Tests, x.ID)
		for _, test := range x.Tests {
			ids, ok := tokenizer.Cut(test.Pieces, 1<<30)
			require.True(t, ok, x.ID)
			m, err := core.NewMatcher(g, core.MatcherOptions{})
			require.NoError(t, err, x.ID)
			n, err := m.Accept(ids)
			require.NoError(t, err, x.ID)
			assert.Equal(t, len(ids), n, "%s: %s", x.ID, test.Text())
		}
	}))
}
