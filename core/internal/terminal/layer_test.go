package terminal_test

import (
	"fmt"
	"math/rand"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
	"github.com/sluice-engine/sluice/core/internal/terminal/inspect"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
)

// layered returns a sealed store, with an expression that was asked much, and two stores over it.
func layered() (below *terminal.Store, known terminal.Expr, a, b *terminal.Store) {
	below = terminal.NewStore()
	known = below.Concat(below.Star(below.AnyRune(terminal.JSONString)), below.Literal(`"`))
	counters.Match(below, known, []byte(`ab\u00e9c"`))
	below.Seal()
	return below, known, terminal.NewStoreOver(below, limits.DefaultBudgets()), terminal.NewStoreOver(below,
		limits.DefaultBudgets())
}

// A store over another one has the same expressions, and adds nothing to it.
func TestStoreOverAnother(t *testing.T) {
	below, known, a, b := layered()
	before := below.Size().Expressions
	for _, s := range []*terminal.Store{a, b} {
		require.Equal(t, known, s.Concat(s.Star(s.AnyRune(terminal.JSONString)), s.Literal(`"`)))
		require.Zero(t, s.Made(), "nothing of it is new")
		own := s.And(known, s.Not(s.Text(`ab"`, terminal.UTF8)))
		require.True(t, counters.Match(s, own, []byte(`abc"`)))
		require.False(t, counters.Match(s, own, []byte(`ab"`)))
		require.Positive(t, s.Made())
		require.Same(t, inside(below).Store, inside(s).Below)
	}
	require.Equal(t, before, below.Size().Expressions)
}

// A store that has grown beyond its first index still finds the expressions of the one below.
func TestStoreOverAnotherGrows(t *testing.T) {
	_, known, a, _ := layered()
	for i := range 2000 {
		a.Text(strconv.Itoa(i), terminal.UTF8)
		if i%100 == 0 {
			made := a.Made()
			require.Equal(t, known, a.Concat(a.Star(a.AnyRune(terminal.JSONString)), a.Literal(`"`)), "after %d", i)
			require.Equal(t, made, a.Made(), "nothing of it is new")
		}
	}
}

// Random expressions mean the same, have the same digest and the same weight in another store, and are the same again
// when they are carried back.
func TestTranslation(t *testing.T) {
	r := rand.New(rand.NewSource(31))
	_, _, a, b := layered()
	there, back := terminal.NewTranslation(a, b), terminal.NewTranslation(b, a)
	for range 300 {
		x := plain(a, randomBoolean(r, a, 3))
		y := there.Expr(x)
		require.Equal(t, x, back.Expr(y))
		require.Equal(t, prices.Weight(a, x), prices.Weight(b, y))
		dx, okx := a.Digest(x)
		dy, oky := b.Digest(y)
		require.True(t, okx && oky)
		require.Equal(t, dx, dy)
		texts("ab-", 3, func(text string) {
			require.Equal(t, counters.Match(a, x, []byte(text)), counters.Match(b, y, []byte(text)), "%q",
				text)
		})
	}
}

// Two expressions have one digest only if they are one expression.
func TestDigestsDiffer(t *testing.T) {
	r := rand.New(rand.NewSource(32))
	s := terminal.NewStore()
	found := map[terminal.Digest]terminal.Expr{}
	for range 2000 {
		x := plain(s, randomBoolean(r, s, 3))
		d, ok := s.Digest(x)
		require.True(t, ok)
		if y, known := found[d]; known {
			require.Equal(t, y, x)
		}
		found[d] = x
	}
	require.Greater(t, len(found), 500)
	// A killing pattern does not read like a pattern that does not kill and the beginning of the next one.
	kills, _ := s.Digest(s.Scan([]terminal.ScanPattern{
		{Text: "A", Tag: 1, Kill: true}, {Text: "\x00\x01\x00\x00\x00B", Tag: 2},
	}, false))
	tags, _ := s.Digest(s.Scan([]terminal.ScanPattern{{Text: "A", Tag: 1}, {Text: "\x06"}, {Text: "B", Tag: 2}}, false))
	require.NotEqual(t, kills, tags)
	for n, has := range map[int]bool{60_000: true, 70_000: false} {
		_, ok := s.Digest(s.Concat(s.Bytes(set("x")), s.Literal(strings.Repeat("a", n))))
		require.Equal(t, has, ok, "a text of %d bytes is read to its end by every mask within it", n)
	}
}

// The order of members does not depend on which of them was made first.
func TestOrderIsThatOfContent(t *testing.T) {
	r := rand.New(rand.NewSource(33))
	one, other := terminal.NewStore(), terminal.NewStore()
	for range 200 {
		words := []string{"ab", "ba", "aab", "-", "b-a", "bb"}
		r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		x := one.Or(one.Star(one.Literal(words[0])), one.Repeat(one.Literal(words[1]), 2, 9),
			one.Not(one.Literal(words[2])))
		c, b, a := other.Not(other.Literal(words[2])), other.Repeat(other.Literal(words[1]), 2,
			9), other.Star(other.Literal(words[0]))
		y := other.Or(a, b, c)
		var dx, dy []terminal.Digest
		for _, z := range inspect.Of(one, x).Args {
			d, _ := one.Digest(z)
			dx = append(dx, d)
		}
		for _, z := range inspect.Of(other, y).Args {
			d, _ := other.Digest(z)
			dy = append(dy, d)
		}
		require.Equal(t, dx, dy)
	}
}

// No store contains an expression of the store below.
func TestNothingIsThereTwice(t *testing.T) {
	r := rand.New(rand.NewSource(34))
	below := terminal.NewStore()
	words := []string{"name", "a", "é", "b-a"}
	build := func(s *terminal.Store) {
		x := randomBoolean(r, s, 3)
		s.Concat(s.Text(words[r.Intn(len(words))], terminal.JSONString), x, s.Tag(uint32(r.Intn(3))))
		body := s.Star(s.Runes([]rune{'a', rune('a' + r.Intn(26))}, terminal.UTF8))
		s.Counted(body, terminal.UTF8, uint32(r.Intn(2)), uint32(2+r.Intn(30)))
		e := s.Keys(words[r.Intn(len(words)):], terminal.JSONString, s.Literal(`"`))
		for _, b := range []byte("name") {
			e = s.Delta(e, b)
		}
	}
	for range 50 {
		build(below)
	}
	below.Seal()
	s := terminal.NewStoreOver(below, *below.Budgets())
	for range 200 {
		words[r.Intn(len(words))] = strconv.Itoa(r.Intn(50))
		build(s)
	}
	type content struct {
		k       expr.Kind
		a, b, c uint32
		list    string
	}
	found := map[content]terminal.Expr{}
	for e := terminal.Expr(0); e < terminal.Expr(inside(s).Nodes.Len()); e++ {
		n := inside(s).Node(e)
		x := content{n.Kind, n.A, n.B, n.C, fmt.Sprint(inside(s).List(n))}
		if first, ok := found[x]; ok {
			require.Equal(t, first, e)
		}
		found[x] = e
	}
	require.Greater(t, s.Made(), 200)
}
