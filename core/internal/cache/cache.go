// Package cache keeps expensive values under the hash of their input, within a number of bytes. While there is room it
// keeps every value. A full cache keeps a value only if its key was requested before. Values whose keys were requested
// once are evicted first, then the least recently used of the others. So requests that never repeat evict no value of a
// request that does, even though kept values grow.
//
// Invariant: one caller at a time computes the value of a key; other callers of the key wait and get the same value.
// Eviction does not affect holders of a value. A cached value changes only the duration of a call. Start reading at
// Cache.Get.
package cache

import (
	"encoding/binary"
	"sync"
	"time"
)

// Key is the hash of a value's whole input.
type Key [32]byte

// Fate says which callers get a computed value.
type Fate uint8

// The fates of a value.
const (
	Own  Fate = iota // only this caller; waiting callers compute their own
	Pass             // waiting callers too; the cache drops it
	Keep             // waiting callers too; the cache keeps it
)

const entryBytes = 192

// measuredAtOnce is the number of entries that are measured again with each new value, because kept values may grow.
const measuredAtOnce = 4

// rememberedAtMost is the number of refused keys that the cache remembers. A power of two.
const rememberedAtMost = 1 << 12

// waitFor is the interval at which a waiting caller asks its stop function.
const waitFor = time.Millisecond

// Cache maps keys to values. Shared and growing, bounded; safe for concurrent use.
type Cache[V any] struct {
	most int
	size func(V) int // fast, takes no lock

	mu      sync.Mutex
	entries map[Key]*entry[V]
	flights map[Key]*flight[V]
	ring    entry[V]  // the list's end: ring.next was requested last, ring.previous is evicted first
	once    entry[V]  // divides the list: the keys of the values behind it were requested once
	measure *entry[V] // the next entry to measure again
	refused []uint64  // by low bits of the key: 8 bytes of the last key refused for lack of room
	stats   Stats
}

type entry[V any] struct {
	key            Key
	value          V
	bytes          int
	previous, next *entry[V]
}

type flight[V any] struct {
	done  chan struct{} // closed when v and fate are set
	value V
	fate  Fate
}

// Stats counts the requests of a cache and its contents.
type Stats struct {
	Hits      uint64
	Misses    uint64
	Joined    uint64 // waited for another caller's computation
	Evictions uint64
	Entries   int
	Bytes     int // of values, keys and entries
	Limit     int
}

// New returns a cache of at most the given number of bytes. size may return different numbers for one value over time.
func New[V any](most int, size func(V) int) *Cache[V] {
	c := &Cache[V]{most: most, size: size, flights: map[Key]*flight[V]{}}
	c.empty()
	return c
}

func (c *Cache[V]) empty() {
	c.entries = map[Key]*entry[V]{}
	c.ring.previous, c.ring.next, c.measure = &c.once, &c.once, &c.ring
	c.once.previous, c.once.next = &c.ring, &c.ring
	c.refused = nil
	c.stats.Bytes = 0
}

// Get returns the value of a key. It is cached, or made computes it for this caller or for another one. Get calls
// stop, which may be nil, before it computes or waits, and returns false if stop returned true.
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
			continue // meanwhile another caller began to compute
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

// lead computes a value for all waiting callers. It returns false if the value exists or another caller computes it.
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
	defer func() { // runs even if made panics: then waiting callers compute their own
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

func (c *Cache[V]) used(e *entry[V]) {
	e.previous.next, e.next.previous = e.next, e.previous
	e.insert(&c.ring)
	c.weigh(e)
	c.evict()
}

func (e *entry[V]) insert(behind *entry[V]) {
	e.previous, e.next = behind, behind.next
	e.previous.next, e.next.previous = e, e
}

// add keeps a value if there is room or its key was requested before.
func (c *Cache[V]) add(key Key, v V) {
	c.measureSome()
	bytes, behind := c.size(v)+entryBytes, &c.once
	if c.stats.Bytes+bytes > c.most {
		if bytes > c.most || !c.again(key) {
			return
		}
		behind = &c.ring
	}
	e := &entry[V]{key: key, value: v, bytes: bytes}
	c.entries[key] = e
	e.insert(behind)
	c.stats.Bytes += bytes
	c.evict()
}

// again reports whether a key was refused before, and remembers it as refused.
func (c *Cache[V]) again(key Key) bool {
	if c.refused == nil {
		c.refused = make([]uint64, rememberedAtMost)
	}
	at := &c.refused[binary.LittleEndian.Uint64(key[:])%rememberedAtMost]
	part := binary.LittleEndian.Uint64(key[8:]) | 1 // an empty entry is 0
	if *at == part {
		return true
	}
	*at = part
	return false
}

func (c *Cache[V]) measureSome() {
	for range min(measuredAtOnce, len(c.entries)) {
		if c.measure != &c.ring && c.measure != &c.once {
			c.weigh(c.measure)
		}
		c.measure = c.measure.previous
	}
	c.evict()
}

func (c *Cache[V]) weigh(e *entry[V]) {
	now := c.size(e.value) + entryBytes
	c.stats.Bytes += now - e.bytes
	e.bytes = now
}

func (c *Cache[V]) evict() {
	for c.stats.Bytes > c.most && len(c.entries) > 0 {
		e := c.ring.previous
		if e == &c.once {
			e = e.previous
		}
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
	for _, e := range c.entries {
		c.weigh(e)
	}
	c.evict()
	s := c.stats
	s.Entries, s.Limit = len(c.entries), c.most
	return s
}

// Each calls f with every value. f takes no lock.
func (c *Cache[V]) Each(f func(V)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range c.entries {
		f(e.value)
	}
}

// Clear drops all values. The values of computations in progress are kept later.
func (c *Cache[V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.empty()
}
