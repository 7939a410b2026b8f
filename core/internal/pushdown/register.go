package pushdown

import (
	"sync"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/arena"
)

// registers interns the content of registers that do not fit into a frame. Equal content has the same number in all
// automata of a program. Shared and growing.
type registers struct {
	pairMu sync.Mutex
	pairs  arena.Table[pair] // registers with several numbers in them
	pairOf map[pair]uint32
	sets   arena.Table[setNode]
	setOf  map[setNode]uint32
	grown  atomic.Int64 // see Program.Grown
}

// Bytes of an entry in its table and its map.
const (
	pairBytes = 20 + 2*(20+4)
	setBytes  = 8 + 2*(8+4)
)

// pair is a register of several numbers. For an object, from is the first ordered key that may still come, owed the
// number of required keys still to come, and members the number of members so far. set is the set of unordered keys
// that have come, and taken its size. For a span, set is its low and members its high.
type pair struct{ set, members, taken, owed, from uint32 }

// pair returns the number of x.
func (t *registers) pair(x pair) uint32 {
	t.pairMu.Lock()
	defer t.pairMu.Unlock()
	r, ok := t.pairOf[x]
	if !ok {
		r = t.pairs.Append(x)
		t.pairOf[x] = r
		t.grown.Add(pairBytes)
	}
	return r
}

// spanBit is set in a register whose other bits are the number of an interned span.
const spanBit = 1 << 31

// span is a range of counts, both ends included. The register of a repetition is the number of bodies so far. It is a
// range because one text can be cut into bodies in several ways: otherwise a node would have a frame for each count.
// The register of a rule with Scope.Cut is a range of token counts.
type span struct{ low, high uint32 }

func (t *registers) spanOf(reg uint32) span {
	if reg < spanBit {
		return span{reg, reg}
	}
	x := t.pairs.At(reg &^ spanBit)
	return span{x.set, x.members}
}

func (t *registers) spanRegister(s span) uint32 {
	if s.low == s.high {
		return s.low
	}
	return spanBit | t.pair(pair{set: s.low, members: s.high})
}

// needed drops counts of s that permit nothing new. Of the counts from atLeast on, it keeps the smallest, which permits
// every continuation of a greater one.
func (s span) needed(atLeast uint32) span {
	s.high = min(s.high, max(s.low, atLeast))
	return s
}

// with returns a set of an object's n keys with one more key in it.
func (t *registers) with(set, key uint32, n int) uint32 {
	t.pairMu.Lock()
	defer t.pairMu.Unlock()
	return t.setWith(set, key, setHeight(n))
}

// setNode is an inner node's two halves, or a leaf's 64 bits; the height says which.
//
// A set of declared keys is a binary tree of fixed height over 64-bit words, interned node by node. Equal sets have
// equal numbers, adding a key adds at most one node a level, and zero is the empty set of any height.
type setNode struct{ low, high uint32 }

// setHeight returns how many levels of inner nodes a set of n keys needs.
func setHeight(n int) (height uint32) {
	for ; n > 64; n = (n + 1) / 2 {
		height++
	}
	return height
}

func (t *registers) setHas(set, key, height uint32) bool {
	for h := height; h > 0 && set != 0; h-- {
		n := t.sets.At(set)
		if key>>(5+h)&1 == 0 {
			set = n.low
		} else {
			set = n.high
		}
	}
	n := t.sets.At(set)
	if key&32 == 0 {
		return n.low>>(key&31)&1 == 1
	}
	return n.high>>(key&31)&1 == 1
}

// setWith returns set with key in it. The lock of registers is held.
func (t *registers) setWith(set, key, height uint32) uint32 {
	n := *t.sets.At(set)
	switch {
	case height == 0 && key&32 == 0:
		n.low |= 1 << (key & 31)
	case height == 0:
		n.high |= 1 << (key & 31)
	case key>>(5+height)&1 == 0:
		n.low = t.setWith(n.low, key, height-1)
	default:
		n.high = t.setWith(n.high, key, height-1)
	}
	id, ok := t.setOf[n]
	if !ok {
		id = t.sets.Append(n)
		t.setOf[n] = id
		t.grown.Add(setBytes)
	}
	return id
}
