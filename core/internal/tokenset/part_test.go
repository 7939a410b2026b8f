package tokenset

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

// leaves is a token of a trie, by its rank, and how many bytes of it come before what leaves a terminal.
type leaves struct {
	rank uint32
	left int
}

// TestPartClassEqualsFollowing compares the classes of parts with following each of their tokens.
func TestPartClassEqualsFollowing(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	st := terminal.NewStore()
	tokens := denseVocabulary(r, 8000)
	for _, b := range tokens[:4000] {
		tokens = append(tokens, append([]byte("a "), b...)) // as many as vocabularies have after a blank
	}
	e := New(NewTokens(Config{Bytes: tokens, Words: len(tokens)/32 + 1}), st)
	w := e.Take()
	set := func(s string) terminal.Expr {
		var b terminal.ByteSet
		for _, c := range []byte(s) {
			b.Add(c)
		}
		return st.Bytes(b)
	}
	terminals := []terminal.Expr{
		st.Star(set("ab")), st.Concat(set("ab"), st.Star(set("abx1")), st.Star(set(" \n-"))),
		st.Concat(st.Star(set(" \n")), st.Optional(set("a"))), st.Literal("ab"),
		st.Star(st.AnyRune(terminal.JSONString)),
		st.Or(st.Plus(set("a-")), st.Concat(st.Plus(set("ab ")), st.Literal("x"))),
	}
	for _, most := range []string{"abx1", "abx1-", "bx1 \n-", "ab 1\n", "ax \n-", "abx \n"} { // of which much is inside
		terminals = append(terminals, st.Star(set(most)), st.Concat(st.Star(set(most)), st.Optional(set("a-"))))
	}
	parts, wide, many := 0, 0, 0
	type part struct {
		t      *EscapeTrie
		i, end uint32
	}
	var worklist []part
	whole := e.tokens.Whole
	for i := uint32(0); i < whole.Nodes[0].End; i++ {
		if whole.Nodes[i].End-i > partNodes {
			worklist = append(worklist, part{whole, i + 1, whole.Nodes[i].End})
		}
	}
	for k := 0; k < len(worklist) && k < 400; k++ {
		p := worklist[k]
		for _, x := range terminals {
			w.Start(1 << 40)
			c := e.PartClass(p.t, p.i, p.end, x, w)
			require.False(t, w.Over)
			if c == nil {
				continue
			}
			parts++
			inside, out := followPart(e, p.t, p.i, p.end, x)
			for n := 0; n < len(c.ranks); n += 2 {
				for rank := c.ranks[n]; rank < c.ranks[n+1]; rank++ {
					require.True(t, inside[rank])
					delete(inside, rank)
				}
			}
			require.Empty(t, inside, "tokens inside that the class lacks")
			for _, within := range []bool{false, true} {
				found := e.EscapesOf(c, within)
				if found.TooMany { // such a part is walked
					out = nil
					many++
					break
				}
				wide += len(found.Wide)
				for n := range found.Tries {
					y := &found.Tries[n]
					for rank, from := range y.Order {
						l := leaves{from, int(y.left[rank])}
						require.True(t, out[l])
						require.Equal(t, e.textOf(p.t, from)[l.left:], e.textOf(y, uint32(rank)))
						delete(out, l)
					}
					if end := y.Nodes[0].End; end > partNodes && len(worklist) < 400 {
						worklist = append(worklist, part{y, 1, end})
					}
				}
				for _, end := range found.Wide {
					from, to := p.t.Below(end.Node)
					for rank := from; rank < to; rank++ {
						delete(out, leaves{rank, int(p.t.Nodes[end.Node].Depth)})
					}
				}
			}
			require.Empty(t, out, "escapes that the class lacks")
		}
	}
	require.Greater(t, parts, 100)
	require.Positive(t, wide)
	require.Less(t, many, parts/4)
	require.NotSame(t, whole, worklist[len(worklist)-1].t)
}

// followPart follows the tokens of a part with terminal x, and returns those inside and those that leave it.
func followPart(e *Sets, t *EscapeTrie, i, end uint32, x terminal.Expr) (in map[uint32]bool, out map[leaves]bool) {
	in, out = map[uint32]bool{}, map[leaves]bool{}
	above := int(t.Nodes[i].Depth) - 1
	for rank := t.Nodes[i].Token; rank < t.Nodes[end].Token; rank++ {
		text, y := e.textOf(t, rank), x
		var ends []leaves
		for at := above; ; at++ {
			if at == len(text) {
				in[rank] = true
				break
			}
			if at > above && counters.Accepts(e.store, y, 0) {
				ends = append(ends, leaves{rank, at})
			}
			if y, _ = counters.Step(e.store, y, 0, text[at]); y == terminal.Empty {
				for _, l := range ends {
					out[l] = true
				}
				break
			}
		}
	}
	return in, out
}

// What follows two letters has no class for two more, which nearly all texts leave, but has one for any letters.
func TestPartsThatHardlyAnythingIsInside(t *testing.T) {
	st := terminal.NewStore()
	letters := "abcdefghijklmnopqrstuvwxyz"
	tokens, r := make([][]byte, 8000), rand.New(rand.NewSource(3))
	for i := range tokens {
		for range 6 + r.Intn(3) {
			tokens[i] = append(tokens[i], letters[r.Intn(len(letters))])
		}
	}
	e := New(NewTokens(Config{Bytes: tokens, Words: len(tokens) / 32}), st)
	w := started(e)
	letter := st.Bytes(terminal.BytesOf(letters))
	two, whole := st.Concat(letter, letter), e.tokens.Whole
	first := e.PartClass(whole, 1, whole.Nodes[0].End, two, w)
	require.NotNil(t, first, "the part of the vocabulary follows no ending")
	tries := e.EscapesOf(first, false).Tries
	require.Len(t, tries, 1)
	end := tries[0].Nodes[0].End
	require.Greater(t, end, uint32(partNodes))
	require.True(t, e.PartClass(&tries[0], 1, end, two, w) == nil)
	require.NotNil(t, e.PartClass(&tries[0], 1, end, st.Plus(letter), w))
}
