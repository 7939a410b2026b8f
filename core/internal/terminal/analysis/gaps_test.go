package analysis

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
	"github.com/sluice-engine/sluice/core/internal/work"
)

// graph returns states with lengths from least to most. State i has edges to the states to[i], each of which begins a
// code point.
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

// most is the number of edges that finding gaps may look at.
const most = gapsWork

func bounded(m *work.Meter) *expr.Store { s := &expr.Store{}; s.Work = m; return s }

// Smooth states show that their predecessors are smooth. The order in which the search found them does not matter.
func TestGapsAreLookedForInEveryOrder(t *testing.T) {
	m := work.New(1000, nil)
	s := bounded(m)
	// 4 leads to 1, and 1 to 2 and 3, which take nothing and one code point.
	g := graph([][]int32{{}, {2, 3}, {}, {2}, {1}}, []uint32{0, 1, 0, 1, 2}, []uint32{0, 2, 0, 1, 3})
	fillGaps(s, g)
	for i := range g {
		require.Nil(t, g[i].Gaps, "%d", i)
	}
	require.Less(t, m.Left(), 999, "that is counted")
}

// fillGaps ends when the lengths of rough states exceed its budget.
func TestTellingLengthsApartIsBounded(t *testing.T) {
	const n = 3000
	// Three cycles whose sizes have no common divisor, so that no two layers are equal, and very many edges to them. In the
	// last state nothing is left.
	var to [][]int32
	for _, size := range []int32{61, 67, 71} {
		begin := int32(len(to))
		for i := range size {
			to = append(to, []int32{begin + (i+1)%size})
		}
	}
	cycles := int32(len(to))
	for i := range int32(n) {
		var next []int32
		for k := range int32(100) {
			next = append(next, (i+k)%cycles)
		}
		to = append(to, next)
	}
	end := int32(len(to))
	for _, i := range []int32{0, 61, 61 + 67} {
		to[i] = append(to[i], end)
	}
	to = append(to, nil)
	shortest, longest := make([]uint32, len(to)), make([]uint32, len(to))
	for i := range end {
		longest[i] = expr.Unbounded
	}
	m := work.New(10*most, nil)
	g := graph(to, shortest, longest)
	require.False(t, fillGaps(bounded(m), g))
	require.Less(t, 10*most-m.Left(), most/gapEdges*2)
}

// The lengths of rough states are those that are found by going through all paths, length by length.
func TestLengthsOfRoughStatesAreThoseOfTheirPaths(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	rough := 0
	for range 400 {
		n := 3 + r.Intn(12)
		g := make([]spectrumNode, n)
		for i := range g {
			g[i].key = spectrumKey{p: expr.Empty, phase: PhaseBetween + 1}
		}
		var s expr.Store
		s.Init()
		ends := []int{r.Intn(n)}
		for range r.Intn(2) {
			ends = append(ends, r.Intn(n))
		}
		for _, i := range ends { // a state in which nothing may be left
			g[i].key = spectrumKey{p: expr.Epsilon, phase: PhaseBetween}
		}
		for range n + r.Intn(n) {
			from, to := int32(r.Intn(n)), int32(r.Intn(n))
			e := ^to
			if to > from && r.Intn(3) == 0 {
				e = to // no cycle without a code point
			}
			if slices.Contains(g[from].succ, e) {
				continue
			}
			g[from].succ = append(g[from].succ, e)
			g[to].pred = append(g[to].pred, from)
			if e == ^from && r.Intn(2) == 0 {
				g[from].loops = true
			}
		}
		nearest(&s, g)
		longest(g)
		require.True(t, fillGaps(&s, g))
		// by hand: which states can take k
		can := make([]bool, n)
		for k := range uint32(spectrumCap) {
			next := make([]bool, n)
			for range n {
				for i := range g {
					next[i] = next[i] || k == 0 && g[i].key.phase == PhaseBetween
					for _, e := range g[i].succ {
						to, w := edge(e)
						next[i] = next[i] || w == 0 && next[to] || w == 1 && can[to]
					}
				}
			}
			can = next
			for i := range g {
				require.Equal(t, can[i], g[i].Allows(0, expr.Bounds{Min: k, Max: k}), "state %d, length %d of %+v", i, k, g)
			}
			if k > 300 {
				break
			}
		}
		for i := range g {
			if g[i].Gaps != nil {
				rough++
				for k := uint32(spectrumCap - 64); k < spectrumCap; k++ { // what recurs recurs to the end
					require.True(t, g[i].Max != expr.Unbounded || g[i].Allows(0, expr.Bounds{Min: k, Max: k + 300}))
				}
			}
		}
	}
	require.Greater(t, rough, 100)
}

// A state with very many successors is visited again after each of them shows more. That is bounded too.
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

// Each state is taken once, the last first, and again after it is added again.
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
