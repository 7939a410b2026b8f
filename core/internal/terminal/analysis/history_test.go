package analysis

import (
	"math/rand/v2"
	"testing"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Verdicts and prices of rows do not depend on earlier requests: rows of parts change no derivative.
func TestGraphsDoNotDependOnRowsOfParts(t *testing.T) {
	for seed := range uint64(400) {
		cold, price := searchAfter(seed, false)
		warm, again := searchAfter(seed, true)
		if cold != warm || price != again {
			t.Errorf("seed %d: verdict %d and price %d alone, %d and %d after questions about parts",
				seed, cold, price, warm, again)
		}
	}
}

// searchAfter decides an expression of the seed, after questions about its parts or not.
func searchAfter(seed uint64, after bool) (expr.Verdict, int) {
	var x expr.Store
	var s Analysis
	x.Init()
	b := limits.DefaultBudgets()
	b.Search = 400_000
	if seed%2 == 1 {
		b.Expression = 60
	}
	s.Init(&x, b)
	g := nested{r: rand.New(rand.NewPCG(seed, 1)), x: &x}
	e := g.boolean(3)
	if after {
		chosen := rand.New(rand.NewPCG(seed, 2))
		for _, p := range g.made {
			if p != e && p != expr.Empty && chosen.IntN(2) == 0 {
				s.AliveIn(p)
			}
		}
	}
	verdict := s.Emptiness(e)
	if verdict == expr.Something {
		s.AliveIn(e)
	}
	return verdict, s.RowPrice(e)
}

// nested makes expressions of bounded repetitions, conditions and long sequences of parts that may be left out.
type nested struct {
	r    *rand.Rand
	x    *expr.Store
	made []expr.Expr
}

func (g *nested) plain(depth int) (e expr.Expr) {
	x, r := g.x, g.r
	defer func() { g.made = append(g.made, e) }()
	if depth == 0 {
		return x.Bytes(expr.BytesOf([]string{"a", "b", "ab", "abc", "c", "bc"}[r.IntN(6)]))
	}
	switch r.IntN(6) {
	case 0, 1:
		return x.Concat(g.plain(depth-1), g.plain(depth-1))
	case 2:
		return x.Or(g.plain(depth-1), g.plain(depth-1), g.plain(depth-1))
	case 3:
		return x.Star(g.plain(depth - 1))
	case 4:
		low := uint32(r.IntN(4))
		return x.Repeat(g.plain(depth-1), low, low+uint32(1+r.IntN(6)))
	}
	return x.Or(expr.Epsilon, g.plain(depth-1))
}

func (g *nested) boolean(depth int) (e expr.Expr) {
	x, r := g.x, g.r
	defer func() { g.made = append(g.made, e) }()
	if depth == 0 {
		return g.plain(3)
	}
	switch r.IntN(7) {
	case 0, 1, 2:
		return x.And(g.boolean(depth-1), g.boolean(depth-1))
	case 3:
		return x.And(g.boolean(depth-1), x.Not(g.boolean(depth-1)))
	case 4:
		return x.Or(g.boolean(depth-1), g.boolean(depth-1))
	case 5:
		return x.Concat(g.boolean(depth-1), g.boolean(depth-1))
	}
	e = g.boolean(depth - 1)
	for range 1 + r.IntN(40) {
		part := x.Concat(g.boolean(0), x.And(g.plain(1), x.Not(g.plain(1))))
		e = x.Concat(x.Or(expr.Epsilon, part), e)
	}
	return e
}

// A search distinguishes two derivatives that are both too hard: a·X | b·Y, if only Y fits.
func TestTargetsThatAreTooHardAreApart(t *testing.T) {
	var x expr.Store
	var s Analysis
	x.Init()
	b := limits.DefaultBudgets()
	b.Expression = 20_000
	s.Init(&x, b)
	one := func(c int) expr.Expr { return x.ByteOf(byte(c)) }
	letter := x.Bytes(expr.BytesOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"))
	even := x.Star(x.Concat(letter, letter))
	odd := x.Concat(letter, even)
	heavy := func(tail expr.Expr) expr.Expr {
		var words []expr.Expr
		for i := range 14000 {
			rest := x.Concat(one('a'+i/26%26), x.Concat(one('a'+i/26/26), tail))
			words = append(words, x.Concat(one('A'+i%26), rest))
		}
		return x.Or(words...)
	}
	// Words of three letters and the letter before them: an even tail makes the whole even, an odd one makes it odd.
	e := x.And(x.Or(x.Concat(one('a'), heavy(even)), x.Concat(one('b'), heavy(odd))), odd)
	if s.Emptiness(e) == expr.Nothing {
		t.Error("it has strings of odd length that begin with b")
	}
}
