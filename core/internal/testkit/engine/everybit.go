package engine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/matcher"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// EveryBit compares the whole mask with trying every token.
func EveryBit(t *testing.T, v *vocab.Vocabulary, m *matcher.Matcher, row []uint32, where func() string) {
	t.Helper()
	Fill(t, m, row, where)
	one := make([]int32, 1)
	for id := range v.PaddedSize() {
		one[0] = int32(id)
		n, err := m.Validate(one)
		require.NoError(t, err)
		if got := row[id>>5]>>(id&31)&1 == 1; got != (n == 1) {
			require.Failf(t, "mask differs from accept", "token %d %q: mask %v, accept %v; %s", id, v.Bytes(uint32(id)),
				got, n == 1, where())
		}
	}
}

// Fill fills the mask, which must allow something.
func Fill(t *testing.T, m *matcher.Matcher, row []uint32, where func() string) {
	t.Helper()
	if _, err := m.Fill(row); err != nil {
		require.Failf(t, "no mask", "%v; %s", err, where())
	}
}
