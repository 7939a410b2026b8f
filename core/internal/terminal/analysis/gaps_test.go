package analysis

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/limits"
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

// most is what finding gaps may take, and bounded an analysis that allows it.
const most = 1_000_000 * gapsOfSearch

func bounded(m *work.Meter) *Analysis {
	return &Analysis{Store: &expr.Store{Work: m}, Budgets: limits.Budgets{Search: most / gapsOfSearch}}
}

// A state whose lengths have no gap shows that those before it have none, in whatever order the states were found.
func TestGapsAreLookedForInEveryOrder(t *testing.T) {
	m := work.New(1000, nil)
	s := bounded(m)
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
	to, shortest, longest := make([][]int32, n+1), make([]uint32, n+1), make([]uint32, n+1)
	for i := range int32(n) {
		to[i], longest[i] = []int32{i - 1}, 4000 // more than what is known to have no gap shows
	}
	to[0] = []int32{2, n}
	m := work.New(10*most, nil)
	g := graph(to, shortest, longest)
	require.False(t, fillGaps(bounded(m), g))
	require.Nil(t, g[0].Gaps)
	require.Less(t, 10*most-m.Left(), most/gapWords*2)
}

// A state with very many successors is looked at again and again where each of them shows a little more. That ends, too.
func TestLookingForSmoothStatesIsBounded(t *testing.T) {
	const n = 8000
	// The first leads to all others, of which each shows the length that the one behind it needs to be of use.
	to, shortest, longest := make([][]int32, n+1), make([]uint32, n+1), make([]uint32, n+1)
	for i := range uint32(n) {
		to[0] = append(to[0], int32(i)+1)
		shortest[i+1], longest[i+1] = n-i-1, n-i-1
	}
	shortest[0], longest[0] = 1, n+1 // which none shows
	m := work.New(10*most, nil)
	require.False(t, fillGaps(bounded(m), graph(to, shortest, longest)))
	require.Less(t, 10*most-m.Left(), most/gapEdges*2)
}

// What a state is told of its lengths is the same whether it is asked first, or another one from which it is reached and
// which has too many to tell them apart.
func TestLengthsDoNotDependOnWhoAsksFirst(t *testing.T) {
	for _, longFirst := range []bool{false, true} {
		var x expr.Store
		var s Analysis
		x.Init()
		b := limits.DefaultBudgets()
		b.Search = 33_000
		s.Init(&x, b)
		star := func(of string) expr.Expr { return x.Star(x.ConcatText(of, 0, expr.Epsilon)) }
		short := star("aa")
		long := x.Or(x.ConcatText("b", 0, short), x.ConcatText("c", 0, star("aaa")))
		asked := []expr.Expr{short, long}
		if longFirst {
			asked = []expr.Expr{long, short}
		}
		for _, e := range asked {
			s.Spectrum(e, PhaseBetween, 0)
		}
		require.NotNil(t, s.Spectrum(short, PhaseBetween, 0).Gaps)
		require.Nil(t, s.Spectrum(long, PhaseBetween, 0).Gaps, "that takes too much")
	}
}

// An interval is written as far as lengths are told apart.
func TestAddInterval(t *testing.T) {
	for _, lo := range []uint32{0, 1, 62, 63, 64, 65, 127, 128, spectrumCap - 1, spectrumCap, spectrumCap + 5} {
		for _, hi := range []uint32{0, 1, 63, 64, 100, 127, 128, 300, spectrumCap - 1, spectrumCap, expr.Unbounded} {
			set := make([]uint64, spectrumCap/64)
			addInterval(set, lo, hi)
			for n := range uint32(spectrumCap) {
				require.Equal(t, lo <= n && n <= hi, set[n>>6]>>(n&63)&1 != 0, "%d..%d: %d", lo, hi, n)
			}
		}
	}
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
