package pushdown

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// The set agrees with a map for all kinds, for dense and sparse ids, and for 0.
func TestCountedSet(t *testing.T) {
	r := testkit.Seeded(t, 5)
	for _, ids := range []int{1, 40, 3000, 1 << 31} {
		var set CountedSet
		want := map[Counted]bool{}
		for range 5000 {
			x := Counted{counted(r.Intn(int(countedSide) + 1)), uint32(r.Intn(ids))}
			if x.what == countedPart {
				x.id %= 100_000 // these are dense
			}
			require.Equal(t, !want[x], set.Add(x))
			want[x] = true
		}
		require.LessOrEqual(t, 2*set.n, len(set.rest))
	}
}
