package tokenset

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// Many ranges are merged with a bitmap: the result is what sorting them gives.
func TestManyRangesAreMergedAlike(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 20 {
		tokens := 1 + r.Intn(40_000)
		var x ranges
		for len(x) < 2*manyRanges {
			from := r.Intn(tokens)
			x = append(x, uint32(from), uint32(min(tokens, from+1+r.Intn(1+r.Intn(200)))))
		}
		has := make([]bool, tokens+1)
		for i := 0; i < len(x); i += 2 {
			for k := x[i]; k < x[i+1]; k++ {
				has[k] = true
			}
		}
		var want ranges
		for k := range has {
			if has[k] {
				want.Add(uint32(k), uint32(k)+1)
			}
		}
		x.Normalise()
		require.Equal(t, want, x)
	}
}
