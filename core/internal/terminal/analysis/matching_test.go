package analysis

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// randomBoolean returns an expression in which intersections and opposites stand within everything else.
func randomBoolean(r *rand.Rand, s *expr.Store, depth int) expr.Expr {
	if depth == 0 {
		if r.Intn(3) == 0 {
			return s.ConcatText([]string{"ab", "b-", "a"}[r.Intn(3)], expr.Encoding(r.Intn(2)), expr.Epsilon)
		}
		return s.Bytes(expr.BytesOf([]string{"a", "b", "-", "ab", "b-"}[r.Intn(5)]))
	}
	x, y := randomBoolean(r, s, depth-1), randomBoolean(r, s, depth-1)
	low := uint32(r.Intn(3))
	switch r.Intn(6) {
	case 0:
		return s.And(x, y)
	case 1:
		return s.And(s.Star(s.Bytes(expr.BytesOf("ab-"))), s.Not(x))
	case 2:
		return s.Star(x)
	case 3:
		return s.Repeat(x, low, low+uint32(r.Intn(3)))
	case 4:
		return s.Or(x, y)
	}
	return s.Concat(x, y)
}

// texts returns all texts over three letters up to a length.
func texts(length int) (all []string) {
	all = []string{""}
	for i := 0; i < len(all) && len(all[i]) < length; i++ {
		all = append(all, all[i]+"a", all[i]+"b", all[i]+"-")
	}
	return all
}

// What is found out about an expression is what its derivatives show: which texts it matches, that none of its
// transitions leads to a dead end, and whether it matches anything at all.
func TestAnswersAreThoseOfDerivatives(t *testing.T) {
	r := rand.New(rand.NewSource(11))
	nothing := 0
	for range 400 {
		var x expr.Store
		var s Analysis
		x.Init()
		s.Init(&x, limits.DefaultBudgets())
		e := randomBoolean(r, &x, 3)
		some := false
		for _, text := range texts(5) {
			plain, dead := e, false
			at := e
			for i := range len(text) {
				plain, at = x.Derive(plain, text[i]), s.Delta(at, text[i])
				dead = dead || at == expr.Empty
			}
			want := x.Nullable(plain)
			require.Equal(t, want, s.matchesText(e, []byte(text)), "%q", text)
			require.Equal(t, want, x.Nullable(at), "%q", text)
			require.False(t, want && dead, "%q", text)
			some = some || want
		}
		if some {
			require.Equal(t, expr.Something, s.Emptiness(e))
		}
		if s.Emptiness(e) == expr.Nothing {
			require.False(t, some)
			nothing++
		}
	}
	require.Greater(t, nothing, 20)
}

// A repeated class of characters is looked for byte by byte, but where a character of several bytes is in the text.
func TestClassesOfCharactersAreFound(t *testing.T) {
	var x expr.Store
	var s Analysis
	x.Init()
	s.Init(&x, limits.DefaultBudgets())
	long := x.Concat(x.Bytes(expr.BytesOf("\xC3")), x.Bytes(expr.BytesOf("\xA9\xB1")))
	class, other := x.Or(x.Bytes(expr.BytesOf("ab")), long), x.Or(x.Bytes(expr.BytesOf("b-")), long)
	all := []string{""}
	for i := 0; i < len(all) && len(all[i]) < 7; i++ {
		all = append(all, all[i]+"a", all[i]+"b", all[i]+"-", all[i]+"é")
	}
	for low := range uint32(4) {
		for high := low; high < low+3; high++ {
			e := x.Concat(x.Repeat(class, low, high), x.Star(other))
			for _, text := range all {
				at := e
				for i := range len(text) {
					at = x.Derive(at, text[i])
				}
				require.Equal(t, x.Nullable(at), s.matchesText(e, []byte(text)), "%d %d %q", low, high, text)
			}
		}
	}
}

// A walk that has been along other texts, and with other expressions, leads where derivatives do.
func TestWalksAreUsedAgain(t *testing.T) {
	var x expr.Store
	x.Init()
	s := &Analysis{}
	s.Init(&x, limits.DefaultBudgets())
	a, ab := x.Bytes(expr.BytesOf("a")), x.Bytes(expr.BytesOf("ab"))
	of := []expr.Expr{
		x.Concat(x.Star(ab), x.Concat(a, x.Repeat(ab, 3, 3))),
		x.And(x.Repeat(ab, 2, 9), x.Not(x.Concat(x.Star(ab), x.Concat(a, a)))),
	}
	var w walk
	r := rand.New(rand.NewSource(1))
	for range 2000 {
		e := of[r.Intn(len(of))]
		text := make([]byte, r.Intn(9))
		for i := range text {
			text[i] = "abc"[min(r.Intn(7)/3, 2)]
		}
		at := e
		for n := range len(text) + 1 {
			require.Equal(t, at, w.state(s, e, text[:n]), "%d of %q", n, text)
			if n < len(text) {
				at = x.Derive(at, text[n])
			}
		}
	}
}

// Unions within unions share what follows them, in two to the power of their number ways: each look at them has an end.
func TestSharedUnionsAreLookedAtOnce(t *testing.T) {
	s := newAnalysis()
	byteOf := func(b string) expr.Expr { return s.Bytes(expr.BytesOf(b)) }
	x := s.Concat(s.Star(byteOf("ab")), byteOf("c"))
	for range 60 {
		x = s.Or(s.Concat(byteOf("a"), x), s.Concat(byteOf("b"), s.Concat(byteOf("b"), x)))
	}
	s.leastLeft(s.And(x, s.Not(byteOf("a"))))
	require.False(t, s.endless(x))
	require.False(t, s.SeveralRunes(s.Star(s.Star(byteOf("\x80"))), expr.UTF8))
	s.SeveralRunes(x, expr.UTF8)
	loop := s.Star(byteOf("ab"))
	for range 60 {
		loop = s.Or(s.Concat(byteOf("a"), loop), s.Concat(byteOf("b"), s.Concat(byteOf("b"), loop)))
	}
	require.True(t, s.endless(loop))
}
