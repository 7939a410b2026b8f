package mask

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// countedTerminals are bodies of every kind, each before a quote or at the end of the text, with and without a minimum.
func countedTerminals(st *terminal.Store, enc terminal.Encoding) []terminal.Expr {
	anyText := st.Star(st.AnyRune(enc))
	ab := st.Runes([]rune{'a', 'b', 'x', 'x', 'é', 'é'}, enc)
	text := func(s string) terminal.Expr { return st.Text(s, enc) }
	words := st.Concat(st.Star(st.Concat(st.Plus(ab), text(" "))), st.Plus(ab))
	letters := st.Runes([]rune{'a', 'z', '0', '9', 'é', 'é'}, enc)
	dashes := st.Or(letters, text("-"))
	label := func(n uint32) terminal.Expr {
		return st.Concat(letters, st.Optional(st.Concat(st.Repeat(dashes, 0, n), letters)))
	}
	host := st.Concat(label(61), st.Star(st.Concat(text("."), label(40))))
	bodies := []terminal.Expr{
		host,
		st.Concat(st.Repeat(dashes, 1, 63), text("@"), host, text(".com")),
		st.Concat(label(18), text("@xyz")),
		st.Concat(st.Repeat(dashes, 0, 30), st.Repeat(letters, 20, 20)),
		st.Concat(st.Repeat(letters, 0, 40), st.Star(st.Concat(text("--"), st.Repeat(letters, 0, 17)))),
		anyText,
		st.Star(ab),
		words,
		st.Star(st.Concat(ab, ab)),
		st.Star(st.Concat(ab, ab, ab, text("-"))),
		st.Concat(st.Star(ab), text("1"), st.Star(st.Concat(ab, ab))),
		st.Concat(anyText, text("ab"), anyText),
		st.Concat(anyText, text("😀"), st.Star(ab), text("\n"), anyText),
		st.And(anyText, st.Not(st.Concat(anyText, text("ab"), anyText))),
		st.Concat(st.Repeat(st.Concat(st.Plus(ab), st.Plus(text(" "))), 0, 60), st.Plus(ab)),
		st.Concat(st.Repeat(ab, 2, 40), text("-"), st.Repeat(st.Or(ab, text("{")), 0, 7), anyText),
		st.Or(st.Concat(text("a"), anyText), st.Concat(text("b"), st.Star(text("aa")))),
	}
	var out []terminal.Expr
	for _, body := range bodies {
		for _, low := range []uint32{0, 1} {
			x := st.Counted(body, enc, low, 1000)
			out = append(out, st.Concat(x, st.Literal(`"`)), st.Concat(x, st.Literal("\"x")), st.Concat(x, st.Literal(`"`), st.Star(st.AnyRune(enc))), x)
		}
	}
	return out
}

func sameClass(t *testing.T, want, got *class) {
	t.Helper()
	require.Equal(t, want.groups, got.groups)
	require.Equal(t, want.irregular, got.irregular)
	require.Equal(t, want.exits, got.exits)
	require.Equal(t, want.ends, got.ends)
	require.Equal(t, want.left, got.left)
}

// TestCountedWalkEqualsAnyWalk compares the walk with numbered states with the one without, from states that random texts
// lead to.
func TestCountedWalkEqualsAnyWalk(t *testing.T) {
	r := rand.New(rand.NewSource(9))
	tokens := vocabulary(r, 5000)
	walks, refused := 0, 0
	for _, enc := range []terminal.Encoding{terminal.UTF8, terminal.JSONString} {
		st := terminal.NewStore()
		e := NewEngine(NewTokens(Config{Bytes: tokens, Words: (len(tokens) + 31) / 32}), st)
		w := e.take()
		for _, x := range countedTerminals(st, enc) {
			for range 6 {
				y, c := x, terminal.Counter(0)
				for range r.Intn(12) {
					z, d := st.Step(y, c, []byte("aabbx 1-\\n\xc3\xa9u00")[r.Intn(15)])
					if _, _, counting := st.Counting(z); counting {
						y, c = z, d
					}
				}
				if _, _, counting := st.Counting(y); !counting || !c.Between() {
					continue
				}
				w.start(1 << 40)
				want, got := &class{found: found{counted: true, left: 77}}, &class{found: found{counted: true, left: 77}}
				require.True(t, e.walkAny(y, nil, w, -1, want))
				visited := w.visited
				whole, ok := e.walkCounted(y, w, got, plainLimit)
				require.True(t, whole && ok)
				sameClass(t, want, got)
				require.Positive(t, w.visited-visited)
				walks++

				got = &class{found: found{counted: true, left: 77}}
				if _, ok = e.walkCounted(y, w, got, 8); !ok {
					sameClass(t, &class{found: found{left: 77}}, got)
					refused++
				}
			}
		}
	}
	require.Greater(t, walks, 300)
	require.Greater(t, refused, 30)
}

// TestCountedTextIsFollowedByItsOwnCharacters compares masks with trying every token where a token may reach the end of a
// counted body anywhere, and go on with what comes after it.
func TestCountedTextIsFollowedByItsOwnCharacters(t *testing.T) {
	r := rand.New(rand.NewSource(11))
	tokens := vocabulary(r, 3000)
	for range 800 {
		b := make([]byte, 1+r.Intn(9))
		for i := range b {
			b[i] = "zab"[r.Intn(3)]
		}
		tokens = append(tokens, b)
	}
	st := terminal.NewStore()
	e := NewEngine(NewTokens(Config{Bytes: tokens, Words: (len(tokens) + 31) / 32}), st)
	set := st.Runes([]rune{'a', 'z', '0', '9', '-', '-', ' ', ' '}, terminal.UTF8)
	for _, low := range []uint32{0, 3} {
		g := grammar.New()
		g.Start = g.NewRule("text")
		g.Add(g.Start, grammar.T(st.Concat(st.Literal("<"), st.Counted(st.Star(set), terminal.UTF8, low, 6))), grammar.T(st.Literal("zz!")))
		p, err := pushdown.NewProgram(st, g)
		require.NoError(t, err)
		m := NewMasks(e, pushdown.NewAutomaton(p), false)
		row := make([]uint32, e.tokens.words)
		for s := m.a.StepBytes(m.a.Start(), []byte("<")); s > pushdown.Over; s = m.a.StepBytes(s, []byte("b")) {
			m.Fill(s, row, nil)
			for id, b := range tokens {
				require.Equal(t, m.a.StepBytes(s, b) > pushdown.Over, row[id>>5]>>(id&31)&1 == 1, "%q", b)
			}
		}
	}
}
