package pushdown

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Calls are returned in the order of their ranks, each rule once, for any number of calls above any stack.
func TestPendingCallsComeInOrder(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for _, n := range []int{1, 3, 31, 32, 33, 200, 5000} {
		p := predictions{calls: []prediction{{rank: 0, rule: 7}, {rank: 9, rule: 8}}}
		first := len(p.calls)
		waiting := map[uint32]bool{}
		last := uint32(0)
		for left := n; left > 0 || len(p.calls) > first; {
			if left > 0 && r.Intn(3) > 0 {
				rule := last + 1 + uint32(r.Intn(2*n))
				p.add(prediction{rank: rule / 2, rule: rule, k: 1}, first)
				waiting[rule] = true
				left--
				continue
			}
			if len(p.calls) == first {
				continue
			}
			var rules []uint32
			for rule := range waiting {
				rules = append(rules, rule)
			}
			got, ks := p.take(first)
			require.NotEmpty(t, ks)
			require.Equal(t, slices.Min(rules), got)
			delete(waiting, got)
			last = got
		}
		require.Empty(t, waiting)
		require.Len(t, p.calls, first)
	}
}
