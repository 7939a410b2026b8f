package analysis

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
	"github.com/sluice-engine/sluice/core/internal/work"
)

// graph returns states within a code point that lead to each other, with lengths from least to most: to[i] is where
// state i leads, and each edge begins a code point.
func graph(to [][]int32, least, most []uint32) []spectrumNode {
	g := make([]spectrumNode, len(to))
	for i := range g {
		g[i].key.phase, g[i].Min, g[i].Max = PhaseBetween+1, least[i], most[i]
		for _, j := range to[i] {
			g[i].succ = append(g[i].succ, ^j)
			g[j].pred = append(g[j].pred, int32(i))
		}
	}
	return g
}

// A state whose lengths have no gap shows that those before it have none, in whatever order the states were found.
func TestGapsAreLookedForInEveryOrder(t *testing.T) {
	m := work.New(1000, nil)
	s := &Analysis{Store: &expr.Store{Work: m}}
	// 4 leads to 1, and 1 to 2 and 3, from where nothing and one code point are left.
	g := graph([][]int32{{}, {2, 3}, {}, {2}, {1}}, []uint32{0, 1, 0, 1, 2}, []uint32{0, 2, 0, 1, 3})
	fillGaps(s, g)
	for i := range g {
		require.Nil(t, g[i].Gaps, "%d", i)
	}
	require.Less(t, m.Left(), 999, "that is counted")
}

// Where telling the lengths apart takes too much, every length counts as possible.
func TestTellingLengthsApartIsBounded(t *testing.T) {
	const n = 3000
	// The first three are a circle that everything else leads to, so that each round changes the lengths of all. In the
	// last nothing is left.
	to, least, most := make([][]int32, n+1), make([]uint32, n+1), make([]uint32, n+1)
	for i := range int32(n) {
		to[i], most[i] = []int32{i - 1}, 4000 // more than what is known to have no gap shows
	}
	to[0] = []int32{2, n}
	budget := 10 * spectrumWork
	m := work.New(budget, nil)
	g := graph(to, least, most)
	fillGaps(&Analysis{Store: &expr.Store{Work: m}}, g)
	require.Nil(t, g[0].Gaps)
	require.Less(t, budget-m.Left(), spectrumWork/gapWords*2)
}

// Each state is taken out once, the last of them first, and again where it is put back.
func TestBackwardsTakesTheLastStateFirst(t *testing.T) {
	const n = 200
	waits := newBackwards(n)
	for want := int32(n - 1); want >= 0; want-- {
		i, ok := waits.next()
		require.True(t, ok)
		require.Equal(t, want, i)
		if want == 3 {
			waits.add(150)
			i, ok = waits.next()
			require.True(t, ok)
			require.Equal(t, int32(150), i)
		}
	}
	_, ok := waits.next()
	require.False(t, ok)
}
