package relax_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
)

// ExcludedTexts splits undeclared keys only if no text ends for good.
func TestExcludedTexts(t *testing.T) {
	s := terminal.NewStore()
	any, quote := s.Star(s.AnyRune(terminal.JSONString)), s.Literal(`"`)
	text := func(x string) terminal.Expr { return s.Text(x, terminal.JSONString) }
	excluded := s.Texts([]string{"a", "ab"}, terminal.JSONString, nil)
	for _, x := range []struct {
		text terminal.Expr
		want bool
	}{
		{any, true},
		{s.Concat(text("a"), any), true},
		{s.Or(s.Concat(text("a"), any), s.Plus(s.Runes([]rune{'b', 'z'}, terminal.JSONString))), true},
		{s.Or(text("a"), s.Concat(text("b"), any)), false},
		{s.Concat(any, text("b")), false},
	} {
		e := s.Concat(s.And(x.text, s.Not(excluded)), quote)
		base, texts, ok := relax.ExcludedTexts(s, e)
		require.Equal(t, x.want, ok)
		if ok {
			require.Equal(t, s.Concat(x.text, quote), base)
			require.Equal(t, excluded, texts)
		}
	}
}
