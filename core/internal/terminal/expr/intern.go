package expr

import (
	"math"
	"slices"
)

// Intern returns the node with this content, and makes it if it is new. The content is in normal form.
func (s *Nodes) Intern(k Kind, a, b, c uint32, list []Expr) Expr {
	s.steps += internSteps + listSteps*len(list)
	h := hashNode(k, a, b, c, list)
	at, below := uint64(0), s.index.below
	if s.hasOwnParts(k, a, b, list) {
		below = nil
	}
	for _, table := range [2][]uint64{below, s.index.table} {
		if table == nil {
			continue
		}
		m := uint64(len(table) - 1)
		for at = h >> 32 & m; table[at] != 0; at = (at + 1) & m {
			if (table[at]^h)>>32 != 0 {
				continue
			}
			n := s.Node(Expr(table[at]))
			if n.Kind == k && n.A == a && n.B == b && n.C == c && int(n.N) == len(list) &&
				slices.Equal(s.List(n), list) {
				return Expr(table[at])
			}
		}
	}
	members := s.Lists.Span(len(list))
	copy(s.Lists.Slice(members, len(list)), list)
	flags, subset := s.flagsOf(k, a, b, c, list)
	subset = subset&allEncodings | s.extentOf(k, a, b, c, list)
	id := s.append(Node{
		order: s.contentHash(k, a, b, c, list), Weight: s.weightOf(k, a, b, list),
		Kind: k, Flags: flags, Subset: subset, A: a, B: b, C: c, list: members, N: uint32(len(list)),
	})
	s.index.table[at] = h&^math.MaxUint32 | uint64(id)
	if int(id-s.From)*2 > len(s.index.table) {
		s.index.grow()
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

// markWhole notes that every string of e consists of whole code points of the encodings in subset. The parts of e, the
// bytes of a code point, do not show that.
func (s *Nodes) markWhole(e Expr, subset uint8) {
	if e > Epsilon && e >= s.From && s.Node(e).Subset|subset != s.Node(e).Subset {
		s.Node(e).Subset |= subset
	}
}
