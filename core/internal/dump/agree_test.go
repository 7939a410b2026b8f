package dump

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Exactly the tokens are listed on which mask and accept differ.
func TestAgreement(t *testing.T) {
	texts := [][]byte{[]byte("a"), []byte("b"), []byte("c"), []byte("d")}
	written := func(accepted ...int32) string {
		var out strings.Builder
		require.NoError(t, Agreement(&out, []uint32{0b0110}, texts, func(id int32) (bool, error) {
			return slices.Contains(accepted, id), nil
		}))
		_, rest, _ := strings.Cut(out.String(), "==\n")
		return rest
	}
	require.Equal(t, "  the same\n", written(1, 2))
	require.Equal(t, "  0 \"a\" is not allowed, but accepted\n  2 \"c\" is allowed, but not accepted\n", written(0, 1))

	many, out := bytes.Split([]byte(strings.Repeat("x ", 30)), []byte(" ")), strings.Builder{}
	require.NoError(t, Agreement(&out, []uint32{0}, many, func(int32) (bool, error) { return true, nil }))
	require.Contains(t, out.String(), "  and 11 more\n")
}
