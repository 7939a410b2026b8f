package ebnf

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// FuzzEBNF checks that no text makes the reader or the lowering panic, that errors have a place, and that printing a
// grammar and reading it again gives the same grammar.
func FuzzEBNF(f *testing.F) {
	for _, c := range cases {
		f.Add(c.text)
	}
	f.Add(`root ::= Token(1, "<think>") | !<[3]> | Regex("a+", flags="i")`)
	f.Add("root[lazy] ::= (= \"a\") TagDispatch((\"a\", b))")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<12 {
			return
		}
		tree, err := Parse(text, options())
		if err != nil {
			var e *diag.Error
			require.True(t, errors.As(err, &e))
			require.Positive(t, e.Place.Line)
			require.NotEmpty(t, e.Error())
			return
		}
		text = printed(t, tree)
		again, err := Parse(text, options())
		require.NoError(t, err, "%s", text)
		require.Equal(t, text, printed(t, again))
		if _, err := tree.Lower(terminal.NewStore(), grammar.New()); err != nil {
			var e *diag.Error
			require.True(t, errors.As(err, &e))
		}
	})
}
