package expr

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPrefixFree(t *testing.T) {
	s := newStore()
	free := func(x Expr) bool {
		looks := headLooks
		return s.PrefixFree(x, &looks)
	}
	a, ab, b := s.Literal("a"), s.Literal("ab"), s.Literal("b")
	require.True(t, free(s.Concat(s.Bytes(set("ab")), s.Bytes(set("c")))))
	require.True(t, free(s.Or(s.Concat(s.Bytes(set("a")), s.Bytes(set("c"))), s.Bytes(set("b")))))
	require.False(t, free(s.Or(a, ab, b)))
	require.False(t, free(s.Star(s.Bytes(set("a")))))
	require.False(t, free(s.Or(Epsilon, s.Bytes(set("a")))))
	// Parts after the backslash of an escape: some have one byte, some five, some eleven.
	require.True(t, free(s.escapes([]rune{0, 0x10FFFF})))
}
