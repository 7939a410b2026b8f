package pushdown

import (
	"sync"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/arena"
)

// registers interns the numbers that frames hold in place of wider content: equal content is the same number in all
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
	pairBytes = 16 + 2*(16+4)
	setBytes  = 8 + 2*(8+4)
)

// pair is a register of several numbers: declared keys from index on may come, and members have come. In an object in
// any order index is the set of declared keys that have come, taken is its size, owed counts the required keys still to
// come, and from is the first ordered key that may come.
type pair struct{ index, members, taken, owed, from uint32 }

// pair interns a register, which is the same in all automata of the program.
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

// spanRegister marks a register that is a range, interned in the program.
const spanRegister = 1 << 31

// span is a range of counts, both ends included. It is the register of a repetition: the number of bodies so far, which
// depends on how a text is cut into bodies. Without ranges a node would wait once for each possible count. The register
// of a rule that is cut is the range of its tokens.
type span struct{ low, high uint32 }

func (t *registers) spanOf(reg uint32) span {
	if reg < spanRegister {
		return span{reg, reg}
	}
	x := t.pairs.At(reg &^ spanRegister)
	return span{x.index, x.members}
}

func (t *registers) spanRegister(s span) uint32 {
	if s.low == s.high {
		return s.low
	}
	return spanRegister | t.pair(pair{index: s.low, members: s.high})
}

// needed returns s without counts that make no difference: from atLeast on, fewer bodies leave room for all that more
// do.
func (s span) needed(atLeast uint32) span {
	s.high = min(s.high, max(s.low, atLeast))
	return s
}

// with interns a set of an object's n keys and one more key.
func (t *registers) with(set, key uint32, n int) uint32 {
	t.pairMu.Lock()
	defer t.pairMu.Unlock()
	return t.setWith(set, key, setHeight(n))
}

// setNode is an inner node's two halves, or a leaf's 64 bits; the height tells which.
//
// A set of declared keys is a binary tree of fixed height over 64-bit words, interned node by node. Equal sets are
// equal numbers, adding a key makes a few nodes, and zero is the empty set of any height.
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
