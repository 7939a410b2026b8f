package cache

import (
	"encoding/binary"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// value is a string with a size that a test may change.
type value struct {
	text string
	size *int
}

func sized(v value) int { return *v.size }

func makes(text string, size int) func() (value, Fate) {
	return func() (value, Fate) { return value{text, &size}, Keep }
}

func key(n uint64) (k Key) {
	binary.LittleEndian.PutUint64(k[:], n)
	binary.LittleEndian.PutUint64(k[8:], n<<1)
	return k
}

func refuses() (value, Fate) { panic("it is made again") }

func TestKeepsAndDrops(t *testing.T) {
	c := New(3*(1000+entryBytes), sized)
	for i := range uint64(3) {
		v, ok := c.Get(key(i), nil, makes("first", 1000))
		require.True(t, ok)
		require.Equal(t, "first", v.text)
	}
	full := 3 * (1000 + entryBytes)
	require.Equal(t, Stats{Misses: 3, Entries: 3, Bytes: full, Limit: full}, c.Stats())
	v, _ := c.Get(key(0), nil, refuses)
	require.Equal(t, "first", v.text)
	c.Get(key(3), nil, makes("fourth", 1000)) // there is no room
	s := c.Stats()
	require.Equal(t, [4]uint64{1, 4, 0, 3}, [4]uint64{s.Hits, s.Misses, s.Evictions, uint64(s.Entries)})
	c.Get(key(3), nil, makes("fourth", 1000)) // it is requested again; 1 is the least recently used
	s = c.Stats()
	require.Equal(t, [4]uint64{1, 5, 1, 3}, [4]uint64{s.Hits, s.Misses, s.Evictions, uint64(s.Entries)})
	for _, i := range []uint64{0, 2, 3} {
		_, ok := c.Get(key(i), nil, refuses)
		require.True(t, ok)
	}
	v, _ = c.Get(key(1), nil, makes("again", 1000))
	require.Equal(t, "again", v.text)
	c.Clear()
	s = c.Stats()
	require.Equal(t, [2]int{0, 0}, [2]int{s.Entries, s.Bytes})
	require.Panics(t, func() { c.Get(key(0), nil, refuses) })
	_, ok := c.Get(key(0), nil, makes("after a panic", 1))
	require.True(t, ok, "nobody waits for what panicked")
}

// Values that are requested once evict nothing, but the cache remembers the last of their keys.
func TestOnceIsNotKept(t *testing.T) {
	const last = 40 * rememberedAtMost
	c := New(1000+entryBytes, sized)
	for i := range uint64(last + 1) {
		c.Get(key(i), nil, makes("once", 1000))
	}
	_, ok := c.Get(key(0), nil, refuses)
	require.True(t, ok)
	for range 2 {
		c.Get(key(last), nil, makes("twice", 1000))
	}
	s := c.Stats()
	require.Equal(t, [4]uint64{2, last + 2, 1, 1}, [4]uint64{s.Hits, s.Misses, s.Evictions, uint64(s.Entries)})
	c.Get(key(1), nil, makes("forgotten", 1000))
	c.Get(key(last), nil, refuses)
	c.Clear()
	require.Nil(t, c.refused)
}

// A value larger than the cache is returned, not kept, and evicts nothing. A value that grows while it is kept evicts
// others, and itself.
func TestSizesThatChange(t *testing.T) {
	c := New(3000, sized)
	c.Get(key(4), nil, makes("small", 2000))
	for range 2 {
		v, ok := c.Get(key(0), nil, makes("large", 3000))
		require.True(t, ok)
		require.Equal(t, "large", v.text)
	}
	c.Get(key(4), nil, refuses)
	c.Clear()

	small, large := 500, 500
	c.Get(key(1), nil, func() (value, Fate) { return value{"small", &small}, Keep })
	c.Get(key(2), nil, func() (value, Fate) { return value{"large", &large}, Keep })
	require.Equal(t, 2, c.Stats().Entries)
	large = 2500
	_, ok := c.Get(key(2), nil, refuses)
	require.True(t, ok)
	s := c.Stats()
	require.Equal(t, []int{1, 2500 + entryBytes}, []int{s.Entries, s.Bytes})
	large = 2900
	v, ok := c.Get(key(2), nil, refuses)
	require.True(t, ok, "an answer all the same")
	require.Equal(t, "large", v.text)
	s = c.Stats()
	require.Equal(t, []int{0, 0}, []int{s.Entries, s.Bytes})

	small = 500
	c.Get(key(1), nil, func() (value, Fate) { return value{"small", &small}, Keep })
	small = 2900
	c.Get(key(3), nil, makes("new", 100)) // measures the others
	s = c.Stats()
	require.Equal(t, []int{1, 100 + entryBytes}, []int{s.Entries, s.Bytes})
}

// Warming lets grammars grow after they are kept. Requests that never repeat must not evict those that do.
func TestGrownValuesOfOneRequestGoFirst(t *testing.T) {
	c := New(20_000, sized)
	for n := range uint64(10) {
		c.Get(key(n), nil, makes("regular", 500))
		c.Get(key(n), nil, refuses)
	}
	for round := range uint64(12) {
		for n := range uint64(200) {
			size := 300
			c.Get(key(1000*(1+round)+n), nil, func() (value, Fate) { return value{"once", &size}, Keep })
			size = 900
		}
		for n := range uint64(10) {
			c.Get(key(n), nil, refuses)
		}
	}
	require.Positive(t, c.Stats().Evictions)
}

func TestFates(t *testing.T) {
	c := New(10_000, sized)
	for _, fate := range []Fate{Own, Pass} {
		for range 2 {
			made := false
			c.Get(key(uint64(fate)), nil, func() (value, Fate) {
				made = true
				size := 1
				return value{"x", &size}, fate
			})
			require.True(t, made)
		}
	}
	require.Zero(t, c.Stats().Entries)
}

// Callers that request a value while it is computed get the same one, or compute their own if its fate is Own.
func TestOneIsMadeAtATime(t *testing.T) {
	for _, fate := range []Fate{Keep, Pass, Own} {
		c := New(10_000, sized)
		var making, made, most atomic.Int32
		begun, goOn := make(chan struct{}), make(chan struct{})
		size := 1
		var wait sync.WaitGroup
		for i := range 8 {
			wait.Go(func() {
				if i > 0 {
					<-begun
				}
				v, ok := c.Get(key(7), nil, func() (value, Fate) {
					most.Store(max(most.Load(), making.Add(1)))
					defer making.Add(-1)
					if made.Add(1) == 1 {
						close(begun)
						<-goOn
						return value{"theirs", &size}, fate
					}
					return value{"theirs", &size}, Keep
				})
				require.True(t, ok)
				require.Equal(t, "theirs", v.text)
			})
		}
		<-begun
		stopped := 0
		_, ok := c.Get(key(7), func() bool { stopped++; return stopped == 3 }, refuses)
		require.False(t, ok, "it was stopped while it waited")
		_, ok = c.Get(key(7), func() bool { return true }, refuses)
		require.False(t, ok, "and before it waited")
		close(goOn)
		wait.Wait()
		require.EqualValues(t, 1, most.Load())
		if fate == Own {
			require.EqualValues(t, 2, made.Load())
		} else if fate == Keep {
			require.EqualValues(t, 1, made.Load())
		}
		require.Empty(t, c.flights)
	}
}

// Random calls from several threads keep the sums right and the bound.
func TestRandomCalls(t *testing.T) {
	const most = 40_000
	c := New(most, sized)
	var wait sync.WaitGroup
	for thread := range uint64(4) {
		wait.Go(func() {
			r := rand.New(rand.NewPCG(1, thread))
			for range 3000 {
				n := r.Uint64N(60)
				v, ok := c.Get(key(n), nil, makes(string(rune('a'+n)), int(100*n)))
				require.True(t, ok)
				require.Equal(t, string(rune('a'+n)), v.text)
				if r.IntN(500) == 0 {
					c.Clear()
				}
				require.LessOrEqual(t, c.Stats().Bytes, most)
			}
		})
	}
	wait.Wait()
	s, bytes, n := c.Stats(), 0, 0
	for e := c.ring.next; e != &c.ring; e = e.next {
		if e == &c.once {
			continue
		}
		require.Same(t, e, c.entries[e.key])
		bytes += e.bytes
		n++
	}
	require.Equal(t, []int{bytes, n}, []int{s.Bytes, s.Entries})
	require.EqualValues(t, 12_000, s.Hits+s.Misses+s.Joined)
	require.Positive(t, s.Evictions)
}
