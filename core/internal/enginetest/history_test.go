package enginetest

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// The content of a state does not depend on texts that were read before it was made, which decide the order of ids.
func TestStatesDoNotDependOnWhatWasReadBefore(t *testing.T) {
	r := testkit.Seeded(t, 31)
	below := terminal.NewStore()
	below.Seal()
	budgets := limits.DefaultBudgets()
	budgets.Transition = 2000
	shape := testkit.GrammarShape{Alphabet: "ab", Rules: 4, ExprDepth: 3, Counted: true, Nodes: true, Ambiguous: true}
	compared, over := 0, 0
	for range testkit.Rounds(300, 20_000) {
		seed := r.Int63()
		automaton := func() *pushdown.Automaton {
			st := terminal.NewStoreOver(below, budgets)
			p, err := pushdown.NewProgram(st, testkit.Grammar(rand.New(rand.NewSource(seed)), st, shape))
			if err != nil {
				return nil // an answer, and the same for both
			}
			return pushdown.NewAutomaton(p)
		}
		fresh, used := automaton(), automaton()
		if fresh == nil {
			continue
		}
		for range 5 {
			used.StepBytes(used.Start(), []byte(testkit.RandomString(r, "ab", 12)))
		}
		s, u := fresh.Start(), used.Start()
		for n := 0; n < 20 && s > pushdown.Over; n++ {
			b := "ab"[r.Intn(2)]
			s, u = fresh.Step(s, b), used.Step(u, b)
			require.Equal(t, len(fresh.Items(s)), len(used.Items(u)), "grammar %d, after %d bytes", seed, n+1)
			require.Equal(t, fresh.Accepts(s), used.Accepts(u), "grammar %d, after %d bytes", seed, n+1)
			require.Equal(t, s == pushdown.Over, u == pushdown.Over, "grammar %d, after %d bytes", seed, n+1)
			if compared++; s == pushdown.Over {
				over++
			}
		}
	}
	require.Greater(t, compared, 100)
	t.Logf("%d states compared, %d beyond the budget", compared, over)
}
