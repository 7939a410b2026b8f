package ending

import (
	"github.com/sluice-engine/sluice/core/internal/pushdown"
)

// loop is the set of characters that return a state to itself. Immutable.
type loop struct {
	ascii [2]uint64
	leads uint64 // bit i: so do all characters that begin with byte 0xC0+i
}

// loopOf returns the loop of state s.
func (f *Finder) loopOf(s pushdown.StateID) *loop {
	if !f.knows(factLoop, s) {
		f.learn(factLoop, s, func() { f.loops[s] = f.findLoop(s) })
	}
	return f.loops[s]
}

func (f *Finder) findLoop(s pushdown.StateID) *loop {
	l := &loop{}
	alive := f.a.Alive(s)
	for b := alive.Next(0); b < 128; b = alive.Next(b + 1) {
		if f.step(s, byte(b)) == s {
			l.ascii[b>>6] |= 1 << (b & 63)
		}
	}
	known := map[place]bool{}
	for b := alive.Next(0xC2); b <= 0xF4; b = alive.Next(b + 1) {
		if f.returns(s, place{f.step(s, byte(b)), tailOf(byte(b))}, known) {
			l.leads |= 1 << (b - 0xC0)
		}
	}
	return l
}

// place is a state within a character of UTF-8.
type place struct {
	state pushdown.StateID
	tail  tail
}

// tail is the rest of a character: the number of its bytes, and the bounds of the next one.
type tail struct {
	bytes     uint8
	low, high byte
}

// tailOf returns the rest after the first byte of a character.
func tailOf(lead byte) tail {
	t := tail{1, 0x80, 0xBF}
	switch {
	case lead >= 0xF0:
		t.bytes = 3
	case lead >= 0xE0:
		t.bytes = 2
	}
	switch lead {
	case 0xE0:
		t.low = 0xA0
	case 0xED:
		t.high = 0x9F
	case 0xF0:
		t.low = 0x90
	case 0xF4:
		t.high = 0x8F
	}
	return t
}

// returns reports whether all characters that reach a place lead back to s.
func (f *Finder) returns(s pushdown.StateID, at place, known map[place]bool) bool {
	if at.tail.bytes == 0 {
		return at.state == s
	}
	all, ok := known[at]
	if ok {
		return all
	}
	all = at.state > pushdown.Over
	for b := at.tail.low; b <= at.tail.high && all; b++ {
		all = f.returns(s, place{f.step(at.state, b), tail{at.tail.bytes - 1, 0x80, 0xBF}}, known)
	}
	known[at] = all
	return all
}
