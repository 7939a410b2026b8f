package terminal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// shared returns an expression whose parts are shared so that there are 2^depth ways through it.
func shared(s *Store, depth int) Expr {
	a, b, c := s.Optional(s.Bytes(set("a"))), s.Optional(s.Bytes(set("b"))), s.Bytes(set("c"))
	e := s.Repeat(s.Bytes(set("d")), 0, 40)
	for range depth {
		e = s.Or(s.Concat(a, c, e), s.Concat(b, c, c, e), s.Concat(a, b, e, c))
	}
	return e
}

// Walks along an expression visit shared parts once: they would not end otherwise.
func TestSharedPartsAreVisitedOnce(t *testing.T) {
	s := NewStore()
	e := shared(s, 60)
	require.Equal(t, uint32(40), s.RepeatsLeft(e))
	before := s.Len()
	shape, least, most, ok := s.Generalise(e)
	require.True(t, ok)
	require.NotEqual(t, e, shape)
	require.Equal(t, [2]uint32{40, 40}, [2]uint32{least, most})
	require.Less(t, s.Len()-before, 2000)
	first := s.x.First(e)
	require.Equal(t, set("abcd"), first)
}
