package relax_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
)

// shared returns an expression whose parts are shared so that there are 2^depth ways through it.
func shared(s *terminal.Store, depth int) terminal.Expr {
	a, b := s.Optional(s.Literal("a")), s.Optional(s.Literal("b"))
	c := s.Literal("c")
	e := s.Repeat(s.Bytes(expr.BytesOf("d")), 0, 40)
	for range depth {
		e = s.Or(s.Concat(a, c, e), s.Concat(b, c, c, e), s.Concat(a, b, e, c))
	}
	return e
}

// Walks along an expression visit shared parts once: they would not end otherwise.
func TestSharedPartsAreVisitedOnce(t *testing.T) {
	s := terminal.NewStore()
	e := shared(s, 60)
	require.Equal(t, uint32(40), relax.RepeatsLeft(s, e))
	before := s.Size().Expressions
	shape, least, most, ok := relax.Generalise(s, e)
	require.True(t, ok)
	require.NotEqual(t, e, shape)
	require.Equal(t, [2]uint32{40, 40}, [2]uint32{least, most})
	require.Less(t, s.Size().Expressions-before, 2000)
	first := analysed(s).First(e)
	require.Equal(t, expr.BytesOf("abcd"), first)
}
