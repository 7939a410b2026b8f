package analysis

import (
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// spectrumNode is a state of a graph of lengths.
type spectrumNode struct {
	key   spectrumKey
	succ  []int32 // successors; the complement of one if the edge begins a code point
	pred  []int32
	loops bool // some byte that is a code point leads back here
	Spectrum
}

// edge returns the target of an edge, and the number of code points that it begins.
func edge(e int32) (to int32, weight uint32) {
	if e < 0 {
		return ^e, 1
	}
	return e, 0
}

// nearest computes Min by a 0-1 breadth-first search backwards from the complete states.
func nearest(s *expr.Store, g []spectrumNode) {
	var cur, next []int32
	for i := range g {
		g[i].Min = expr.Unbounded
		g[i].phase = g[i].key.phase
		if g[i].key.phase == PhaseBetween && s.Nullable(g[i].key.p) {
			g[i].Min = 0
			cur = append(cur, int32(i))
		}
	}
	for d := uint32(0); len(cur) > 0; d++ {
		for k := 0; k < len(cur); k++ {
			i := cur[k]
			if g[i].Min != d {
				continue
			}
			for _, p := range g[i].pred {
				for _, e := range g[p].succ {
					to, w := edge(e)
					if to != i || g[p].Min <= d+w {
						continue
					}
					g[p].Min = d + w
					if w == 0 {
						cur = append(cur, p)
					} else {
						next = append(next, p)
					}
				}
			}
		}
		cur, next = next, cur[:0]
	}
}

// longest computes Max: Unbounded for states that reach a cycle; the others follow from their successors, beginning at
// the end.
func longest(g []spectrumNode) {
	left := make([]int, len(g))
	var ready []int32
	for i := range g {
		g[i].Max = expr.Unbounded
		for _, e := range g[i].succ {
			if to, _ := edge(e); g[to].Min != expr.Unbounded {
				left[i]++
			}
		}
		if left[i] == 0 && g[i].Min != expr.Unbounded {
			ready = append(ready, int32(i))
		}
	}
	for k := 0; k < len(ready); k++ {
		i := ready[k]
		g[i].Max = g[i].Min
		for _, e := range g[i].succ {
			if to, w := edge(e); g[to].Min != expr.Unbounded {
				g[i].Max = max(g[i].Max, g[to].Max+w)
			}
		}
		for _, p := range g[i].pred {
			// INVARIANT: pred lists p once for each of its edges to i.
			if left[p]--; left[p] == 0 && g[p].Min != expr.Unbounded {
				ready = append(ready, p)
			}
		}
	}
}
