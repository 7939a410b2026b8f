package terminal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// A new kind of expression has to be carried from store to store, too, and the compiler does not say so.
func TestEveryKindIsCarried(t *testing.T) {
	carried := NewTranslation(NewStore(), NewStore())
	parts := func(k expr.Kind) func() {
		return func() { carried.parts(&expr.Node{Kind: k}, func(Expr) {}) }
	}
	for k := range expr.Kinds {
		require.NotPanics(t, parts(k), "kind %d", k)
	}
	require.Panics(t, parts(expr.Kinds))
}
