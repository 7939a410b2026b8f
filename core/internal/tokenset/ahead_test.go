package tokenset

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

func TestPreparedClassesAreThere(t *testing.T) {
	r := rand.New(rand.NewSource(8))
	st := terminal.NewStore()
	tokens := denseVocabulary(r, 6000)
	e := New(NewTokens(Config{Bytes: tokens, Words: (len(tokens) + 31) / 32}), st)
	letters := st.Plus(st.Runes([]rune{'a', 'z', '0', '9'}, terminal.JSONString))
	quote := st.Literal(`"`)
	address := st.Concat(letters, st.Text("-", terminal.JSONString), letters, quote)
	space := st.Star(st.Runes([]rune{' ', ' '}, terminal.UTF8))
	e.PrepareTerminals([]terminal.Expr{st.Concat(space, quote, address), st.Concat(space,
		st.Literal("null")), st.Literal("true")})
	first, _ := counters.Step(st, address, 0, 'q')
	require.GreaterOrEqual(t, st.Aux(address), uint32(auxClass), "after whitespace and the quote")
	require.NotEqual(t, uint32(auxUnknown), st.Aux(first), "after a letter")
	require.Equal(t, uint32(auxUnknown), st.Aux(st.Literal("null")), "texts are not worth it")
	made := st.Made()
	e.PrepareTerminals([]terminal.Expr{st.Concat(space, quote, address)})
	require.Equal(t, made, st.Made(), "what has been prepared is left alone")
}
