package tokenset

import (
	"cmp"
	"math/rand"
	"slices"
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

// Keys that are sorted byte by byte are in the order that comparing them gives.
func TestKeysAreSortedAlike(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 20 {
		keys := make([]suffixKey, manyKeys+r.Intn(3000))
		for i := range keys {
			text := make([]byte, r.Intn(headBytes+3))
			for k := range text {
				text[k] = byte(r.Intn(1 + r.Intn(256)))
			}
			keys[i] = keyOfSuffix(text, i)
		}
		want := slices.Clone(keys)
		slices.SortFunc(want, func(x, y suffixKey) int {
			return cmp.Or(cmp.Compare(x.head, y.head), cmp.Compare(x.at, y.at))
		})
		sortByHead(keys)
		require.Equal(t, want, keys)
	}
}
