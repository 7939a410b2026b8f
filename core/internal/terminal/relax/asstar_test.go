package relax_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
)

// TestAsStar compares the transitions of x+ and x*, and checks that other sequences are unchanged.
func TestAsStar(t *testing.T) {
	s := terminal.NewStore()
	letter := s.Runes([]rune{'a', 'z', 0xE0, 0x17F}, terminal.UTF8)
	for _, body := range []terminal.Expr{
		letter, s.AnyRune(terminal.JSONString), s.Literal("ab"), s.Or(s.Literal("a"),
			s.Concat(letter, s.Literal("!"))), s.Optional(letter),
	} {
		plus, star := s.Plus(body), s.Star(body)
		if s.View().Node(plus).Kind == expr.KConcat && terminal.Expr(s.View().Node(plus).A) == body {
			require.Equal(t, star, relax.AsStar(s, plus))
		}
		for b := range 256 {
			require.Equal(t, s.Delta(relax.AsStar(s, plus), byte(b)), s.Delta(plus, byte(b)))
		}
	}
	for _, x := range []terminal.Expr{
		s.Concat(letter, s.Star(s.Literal("a"))), s.Concat(letter, s.Star(letter),
			s.Literal(".")), s.Star(letter), letter,
	} {
		require.Equal(t, x, relax.AsStar(s, x))
	}
	require.Equal(t, s.Star(letter), relax.AsStar(s, s.Plus(letter)))
}
