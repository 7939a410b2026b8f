// Package cache keeps what takes long to make, under the hash of what it was made from, within a number of bytes. While
// there is room everything is kept; after that what is asked for again, in place of what nobody has asked for the
// longest time: values that nobody asks for twice drop nothing, and cost little more than without a cache.
//
// Invariant: of equal keys one is made at a time, and whoever asks meanwhile gets the same. A value that was dropped is
// as good as before to those who have it. The package knows nothing of the values but their size; whether it has one is
// seen in how long a call takes, and in nothing else. Start reading at Cache.Get.
package cache

import (
	"encoding/binary"
	"sync"
	"time"
)

// Key is the hash of everything that a value is made from.
type Key [32]byte

// Fate says what becomes of a value that was made.
type Fate uint8

// The fates.
const (
	Own  Fate = iota // it is an answer to this caller alone: others who wait make their own
	Pass             // others who wait get it too, and it is not kept
	Keep             // it is kept
)

// entryBytes is what an entry takes beside its value, about: twice its key, and its places in map and list.
const entryBytes = 192

// measuredAtOnce is how many entries are measured again when a value is made: values may grow while they are kept.
const measuredAtOnce = 4

// rememberedAtMost is how many keys the cache remembers of values for which there was no room. A power of two.
const rememberedAtMost = 1 << 12

// waitFor is how long a caller waits for another's value between two questions whether to go on.
const waitFor = time.Millisecond

// Cache keeps values. Shared and growing, bounded; safe for concurrent use.
type Cache[V any] struct {
	most int
	size func(V) int // takes no lock and no time

	mu      sync.Mutex
	entries map[Key]*entry[V]
	flights map[Key]*flight[V]
	ring    entry[V]  // the list's end: ring.next was asked for last, ring.previous before all others
	measure *entry[V] // the next one that is measured again
	refused []uint64  // parts of the keys for whose values there was no room, each where its key says; none: nil
	stats   Stats
}

type entry[V any] struct {
	key            Key
	value          V
	bytes          int
	previous, next *entry[V]
}

// flight is a value that is being made.
type flight[V any] struct {
	done  chan struct{} // closed when the others are set
	value V
	fate  Fate
}

// Stats counts what a cache has done, and what it holds.
type Stats struct {
	Hits      uint64 // values that were there
	Misses    uint64 // values that were made
	Joined    uint64 // values that another caller was making already
	Evictions uint64 // values that were dropped because there was no room
	Entries   int
	Bytes     int // of values, keys and what holds them
	Limit     int // what Bytes may be
}

// New makes a cache that holds at most so many bytes. size may return something else later.
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

// Get returns the value of a key: the one that is kept, the one that another caller is making, or what made returns. It
// returns false if stop, which is asked before there is anything to make or to wait for, ended it. stop may be nil.
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

// lead makes a value for all who ask. It returns false if it is there, or is being made.
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
	defer func() { // also when made panics: then those who wait make their own
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

// used makes e the last that goes.
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

// add keeps a value if there is room, or if it has been asked for before.
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

// again says whether there was no room for a key's value before, as far as is remembered, and remembers it.
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

// evict drops what has not been asked for the longest time, until there is room.
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

// Stats returns what the cache has done, and what it holds, all of which it measures again.
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

// Clear drops all values. What is being made goes on, and is kept.
func (c *Cache[V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.empty()
}
