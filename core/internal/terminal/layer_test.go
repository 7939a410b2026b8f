package terminal

import (
	"fmt"
	"math/rand"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// layered returns a sealed store, with an expression that was asked much, and two stores over it.
func layered() (below *Store, known Expr, a, b *Store) {
	below = NewStore()
	known = below.Concat(below.Star(below.AnyRune(JSONString)), below.Literal(`"`))
	below.Match(known, []byte(`ab\u00e9c"`))
	below.Seal()
	return below, known, NewStoreOver(below, limits.DefaultBudgets()), NewStoreOver(below, limits.DefaultBudgets())
}

// A store over another one has the same expressions, and adds nothing to it.
func TestStoreOverAnother(t *testing.T) {
	below, known, a, b := layered()
	before := below.Len()
	for _, s := range []*Store{a, b} {
		require.Equal(t, known, s.Concat(s.Star(s.AnyRune(JSONString)), s.Literal(`"`)))
		require.Zero(t, s.Made(), "nothing of it is new")
		own := s.And(known, s.Not(s.Text(`ab"`, UTF8)))
		require.True(t, s.Match(own, []byte(`abc"`)))
		require.False(t, s.Match(own, []byte(`ab"`)))
		require.Positive(t, s.Made())
		require.Same(t, &below.x, s.x.Below)
	}
	require.Equal(t, before, below.Len())
}

// A store that has grown beyond its first index still finds the expressions of the one below.
func TestStoreOverAnotherGrows(t *testing.T) {
	_, known, a, _ := layered()
	for i := range 2000 {
		a.Text(strconv.Itoa(i), UTF8)
		if i%100 == 0 {
			made := a.Made()
			require.Equal(t, known, a.Concat(a.Star(a.AnyRune(JSONString)), a.Literal(`"`)), "after %d", i)
			require.Equal(t, made, a.Made(), "nothing of it is new")
		}
	}
}

// Random expressions mean the same, have the same digest and the same weight in another store, and are the same again
// when they are carried back.
func TestTranslation(t *testing.T) {
	r := rand.New(rand.NewSource(31))
	_, _, a, b := layered()
	there, back := NewTranslation(a, b), NewTranslation(b, a)
	for range 300 {
		x := a.plain(randomBoolean(r, a, 3))
		y := there.Expr(x)
		require.Equal(t, x, back.Expr(y))
		require.Equal(t, a.Weight(x), b.Weight(y))
		dx, okx := a.Digest(x)
		dy, oky := b.Digest(y)
		require.True(t, okx && oky)
		require.Equal(t, dx, dy)
		texts("ab-", 3, func(text string) {
			require.Equal(t, a.Match(x, []byte(text)), b.Match(y, []byte(text)), "%q",
				text)
		})
	}
}

// Two expressions have one digest only if they are one expression.
func TestDigestsDiffer(t *testing.T) {
	r := rand.New(rand.NewSource(32))
	s := NewStore()
	found := map[Digest]Expr{}
	for range 2000 {
		x := s.plain(randomBoolean(r, s, 3))
		d, ok := s.Digest(x)
		require.True(t, ok)
		if y, known := found[d]; known {
			require.Equal(t, y, x)
		}
		found[d] = x
	}
	require.Greater(t, len(found), 500)
}

// The order of members does not depend on which of them was made first.
func TestOrderIsThatOfContent(t *testing.T) {
	r := rand.New(rand.NewSource(33))
	one, other := NewStore(), NewStore()
	for range 200 {
		words := []string{"ab", "ba", "aab", "-", "b-a", "bb"}
		r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		x := one.Or(one.Star(one.Literal(words[0])), one.Repeat(one.Literal(words[1]), 2, 9),
			one.Not(one.Literal(words[2])))
		c, b, a := other.Not(other.Literal(words[2])), other.Repeat(other.Literal(words[1]), 2,
			9), other.Star(other.Literal(words[0]))
		y := other.Or(a, b, c)
		var dx, dy []Digest
		for _, z := range one.Inspect(x).Args {
			d, _ := one.Digest(z)
			dx = append(dx, d)
		}
		for _, z := range other.Inspect(y).Args {
			d, _ := other.Digest(z)
			dy = append(dy, d)
		}
		require.Equal(t, dx, dy)
	}
}

// No expression is in a store that the store below has too, whatever its parts are.
func TestNothingIsThereTwice(t *testing.T) {
	r := rand.New(rand.NewSource(34))
	below := NewStore()
	words := []string{"name", "a", "é", "b-a"}
	build := func(s *Store) {
		x := randomBoolean(r, s, 3)
		s.Concat(s.Text(words[r.Intn(len(words))], JSONString), x, s.Tag(uint32(r.Intn(3))))
		body := s.Star(s.Runes([]rune{'a', rune('a' + r.Intn(26))}, UTF8))
		s.Counted(body, UTF8, uint32(r.Intn(2)), uint32(2+r.Intn(30)))
		e := s.Keys(words[r.Intn(len(words)):], JSONString, s.Literal(`"`))
		for _, b := range []byte("name") {
			e = s.Delta(e, b)
		}
	}
	for range 50 {
		build(below)
	}
	below.Seal()
	s := NewStoreOver(below, *below.Budgets())
	for range 200 {
		words[r.Intn(len(words))] = strconv.Itoa(r.Intn(50))
		build(s)
	}
	type content struct {
		k       expr.Kind
		a, b, c uint32
		list    string
	}
	found := map[content]Expr{}
	for e := Expr(0); e < Expr(s.x.Nodes.Len()); e++ {
		n := s.x.Node(e)
		x := content{n.Kind, n.A, n.B, n.C, fmt.Sprint(s.x.List(n))}
		if first, ok := found[x]; ok {
			require.Equal(t, first, e)
		}
		found[x] = e
	}
	require.Greater(t, s.Made(), 200)
}
