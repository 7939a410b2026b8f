package mask

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// TestWalksAgreeWhereSomeCodePointsLoop compares the tokens inside terminals that leave out some characters, of a vocabulary
// with many others, with what trying each token says, and the walks with each other.
func TestWalksAgreeWhereSomeCodePointsLoop(t *testing.T) {
	r := rand.New(rand.NewSource(10))
	pieces := []string{"a", "b", "c", " ", "é", "ß", "日", "本", "…", "\u2028", "\u2029", "\u00a0", "\u3000", "😀", "\U0010ffff", "\xe6", "\xe2\x80", "\xf0\x9f", "\x97", "\xa8", `"`, `\n`}
	var tokens [][]byte
	for range 8000 {
		var b []byte
		for range 1 + r.Intn(6) {
			b = append(b, pieces[r.Intn(len(pieces))]...)
		}
		tokens = append(tokens, b)
	}
	st := terminal.NewStore()
	e := NewEngine(NewTokens(Config{Bytes: tokens, Words: (len(tokens) + 31) / 32}), st)
	w := e.take()
	last := rune(0x10FFFF)
	for _, ranges := range [][]rune{
		{0, last},
		{0, 9, 11, 12, 14, 0x2027, 0x202A, last},
		{'!', 0x9F, 0xA1, 0x1FFF, 0x2030, 0x2FFF, 0x3001, last},
		{0, last - 1},
		{0, 0xFFFF},
		{'a', 'z', 0xC0, 0xFF, 0x4E00, 0x9FFF},
	} {
		for _, enc := range []terminal.Encoding{terminal.UTF8, terminal.JSONString} {
			body := st.Star(st.Runes(ranges, enc))
			for _, x := range []terminal.Expr{st.Concat(body, st.Literal(`"`)), st.Concat(body, st.Text("日", enc), body)} {
				w.start(1 << 40)
				c := &class{}
				require.True(t, e.walkClass(x, nil, w, -1, c))
				for rank, id := range e.tokens.Trie.Order {
					s := x
					for _, b := range tokens[id] {
						s = st.Delta(s, b)
					}
					require.Equal(t, s != terminal.Empty, w.ranges.has(uint32(rank)), "%q", tokens[id])
				}
			}
			x := st.Counted(body, enc, 0, 30)
			want, got := &class{counted: true}, &class{counted: true}
			require.True(t, e.walkAny(x, nil, w, -1, want))
			whole, ok := e.walkCounted(x, w, got, plainLimit)
			require.True(t, whole && ok)
			sameClass(t, want, got)
			found := len(got.irregular)
			for _, g := range got.groups {
				found += g.ranks.count()
			}
			inside := 0
			for _, token := range tokens {
				s := x
				for _, b := range token {
					s = st.Delta(s, b)
				}
				if _, _, counting := st.Counting(s); counting {
					inside++
				}
			}
			require.Equal(t, inside, found)
		}
	}
}
