package relax_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
)

// A state in which what must not occur has begun leads back to the one in which nothing has; which texts it must not be
// as a whole is left aside, and without a search there is no such state.
func TestSearchStart(t *testing.T) {
	s := terminal.NewStore()
	any, quote := s.Star(s.AnyRune(terminal.JSONString)), s.Literal(`"`)
	text := func(x string) terminal.Expr { return s.Text(x, terminal.JSONString) }
	occurs := s.Not(s.Concat(any, text("ab"), any))
	start := s.Concat(s.And(any, occurs), quote)
	keys := s.Not(s.Texts([]string{"name", "ax"}, terminal.JSONString, nil))
	e := s.Concat(s.And(any, occurs, keys), quote)
	for _, said := range []string{"", "a", "n", "na", "x"} {
		x := e
		for _, b := range []byte(said) {
			x = s.Delta(x, b)
		}
		got, ok := relax.SearchStart(s, x)
		require.True(t, ok, said)
		require.Equal(t, start, got, said)
	}
	_, ok := relax.SearchStart(s, s.Concat(s.And(any, keys), quote))
	require.False(t, ok)
}

// What undeclared keys are is told from the declared ones alone where no text ends for good.
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
