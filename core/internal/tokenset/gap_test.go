package tokenset

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// The runs of a gap are the tokens that it accepts, and the places in tokens at which it may end.
func TestRuns(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	tokens := denseVocabulary(r, 400)
	for range 2000 {
		var b strings.Builder
		for range 1 + r.Intn(5) {
			b.WriteString([]string{" ", "\n", "\r\n", "\t", "  ", "\r"}[r.Intn(6)])
		}
		tokens = append(tokens, []byte(b.String()), []byte(b.String()+"a"))
	}
	tk := NewTokens(Config{Bytes: tokens, Words: (len(tokens) + 31) / 32})
	e := New(tk, terminal.NewStore())
	st := e.store
	end := st.Concat(st.Optional(st.Literal("\r")), st.Literal("\n"))
	gap := st.Or(terminal.Epsilon, st.Literal(" "), st.Concat(st.Or(end, st.Concat(end, end)),
		st.Or(st.Repeat(st.Literal(" "), 0, 3), st.Star(st.Literal("\t")))))
	inside, behind := 0, 0
	for _, before := range []string{"", " ", "\n", "\n\n"} {
		g := gap
		for _, b := range []byte(before) {
			g = st.Delta(g, b)
		}
		runs := e.RunsOf(g)
		require.Same(t, runs, e.RunsOf(g))
		ends := 0
		for _, i := range runs.After['a'] {
			from, to := tk.Trie.Tokens(i)
			ends += int(to - from)
		}
		want := 0
		for id, text := range tokens {
			x, n := g, 0
			for n < len(text) && x != terminal.Empty && strings.IndexByte(" \t\r\n", text[n]) >= 0 {
				x = st.Delta(x, text[n])
				n++
			}
			let := n == len(text) && x != terminal.Empty
			require.Equal(t, let, runs.Tokens[id>>5]>>(id&31)&1 == 1, "%q after %q", text, before)
			if let {
				inside++
			}
			if n > 0 && n+1 == len(text) && text[n] == 'a' && st.View().Nullable(x) {
				want++
			}
		}
		require.Equal(t, want, ends, "after %q", before)
		behind += ends
	}
	require.Greater(t, inside, 100)
	require.Greater(t, behind, 100)
}
