package testkit

import (
	"math/rand"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// ExprShape selects the parts of random expressions.
type ExprShape struct {
	Alphabet string
	Depth    int
	Boolean  bool // And and Not, always within texts over the alphabet or over all of UTF-8
	Counted  bool
	Enc      terminal.Encoding // of literals and counters
}

// Expr returns a random expression of st.
func Expr(r *rand.Rand, st *terminal.Store, s ExprShape) terminal.Expr {
	g := exprGen{r, st, s}
	return g.expr(s.Depth)
}

type exprGen struct {
	r  *rand.Rand
	st *terminal.Store
	s  ExprShape
}

func (g *exprGen) letter() string {
	letters := []rune(g.s.Alphabet)
	return string(letters[g.r.Intn(len(letters))])
}

// text returns up to most letters.
func (g *exprGen) text(most int) (text string) {
	for range g.r.Intn(most + 1) {
		text += g.letter()
	}
	return text
}

func (g *exprGen) leaf() terminal.Expr {
	switch g.r.Intn(8) {
	case 0:
		return terminal.Epsilon
	case 1, 2:
		return g.oneOf()
	case 3:
		return g.st.AnyRune(g.s.Enc)
	case 4:
		var texts []string
		for range 1 + g.r.Intn(4) {
			texts = append(texts, g.text(3))
		}
		if g.r.Intn(2) == 0 {
			return g.st.Words(texts, g.s.Enc, nil)
		}
		return g.st.Texts(texts, g.s.Enc, nil)
	}
	return g.st.Text(g.letter()+g.text(2), g.s.Enc)
}

// oneOf is one code point of a random part of the alphabet, in every spelling.
func (g *exprGen) oneOf() terminal.Expr {
	var pairs []rune
	for range 1 + g.r.Intn(2) {
		c := []rune(g.letter())[0]
		pairs = append(pairs, c, c)
	}
	return g.st.Runes(pairs, g.s.Enc)
}

func (g *exprGen) expr(depth int) terminal.Expr {
	if depth == 0 {
		return g.leaf()
	}
	sub := func() terminal.Expr { return g.expr(depth - 1) }
	kinds := 14
	if g.s.Counted {
		kinds += 4
	}
	switch n := g.r.Intn(kinds); n {
	case 0, 1, 2, 3:
		return g.st.Concat(sub(), sub())
	case 4, 5, 6:
		return g.st.Or(sub(), sub())
	case 7:
		return g.st.Star(sub())
	case 8:
		return g.st.Plus(sub())
	case 9:
		return g.st.Optional(sub())
	case 10:
		lo := uint32(g.r.Intn(3))
		return g.st.Repeat(sub(), lo, g.upper(lo))
	case 11:
		if g.s.Boolean {
			return g.st.And(sub(), sub())
		}
	case 12:
		if g.s.Boolean {
			return g.st.And(g.st.Star(g.st.AnyRune(g.s.Enc)), g.st.Not(sub()))
		}
	case 13, 14, 15, 16, 17:
		if g.s.Counted {
			lo := uint32(g.r.Intn(3))
			return g.st.Counted(sub(), g.s.Enc, lo, g.upper(lo))
		}
	}
	return g.leaf()
}

func (g *exprGen) upper(lo uint32) uint32 {
	if g.r.Intn(4) == 0 {
		return terminal.Unbounded
	}
	return lo + uint32(g.r.Intn(3))
}
