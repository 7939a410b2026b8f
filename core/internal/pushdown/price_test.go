package pushdown_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// A text costs no more than the prices of its transitions, and the same for everybody: for an automaton of its own and
// for one that was asked all texts in a random order.
func TestTextsCostTheSameForAll(t *testing.T) {
	shapes := []testkit.GrammarShape{
		{Alphabet: "ab", Rules: 3, ExprDepth: 2, Ambiguous: true},
		{Alphabet: "ab", Rules: 4, Nodes: true, Scans: true, Ambiguous: true},
	}
	r := testkit.Seeded(t, 13)
	texts := testkit.Strings("ab", 6)
	dear := 0
	for _, shape := range shapes {
		for range testkit.Rounds(40, 2000) {
			st := terminal.NewStore()
			g := testkit.Grammar(r, st, shape)
			p, err := pushdown.NewProgram(st, g)
			if err != nil {
				continue
			}
			used := pushdown.NewAutomaton(p)
			for _, i := range r.Perm(len(texts)) {
				fresh := pushdown.NewAutomaton(p)
				cost, paid := costOf(fresh, texts[i])
				again, alike := costOf(used, texts[i])
				require.Equal(t, cost, again, texts[i])
				require.Equal(t, paid, alike, texts[i])
				require.LessOrEqual(t, cost, paid, texts[i])
				if cost > 0 {
					dear++
				}
			}
		}
	}
	if testing.Short() {
		require.Greater(t, dear, 500)
	} else {
		require.Greater(t, dear, 3000)
	}
}

// costOf returns what a text costs and its price.
func costOf(a *pushdown.Automaton, text string) (cost, paid int) {
	seen, set := map[pushdown.Counted]bool{}, pushdown.CountedSet{}
	s := a.Start()
	for i := range len(text) {
		t := a.Step(s, text[i])
		if t <= pushdown.Over {
			break
		}
		_, n, price := a.StepKnown(s, []byte{text[i]})
		if _, free := a.StepFree(s, []byte{text[i]}); n == 1 && free == 0 {
			cost += a.Cost(s, text[i], t, func(x pushdown.Counted) bool {
				known := seen[x]
				seen[x] = true
				if set.Add(x) == known {
					panic("a set of what is counted is not the map that it stands for")
				}
				return !known
			})
		}
		paid += price
		s = t
	}
	return cost, paid
}

// The price of a cost is the lowest that covers it, up to more than a text may cost by default.
func TestPricesCoverCosts(t *testing.T) {
	require.Zero(t, pushdown.PriceOf(1))
	last := uint32(0)
	for cost := 1; cost <= limits.DefaultBudgets().Text; cost += 1 + cost/100 {
		p := pushdown.PriceOf(cost)
		require.GreaterOrEqual(t, p, last)
		if last = p; p > 0 {
			require.GreaterOrEqual(t, pushdown.PriceBound(p), cost)
			require.LessOrEqual(t, pushdown.PriceBound(p), cost*5/4+1)
			require.Less(t, pushdown.PriceBound(p-1), cost)
		}
	}
	require.Less(t, pushdown.PriceBound(pushdown.PriceOf(math.MaxInt32)-1), math.MaxInt32)
	require.Equal(t, math.MaxInt32, pushdown.PriceBound(pushdown.PriceOf(math.MaxInt32)))
}
