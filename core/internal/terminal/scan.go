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
	next     []map[byte]uint32
	fail     []uint32
	hits     [][]uint32 // the longest patterns that end in this state, by suffix links too
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
)

func utf8Step(state uint32, b byte) uint32 {
	within := func(lo, hi byte, next uint32) uint32 {
		if b < lo || b > hi {
			return u8Bad
		}
		return next
	}
	switch state {
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
// Of patterns that end together the longest counts, which is the one that begins first. Empty patterns are ignored.
func (s *Store) Scan(patterns []ScanPattern) Expr {
	sc := newScanner(patterns, s.work)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.intern(kScan, s.internScan(sc), 0, u8Between, nil)
}

func (s *Store) internScan(sc *scanner) uint32 {
	for i := uint32(0); i < s.scans.Len(); i++ {
		if slices.Equal((*s.scans.At(i)).patterns, sc.patterns) {
			return i
		}
	}
	s.extra.Add(int64(len(sc.next) * scanStateBytes))
	return s.scans.Append(sc)
}

// scanStateBytes is what a state of a scanner takes, about: three slice entries and a small map.
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
			to, ok := sc.next[at][b]
			if !ok {
				to = state()
				if sc.next[at] == nil {
					sc.next[at] = map[byte]uint32{}
				}
				sc.next[at][b] = to
			}
			at = to
		}
		if at != 0 {
			sc.hits[at] = append(sc.hits[at], uint32(i))
		}
	}
	sc.link(m)
	return sc
}

// link computes the suffix links breadth first.
func (sc *scanner) link(m *work.Meter) {
	queue := []uint32{0}
	for i := 0; i < len(queue); i++ {
		at := queue[i]
		m.Spend(scanWork / 2)
		for b := 0; b < 256; b++ {
			to, ok := sc.next[at][byte(b)]
			if !ok {
				continue
			}
			if at != 0 {
				sc.fail[to] = sc.step(sc.fail[at], byte(b))
			}
			if len(sc.hits[to]) == 0 {
				sc.hits[to] = sc.hits[sc.fail[to]]
			}
			queue = append(queue, to)
		}
	}
}

func (sc *scanner) step(at uint32, b byte) uint32 {
	for {
		if to, ok := sc.next[at][b]; ok {
			return to
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
	if len(sc.hits[at]) == 0 {
		return s.intern(kScan, n.a, at, u8, nil)
	}
	var tags []Expr
	for _, h := range sc.hits[at] {
		if sc.patterns[h].Kill {
			return Empty
		}
		tags = append(tags, s.intern(kTag, sc.patterns[h].Tag, 0, 0, nil))
	}
	return s.or(tags...)
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

// Triggers returns the texts of the patterns that free text e may be ended by, nil if e is anything else or some pattern
// has begun.
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
