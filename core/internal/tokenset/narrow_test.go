package tokenset

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// What a text tells of the state that begins with it is what a walk finds, at no other cost.
func TestNarrowTexts(t *testing.T) {
	var bytes [][]byte
	for i := range 256 {
		bytes = append(bytes, []byte{'k', byte(i)}, []byte{'m', byte(i), 'x'}[:1+i%3])
	}
	bytes = append(bytes, []byte("n"), []byte("na"), []byte("nab"), []byte("naba"))
	tokens := NewTokens(Config{Bytes: bytes, Words: 17})
	known := 0
	for _, text := range []string{"k", "ka", "kab", "m", "mc", "mcx", "mcd", "n", "na", "naba", "nabax", "nax", "z"} {
		for _, tail := range []string{"", "x", "[a-z]*"} {
			st := terminal.NewStore()
			x := st.Literal(text)
			switch tail {
			case "x":
				x = st.Literal(text + "x")
			case "[a-z]*":
				x = st.Concat(x, st.Star(st.Bytes(terminal.BytesOf("abcx"))))
			}
			e := New(tokens, st)
			if !e.isNarrowText(x) {
				continue
			}
			known++
			w := started(e)
			require.Nil(t, e.Class(x, w))
			require.Equal(t, narrowCost, w.Total())
			w = started(e)
			c, ok := e.findClass(x, w)
			require.True(t, ok)
			require.Nil(t, c, "%s%s", text, tail)
			w.narrow(w.Total())
			require.Equal(t, narrowCost, w.Total())
		}
	}
	require.Greater(t, known, 10)
}
