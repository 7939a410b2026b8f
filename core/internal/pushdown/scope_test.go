package pushdown

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// The states that bytes lead to from a state in which no token is counted have none counted either: only borders count.
// Masks rest on it, which put such states together without looking through their stacks (WithItem).
func TestBytesCountNoTokens(t *testing.T) {
	st := terminal.NewStore()
	lit := func(s string) grammar.Symbol { return grammar.T(st.Literal(s)) }
	g := grammar.New()
	g.Start = g.NewRule("s")
	inner, outer := g.NewRule("inner"), g.NewRule("outer")
	g.Rules[inner].Scope = &grammar.Scope{MaxTokens: 2}
	g.Rules[outer].Scope = &grammar.Scope{MaxTokens: 5}
	g.Add(g.Start, grammar.N(outer), lit("."), grammar.N(g.Start))
	g.Add(g.Start)
	g.Add(outer, lit("("), grammar.N(outer), lit(")"), grammar.N(inner))
	g.Add(outer, grammar.N(inner), grammar.N(inner))
	g.Add(inner, lit("a"), grammar.N(inner), lit("b"))
	g.Add(inner, lit("a"))
	g.Add(inner)
	a := automaton(t, st, g)
	require.True(t, a.Program().Limited())
	anything := func(Counted) bool { return true }
	like := func(s StateID) StateID {
		x, _ := a.InternLike(s, a.Items(s), anything)
		return x
	}
	const alphabet = "().ab"
	counted, walked := 0, 0
	var walk func(s StateID, depth int)
	walk = func(s StateID, depth int) {
		require.Equal(t, a.Items(s), a.Items(like(s)))
		walked++
		for i := 0; i < len(alphabet) && depth > 0; i++ {
			if next := a.Step(s, alphabet[i]); next > Over {
				walk(next, depth-1)
			}
		}
	}
	for _, text := range []string{"a", "aab", "(a", "(aa)", "((a)a", "a.(aab", "aa.a"} {
		s := a.Start()
		for i := range len(text) {
			if s = a.Token(a.Step(s, text[i])); s <= Over {
				break
			}
			if x := like(s); x != s {
				counted++
			}
			walk(like(s), 4)
		}
	}
	require.Greater(t, counted, 10, "in some states tokens are counted")
	require.Greater(t, walked, 500)
}

// A side of a boolean node may stand alone, with no node behind it. A scope that is entered there has none either.
func TestScopeWithoutContinuation(t *testing.T) {
	st := terminal.NewStore()
	lit := func(s string) grammar.Symbol { return grammar.T(st.Literal(s)) }
	g := grammar.New()
	g.Start = g.NewRule("s")
	warm, hot := g.NewRule("warm"), g.NewRule("hot")
	g.Rules[warm].Scope = &grammar.Scope{Heated: true, Temperature: 1}
	g.Rules[hot].Scope = &grammar.Scope{Heated: true, Temperature: 2}
	g.Add(g.Start, grammar.N(warm), grammar.N(hot))
	g.Add(warm, lit("a"))
	g.Add(hot, lit("b"))
	a := automaton(t, st, g)
	a.mu.Lock()
	defer a.mu.Unlock()
	w, h := a.p.rules.At(uint32(warm)+1).scope, a.p.rules.At(uint32(hot)+1).scope
	require.NotNil(t, w)
	require.NotNil(t, h)
	a.budgeted(func() StateID {
		require.Zero(t, a.enterScope(w, 0))
		require.Zero(t, a.enterScope(h, a.node(frame{dot: w.leave})))
		return Dead
	})
}
