package mask

import (
	"math/rand"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/pushdown"
)

// What is remembered of followed tokens may be forgotten, and is never another token's: small tables with many
// collisions, states and tokens that differ in one bit, while tables grow under several writers.
func TestFollowedIsExact(t *testing.T) {
	type step struct {
		s  pushdown.StateID
		id uint32
	}
	to := func(x step) pushdown.StateID { return (x.s*31+pushdown.StateID(x.id)*7)%(1<<pushdown.StateBits-2) + 2 }
	for seed := range int64(4) {
		m := masksOfNothing(t)
		steps := make([]step, 3000)
		r := rand.New(rand.NewSource(seed))
		for i := range steps {
			switch x := &steps[i]; {
			case i%3 == 0 || i == 0:
				*x = step{pushdown.StateID(2 + r.Intn(1<<pushdown.StateBits-2)), uint32(r.Intn(1 << 24))}
			case i%3 == 1:
				*x = step{steps[i-1].s ^ 4<<r.Intn(20), steps[i-1].id}
			default:
				*x = step{steps[i-1].s, steps[i-1].id ^ 1<<r.Intn(24)}
			}
		}
		var wg sync.WaitGroup
		for k := range 2 {
			wg.Go(func() {
				r := rand.New(rand.NewSource(seed*2 + int64(k)))
				for range 30_000 {
					x := steps[r.Intn(len(steps))]
					if got, ok := m.After(x.s, x.id); ok && got != to(x) {
						t.Errorf("from %d with token %d to %d, and not to %d", x.s, x.id, got, to(x))
						return
					} else if !ok {
						m.Follows(x.s, x.id, to(x))
					}
				}
			})
		}
		wg.Wait()
		require.Len(t, *m.followed.table.Load(), followedMost)
		found := 0
		for _, x := range steps {
			if got, ok := m.After(x.s, x.id); ok {
				require.Equal(t, to(x), got)
				found++
			}
		}
		require.Greater(t, found, len(steps)/3)
	}
}

// Tokens that have no room in a table are not remembered, and none is found for them.
func TestFollowedHasRoom(t *testing.T) {
	m := masksOfNothing(t)
	m.Follows(7, 1<<30, 9)
	_, ok := m.After(7, 1<<30)
	require.False(t, ok)
	m.Follows(7, 5, 9)
	to, ok := m.After(7, 5)
	require.True(t, ok)
	require.EqualValues(t, 9, to)
	for _, other := range []uint32{5 + 1<<22, 5 + 1<<23, 5 + 1<<31, 4} { // those whose high parts would be cut
		_, ok = m.After(7, other)
		require.False(t, ok, other)
	}
}

func masksOfNothing(t *testing.T) *Masks {
	t.Helper()
	return &Masks{}
}
