package terminal

import (
	"math"
	"slices"
)

// index finds nodes by content: open addressing, 0 = free. An entry is a node's id and, above it, the upper half of its
// hash, so that neither looking for a node nor moving one touches another node: nearly each is a miss of the caches. It
// grows while it is used: what has not moved yet is found in the old table, since moving millions of entries at once
// would hold up a mask by hundreds of milliseconds.
type index struct {
	table []uint64
	old   []uint64 // the table before; nil once everything has moved
	moved int      // entries of old before this one are in table
	below []uint64 // of the store below
}

const (
	indexGrowth = 2
	// indexStep is how many entries move with each new node. The old table is empty long before the new one is full.
	indexStep = 16
)

func mix(h, v uint64) uint64 {
	h ^= v
	h *= 0x9E3779B97F4A7C15
	return h ^ h>>29
}

func hashNode(k kind, a, b, c uint32, list []Expr) uint64 {
	h := mix(uint64(k)+1, uint64(a)|uint64(b)<<32)
	h = mix(h, uint64(c))
	for _, x := range list {
		h = mix(h, uint64(x))
	}
	return h ^ h>>32
}

// place returns where in a table of m+1 entries a node is looked for first, by the half of its hash that an entry
// holds.
func place(h, m uint64) uint64 { return h >> 32 & m }

// intern returns the node with this content, making it if it is new. Callers have brought it into normal form.
func (s *Store) intern(k kind, a, b, c uint32, list []Expr) Expr {
	s.steps += internSteps + listSteps*len(list)
	h := hashNode(k, a, b, c, list)
	at := [3]uint64{}
	below := s.index.below
	if s.hasOwnParts(k, a, b, list) {
		below = nil
	}
	for t, table := range [3][]uint64{s.index.table, s.index.old, below} {
		if table == nil {
			continue
		}
		m := uint64(len(table) - 1)
		i := place(h, m)
		for ; table[i] != 0; i = (i + 1) & m {
			if (table[i]^h)>>32 != 0 {
				continue
			}
			n := s.node(Expr(table[i]))
			if n.kind == k && n.a == a && n.b == b && n.c == c && int(n.n) == len(list) &&
				slices.Equal(s.list(n), list) {
				return Expr(table[i])
			}
		}
		at[t] = i
	}
	members := s.lists.Span(len(list))
	copy(s.lists.Slice(members, len(list)), list)
	flags, subset := s.derived(k, a, b, c, list)
	subset = subset&(1<<UTF8|1<<JSONString) | s.extent(k, a, b, c, list)
	if s.closesSuffixes(k, a, b, c, list) {
		subset |= suffixClosed
	}
	id := s.append(node{
		order: s.contentHash(k, a, b, c, list), weight: s.weightOf(k, a, b, list), span: s.spanOf(k, a, b, c, list),
		kind: k, flags: flags, subset: subset, a: a, b: b, c: c, list: members, n: uint32(len(list)),
	})
	s.index.table[at[0]] = h&^math.MaxUint32 | uint64(id)
	if s.index.old != nil {
		s.moveEntries()
	} else if int(id-s.from)*2 > len(s.index.table) {
		s.index.table, s.index.old = make([]uint64, len(s.index.table)*indexGrowth), s.index.table
	}
	return Expr(id)
}

// hasOwnParts reports whether some part of a node is not of the store below, so that the node is not there either: its
// index is large, and mostly out of reach of the caches.
func (s *Store) hasOwnParts(k kind, a, b uint32, list []Expr) bool {
	switch k {
	case kBytes:
		return a >= s.sets.From()
	case kText:
		return a >= s.texts.From()
	case kConcat, kSpelled:
		return Expr(a) >= s.from || Expr(b) >= s.from
	case kOr, kAnd:
		for _, x := range list {
			if x >= s.from {
				return true
			}
		}
		return false
	case kNot, kStar, kRepeat:
		return Expr(a) >= s.from
	case kCount:
		return Expr(a) >= s.from || b >= s.bounds.From()
	case kMachine:
		return a >= s.machines.from || b >= s.texts.From()
	}
	return false
}

// moveEntries takes the next few entries of the old table over.
func (s *Store) moveEntries() {
	x := &s.index
	m := uint64(len(x.table) - 1)
	end := min(x.moved+indexStep, len(x.old))
	for _, entry := range x.old[x.moved:end] {
		if entry == 0 {
			continue
		}
		i := place(entry, m)
		for x.table[i] != 0 {
			i = (i + 1) & m
		}
		x.table[i] = entry
	}
	if x.moved = end; end == len(x.old) {
		x.old, x.moved = nil, 0
	}
}
