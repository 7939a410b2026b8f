package tokenset

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
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
	excluded := st.Not(st.Concat(anyText, text("a--"), anyText))
	anyLabel := st.Concat(st.Repeat(st.Or(dashes, text(" ")), 1, 63), text("."))
	labels := st.Concat(st.Repeat(anyLabel, 1, 127), st.Plus(dashes))
	bodies := []terminal.Expr{
		st.And(anyText, labels, excluded),
		st.And(st.Concat(st.Repeat(dashes, 0, 50), text("xa"), st.Repeat(dashes, 0, 40)), excluded),
		st.And(st.Repeat(dashes, 0, 50), st.Concat(st.Repeat(dashes, 9, 9), anyText)),
		st.Concat(st.Repeat(dashes, 0, 40), st.Repeat(letters, 9, 9)),
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
		st.Concat(st.Repeat(dashes, 0, 50), text("@mail."), host),
		st.And(st.Concat(anyLabel, st.Repeat(anyLabel, 0, 60), text("aab.aab.aab")), excluded),
	}
	var out []terminal.Expr
	for _, body := range bodies {
		for _, low := range []uint32{0, 1} {
			x := st.Counted(body, enc, low, 1000)
			for _, e := range []terminal.Expr{
				st.Concat(x, st.Literal(`"`)), st.Concat(x, st.Literal("\"x")),
				st.Concat(x, st.Literal(`"`), st.Star(st.AnyRune(enc))), x,
			} {
				if st.Explore(e) { // others are refused when they are compiled
					out = append(out, e)
				}
			}
		}
	}
	return out
}

func sameClass(t *testing.T, want, got *Class) {
	t.Helper()
	require.Equal(t, want.groups, got.groups)
	require.Equal(t, want.Irregular, got.Irregular)
	require.Equal(t, want.Exits, got.Exits)
	require.Equal(t, want.Ends, got.Ends)
}

// sameTokens is sameClass for classes of which got may have taken more subtrees as a whole, which hold no escapes.
func sameTokens(t *testing.T, e *Sets, want, got *Class) {
	t.Helper()
	byNeed := func(c *Class) map[int]ranges {
		sorted := map[int]ranges{}
		for _, g := range c.groups {
			sorted[g.beyond] = append(ranges(nil), g.ranks...)
			r := sorted[g.beyond]
			r.Normalise()
			sorted[g.beyond] = r
			c.ranks = append(c.ranks, r...)
		}
		c.ranks.Normalise()
		return sorted
	}
	require.Equal(t, byNeed(want), byNeed(got))
	require.Equal(t, want.Irregular, got.Irregular)
	require.Equal(t, want.Exits, got.Exits)
	for _, within := range []bool{false, true} {
		if x, y := e.findEscapes(want, within), e.findEscapes(got, within); !y.TooMany {
			require.Equal(t, x.Tries, y.Tries)
		}
	}
}

// followAll finds the class of counted terminal x from the state at each node of the trie, without any short cut. It
// returns false if something is too hard to know.
func followAll(e *Sets, x terminal.Expr) (*Class, bool) {
	type at struct {
		expr        terminal.Expr
		counter     counters.Counter
		need, runes uint32
	}
	c := newCounted()
	w := started(e)
	v := countedVisit{classVisit{e, w, e.tokens.Trie, c, 1}}
	nodes, path := e.tokens.Trie.Nodes, []at{{expr: x}}
	for i := uint32(1); i < nodes[0].End; {
		n := &nodes[i]
		path = path[:n.Depth]
		next := path[n.Depth-1]
		inside := false
		next.expr, next.counter, inside = counters.StepFree(e.store, next.expr, next.counter, n.Byte)
		regular := false
		switch {
		case next.expr == terminal.TooHard:
			return nil, false
		case next.expr == terminal.Empty:
			i = n.End
			continue
		case inside:
			short := counters.Least(e.store, next.expr, next.counter)
			if !short.Known {
				return nil, false
			}
			if short.N == terminal.Unbounded {
				i = n.End
				continue
			}
			next.need = max(next.need, short.N+next.counter.Count())
			regular = short.Regular || low(e.store, x) == 0
		}
		if n.Byte&0xC0 != 0x80 {
			next.runes++
		}
		if regular {
			c.group(int(next.need)-int(next.runes)).Add(n.Token, nodes[i+1].Token)
		} else {
			v.single(i, &Facts{Expr: next.expr, counter: next.counter, inside: inside}, next.counter.Count())
		}
		if counters.Complete(e.store, next.expr) && (!inside || next.counter.Between()) && n.End > i+1 {
			v.addEnds(i, w.FrameOf(next.expr, 0).Facts, next.counter.Count())
		}
		path = append(path, next)
		i++
	}
	return c, true
}

func newCounted() *Class { return &Class{found: found{Counted: true}} }

// longTokens are runs of what labels are made of, some with something else at the end or at the beginning.
func longTokens(r *rand.Rand, n int) (tokens [][]byte) {
	for range n {
		run := strings.Repeat([]string{"a", "-", "ab", "a-", ".", "é", "x.", "a "}[r.Intn(8)], 10+r.Intn(60))
		tokens = append(tokens, []byte(run+[]string{"", "a", ".", "-", "\"", "@xyz", ".com\"", "aab."}[r.Intn(8)]))
	}
	for b := byte('c'); b <= 'z'; b++ { // whose subtrees hold nothing else
		tokens = append(tokens, []byte(string(b)+strings.Repeat("a", 20+2*int(b-'a'))))
	}
	return tokens
}

// TestCountedWalkEqualsFollowing compares the class of a counted terminal with what following every token says, from
// states that random texts lead to.
func TestCountedWalkEqualsFollowing(t *testing.T) {
	r := rand.New(rand.NewSource(9))
	tokens := append(denseVocabulary(r, 3000), longTokens(r, 100)...)
	walks, beyond := 0, 0
	for _, enc := range []terminal.Encoding{terminal.UTF8, terminal.JSONString, terminal.JSONString | terminal.ASCII} {
		st := terminal.NewStore()
		e := New(NewTokens(Config{Bytes: tokens, Words: (len(tokens) + 31) / 32}), st)
		w := e.Take()
		walk := func(x terminal.Expr) *Class {
			w.Start(1 << 40)
			c := newCounted()
			e.walkClass(x, nil, w, c)
			return c
		}
		for _, x := range countedTerminals(st, enc) {
			for range 2 {
				y, c := x, counters.Counter(0)
				for range r.Intn(12) {
					z, d := counters.Step(st, y, c, []byte("aabbx 1-\\n\xc3\xa9u00")[r.Intn(15)])
					if _, _, counting := counters.Bounds(st, z); counting {
						y, c = z, d
					}
				}
				if _, _, counting := counters.Bounds(st, y); !counting || !c.Between() {
					continue
				}
				want, known := followAll(e, y)
				got := walk(y)
				if !known || w.Over {
					require.True(t, w.Over || !known)
					beyond++ // a transition is beyond the budget of an expression: there is no class
					continue
				}
				sameTokens(t, e, want, got)
				require.Positive(t, w.Visited)
				walks++
			}
		}
	}
	require.Greater(t, walks, 300)
	require.Less(t, beyond, walks/20)
}

func low(st *terminal.Store, x terminal.Expr) uint32 {
	low, _, _ := counters.Bounds(st, x)
	return low
}
