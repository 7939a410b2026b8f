package tokenset

import (
	"bytes"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Where each further letter leads to another state, the walk gives up after a few of them, though a hundred bytes that no
// token may begin with lead from both states to the same dead end.
func TestBoundedDifferenceGivesUpSoon(t *testing.T) {
	st := terminal.NewStore()
	letter := st.Bytes(terminal.BytesOf("abcdefghijklmnopqrstuvwxyz"))
	var xs []terminal.Expr
	for i := range uint32(60) {
		xs = append(xs, st.Concat(st.Repeat(letter, i+1, i+31), st.Literal(strconv.Itoa(int(i+1)))))
	}
	x := st.Delta(st.Or(xs...), 'a')
	tokens := make([][]byte, 256)
	for b := range tokens {
		tokens[b] = []byte{byte(b)}
	}
	tokens = append(tokens, bytes.Repeat([]byte("a"), 100))
	e := New(NewTokens(Config{Bytes: tokens, Words: 9}), st)
	shape, _, ok := e.heads.Generalise(st, x)
	require.True(t, ok)
	w := started(e)
	require.False(t, e.walkDifference(x, shape, true, w))
	require.False(t, w.Over)
	require.LessOrEqual(t, w.terms.n, 2*32)
}
