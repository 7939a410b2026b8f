package expr

import (
	"math"
	"slices"
)

// Intern returns the node with this content, and makes it if it is new. The content is in normal form.
func (s *Nodes) Intern(k Kind, a, b, c uint32, list []Expr) Expr {
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
	flags, subset := s.flagsOf(k, a, b, c, list)
	subset = subset&allEncodings | s.extentOf(k, a, b, c, list)
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

// hasOwnParts reports whether some part of a node is not in the store below, so that the node is not there either. It
// saves a search of that store's index, which is large and mostly out of the caches.
func (s *Nodes) hasOwnParts(k Kind, a, b uint32, list []Expr) bool {
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

// moveEntries moves the next few entries of the old table.
func (s *Nodes) moveEntries() {
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

// nodeWork is the cost of making an expression besides its parts.
const nodeWork = 20

// append adds a node without facts.
func (s *Nodes) append(n Node) Expr {
	s.Work.Spend(nodeWork + int(n.N))
	s.Made.Add(1)
	e := Expr(s.table.Append(n))
	if need := pageIndex(e) - pageIndex(s.From) + 1; need > s.pages.Len() {
		s.pages.Span(1)
	}
	return e
}

// markWhole notes that every string of e consists of whole code points of encodings. Parts of code points do not show
// that in normal form.
func (s *Nodes) markWhole(e Expr, subset uint8) {
	if e > Epsilon && e >= s.From && s.Node(e).Subset|subset != s.Node(e).Subset {
		s.Node(e).Subset |= subset
	}
}
