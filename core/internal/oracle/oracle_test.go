package oracle

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// The two ways in which the oracle matches terminals, spans and automata, must agree before tests measure the engine
// against them; a prefix is alive exactly if some longer text completes it.
func TestSpansAgreeWithAutomata(t *testing.T) {
	r := testkit.Seeded(t, 1)
	texts := testkit.Strings("abc", 5)
	for range testkit.Rounds(80, 3000) {
		st := terminal.NewStore()
		e := testkit.Expr(r, st, testkit.ExprShape{Alphabet: "abc", Depth: 3, Boolean: true, Counted: true})
		rd := reader{st: st, trees: map[terminal.Expr]*tree{}}
		tr := rd.read(e)
		m := newMachine(tr)
		accepted := map[string]bool{}
		live := map[string]bool{}
		for _, s := range texts {
			want := newSpans([]byte(s)).from(tr, 0)
			got, alive := m.from([]byte(s), 0)
			require.Equal(t, want, got, "text %q of %s", s, describe(tr))
			accepted[s] = len(want[len(s)]) > 0
			live[s] = len(alive) > 0
		}
		for s, ok := range accepted {
			for i := 0; ok && i <= len(s); i++ {
				require.True(t, live[s[:i]], "%q is live because of %q in %s", s[:i], s, describe(tr))
			}
		}
	}
}

// A grammar whose language is known in closed form: balanced brackets around ambiguous, left recursive sums.
func TestKnownGrammar(t *testing.T) {
	st := terminal.NewStore()
	g := grammar.New()
	e := g.NewRule("e")
	lit := func(s string) grammar.Symbol { return grammar.T(st.Literal(s)) }
	g.Add(e, grammar.N(e), lit("+"), grammar.N(e))
	g.Add(e, lit("("), grammar.N(e), lit(")"))
	g.Add(e, lit("1"))
	g.Start = e
	o := New(st, g)
	for _, s := range []string{"1", "1+1", "(1)", "1+1+1", "(1+1)+1", "((1))", "(((1+(1))))"} {
		require.True(t, o.Accepts([]byte(s)), s)
		require.True(t, o.Prefix([]byte(s)), s)
	}
	for _, s := range []string{"", "(", "1+", "(1", "((1)+"} {
		require.False(t, o.Accepts([]byte(s)), s)
		require.True(t, o.Prefix([]byte(s)), s)
	}
	for _, s := range []string{"+", ")", "11", "1)", "1++", "(1))", "()"} {
		require.False(t, o.Accepts([]byte(s)), s)
		require.False(t, o.Prefix([]byte(s)), s)
	}
}

// Prefix is exact: a prefix is live if and only if it can be completed, which on these small grammars a few more bytes
// do.
func TestPrefixIsExact(t *testing.T) {
	r := testkit.Seeded(t, 2)
	completed, checked := 0, 0
	for range testkit.Rounds(20, 1500) {
		st := terminal.NewStore()
		g := testkit.Grammar(r, st, testkit.GrammarShape{Alphabet: "ab", Rules: 3, Nodes: true, ExprDepth: 1})
		o := New(st, g)
		const reach, extra = 5, 4
		words := map[string]bool{}
		for _, s := range testkit.Strings("ab", reach+extra) {
			if len(s) > reach && !o.prefixes[s[:len(s)-1]] {
				continue
			}
			o.Prefix([]byte(s))
			if o.prefixes[s] && o.Accepts([]byte(s)) {
				for i := range len(s) + 1 {
					words[s[:i]] = true
				}
			}
		}
		for _, s := range testkit.Strings("ab", reach) {
			if words[s] {
				require.True(t, o.Prefix([]byte(s)), "%q has a completion\n%s", s, DescribeGrammar(st, g))
			}
			if o.Prefix([]byte(s)) {
				checked++
				if words[s] {
					completed++
				}
			}
		}
	}
	t.Logf("%d of %d live prefixes completed within the bound", completed, checked)
	require.Greater(t, completed*10, checked*8, "most prefixes complete within a few bytes; the rest need more")
}
