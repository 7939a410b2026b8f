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

// TestMasksBehindWideEnds compares masks with trying every token if most of a vocabulary may follow several short
// terminals: below a wide end are further ones, states with many items or of several terminals, and ends that a key
// excludes.
func TestMasksBehindWideEnds(t *testing.T) {
	r := rand.New(rand.NewSource(8))
	tokens, seen := [][]byte{}, map[string]bool{}
	for b := range 256 {
		tokens = append(tokens, []byte{byte(b)})
	}
	for _, before := range []string{"", " ", " (", " ((", "(", `"`, `" (`, `b"(`} {
		for n := 0; n < 1200; {
			word := []byte(before)
			for range 2 + r.Intn(5) {
				word = append(word, "abdnostx"[r.Intn(8)])
			}
			word = append(word, []string{"", "", "", "", ")", ` "`, "+(", " a", " and (b"}[r.Intn(9)]...)
			if !seen[string(word)] {
				seen[string(word)] = true
				tokens = append(tokens, word)
				n++
			}
		}
	}
	tk := tokenset.NewTokens(tokenset.Config{Bytes: tokens, Words: (len(tokens) + 31) / 32})
	st := terminal.NewStore()
	g, name := expressions(st)
	quote, blanks := st.Literal(`"`), st.Star(st.Literal(" "))
	body, keys := st.Star(st.AnyRune(terminal.JSONString)), st.Texts([]string{"ab", ""}, terminal.JSONString, nil)
	key := st.Concat(st.And(body, st.Not(keys)), quote)
	expr, many, text := g.Start, g.NewRule("many"), g.NewRule("text")
	for _, word := range []string{"a", "b", "d", "n", "o", "s", "t"} {
		after := g.NewRule("after " + word)
		g.Add(after, grammar.T(st.Concat(st.Literal(word), quote)), grammar.N(expr))
		g.Add(many, grammar.T(st.Concat(st.Literal(word), st.Star(st.Literal("x")))), grammar.N(after))
	}
	g.Add(many, grammar.T(st.Concat(st.Literal("("), blanks)), grammar.N(many))
	g.Add(text, grammar.N(expr))
	g.Add(text, grammar.T(quote), grammar.T(key), grammar.N(expr))
	g.Add(text, grammar.T(st.Concat(st.Literal("+"), name)), grammar.N(many))
	for _, then := range []string{"(", "a"} { // two terminals end at the node of a blank
		end := st.Concat(st.Star(st.Literal(then)), st.Literal(" "))
		g.Add(text, grammar.T(st.Concat(st.Literal("-"), name, end)), grammar.T(st.Literal(then)), grammar.N(many))
	}
	g.Start = text
	e := NewEngine(tk, st)
	p, err := pushdown.NewProgram(st, g)
	require.NoError(t, err)
	m := NewMasks(e, pushdown.NewAutomaton(p), true)
	row, allowed := make([]uint32, tk.Words()), 0
	for _, text := range []string{
		"", "a", "ab ", "(", "((", "(a", "((a", "( (a + (", "a+", "a +", "a(", "+", "+a", "+a ", "+a(", "+a (x",
		"-", "-a", "-ab", `"`, `"a`, `"ab`, `"ab "`, `"x`, `"x"`, `"x" (`, "\n", "\nx",
	} {
		s := m.a.StepBytes(m.a.Start(), []byte(text))
		if s == pushdown.Dead {
			continue
		}
		_, inBudget := m.Fill(s, row, nil)
		require.True(t, inBudget)
		for id, b := range tokens {
			want := m.a.StepBytes(s, b) > pushdown.Over
			require.Equal(t, want, row[id>>5]>>(id&31)&1 == 1, "%q after %q", b, text)
			if want {
				allowed++
			}
		}
	}
	require.Greater(t, allowed, 20_000)
	w := e.take()
	w.start(1 << 40)
	within, _ := counters.Step(st, name, 0, 'a')
	require.NotEmpty(t, e.EscapesOf(e.Class(within, w.Scratch), false).Wide)
	placed := 0
	for _, x := range []terminal.Expr{within, name, blanks} {
		if e.BelowClass(tk.Trie.Root[' '], x, w.Scratch) != nil {
			placed++
		}
	}
	require.Positive(t, placed)
}
