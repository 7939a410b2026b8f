package expr

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPrefixFree(t *testing.T) {
	s := newStore()
	a, ab, b := s.Literal("a"), s.Literal("ab"), s.Literal("b")
	require.True(t, s.prefixFree(s.Concat(s.Bytes(set("ab")), s.Bytes(set("c"))), prefixDepth))
	require.True(t, s.prefixFree(s.Or(s.Concat(s.Bytes(set("a")), s.Bytes(set("c"))), s.Bytes(set("b"))), prefixDepth))
	require.False(t, s.prefixFree(s.Or(a, ab, b), prefixDepth))
	require.False(t, s.prefixFree(s.Star(s.Bytes(set("a"))), prefixDepth))
	require.False(t, s.prefixFree(s.Or(Epsilon, s.Bytes(set("a"))), prefixDepth))
	// Parts after the backslash of an escape: some have one byte, some five, some eleven.
	require.True(t, s.prefixFree(s.escapes([]rune{0, 0x10FFFF}), prefixDepth))
}
