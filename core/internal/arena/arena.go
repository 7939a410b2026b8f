// Package arena holds append-only tables that many goroutines read while one appends.
//
// Invariant: an element never moves and the table never overwrites it, so an index stays valid for the table's life.
// Writers hold their owner's lock. A reader needs no lock if it learned the index through an atomic operation, or a
// lock, that followed the append.
//
// A table can be laid over one that has stopped growing: it shares the elements of that table and appends its own.
package arena

import (
	"iter"
	"math/bits"
	"unsafe"
)

const (
	firstBits = 4 // the first chunk holds 16 elements: most grammars are small
	maxChunks = 26
	// nearChunks chunks, 4,080 elements, need no second table of chunks. A grammar has some fifty tables, few of them
	// larger.
	nearChunks = 8
)

// Table is a growing sequence of T in chunks that double in size. It never copies elements: copying a large table
// would pause every reader. The zero value is an empty table. Shared and growing.
type Table[T any] struct {
	chunks [nearChunks][]T
	far    *[maxChunks - nearChunks][]T // the later chunks, nil if there are none
	n      uint32                       // number of own elements
	from   uint32                       // index of the first own element
	below  *Table[T]                    // holds the elements before from; nil if from is 0
}

// Over returns a table that begins with the elements of below, which must not grow again and must not lie over another
// table.
func Over[T any](below *Table[T]) Table[T] {
	if below.below != nil {
		panic("arena: a table is laid over one that lies over another")
	}
	return Table[T]{from: below.n, below: below}
}

// From returns the index of the first own element.
func (t *Table[T]) From() uint32 { return t.from }

func locate(i uint32) (chunk, offset uint32) {
	j := i + 1<<firstBits
	top := uint32(bits.Len32(j)-1) & 31 // & 31 only removes a check from the shift below
	return top - firstBits, j ^ 1<<top
}

// At returns element i, which must have been appended.
func (t *Table[T]) At(i uint32) *T {
	if i < t.from {
		t = t.below
	}
	j := i - t.from + 1<<firstBits // locate, short enough to be inlined
	top := uint32(bits.Len32(j)-1) & 31
	if c := top - firstBits; c < nearChunks {
		return &t.chunks[c][j^1<<top]
	}
	return &t.far[top-firstBits-nearChunks][j^1<<top]
}

func (t *Table[T]) chunk(c uint32) []T {
	if c < nearChunks {
		if t.chunks[c] == nil {
			t.chunks[c] = make([]T, 1<<(firstBits+c))
		}
		return t.chunks[c]
	}
	if t.far == nil {
		t.far = new([maxChunks - nearChunks][]T)
	}
	if t.far[c-nearChunks] == nil {
		t.far[c-nearChunks] = make([]T, 1<<(firstBits+c))
	}
	return t.far[c-nearChunks]
}

// Len returns the number of elements, gaps left by Span included. Writers only.
func (t *Table[T]) Len() uint32 { return t.from + t.n }

// Append adds v and returns its index.
func (t *Table[T]) Append(v T) uint32 {
	c, o := locate(t.n)
	t.chunk(c)[o] = v
	t.n++
	return t.from + t.n - 1
}

// Span reserves n neighbouring elements and returns the index of the first. It may leave a gap of zero elements
// before them, so that they lie in one chunk. n = 0 returns an index that must not be looked up.
func (t *Table[T]) Span(n int) uint32 {
	if n == 0 {
		return t.from + t.n
	}
	c, o := locate(t.n)
	for int(o)+n > 1<<(firstBits+c) {
		t.n += 1<<(firstBits+c) - o
		c, o = c+1, 0
	}
	t.chunk(c)
	i := t.from + t.n
	t.n += uint32(n)
	return i
}

// Slice returns n elements from i on; they must come from one Span.
func (t *Table[T]) Slice(i uint32, n int) []T {
	if n == 0 {
		return nil
	}
	if i < t.from {
		t = t.below
	}
	c, o := locate(i - t.from)
	if c < nearChunks {
		return t.chunks[c][o : int(o)+n : int(o)+n]
	}
	return t.far[c-nearChunks][o : int(o)+n : int(o)+n]
}

// Clone returns a table with copies of the elements at the same indices. t must not lie over another table.
func (t *Table[T]) Clone() Table[T] {
	out := *t
	for c := range out.chunks {
		out.chunks[c] = append([]T(nil), out.chunks[c]...)
	}
	if t.far != nil {
		out.far = new([maxChunks - nearChunks][]T)
		for c := range out.far {
			out.far[c] = append([]T(nil), t.far[c]...)
		}
	}
	return out
}

func (t *Table[T]) each(f func(chunk []T)) {
	for _, c := range t.chunks {
		f(c)
	}
	if t.far != nil {
		for _, c := range t.far {
			f(c)
		}
	}
}

// Each calls f with each own element and with the zero elements of allocated gaps.
func (t *Table[T]) Each(f func(x *T)) {
	t.each(func(chunk []T) {
		for i := range chunk {
			f(&chunk[i])
		}
	})
}

// All returns the own elements with their indices, and the zero elements of allocated gaps.
func (t *Table[T]) All() iter.Seq2[uint32, *T] {
	return func(yield func(uint32, *T) bool) {
		first := uint32(0) // index of the chunk's first element
		more := true
		t.each(func(chunk []T) {
			for i := range chunk {
				if at := first + uint32(i); more && at < t.n {
					more = yield(t.from+at, &chunk[i])
				}
			}
			first = first*2 + 1<<firstBits
		})
	}
}

// Cap returns the number of own elements that fit into the allocated chunks.
func (t *Table[T]) Cap() int {
	n := 0
	t.each(func(chunk []T) { n += len(chunk) })
	return n
}

// Bytes returns how many bytes the allocated chunks take, without what their elements point to.
func (t *Table[T]) Bytes() int {
	var x T
	return t.Cap() * int(unsafe.Sizeof(x))
}
