package expr

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/work"
)

// ScanEnd is the tag of free text that ends without a pattern.
const ScanEnd uint32 = 1 << 24

// TokenMark is the first byte of every token's spelling.
const TokenMark = 0xFF

// ScanPattern is a string that a scan looks for in free text.
type ScanPattern struct {
	Text string
	Tag  uint32 // carried by text that ends with the first occurrence
	Kill bool   // text that contains the pattern does not match, unless a longer one ends there
}

// Scanner is an Aho–Corasick automaton over the patterns of a Scan. Immutable.
type Scanner struct {
	Patterns []ScanPattern
	hash     uint64 // of the patterns
	Next     []scanEdges
	fail     []uint32
	hits     [][]uint32 // by state: the longest patterns that end there, also by suffix links
	tags     []uint32   // tags that some text carries, sorted (Lemma 130)
}

// scanEdges are the edges of a trie's state, sorted by byte.
type scanEdges []scanEdge

type scanEdge struct {
	b  byte
	to uint32
}

// at returns the place of the edge for b, or the place to insert it. Nearly all states have one edge.
func (e scanEdges) at(b byte) (place int, found bool) {
	if len(e) == 1 {
		if e[0].b < b {
			return 1, false
		}
		return 0, e[0].b == b
	}
	return slices.BinarySearchFunc(e, b, func(x scanEdge, b byte) int { return int(x.b) - int(b) })
}

// UTF-8 states of a scan: the bytes that must come next.
const (
	U8Between = iota
	u8One     // one continuation byte
	u8Two
	u8Three
	u8AfterE0
	u8AfterED
	u8AfterF0
	u8AfterF4
	U8Bad
	U8Any // any bytes are allowed
	// within the spelling of the byte 0xFF, see TokenMark
	u8AnyMark1
	u8AnyMark2
	u8AnyMark3
)

// between reports whether the text may end in UTF-8 state u8.
func between(u8 uint32) bool { return u8 == U8Between || u8 == U8Any }

// UTF8Step returns the UTF-8 state after byte b.
func UTF8Step(state uint32, b byte) uint32 {
	within := func(lo, hi byte, next uint32) uint32 {
		if b < lo || b > hi {
			return U8Bad
		}
		return next
	}
	switch state {
	case U8Any:
		if b == TokenMark {
			return u8AnyMark1
		}
		return U8Any
	case u8AnyMark1:
		return within(TokenMark, TokenMark, u8AnyMark2)
	case u8AnyMark2:
		return within(TokenMark, TokenMark, u8AnyMark3)
	case u8AnyMark3:
		return within(TokenMark, TokenMark, U8Any)
	case u8One:
		return within(0x80, 0xBF, U8Between)
	case u8Two:
		return within(0x80, 0xBF, u8One)
	case u8Three:
		return within(0x80, 0xBF, u8Two)
	case u8AfterE0:
		return within(0xA0, 0xBF, u8One)
	case u8AfterED:
		return within(0x80, 0x9F, u8One)
	case u8AfterF0:
		return within(0x90, 0xBF, u8Two)
	case u8AfterF4:
		return within(0x80, 0x8F, u8Two)
	}
	switch {
	case b < 0x80:
		return U8Between
	case b < 0xC2 || b > 0xF4:
		return U8Bad
	case b < 0xE0:
		return u8One
	case b == 0xE0:
		return u8AfterE0
	case b == 0xED:
		return u8AfterED
	case b < 0xF0:
		return u8Two
	case b == 0xF0:
		return u8AfterF0
	case b == 0xF4:
		return u8AfterF4
	}
	return u8Three
}

// scanStateBytes is about the memory of a scanner's state: three slice entries and an edge.
const scanStateBytes = 200

// ScanWork is the cost of making and linking a state of a scanner. Links look at every byte.
const ScanWork = 150

// NewScanner returns the automaton of the patterns. m counts the work.
func NewScanner(patterns []ScanPattern, m *work.Meter) *Scanner {
	sc := &Scanner{Patterns: slices.Clone(patterns)}
	for _, p := range patterns {
		sc.hash = mix(mix(sc.hash, hashText(p.Text)), uint64(p.Tag)<<1)
		if p.Kill {
			sc.hash++
		}
	}
	state := func() uint32 {
		m.Spend(ScanWork / 2)
		sc.Next = append(sc.Next, nil)
		sc.fail = append(sc.fail, 0)
		sc.hits = append(sc.hits, nil)
		return uint32(len(sc.Next) - 1)
	}
	state()
	for i, p := range sc.Patterns {
		at := uint32(0)
		for _, b := range []byte(p.Text) {
			place, found := sc.Next[at].at(b)
			if !found {
				to := state()
				sc.Next[at] = slices.Insert(sc.Next[at], place, scanEdge{b, to})
			}
			at = sc.Next[at][place].to
		}
		if at != 0 {
			sc.hits[at] = append(sc.hits[at], uint32(i))
		}
	}
	sc.link(m)
	return sc
}

// link computes the suffix links breadth first, and the tags. A pattern can be the first that ends in a text, unless
// another pattern ends within it, before its last byte.
func (sc *Scanner) link(m *work.Meter) {
	sc.tags = []uint32{ScanEnd}
	over := make([]bool, len(sc.Next)) // a pattern has ended before this state
	queue := []uint32{0}
	for i := 0; i < len(queue); i++ {
		at := queue[i]
		m.Spend(ScanWork / 2)
		for _, e := range sc.Next[at] {
			to := e.to
			if at != 0 {
				sc.fail[to] = sc.step(sc.fail[at], e.b)
			}
			if over[to] = over[at] || len(sc.hits[at]) > 0; !over[to] {
				sc.tags, _ = sc.ending(to, sc.tags)
			}
			if len(sc.hits[to]) == 0 {
				sc.hits[to] = sc.hits[sc.fail[to]]
			}
			queue = append(queue, to)
		}
	}
	slices.Sort(sc.tags)
	sc.tags = slices.Compact(sc.tags)
}

// ending appends the tags of text that ends in state at, and reports whether text ends there. A pattern that kills
// leaves no tags.
func (sc *Scanner) ending(at uint32, dst []uint32) (tags []uint32, ends bool) {
	tags = dst
	for _, h := range sc.hits[at] {
		if sc.Patterns[h].Kill {
			return dst, true
		}
		tags = append(tags, sc.Patterns[h].Tag)
	}
	return tags, len(sc.hits[at]) > 0
}

// Reachable returns the sorted tags that text in state at may still reach. all reports that it is the scanner's own
// list, which nearly all states share (Lemma 130).
func (sc *Scanner) Reachable(at, u8 uint32) (tags []uint32, all bool) {
	ends, on := sc.completions(at, u8, nil)
	if on {
		return sc.tags, true
	}
	slices.Sort(ends)
	return slices.Compact(ends), false
}

// completions appends the tags of the ways to complete the current character, and reports whether text goes on after
// one of them.
func (sc *Scanner) completions(at, u8 uint32, dst []uint32) (tags []uint32, on bool) {
	if between(u8) || at == 0 { // patterns begin between characters
		return dst, true
	}
	for b := 0x80; b < 0xC0; b++ {
		next := UTF8Step(u8, byte(b))
		if next == U8Bad {
			continue
		}
		to := sc.step(at, byte(b))
		ends := false
		if dst, ends = sc.ending(to, dst); ends {
			continue
		}
		if dst, on = sc.completions(to, next, dst); on {
			return dst, true
		}
	}
	return dst, false
}

func (sc *Scanner) step(at uint32, b byte) uint32 {
	for {
		if place, found := sc.Next[at].at(b); found {
			return sc.Next[at][place].to
		}
		if at == 0 {
			return 0
		}
		at = sc.fail[at]
	}
}

// steps sets to[b] to the state after each byte b from state at. It follows the suffix links once for all bytes: a
// single byte may follow hundreds of them.
func (sc *Scanner) steps(at uint32, to *[256]uint32) {
	for clear(to[:]); ; at = sc.fail[at] {
		for _, e := range sc.Next[at] {
			if to[e.b] == 0 { // no edge leads to the first state
				to[e.b] = e.to
			}
		}
		if at == 0 {
			return
		}
	}
}
