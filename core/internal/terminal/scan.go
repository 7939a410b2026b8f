package terminal

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/work"
)

// ScanEnd is the tag that free text carries where it ends without a pattern.
const ScanEnd uint32 = 1 << 24

// ScanPattern is a string that free text watches for.
type ScanPattern struct {
	Text string
	Tag  uint32 // carried after the pattern's first occurrence
	Kill bool   // text in which the pattern has occurred, and no longer one that ends there, does not match
}

// scanner is an Aho–Corasick automaton over all patterns of a Scan. Immutable.
type scanner struct {
	patterns []ScanPattern
	hash     uint64 // of the patterns
	next     []scanEdges
	fail     []uint32
	hits     [][]uint32 // the longest patterns that end in this state, by suffix links too
	tags     []uint32   // that some text carries, sorted; not those of patterns within which another one ends first
}

// scanEdges are where a state of the patterns' trie goes, by byte.
type scanEdges []scanEdge

type scanEdge struct {
	b  byte
	to uint32
}

// at returns the place of the edge for b, or where it would stand. Nearly all states have one edge.
func (e scanEdges) at(b byte) (place int, found bool) {
	if len(e) == 1 {
		if e[0].b < b {
			return 1, false
		}
		return 0, e[0].b == b
	}
	return slices.BinarySearchFunc(e, b, func(x scanEdge, b byte) int { return int(x.b) - int(b) })
}

// UTF-8 states of a scan: what must follow for the text to be well-formed.
const (
	u8Between = iota
	u8One     // one continuation byte
	u8Two
	u8Three
	u8AfterE0
	u8AfterED
	u8AfterF0
	u8AfterF4
	u8Bad
	u8Any // any bytes will do
	// Within the spelling of the byte 0xFF; see TokenMark.
	u8AnyMark1
	u8AnyMark2
	u8AnyMark3
)

// between reports whether what follows need not complete a character.
func between(u8 uint32) bool { return u8 == u8Between || u8 == u8Any }

func utf8Step(state uint32, b byte) uint32 {
	within := func(lo, hi byte, next uint32) uint32 {
		if b < lo || b > hi {
			return u8Bad
		}
		return next
	}
	switch state {
	case u8Any:
		if b == TokenMark {
			return u8AnyMark1
		}
		return u8Any
	case u8AnyMark1:
		return within(TokenMark, TokenMark, u8AnyMark2)
	case u8AnyMark2:
		return within(TokenMark, TokenMark, u8AnyMark3)
	case u8AnyMark3:
		return within(TokenMark, TokenMark, u8Any)
	case u8One:
		return within(0x80, 0xBF, u8Between)
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
		return u8Between
	case b < 0xC2 || b > 0xF4:
		return u8Bad
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

// Scan returns free text watched for patterns: any valid UTF-8 text that contains none of them, which then carries
// ScanEnd, and any such text up to the end of the first occurrence of a pattern, which then carries the pattern's tag.
// Of patterns that end together the longest counts, which is the one that begins first. Empty patterns are ignored. The
// patterns are valid UTF-8.
func (s *Store) Scan(patterns []ScanPattern) Expr { return s.scan(patterns, u8Between) }

// ScanBytes is Scan for text that may be any bytes.
func (s *Store) ScanBytes(patterns []ScanPattern) Expr { return s.scan(patterns, u8Any) }

func (s *Store) scan(patterns []ScanPattern, u8 uint32) Expr {
	sc := s.scanner(patterns)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.intern(kScan, s.internScan(sc), 0, u8, nil)
}

// scanner returns the automaton of the patterns. Regions of free text that watch for the same share one; each counts as
// if it were made for it.
func (s *Store) scanner(patterns []ScanPattern) *scanner {
	s.mu.Lock()
	i, found := s.findScan(patterns)
	s.mu.Unlock()
	if !found {
		return newScanner(patterns, s.work)
	}
	sc := *s.scans.At(i)
	s.work.Spend(scanWork * len(sc.next))
	return sc
}

func (s *Store) findScan(patterns []ScanPattern) (uint32, bool) {
	for i := uint32(0); i < s.scans.Len(); i++ {
		if slices.Equal((*s.scans.At(i)).patterns, patterns) {
			return i, true
		}
	}
	return 0, false
}

func (s *Store) internScan(sc *scanner) uint32 {
	if i, found := s.findScan(sc.patterns); found {
		return i
	}
	s.extra.Add(int64(len(sc.next) * scanStateBytes))
	return s.scans.Append(sc)
}

// scanStateBytes is what a state of a scanner takes, about: three slice entries and an edge.
const scanStateBytes = 200

// scanWork is what making a state of a scanner and linking it count for: links look at every byte.
const scanWork = 150

func newScanner(patterns []ScanPattern, m *work.Meter) *scanner {
	sc := &scanner{patterns: slices.Clone(patterns)}
	for _, p := range patterns {
		sc.hash = mix(mix(sc.hash, hashText(p.Text)), uint64(p.Tag)<<1)
		if p.Kill {
			sc.hash++
		}
	}
	state := func() uint32 {
		m.Spend(scanWork / 2)
		sc.next = append(sc.next, nil)
		sc.fail = append(sc.fail, 0)
		sc.hits = append(sc.hits, nil)
		return uint32(len(sc.next) - 1)
	}
	state()
	for i, p := range sc.patterns {
		at := uint32(0)
		for _, b := range []byte(p.Text) {
			place, found := sc.next[at].at(b)
			if !found {
				to := state()
				sc.next[at] = slices.Insert(sc.next[at], place, scanEdge{b, to})
			}
			at = sc.next[at][place].to
		}
		if at != 0 {
			sc.hits[at] = append(sc.hits[at], uint32(i))
		}
	}
	sc.link(m)
	return sc
}

// link computes the suffix links breadth first, and which tags there are: a pattern occurs first in some text if no
// other one ends within it before its end, and then it does so in itself.
func (sc *scanner) link(m *work.Meter) {
	sc.tags = []uint32{ScanEnd}
	over := make([]bool, len(sc.next)) // a pattern has ended before this state
	queue := []uint32{0}
	for i := 0; i < len(queue); i++ {
		at := queue[i]
		m.Spend(scanWork / 2)
		for _, e := range sc.next[at] {
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

// ending appends the tags of text that ends in state at, and reports whether it ends there: it has no tags then if a
// pattern that must not occur does.
func (sc *scanner) ending(at uint32, dst []uint32) (tags []uint32, ends bool) {
	tags = dst
	for _, h := range sc.hits[at] {
		if sc.patterns[h].Kill {
			return dst, true
		}
		tags = append(tags, sc.patterns[h].Tag)
	}
	return tags, len(sc.hits[at]) > 0
}

// reachable appends the tags that text in state at may still come to. Between characters these are all that there are:
// the next character may be one that no pattern has, after which nothing is left of what came before. Within a
// character it takes a look at how that may end: all of its ends may be patterns, or excluded.
func (sc *scanner) reachable(at, u8 uint32, dst []uint32) []uint32 {
	if ends, on := sc.completions(at, u8, dst); !on {
		return ends
	}
	return append(dst, sc.tags...)
}

// completions appends the tags of the characters that complete the one begun, and reports whether, after one of them,
// text goes on.
func (sc *scanner) completions(at, u8 uint32, dst []uint32) (tags []uint32, on bool) {
	if between(u8) || at == 0 { // no pattern begins within a character
		return dst, true
	}
	for b := 0x80; b < 0xC0; b++ {
		next := utf8Step(u8, byte(b))
		if next == u8Bad {
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

func (sc *scanner) step(at uint32, b byte) uint32 {
	for {
		if place, found := sc.next[at].at(b); found {
			return sc.next[at][place].to
		}
		if at == 0 {
			return 0
		}
		at = sc.fail[at]
	}
}

func (s *Store) scanDerivative(n *node, b byte) Expr {
	u8 := utf8Step(n.c, b)
	if u8 == u8Bad {
		return Empty
	}
	sc := *s.scans.At(n.a)
	at := sc.step(n.b, b)
	tags, ends := sc.ending(at, nil)
	if !ends {
		if done, on := sc.completions(at, u8, nil); !on && len(done) == 0 {
			return Empty
		}
		return s.intern(kScan, n.a, at, u8, nil)
	}
	parts := make([]Expr, len(tags))
	for i, tag := range tags {
		parts[i] = s.intern(kTag, tag, 0, 0, nil)
	}
	return s.or(parts...)
}

// scanSignature tells bytes apart by where the automaton and the UTF-8 check go.
func (s *Store) scanSignature(n *node, sig *[256]uint64) {
	sc := *s.scans.At(n.a)
	for b := range sig {
		u8 := utf8Step(n.c, byte(b))
		at := uint32(0)
		if u8 != u8Bad {
			at = sc.step(n.b, byte(b))
		}
		sig[b] = mix(sig[b], uint64(at)<<8|uint64(u8)|uint64(n.a)<<40)
	}
}

// EndsInScan reports whether e is free text, or ends in it.
func (s *Store) EndsInScan(e Expr) bool { return s.node(s.lastPart(e)).kind == kScan }

// Triggers returns the texts of the patterns that free text e may be ended by, nil if e is anything else or some
// pattern has begun.
func (s *Store) Triggers(e Expr) []string {
	n := s.node(e)
	if n.kind != kScan || n.b != 0 {
		return nil
	}
	var out []string
	for _, p := range (*s.scans.At(n.a)).patterns {
		if !p.Kill {
			out = append(out, p.Text)
		}
	}
	return out
}
