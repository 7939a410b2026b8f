package terminal_test

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// An intersection under one counter has the strings of the intersection with every count written out.
func TestAndCountedIsTheIntersection(t *testing.T) {
	r := rand.New(rand.NewSource(21))
	texts := testkit.Strings("ab1", 6)
	counted, some := 0, 0
	for range 400 {
		s := terminal.NewStore()
		any := s.Star(s.AnyRune(terminal.UTF8))
		class := func() terminal.Expr { return s.Runes([]rune{[]rune("ab1")[r.Intn(3)], 'b'}, terminal.UTF8) }
		var xs []terminal.Expr
		for range 1 + r.Intn(2) {
			low := uint32(r.Intn(4))
			xs = append(xs, s.Counted(s.Star(s.Or(class(), class())), terminal.UTF8, low, low+uint32(r.Intn(4))))
		}
		for range r.Intn(3) {
			x := s.Concat(any, class(), s.Text([]string{"", "a", "b1"}[r.Intn(3)], terminal.UTF8), any)
			if r.Intn(2) == 0 {
				x = s.Not(x)
			}
			xs = append(xs, x)
		}
		low := uint32(r.Intn(3))
		high := low + uint32(r.Intn(6))
		x, ok := s.AndCounted(xs, terminal.UTF8, low, high)
		want := s.And(s.And(xs...), s.Repeat(s.AnyRune(terminal.UTF8), low, high))
		if !ok {
			continue
		}
		counted++
		for _, text := range texts {
			require.Equal(t, counters.Match(s, want, []byte(text)), counters.Match(s, x, []byte(text)), "%q", text)
			if counters.Match(s, x, []byte(text)) {
				some++
			}
		}
	}
	require.Greater(t, counted, 300)
	require.Greater(t, some, 1000)
	s := terminal.NewStore()
	_, ok := s.AndCounted([]terminal.Expr{s.Star(s.Bytes(set("ab"))), s.Not(s.Text("a", terminal.UTF8))}, terminal.UTF8, 0, 9)
	require.False(t, ok, "none is counted")
}

// Up to 99 words with a minimum length keep their counter, although their lengths are hard to find without the minimum,
// because they may be empty. They match the same texts as with the count written out.
func TestCountedWords(t *testing.T) {
	s := terminal.NewStore()
	letter, space := s.Bytes(set("abcdefgh")), s.Bytes(set(" \n"))
	plus := func(x terminal.Expr) terminal.Expr { return s.Concat(x, s.Star(x)) }
	bodies := map[string]terminal.Expr{
		"nothing or words": s.Or(terminal.Epsilon,
			s.Concat(s.Repeat(s.Concat(plus(letter), plus(space)), 0, 99), plus(letter))),
		"ambiguous words": s.Repeat(s.Concat(plus(letter), s.Star(space)), 0, 99),
	}
	texts := testkit.Strings("ab ", 7)
	for name, body := range bodies {
		for _, least := range []uint32{1, 3, 6} {
			x := s.Counted(body, terminal.UTF8, least, 6)
			require.True(t, counters.Inside(s, x), "%s from %d on have a counter", name, least)
			want := s.And(body, s.Repeat(s.AnyRune(terminal.UTF8), least, 6))
			for _, text := range texts {
				require.Equal(t, counters.Match(s, want, []byte(text)), counters.Match(s, x, []byte(text)),
					"%s from %d on: %q", name, least, text)
			}
		}
	}
	x := s.Counted(bodies["nothing or words"], terminal.UTF8, 20, 90)
	require.True(t, counters.Inside(s, x), "a minimum of any size")
	for _, n := range []int{0, 1, 19, 20, 21, 89, 90, 91} {
		text := strings.Repeat("a cab  ", 20)[:n]
		require.Equal(t, 20 <= n && n <= 90 && text[n-1] != ' ', counters.Match(s, x, []byte(text)), "%q", text)
	}
}
