package relax_test

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
)

// Lemma 170: a state goes on with any text of at most as many rounds as it has left.
func TestStatesGoOnForTheirRounds(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	found, bounded := 0, 0
	for range 400 {
		st := terminal.NewStore()
		letter := func() terminal.Expr {
			return st.Runes([][]rune{{'a', 'z'}, {'a', 'b'}, {'0', '9', 'a', 'c'}}[r.Intn(3)], terminal.JSONString)
		}
		part := func() terminal.Expr {
			x := st.Repeat(letter(), uint32(r.Intn(3)), uint32(3+r.Intn(6)))
			if r.Intn(2) == 0 {
				x = st.Or(terminal.Epsilon, st.Concat(x, letter()))
			}
			return x
		}
		e := st.Concat(part(), st.Text([]string{"-", "@a", "b"}[r.Intn(3)], terminal.JSONString), part(), part())
		if r.Intn(2) == 0 {
			e = st.Or(e, st.Concat(part(), st.Literal("!")))
		}
		for range r.Intn(5) {
			if next := st.Delta(e, "abcab-@"[r.Intn(7)]); next != terminal.Empty {
				e = next
			}
		}
		body, most, ok := relax.Rounds(st, e)
		if !ok {
			continue
		}
		found++
		each := st.Loop(st.Star(body)).ASCII
		for range 30 {
			x, n := e, uint32(0)
			for ; n < most; n++ {
				b := byte('a' + r.Intn(26))
				if each[b>>6]>>(b&63)&1 == 0 {
					break
				}
				x = st.Delta(x, b)
				require.NotEqual(t, terminal.Empty, x, "%d of %d", n, most)
			}
			if n == most {
				bounded++
			}
		}
	}
	require.Greater(t, found, 200)
	require.Greater(t, bounded, 200)
}
