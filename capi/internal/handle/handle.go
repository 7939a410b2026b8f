// Package handle turns Go objects into numbers that C code may keep, pass between threads, lose and free twice.
//
// Invariant: a handle names one object from Put to Free, and nothing after that. Get and Free refuse every number that
// the table did not hand out, that was freed, or that belongs to a table with another tag. The package knows nothing of
// the objects. Start reading at Table.
package handle

import (
	"math"
	"sync"
	"sync/atomic"
)

// A handle is tag (8 bits), generation (32), index (24), from the high end to the low one. Tags start at 1, so no
// handle is 0.
const (
	indexBits = 24
	genBits   = 32
	tagShift  = indexBits + genBits
	chunkBits = 8 // 256 slots of 16 bytes: one page a chunk
	chunkSize = 1 << chunkBits

	// MaxLive is the most live handles of one table: the range of the index, sixteen million, far beyond the sequences
	// of one process. A caller that reaches it forgets to free.
	MaxLive = 1 << indexBits
)

// Table is the live objects of one type. Shared and growing, safe for concurrent use: Get takes no lock; Put and Free
// take one. The garbage collector follows one pointer for each live object and none for freed ones.
type Table[T any] struct {
	tag    uint64
	chunks atomic.Pointer[[]*chunk[T]] // replaced, never changed, when it grows
	mu     sync.Mutex
	free   []uint32 // indices of freed slots
	used   uint32   // indices handed out so far
}

type chunk[T any] [chunkSize]slot[T]

// slot is one index. The table's lock guards gen. Get reads object, which holds handle and value in one piece. So a
// slot that is freed and reused during a Get cannot show the new value under the old handle.
type slot[T any] struct {
	object atomic.Pointer[object[T]]
	gen    uint32
}

type object[T any] struct {
	handle uint64
	value  T
}

// NewTable makes a table whose handles carry tag, from 1 to 255.
func NewTable[T any](tag uint8) *Table[T] {
	t := &Table[T]{tag: uint64(tag) << tagShift}
	t.chunks.Store(new([]*chunk[T]))
	return t
}

// Tag returns the tag that a handle was made with, for messages; the handle may be any number.
func Tag(h uint64) uint8 { return uint8(h >> tagShift) }

// Put stores a value and returns its handle, 0 if MaxLive values are stored already.
func (t *Table[T]) Put(value T) uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	var index uint32
	if n := len(t.free); n > 0 {
		index = t.free[n-1]
		t.free = t.free[:n-1]
	} else {
		if t.used == MaxLive {
			return 0
		}
		index = t.used
		t.used++
		t.grow(index)
	}
	s := &(*t.chunks.Load())[index>>chunkBits][index%chunkSize]
	s.gen++
	h := t.tag | uint64(s.gen)<<indexBits | uint64(index)
	s.object.Store(&object[T]{handle: h, value: value})
	return h
}

func (t *Table[T]) grow(index uint32) {
	old := *t.chunks.Load()
	if int(index>>chunkBits) < len(old) {
		return
	}
	chunks := make([]*chunk[T], len(old)+1)
	copy(chunks, old)
	chunks[len(old)] = new(chunk[T])
	t.chunks.Store(&chunks)
}

// Get returns the value of a live handle. The value stays usable for the caller even if the handle is freed meanwhile.
func (t *Table[T]) Get(h uint64) (value T, ok bool) {
	if s := t.slot(h); s != nil {
		if o := s.object.Load(); o != nil && o.handle == h {
			return o.value, true
		}
	}
	return value, false
}

// slot returns the slot for the index of h, nil if there is none.
func (t *Table[T]) slot(h uint64) *slot[T] {
	index := h % MaxLive
	chunks := *t.chunks.Load()
	if h&^uint64(1<<tagShift-1) != t.tag || index>>chunkBits >= uint64(len(chunks)) {
		return nil
	}
	return &chunks[index>>chunkBits][index%chunkSize]
}

// Free ends a handle and returns whether it was alive. Of several threads that free one handle, one gets true.
func (t *Table[T]) Free(h uint64) bool {
	s := t.slot(h)
	if s == nil {
		return false
	}
	o := s.object.Load()
	if o == nil || o.handle != h || !s.object.CompareAndSwap(o, nil) {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if s.gen < math.MaxUint32 { // a slot without unused generations is retired: its first handle must not come back
		t.free = append(t.free, uint32(h%MaxLive))
	}
	return true
}

// Live returns how many handles are alive, retired slots included.
func (t *Table[T]) Live() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return int(t.used) - len(t.free)
}
