package arena_test

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/arena"
)

// A set agrees with a map, for dense and sparse numbers, after it was emptied too.
func TestSet(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	var set arena.Set
	for _, most := range []int64{1, 40, 3000, 1 << 31, 1 << 40} {
		want := map[uint64]bool{}
		set.Clear()
		for range 5000 {
			x := uint64(r.Int63n(most))
			require.Equal(t, want[x], set.Has(x))
			require.Equal(t, !want[x], set.Add(x))
			want[x] = true
		}
		require.Equal(t, len(want), set.Len())
		require.GreaterOrEqual(t, set.Size(), 16*len(want))
	}
}
