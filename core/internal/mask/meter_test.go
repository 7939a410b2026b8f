package mask

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
)

// A mask that is within its budget has taken no more work on transitions than one of them may take, so accepting one of
// its tokens is within the budget too.
func TestMasksAreRefusedBeforeTransitions(t *testing.T) {
	b := limits.DefaultBudgets()
	require.GreaterOrEqual(t, b.Transition, b.Mask/limits.ClosureCost)
}

// A mask is charged for a class once, though it uses it twice, whether or not the class is kept already.
func TestClassIsChargedOnce(t *testing.T) {
	tokens := vocabulary(rand.New(rand.NewSource(4)), 5000)
	tk := tokenset.NewTokens(tokenset.Config{Bytes: tokens, Words: (len(tokens) + 31) / 32})
	costs := map[string]int{}
	for _, found := range []string{"not before", "by another grammar"} {
		st := terminal.NewStore()
		g := grammar.New()
		g.Start = g.NewRule("text")
		g.Add(g.Start, grammar.T(st.Counted(st.Star(st.AnyRune(terminal.JSONString)), terminal.JSONString, 0, 5000)),
			grammar.T(st.Literal(`"`)))
		p, err := pushdown.NewProgram(st, g)
		require.NoError(t, err)
		e := NewEngine(tk, st)
		m := NewMasks(e, pushdown.NewAutomaton(p), false)
		s := m.a.Start()
		costs[found] = m.Cost(s)
		w := e.take()
		w.start(1 << 40)
		c := e.Class(m.a.Items(s)[0].Terminal, w.Scratch)
		require.NotNil(t, c)
		require.Greater(t, w.Total(), 1000)
		require.Less(t, costs[found], w.Total()*3/2+e.EscapesOf(c, false).Cost)
		after := m.a.StepBytes(s, []byte("a"))
		require.Equal(t, costs[found], m.Cost(after), "the same with the class at hand")
	}
	require.Equal(t, costs["not before"], costs["by another grammar"])
}
