package pushdown_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/arena"
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
		{Alphabet: "ab", Rules: 2, Nodes: true, Spans: true},
	}
	r := testkit.Seeded(t, 13)
	dear, unpriced := 0, 0
	for _, shape := range shapes {
		texts := testkit.Strings("ab", 6)
		if shape.Spans {
			texts = testkit.Strings("(ab)", 5)
		}
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
				cost, paid, sides := costOf(fresh, texts[i])
				again, alike, _ := costOf(used, texts[i])
				unpriced += sides
				require.Equal(t, cost, again, texts[i])
				require.Equal(t, paid, alike, texts[i])
				require.LessOrEqual(t, cost, paid, texts[i])
				if cost > 0 {
					dear++
				}
			}
		}
	}
	require.Positive(t, unpriced)
	if testing.Short() {
		require.Greater(t, dear, 500)
	} else {
		require.Greater(t, dear, 3000)
	}
}

// costOf returns the cost of a text, its price, and the number of transitions of sides without a price.
func costOf(a *pushdown.Automaton, text string) (cost, paid, unpriced int) {
	seen, set := map[pushdown.Counted]bool{}, arena.Set{}
	s := a.Start()
	for i := range len(text) {
		t := a.Step(s, text[i])
		if t <= pushdown.Over {
			break
		}
		for _, it := range a.BooleanItems(s) { // sides have been stepped, perhaps, but have no price before they are asked
			if side := a.Boolean(it).Left; side > pushdown.Over {
				_, n, _ := a.StepKnown(side, []byte{text[i]})
				unpriced += 1 - n
				a.Step(side, text[i])
				if _, n, _ = a.StepKnown(side, []byte{text[i]}); n != 1 {
					panic("a transition that was asked for has no price")
				}
			}
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
	return cost, paid, unpriced
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
