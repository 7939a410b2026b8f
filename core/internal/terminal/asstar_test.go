package terminal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// TestAsStar compares where x+ and x* lead, and sees that other sequences stay what they are.
func TestAsStar(t *testing.T) {
	s := NewStore()
	letter := s.Runes([]rune{'a', 'z', 0xE0, 0x17F}, UTF8)
	for _, body := range []Expr{
		letter, s.AnyRune(JSONString), s.Literal("ab"), s.Or(s.Literal("a"),
			s.Concat(letter, s.Literal("!"))), s.Optional(letter),
	} {
		plus, star := s.Plus(body), s.Star(body)
		if s.x.Node(plus).Kind == expr.KConcat && Expr(s.x.Node(plus).A) == body {
			require.Equal(t, star, s.AsStar(plus))
		}
		for b := range 256 {
			require.Equal(t, s.Delta(s.AsStar(plus), byte(b)), s.Delta(plus, byte(b)))
		}
	}
	for _, x := range []Expr{
		s.Concat(letter, s.Star(s.Literal("a"))), s.Concat(letter, s.Star(letter),
			s.Literal(".")), s.Star(letter), letter,
	} {
		require.Equal(t, x, s.AsStar(x))
	}
	require.Equal(t, s.Star(letter), s.AsStar(s.Plus(letter)))
}
