package analysis

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Each state is taken out once, the last of them first, and again where it is put back.
func TestBackwardsTakesTheLastStateFirst(t *testing.T) {
	const n = 200
	waits := newBackwards(n)
	for want := int32(n - 1); want >= 0; want-- {
		i, ok := waits.next()
		require.True(t, ok)
		require.Equal(t, want, i)
		if want == 3 {
			waits.add(150)
			i, ok = waits.next()
			require.True(t, ok)
			require.Equal(t, int32(150), i)
		}
	}
	_, ok := waits.next()
	require.False(t, ok)
}
