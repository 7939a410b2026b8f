package expr

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

func hashNode(k Kind, a, b, c uint32, list []Expr) uint64 {
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

// Intern returns the node with this content, making it if it is new. Callers have brought it into normal form.
func (s *Store) Intern(k Kind, a, b, c uint32, list []Expr) Expr {
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
			n := s.Node(Expr(table[i]))
			if n.Kind == k && n.A == a && n.B == b && n.C == c && int(n.N) == len(list) &&
				slices.Equal(s.List(n), list) {
				return Expr(table[i])
			}
		}
		at[t] = i
	}
	members := s.Lists.Span(len(list))
	copy(s.Lists.Slice(members, len(list)), list)
	flags, subset := s.derived(k, a, b, c, list)
	subset = subset&allEncodings | s.extent(k, a, b, c, list)
	if s.closesSuffixes(k, a, b, c, list) {
		subset |= suffixClosed
	}
	id := s.append(Node{
		order: s.contentHash(k, a, b, c, list), Weight: s.weightOf(k, a, b, list),
		Kind: k, Flags: flags, Subset: subset, A: a, B: b, C: c, list: members, N: uint32(len(list)),
	})
	s.index.table[at[0]] = h&^math.MaxUint32 | uint64(id)
	if s.index.old != nil {
		s.moveEntries()
	} else if int(id-s.From)*2 > len(s.index.table) {
		s.index.table, s.index.old = make([]uint64, len(s.index.table)*indexGrowth), s.index.table
	}
	return Expr(id)
}

// hasOwnParts reports whether some part of a node is not of the store below, so that the node is not there either: its
// index is large, and mostly out of reach of the caches.
func (s *Store) hasOwnParts(k Kind, a, b uint32, list []Expr) bool {
	switch k {
	case KBytes:
		return a >= s.Sets.From()
	case KText:
		return a >= s.Texts.From()
	case KConcat, KSpelled:
		return Expr(a) >= s.From || Expr(b) >= s.From
	case KOr, KAnd:
		for _, x := range list {
			if x >= s.From {
				return true
			}
		}
		return false
	case KNot, KStar, KRepeat:
		return Expr(a) >= s.From
	case KCount:
		return Expr(a) >= s.From || b >= s.Bounds.From()
	case KMachine:
		return a >= s.machines.from || b >= s.Texts.From()
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
