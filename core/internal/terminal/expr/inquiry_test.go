package expr

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A set of numbers tells which it has, few or many.
func TestNumbers(t *testing.T) {
	var m Numbers
	for n := range uint32(5 * fewNumbers) {
		require.True(t, m.Add(7*n+1))
		for before := range n {
			require.False(t, m.Add(7*before+1))
		}
	}
}
