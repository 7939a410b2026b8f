package handle

import (
	"math"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLifeOfAHandle(t *testing.T) {
	table := NewTable[string](3)
	a := table.Put("a")
	b := table.Put("b")
	require.NotEqual(t, a, b)
	require.EqualValues(t, 3, Tag(a))

	v, ok := table.Get(a)
	require.True(t, ok)
	require.Equal(t, "a", v)

	require.True(t, table.Free(a))
	require.False(t, table.Free(a), "a second free is refused")
	_, ok = table.Get(a)
	require.False(t, ok)

	c := table.Put("c") // takes a's slot
	require.Equal(t, a%MaxLive, c%MaxLive)
	_, ok = table.Get(a)
	require.False(t, ok, "the old handle does not name the new object")
	require.False(t, table.Free(a))
	v, ok = table.Get(c)
	require.True(t, ok)
	require.Equal(t, "c", v)
	require.Equal(t, 2, table.Live())
}

func TestForeignNumbersAreRefused(t *testing.T) {
	table, other := NewTable[int](1), NewTable[int](2)
	h := table.Put(7)
	other.Put(8)
	_, ok := other.Get(h)
	require.False(t, ok, "another type's handle")
	for _, h := range []uint64{0, 1, math.MaxUint64, h + 1, h | 1<<63, h + 1<<indexBits, h + chunkSize} {
		_, ok := table.Get(h)
		require.False(t, ok, "%#x", h)
		require.False(t, table.Free(h), "%#x", h)
	}
}

func TestSpentGenerationsRetireTheSlot(t *testing.T) {
	table := NewTable[int](1)
	h := table.Put(1)
	require.True(t, table.Free(h))
	(*table.chunks.Load())[0][0].gen = math.MaxUint32 - 1
	last := table.Put(2)
	require.True(t, table.Free(last))
	next := table.Put(3)
	require.NotEqual(t, last%MaxLive, next%MaxLive)
}

func TestGrowsOverManyChunks(t *testing.T) {
	table := NewTable[int](1)
	var hs []uint64
	for i := range 3*chunkSize + 1 {
		h := table.Put(i)
		hs = append(hs, h)
	}
	for i, h := range hs {
		v, ok := table.Get(h)
		require.True(t, ok)
		require.Equal(t, i, v)
	}
}

// Threads make, read and free handles while others try the handles that they lost; under -race this is also the proof
// that Get needs no lock.
func TestConcurrentUse(t *testing.T) {
	table := NewTable[uint64](1)
	var lost atomic.Uint64
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 500 {
				want := uint64(w)<<32 | uint64(i)
				h := table.Put(want)
				if v, ok := table.Get(h); !ok || v != want {
					t.Errorf("handle %#x: got %d, %v", h, v, ok)
				}
				if !table.Free(h) {
					t.Errorf("handle %#x could not be freed", h)
				}
				table.Get(lost.Swap(h))
				if _, ok := table.Get(h); ok {
					t.Errorf("handle %#x outlives Free", h)
				}
			}
		}()
	}
	wg.Wait()
	require.Zero(t, table.Live())
}

// Of many threads that free one handle exactly one succeeds.
func TestConcurrentFree(t *testing.T) {
	table := NewTable[int](1)
	for range 200 {
		h := table.Put(1)
		var freed atomic.Int32
		var wg sync.WaitGroup
		for range 4 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				if table.Free(h) {
					freed.Add(1)
				}
			}()
		}
		wg.Wait()
		require.EqualValues(t, 1, freed.Load())
	}
}

func BenchmarkGet(b *testing.B) {
	table := NewTable[*int](1)
	h := table.Put(new(int))
	b.ReportAllocs()
	for b.Loop() {
		table.Get(h)
	}
}
