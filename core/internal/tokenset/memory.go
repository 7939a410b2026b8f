package tokenset

import "sync/atomic"

// What a class holds is counted by what its slices have room for, and what is found for it later is added when it is
// found. A grammar counts all classes that it has; those that grammars share are counted once more, for all of them, so
// that what they take is bounded although no grammar may have them any more.

const (
	// classBytes is what a class takes besides what it points to.
	classBytes = 416
	// keptBytes is what a class takes in the table and the map of those that a store's states have.
	keptBytes = 48
	// placedBytes is what knowing of a class by more than its state takes, in the map alone.
	placedBytes = 64
	// setKeyBytes is what a class takes in the map of those that grammars share.
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
	n := classBytes + words*4 + cap(c.Irregular)*16 + cap(c.Exits)*8 + cap(c.Rooms)*8 + roomOf(&c.closing)*4
	if c.From == nil { // a difference has those of what it differs from
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

// roomOf returns how many elements there is room for where there may be none yet.
func roomOf[T any](p *atomic.Pointer[[]T]) int {
	if s := p.Load(); s != nil {
		return cap(*s)
	}
	return 0
}

// size returns how many bytes x holds, approximately.
func (x *Escapes) size() int {
	n := 96 + cap(x.Wide)*8
	for i := range x.Tries {
		t := &x.Tries[i]
		n += cap(t.Nodes)*16 + cap(t.Order)*4 + cap(t.Counts)*4 + cap(t.left)*2 + escapeTrieBytes
	}
	return n
}

// escapeTrieBytes is what a trie of escapes takes besides its nodes and tokens.
const escapeTrieBytes = 1024 + 256

// grew counts what has been added to class c, which may be one of those that grammars share.
func (e *Sets) grew(c *Class, bytes int) {
	e.bytes.Add(int64(bytes))
	if c.like != nil {
		c = c.like
	}
	if !c.isShared {
		return
	}
	e.given.Add(int64(bytes))
	t := &e.tokens.sets
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bytes += bytes
	t.forgetOlder()
}

// SharedBytes returns how many bytes the token sets take that grammars of the vocabulary share, approximately. It is at
// most limits.TokenSetBytes, and what one more takes.
func (t *Tokens) SharedBytes() int {
	t.sets.mu.RLock()
	defer t.sets.mu.RUnlock()
	return t.sets.bytes + t.sets.olderBytes
}
