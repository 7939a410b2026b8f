package expr

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// First visits each part once, although members of intersections share parts in exponentially many ways.
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
