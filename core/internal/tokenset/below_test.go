package tokenset

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// TestBelowClassEqualsFollowing compares the classes below nodes with following each of their tokens: tokens inside, and
// the number of places at which a token leaves the terminal.
func TestBelowClassEqualsFollowing(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	tokens := denseVocabulary(r, 8000)
	for _, b := range tokens[:4000] {
		tokens = append(tokens, append([]byte("a "), b...))
	}
	st := terminal.NewStore()
	e := New(NewTokens(Config{Bytes: tokens, Words: (len(tokens) + 31) / 32}), st)
	set := func(s string) terminal.Expr { return st.Bytes(terminal.BytesOf(s)) }
	terminals := []terminal.Expr{
		st.Star(set("abx1 ")), st.Concat(st.Plus(set("abx1")), st.Star(set(" \n-"))),
		st.Concat(st.Star(set(" \n")), st.Optional(set("a"))), st.Concat(st.Star(set("ab ")), set("\"{")),
		st.Star(st.AnyRune(terminal.JSONString)), st.Or(st.Plus(set("a-")), st.Concat(st.Plus(set("ab ")), st.Literal("x"))),
	}
	classes, inside, escapes, wide := 0, 0, 0, 0
	trie := e.tokens.Trie
	for node := range trie.Nodes[0].End {
		if from, to := trie.Below(node); node == 0 || to-from < 200 {
			continue
		}
		for _, x := range terminals {
			w := started(e)
			c := e.BelowClass(node, x, w)
			require.Same(t, c, e.BelowClass(node, x, w))
			if c == nil {
				continue
			}
			classes++
			leaves := map[uint32]int{}
			for _, within := range []bool{false, true} {
				found := e.EscapesOf(c, within)
				require.False(t, found.TooMany)
				for i := range found.Tries {
					for _, id := range found.Tries[i].Order {
						leaves[id]++
					}
				}
				for _, end := range found.Wide {
					from, to := trie.Below(end.Node)
					for _, id := range trie.Order[from:to] {
						leaves[id]++
					}
					wide++
				}
			}
			from, to := trie.Below(node)
			for rank := from; rank < to; rank++ {
				id, y, ends := trie.Order[rank], x, 0
				text := tokens[id][trie.Nodes[node].Depth:]
				for i, b := range text {
					if i > 0 && st.View().Nullable(y) {
						ends++
					}
					y = st.Delta(y, b)
				}
				require.Equal(t, y != terminal.Empty, c.ranks.has(rank), "%q", tokens[id])
				if y != terminal.Empty {
					inside++
					continue // tokens inside may be below a wide end
				}
				require.Equal(t, ends, leaves[id], "%q", tokens[id])
				escapes += ends
			}
		}
	}
	require.Greater(t, classes, 20)
	require.Greater(t, inside, 5_000)
	require.Greater(t, escapes, 10_000)
	require.Positive(t, wide)
}
