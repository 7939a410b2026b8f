package tokenset

import "sync/atomic"

// The memory of a class is the capacity of its slices; parts that are filled in later are added then. A grammar counts
// all classes that it uses. The vocabulary counts and bounds the shared ones on its own.

const (
	// classBytes is the size of a Class.
	classBytes = 416
	// keptBytes is the size of an entry of Sets.classes.
	keptBytes = 48
	// placedBytes is the size of an entry of Sets.placed.
	placedBytes = 64
	// setKeyBytes is the size of an entry of tokenSets.
	setKeyBytes = 96
)

// size returns how many bytes c holds at present, approximately.
func (c *Class) size() int {
	switch {
	case c == narrowClass:
		return 0
	case c.like != nil:
		return classBytes + c.like.size() + roomOf(&c.states)*16
	}
	words := cap(c.Bitmap) + cap(c.List) + cap(c.order) + cap(c.upTo) + cap(c.ranks) + cap(c.Removed)
	n := classBytes + words*4 + cap(c.Irregular)*16 + cap(c.Exits)*8 + cap(c.Rooms)*8 + c.closing.Load().size()
	if c.From == nil { // a difference shares the ends of From
		n += cap(c.Ends)*16 + cap(c.goesOn)*32
	}
	for i := range c.groups {
		n += 56 + cap(c.groups[i].bitmap)*4
	}
	for i := range c.Rooms {
		n += roomOf(&c.Rooms[i]) * 4
	}
	for i := range c.escapes {
		if x := c.escapes[i].Load(); x != nil {
			n += x.size()
		}
	}
	return n
}

// size returns how many bytes x holds, approximately, none if it is nil.
func (x *closing) size() int {
	if x == nil {
		return 0
	}
	return 32 + cap(x.nodes)*4
}

// roomOf returns the capacity of a slice that may not be there yet.
func roomOf[T any](p *atomic.Pointer[[]T]) int {
	if s := p.Load(); s != nil {
		return cap(*s)
	}
	return 0
}

// size returns how many bytes x holds, approximately.
func (x *Escapes) size() int {
	n := 120 + cap(x.Wide)*8
	for i := range x.Tries {
		t := &x.Tries[i]
		n += cap(t.Nodes)*16 + cap(t.Order)*4 + cap(t.Counts)*4 + escapeTrieBytes
	}
	return n
}

// escapeTrieBytes is the size of an EscapeTrie.
const escapeTrieBytes = 1024 + 256
