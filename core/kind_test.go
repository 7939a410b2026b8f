package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// Every error about an unknown kind lists all kinds.
func TestUnknownKinds(t *testing.T) {
	_, compiled := core.NewCompiler(smallVocabulary(), core.CompilerConfig{}).Compile(99, nil, nil)
	_, checked := core.Check(0, nil, &core.Options{Compact: true})
	for _, err := range []error{compiled, checked} {
		require.Equal(t, core.CodeArgument, core.AsError(err).Code)
		for k := core.JSONSchema; k <= core.GrammarText; k++ {
			require.Contains(t, err.Error(), k.String())
		}
	}
}
