// Package cache keeps values that are expensive to compute, under the hash of their input, within a number of bytes.
// While there is room it keeps every value. After that it keeps a value whose key was requested before, and evicts the
// least recently used: values that are requested once evict nothing, and cost little more than without a cache.
//
// Invariant: one caller at a time computes the value of a key; others that request it wait and get the same value.
// Eviction does not affect holders of a value. The package knows nothing of the values but their size, and a cached
// value shows in the duration of a call alone. Start reading at Cache.Get.
package cache

import (
	"encoding/binary"
	"sync"
	"time"
)

// Key is the hash of everything that a value is made from.
type Key [32]byte

// Fate says who gets a computed value.
type Fate uint8

// The fates.
const (
	Own  Fate = iota // only this caller gets it: waiting callers compute their own
	Pass             // waiting callers get it too, and it is not kept
	Keep             // it is kept
)

// entryBytes is the approximate size of an entry beside its value: twice its key, and its places in map and list.
const entryBytes = 192

// measuredAtOnce is the number of entries that are measured again with each new value: values may grow while they are
// kept.
const measuredAtOnce = 4

// rememberedAtMost is the number of keys that the cache remembers of values for which there was no room. A power of
// two.
const rememberedAtMost = 1 << 12

// waitFor is the interval at which a waiting caller asks its stop function.
const waitFor = time.Millisecond

// Cache keeps values. Shared and growing, bounded; safe for concurrent use.
type Cache[V any] struct {
	most int
	size func(V) int // fast, and takes no lock

	mu      sync.Mutex
	entries map[Key]*entry[V]
	flights map[Key]*flight[V]
	ring    entry[V]  // the list's end: ring.next was requested last, ring.previous before all others
	measure *entry[V] // the next entry to measure again
	refused []uint64  // by key: a part of the last key without room for its value; nil if there is none
	stats   Stats
}

type entry[V any] struct {
	key            Key
	value          V
	bytes          int
	previous, next *entry[V]
}

// flight is a value that a caller is computing.
type flight[V any] struct {
	done  chan struct{} // closed when the others are set
	value V
	fate  Fate
}

// Stats counts the requests of a cache and its contents.
type Stats struct {
	Hits      uint64 // values that were there
	Misses    uint64 // values that were computed
	Joined    uint64 // values that another caller was computing already
	Evictions uint64 // values that were evicted
	Entries   int
	Bytes     int // of values, keys and entries
	Limit     int // the most that Bytes may be
}

// New returns a cache that holds at most so many bytes. size may later return another number for the same value.
func New[V any](most int, size func(V) int) *Cache[V] {
	c := &Cache[V]{most: most, size: size, flights: map[Key]*flight[V]{}}
	c.empty()
	return c
}

func (c *Cache[V]) empty() {
	c.entries = map[Key]*entry[V]{}
	c.ring.previous, c.ring.next, c.measure = &c.ring, &c.ring, &c.ring
	c.refused = nil
	c.stats.Bytes = 0
}

// Get returns the value of a key: the cached one, the one that another caller is computing, or the result of made. It
// returns false if stop returned true; it asks stop, which may be nil, before it computes or waits.
func (c *Cache[V]) Get(key Key, stop func() bool, made func() (V, Fate)) (v V, ok bool) {
	for {
		c.mu.Lock()
		if e := c.entries[key]; e != nil {
			c.stats.Hits++
			c.used(e)
			c.mu.Unlock()
			return e.value, true
		}
		f := c.flights[key]
		c.mu.Unlock()
		if stop != nil && stop() {
			return v, false
		}
		if f == nil {
			if v, ok = c.lead(key, made); ok {
				return v, true
			}
			continue // another caller has begun meanwhile
		}
		if !f.wait(stop) {
			return v, false
		}
		if f.fate != Own {
			c.mu.Lock()
			c.stats.Joined++
			c.mu.Unlock()
			return f.value, true
		}
	}
}

// lead computes a value for all callers that wait. It returns false if the value exists or another caller computes it.
func (c *Cache[V]) lead(key Key, made func() (V, Fate)) (v V, ok bool) {
	c.mu.Lock()
	if c.entries[key] != nil || c.flights[key] != nil {
		c.mu.Unlock()
		return v, false
	}
	f := &flight[V]{done: make(chan struct{})}
	c.flights[key] = f
	c.stats.Misses++
	c.mu.Unlock()
	defer func() { // also if made panics: then waiting callers compute their own
		c.mu.Lock()
		delete(c.flights, key)
		if f.fate == Keep {
			c.add(key, f.value)
		}
		c.mu.Unlock()
		close(f.done)
	}()
	f.value, f.fate = made()
	return f.value, true
}

// wait returns false if stop ended it.
func (f *flight[V]) wait(stop func() bool) bool {
	if stop == nil {
		<-f.done
		return true
	}
	timer := time.NewTicker(waitFor)
	defer timer.Stop()
	for {
		select {
		case <-f.done:
			return true
		case <-timer.C:
			if stop() {
				return false
			}
		}
	}
}

// used makes e the most recently used entry.
func (c *Cache[V]) used(e *entry[V]) {
	e.previous.next, e.next.previous = e.next, e.previous
	c.first(e)
	c.weigh(e)
	c.evict()
}

func (c *Cache[V]) first(e *entry[V]) {
	e.previous, e.next = &c.ring, c.ring.next
	e.previous.next, e.next.previous = e, e
}

// add keeps a value if there is room, or if its key was requested before.
func (c *Cache[V]) add(key Key, v V) {
	c.measureSome()
	bytes := c.size(v) + entryBytes
	if bytes > c.most || c.stats.Bytes+bytes > c.most && !c.again(key) {
		return
	}
	e := &entry[V]{key: key, value: v, bytes: bytes}
	c.entries[key] = e
	c.first(e)
	c.stats.Bytes += bytes
	c.evict()
}

// again reports whether the cache remembers that there was no room for a key's value, and remembers it from now on.
func (c *Cache[V]) again(key Key) bool {
	if c.refused == nil {
		c.refused = make([]uint64, rememberedAtMost)
	}
	at := &c.refused[binary.LittleEndian.Uint64(key[:])%rememberedAtMost]
	part := binary.LittleEndian.Uint64(key[8:]) | 1 // no entry is 0
	if *at == part {
		return true
	}
	*at = part
	return false
}

// measureSome measures the next entries again.
func (c *Cache[V]) measureSome() {
	for range min(measuredAtOnce, len(c.entries)) {
		if c.measure != &c.ring {
			c.weigh(c.measure)
		}
		c.measure = c.measure.previous
	}
	c.evict()
}

// weigh measures an entry again.
func (c *Cache[V]) weigh(e *entry[V]) {
	now := c.size(e.value) + entryBytes
	c.stats.Bytes += now - e.bytes
	e.bytes = now
}

// evict drops the least recently used entries until there is room.
func (c *Cache[V]) evict() {
	for c.stats.Bytes > c.most && c.ring.previous != &c.ring {
		e := c.ring.previous
		if c.measure == e {
			c.measure = e.previous
		}
		e.previous.next, e.next.previous = e.next, e.previous
		delete(c.entries, e.key)
		c.stats.Bytes -= e.bytes
		c.stats.Evictions++
	}
}

// Stats returns the counts of the cache. It measures all entries again.
func (c *Cache[V]) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	for e := c.ring.next; e != &c.ring; e = e.next {
		c.weigh(e)
	}
	c.evict()
	s := c.stats
	s.Entries, s.Limit = len(c.entries), c.most
	return s
}

// Clear drops all values. Computations in progress continue, and their values are kept.
func (c *Cache[V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.empty()
}
