package expr

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Members of intersections share what follows them, in two to the power of their number ways: each is looked at once.
func TestFirstOfSharedIntersections(t *testing.T) {
	var s Store
	s.Init()
	x := s.Bytes(BytesOf("c"))
	for range 60 {
		x = s.And(s.Concat(s.Star(s.Bytes(BytesOf("ab"))), x), s.Concat(s.Star(s.Bytes(BytesOf("bd"))), x))
	}
	first := s.First(x)
	require.Equal(t, BytesOf("bc"), first)
}
