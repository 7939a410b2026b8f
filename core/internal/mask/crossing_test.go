package mask

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
)

// words returns tokens as vocabularies have them for text with operators: words, most of them after a blank, some with
// what surrounds words. One in sixteen goes across several.
func words(r *rand.Rand, n int) [][]byte {
	tokens, seen := [][]byte{}, map[string]bool{}
	for b := range 256 {
		tokens = append(tokens, []byte{byte(b)})
	}
	pick := func(from string) string { return string(from[r.Intn(len(from))]) }
	for len(tokens) < n {
		text := strings.Repeat(" ", min(1, r.Intn(4))) + strings.Repeat(pick("+(-"), r.Intn(9)/8) + pick(" ab") +
			pick("abn") + pick("adot") + pick("ntdx1")
		for range r.Intn(3) {
			text += pick("abx")
		}
		for r.Intn(16) == 0 {
			text += pick("()+ ,\n") + pick("an b") + pick("so+ (") + pick("ab)")
		}
		if !seen[text] {
			tokens = append(tokens, []byte(text))
		}
		seen[text] = true
	}
	return tokens
}

// expressions returns a grammar in which short terminals stand between names, and names before words that begin like
// names.
func expressions(st *terminal.Store) (g *grammar.Grammar, name terminal.Expr) {
	set := func(s string) terminal.Expr {
		var b terminal.ByteSet
		for _, c := range []byte(s) {
			b.Add(c)
		}
		return st.Bytes(b)
	}
	blanks := st.Star(set(" \n"))
	word := func(s string) grammar.Symbol { return grammar.T(st.Concat(st.Literal(s), blanks)) }
	letters := "abdnostx"
	name = st.Concat(set(letters), st.Star(set(letters+"1")), blanks)
	g = grammar.New()
	g.Start = g.NewRule("start")
	expr, atom := g.NewRule("expr"), g.NewRule("atom")
	g.Add(g.Start, grammar.N(expr))
	g.Add(g.Start, grammar.N(expr), word("as"), grammar.T(name))
	g.Add(expr, grammar.N(atom))
	g.Add(expr, grammar.N(atom), grammar.T(st.Concat(set("+-"), blanks)), grammar.N(expr))
	g.Add(expr, grammar.N(atom), word("and"), grammar.N(expr))
	g.Add(atom, grammar.T(name))
	g.Add(atom, word("not"), grammar.N(atom))
	g.Add(atom, grammar.T(name), word("("), grammar.N(expr), word(")"))
	g.Add(atom, word("("), grammar.N(expr), word(")"))
	separators := []terminal.ScanPattern{{Text: " ", Tag: 1}, {Text: ",", Tag: 2}}
	g.Add(atom, word("\n"), g.NewSwitch(st.Scan(separators, false),
		grammar.Case{Tag: 1, Then: grammar.Sequence{grammar.N(atom)}}, grammar.Case{Tag: 2}))
	return g, name
}

// Most of a vocabulary may follow a blank, and much of it an operator.
func TestMasksAcrossTerminals(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	tokens := words(r, 6000)
	tk := tokenset.NewTokens(tokenset.Config{Bytes: tokens, End: []uint32{5999}, Words: (len(tokens) + 31) / 32})
	st := terminal.NewStore()
	g, _ := expressions(st)
	e := NewEngine(tk, st)
	p, err := pushdown.NewProgram(st, g)
	require.NoError(t, err)
	walkRandomly(t, r, NewMasks(e, pushdown.NewAutomaton(p), true), tokens, true)
}

// Tokens that are long behind a terminal are walked: a trie of their suffixes would take many times their bytes.
func TestLongTokensAcrossTerminals(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	tokens := words(r, 6000)
	for i := range 180 {
		text := "ab+"
		for len(text) < 900 {
			text += string("ab+"[r.Intn(3)])
		}
		tokens[1000+25*i] = []byte(text)
	}
	tk := tokenset.NewTokens(tokenset.Config{Bytes: tokens, End: []uint32{5999}, Words: (len(tokens) + 31) / 32})
	st := terminal.NewStore()
	g, name := expressions(st)
	e := NewEngine(tk, st)
	p, err := pushdown.NewProgram(st, g)
	require.NoError(t, err)
	walkRandomly(t, r, NewMasks(e, pushdown.NewAutomaton(p), true), tokens, true)
	w := e.take()
	w.start(1 << 40)
	within, _ := counters.Step(st, name, 0, 'a')
	require.True(t, e.EscapesOf(e.Class(within, w.Scratch), false).TooMany)
}

// A mask costs the same after any other calls.
func TestCrossingTokensAreChargedAlike(t *testing.T) {
	tokens := words(rand.New(rand.NewSource(6)), 6000)
	tk := tokenset.NewTokens(tokenset.Config{Bytes: tokens, End: []uint32{5999}, Words: (len(tokens) + 31) / 32})
	texts := []string{"", "ab", "ab + ", "ab +", "(ab", "((ab + a", "ab and", "\nx a", "ab(", "ab (a + (b"}
	costs := map[string]int{}
	for round := range 2 {
		st := terminal.NewStore()
		g, _ := expressions(st)
		p, err := pushdown.NewProgram(st, g)
		require.NoError(t, err)
		e := NewEngine(tk, st)
		for i := range texts {
			text := texts[i]
			if round == 1 {
				text = texts[len(texts)-1-i] // in another order, others know already
			}
			m := NewMasks(e, pushdown.NewAutomaton(p), true)
			cost := m.Cost(m.a.StepBytes(m.a.Start(), []byte(text)))
			require.Positive(t, cost)
			if round == 0 {
				costs[text] = cost
			}
			require.Equal(t, costs[text], cost, text)
		}
	}
}
