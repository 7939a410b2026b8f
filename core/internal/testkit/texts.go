package testkit

import (
	"fmt"
	"math/rand"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Regex returns a random regular expression over the alphabet with the same meaning in every dialect, Go's regexp
// included.
func Regex(r *rand.Rand, alphabet string, depth int) string {
	letter := func() string { i := r.Intn(len(alphabet)); return alphabet[i : i+1] }
	if depth == 0 {
		switch r.Intn(6) {
		case 0:
			return "."
		case 1:
			return "[" + letter() + letter() + "]"
		case 2:
			return "[^" + letter() + "]"
		case 3:
			return `\w`
		}
		return letter()
	}
	sub := func() string { return Regex(r, alphabet, depth-1) }
	switch r.Intn(10) {
	case 0, 1, 2:
		return sub() + sub()
	case 3, 4:
		return "(?:" + sub() + "|" + sub() + ")"
	case 5:
		return "(" + sub() + ")" + []string{"*", "+", "?", "*?", "+?", "??"}[r.Intn(6)]
	case 6:
		lo := r.Intn(3)
		return fmt.Sprintf("(?:%s){%d,%d}", sub(), lo, lo+r.Intn(3))
	case 7:
		return fmt.Sprintf("(?:%s){%d,}", sub(), r.Intn(3))
	case 8:
		return fmt.Sprintf("(?:%s){%d}", sub(), r.Intn(4))
	}
	return sub() + letter()
}

// EBNF returns the text of a random grammar over the alphabet, and the same grammar built rule by rule without any
// front end, with rules for quantifiers and groups.
func EBNF(r *rand.Rand, st *terminal.Store, alphabet string, rules int) (string, *grammar.Grammar) {
	g := &ebnfGen{
		r: r, st: st, alphabet: alphabet, g: grammar.New(),
		names: []string{"root", "x", "y-1", "z_2"}[:1+r.Intn(rules)],
	}
	for _, n := range g.names {
		g.g.NewRule(n)
	}
	var b strings.Builder
	for i, n := range g.names {
		text, alternatives := g.alternatives(2)
		fmt.Fprintf(&b, "%s ::= %s\n", n, text)
		g.g.Rules[i+1].Alternatives = alternatives
	}
	g.g.Start = 1
	return b.String(), g.g
}

type ebnfGen struct {
	r        *rand.Rand
	st       *terminal.Store
	alphabet string
	g        *grammar.Grammar
	names    []string
}

func (g *ebnfGen) alternatives(depth int) (string, []grammar.Sequence) {
	var texts []string
	var out []grammar.Sequence
	for range 1 + g.r.Intn(3) {
		var words []string
		seq := grammar.Sequence{}
		for range 1 + g.r.Intn(3) {
			text, symbol := g.element(depth)
			words, seq = append(words, text), append(seq, symbol)
		}
		texts, out = append(texts, strings.Join(words, " ")), append(out, seq)
	}
	return strings.Join(texts, " | "), out
}

func (g *ebnfGen) element(depth int) (string, grammar.Symbol) {
	text, symbol := g.atom(depth)
	switch g.r.Intn(8) {
	case 0:
		return text + "*", g.repeated(symbol, 0, grammar.Unbounded)
	case 1:
		return text + "+", g.repeated(symbol, 1, grammar.Unbounded)
	case 2:
		return text + "?", g.repeated(symbol, 0, 1)
	case 3:
		lo := uint32(g.r.Intn(3))
		hi := lo + uint32(g.r.Intn(2)) + 1
		return fmt.Sprintf("%s{%d,%d}", text, lo, hi), g.repeated(symbol, lo, hi)
	}
	return text, symbol
}

// repeated is a rule for least to most of s, unrolled.
func (g *ebnfGen) repeated(s grammar.Symbol, least, most uint32) grammar.Symbol {
	rule := g.g.NewRule("repeated")
	seq := grammar.Sequence{}
	for range least {
		seq = append(seq, s)
	}
	if most == grammar.Unbounded {
		rest := g.g.NewRule("rest")
		g.g.Add(rest)
		g.g.Add(rest, s, grammar.N(rest))
		g.g.Add(rule, append(seq, grammar.N(rest))...)
		return grammar.N(rule)
	}
	for n := least; n <= most; n++ {
		g.g.Add(rule, seq...)
		seq = append(append(grammar.Sequence{}, seq...), s)
	}
	return grammar.N(rule)
}

func (g *ebnfGen) atom(depth int) (string, grammar.Symbol) {
	letter := func() string { i := g.r.Intn(len(g.alphabet)); return g.alphabet[i : i+1] }
	switch n := g.r.Intn(10); {
	case n < 4:
		i := g.r.Intn(len(g.names))
		return g.names[i], grammar.N(grammar.RuleID(i + 1))
	case n == 4:
		return `""`, grammar.T(terminal.Epsilon)
	case n == 5:
		a, b := letter(), letter()
		return "[" + a + b + "]", grammar.T(g.st.Or(g.st.Literal(a), g.st.Literal(b)))
	case n < 8 && depth > 0:
		text, alternatives := g.alternatives(depth - 1)
		rule := g.g.NewRule("group")
		g.g.Rules[rule].Alternatives = alternatives
		return "(" + text + ")", grammar.N(rule)
	}
	text := letter()
	if g.r.Intn(2) == 0 {
		text += letter()
	}
	return `"` + text + `"`, grammar.T(g.st.Literal(text))
}
