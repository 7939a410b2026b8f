package relax_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
)

// Gap splits off whitespace that may be empty; gap and rest together are the whole, but for bounds that do not matter.
func TestGap(t *testing.T) {
	st := terminal.NewStore()
	lit := st.Literal
	end := st.Concat(st.Optional(lit("\r")), lit("\n"))
	indentation := st.Or(st.Repeat(lit(" "), 0, 8), st.Repeat(lit("\t"), 0, 2))
	ends := st.Or(st.Concat(st.Optional(lit(" ")), end), st.Concat(end, end))
	gap := st.Or(terminal.Epsilon, lit(" "), st.Concat(ends, indentation))
	rest := st.Concat(lit(`"`), st.Star(st.AnyRune(terminal.UTF8)))
	for text, found := range map[string]bool{
		"": true, " ": true, "\n": true, "\r\n": true, "\n\n": true, " \r\n": true, "\n\t": true,
		"\r": false, " \r": false, "\n\n\r": false, // a line end must follow, or nothing can
		"\n ": true, "\n\t\t": false, // a repetition, and none any more
	} {
		x := st.Concat(gap, rest)
		for _, b := range []byte(text) {
			x = st.Delta(x, b)
		}
		g, r, ok := relax.Gap(st, x, 100)
		require.Equal(t, found, ok, "%q", text)
		if ok {
			require.Equal(t, rest, r, "%q", text)
			require.Equal(t, x, st.Concat(g, r), "%q", text)
			require.True(t, st.View().Nullable(g), "%q", text)
		}
	}
	g, r, ok := relax.Gap(st, st.Concat(st.Repeat(lit(" "), 0, 9), rest), 9)
	require.True(t, ok)
	require.Equal(t, []terminal.Expr{st.Star(lit(" ")), rest}, []terminal.Expr{g, r})
	for _, x := range []terminal.Expr{
		gap,                                   // nothing behind it
		st.Concat(gap, st.Optional(lit("a"))), // perhaps nothing
		st.Concat(gap, st.Or(lit("\n"), lit("a"))),  // whitespace behind it
		st.Concat(st.Or(lit(" "), lit("a")), rest),  // other bytes in it
		st.Concat(st.Or(lit(" "), lit("\n")), rest), // a byte that has to come
	} {
		_, _, ok := relax.Gap(st, x, 100)
		require.False(t, ok)
	}
}
