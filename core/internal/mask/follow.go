package mask

import (
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/pushdown"
)

// followed caches the states after whole tokens. Accepting a token again is one look-up instead of one for each byte, of
// which each waits for the one before. Lossy: of two entries with one place, the later one stays.
//
// An entry is one word, so readers need no lock: state, high bits of the token, state after it. The place gives the low
// bits of the token, see followedPlace.
type followed struct {
	mu    sync.Mutex
	table atomic.Pointer[[]atomic.Uint64] // a power of two; nil: nothing was followed yet
	lost  atomic.Int32                    // entries that others have displaced since the table was made
}

const (
	followedFirst = 64      // entries of the first table
	followedMost  = 1 << 12 // and of the largest: a decoder has some hundred states, and few tokens at most of them

	followedToken = 64 - 2*pushdown.StateBits // bits of the high part of a token
)

// followedPlace returns the place in a table of so many entries of token id from state s. It is its own inverse: given a
// place in the place of id, it returns the low bits of the token.
//
// States have numbers close to each other, and many of them follow the same few tokens. The high bits of the product
// spread such numbers evenly over tables of every size; its low bits have put eight of them in two places of 64.
func followedPlace(s pushdown.StateID, id, entries uint32) uint32 {
	return (id ^ uint32(s)*0x9E3779B1>>(bits.LeadingZeros32(entries)+1)) & (entries - 1)
}

// followedKey returns what tells an entry of a table of so many entries from others with its place, and false if there
// is no room for it.
func followedKey(s pushdown.StateID, id, entries uint32) (uint64, bool) {
	high := id / entries
	return uint64(s)<<followedToken | uint64(high), high < 1<<followedToken
}

// After returns the state to which token id leads from state s, if Follows has said so and it has not been
// forgotten.
func (f *followed) After(s pushdown.StateID, id uint32) (to pushdown.StateID, ok bool) {
	table := f.table.Load()
	if table == nil {
		return pushdown.Dead, false
	}
	n := uint32(len(*table))
	key, ok := followedKey(s, id, n)
	e := (*table)[followedPlace(s, id, n)].Load()
	return pushdown.StateID(e & (1<<pushdown.StateBits - 1)), ok && e>>pushdown.StateBits == key
}

// Follows remembers that token id leads from state s to state to, neither of them Dead or Over, for every matcher for
// which the token's text is text.
func (f *followed) Follows(s pushdown.StateID, id uint32, to pushdown.StateID) {
	table := f.table.Load()
	if table == nil || int(f.lost.Load()) > len(*table)/4 && len(*table) < followedMost {
		table = f.grow(table)
	}
	n := uint32(len(*table))
	key, ok := followedKey(s, id, n)
	if !ok {
		return
	}
	e := &(*table)[followedPlace(s, id, n)]
	if was := e.Load(); was != 0 && was>>pushdown.StateBits != key {
		f.lost.Add(1)
	}
	e.Store(key<<pushdown.StateBits | uint64(to))
}

// grow replaces a table by one that is twice as large, unless another goroutine has done so, and returns the
// one in use. What others write into the old one meanwhile is lost.
func (f *followed) grow(old *[]atomic.Uint64) *[]atomic.Uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now := f.table.Load(); now != old {
		return now
	}
	if old == nil {
		table := make([]atomic.Uint64, followedFirst)
		f.table.Store(&table)
		return &table
	}
	n := uint32(len(*old))
	table := make([]atomic.Uint64, 2*n)
	for i := range *old {
		e := (*old)[i].Load()
		if e == 0 {
			continue
		}
		key := e >> pushdown.StateBits
		s := pushdown.StateID(key >> followedToken)
		id := uint32(key&(1<<followedToken-1))*n | followedPlace(s, uint32(i), n)
		key, _ = followedKey(s, id, 2*n)
		table[followedPlace(s, id, 2*n)].Store(key<<pushdown.StateBits | e&(1<<pushdown.StateBits-1))
	}
	f.lost.Store(0)
	f.table.Store(&table)
	return &table
}

// size returns how many bytes the table takes.
func (f *followed) size() int {
	if table := f.table.Load(); table != nil {
		return 8 * len(*table)
	}
	return 0
}
