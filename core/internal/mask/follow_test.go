package mask

import (
	"math/rand"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
)

// An entry of a followed token may be lost, and is never read as another token's: small tables with many collisions,
// states and tokens that differ in one bit, while tables grow under several writers.
func TestConcurrentFollows(t *testing.T) {
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

// The same in a small world, which reads every entry that a mistake could make: all tokens up to a number, of states
// next to each other, while tables grow. The memory of the tables is counted.
func TestFollowedIsExactInASmallWorld(t *testing.T) {
	const states, tokens = 8, 2048
	m := masksOfNothing(t)
	to := func(s, id uint32) pushdown.StateID { return pushdown.StateID(2 + s*tokens + id) }
	r := rand.New(rand.NewSource(1))
	grown := 0
	for last := 0; grown < 3; {
		for range 40 {
			s, id := uint32(r.Intn(states)), uint32(r.Intn(tokens))
			m.Follows(pushdown.StateID(2+s), id, to(s, id))
		}
		if n := len(*m.followed.table.Load()); n != last {
			require.EqualValues(t, 8*n, m.Size())
			grown, last = grown+1, n
		}
		for s := range uint32(states) {
			for id := range uint32(tokens) {
				if got, ok := m.After(pushdown.StateID(2+s), id); ok {
					require.Equal(t, to(s, id), got, "from state %d with token %d", s, id)
				}
			}
		}
	}
}

// A table that has grown keeps its entries, and grows again only when as many entries of the new one were displaced. A
// writer that finds it grown already uses the new one.
func TestFollowedGrowsAndKeeps(t *testing.T) {
	m := masksOfNothing(t)
	const token = 1000
	for s := range pushdown.StateID(followedFirst / 8) { // few, so that each has a place of its own
		m.Follows(2+s, token, 100+s)
	}
	kept := func() (n int) {
		for s := range pushdown.StateID(followedFirst / 8) {
			if to, ok := m.After(2+s, token); ok {
				require.Equal(t, 100+s, to)
				n++
			}
		}
		return n
	}
	before := kept()
	require.EqualValues(t, followedFirst/8, before, "states with one token between them have places of their own")
	first := m.followed.table.Load()
	m.followed.lost.Store(followedFirst)
	m.Follows(2, token, 100)
	second := m.followed.table.Load()
	require.Len(t, *second, 2*followedFirst)
	require.GreaterOrEqual(t, kept(), before)
	m.Follows(2, token, 100)
	require.Same(t, second, m.followed.table.Load())
	require.Same(t, second, m.grow(first))
	require.EqualValues(t, 8*len(*second), m.Size())
}

// The last state and the last token that there may be have room in the smallest table.
func TestFollowedHasRoomForAll(t *testing.T) {
	const lastState, lastToken = 1<<pushdown.StateBits - 1, limits.VocabularyIDs - 1
	m := masksOfNothing(t)
	for _, s := range []pushdown.StateID{2, lastState} {
		for _, id := range []uint32{0, lastToken} {
			m.Follows(s, id, lastState)
			to, ok := m.After(s, id)
			require.True(t, ok)
			require.EqualValues(t, lastState, to)
		}
	}
}

// Tokens that have no room in a table are not remembered, and none is found for them.
func TestFollowedHasRoom(t *testing.T) {
	m := masksOfNothing(t)
	m.Follows(6, 1<<22, 9)
	m.Follows(7, 1<<30, 9)
	_, ok := m.After(7, 1<<30)
	require.False(t, ok)
	// If the token were cut, its high part would be a small token's, and the rest would fall into the state.
	for s := pushdown.Over + 1; s < 16; s++ {
		for id := range uint32(followedFirst) {
			_, ok = m.After(s, id)
			require.False(t, ok)
		}
	}
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
