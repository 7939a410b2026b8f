package mask

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
)

// The look at all items of a state at once excludes no subtree on which an item loops, and most of the others.
func TestLoopsOfAllItems(t *testing.T) {
	tokens := words(rand.New(rand.NewSource(7)), 3000)
	for i := range 200 {
		tokens = append(tokens, fmt.Appendf(nil, "zé%d", i))
	}
	st, g := terminal.NewStore(), grammar.New()
	var letters, blanks terminal.ByteSet
	letters.AddRange('a', 'z')
	blanks.AddRange(' ', '!')
	name := st.Concat(st.Bytes(letters), st.Star(st.Bytes(letters)), st.Star(st.Bytes(blanks)))
	g.Start = g.NewRule("start")
	g.Add(g.Start, grammar.T(name))
	g.Add(g.Start, grammar.T(name), grammar.N(g.Start))
	g.Add(g.Start, grammar.T(st.Literal("and ")), grammar.N(g.Start))
	g.Add(g.Start, grammar.T(st.Literal("<")), grammar.N(g.Start), grammar.T(st.Literal(">")))
	g.Add(g.Start, grammar.T(st.Literal("(")), grammar.T(st.Star(st.AnyRune(terminal.JSONString))))
	p, err := pushdown.NewProgram(st, g)
	require.NoError(t, err)
	e := NewEngine(tokenset.NewTokens(tokenset.Config{Bytes: tokens, Words: (len(tokens) + 31) / 32}), st)
	a := pushdown.NewAutomaton(p)
	for _, text := range []string{"ab", "a b", "a an", "a and ", "and(b", "b(\\u00e9"} {
		a.StepBytes(a.Start(), []byte(text))
	}
	for depth := range stateLoops { // states with one slot of the cache
		a.StepBytes(a.Start(), []byte(strings.Repeat("<", depth)+"a (b"))
	}
	w := e.take()
	looped, excluded, missed := 0, 0, 0
	require.Greater(t, a.Len(), 2*stateLoops)
	for range 2 { // the second time, the scratch knows the states
		for s := pushdown.Over + 1; int(s) < a.Len(); s++ {
			for i := range w.trie.Bigs {
				looks := loopLooks
				may, does := e.mayLoop(a, s, &w.trie.Bigs[i], w), e.loops(a, s, &w.trie.Bigs[i], &looks)
				require.True(t, may || !does, "state %d, subtree %d", s, i)
				switch {
				case does:
					looped++
				case may:
					missed++
				default:
					excluded++
				}
			}
		}
	}
	require.Positive(t, looped)
	require.Greater(t, excluded, 10*missed)
	e.give(w)
	require.Equal(t, [stateLoops]stateLoop{}, w.loops, "a scratch serves other automata later")
}
