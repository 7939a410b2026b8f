package expr

import (
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/arena"
)

// Nodes holds the nodes of expressions, each content once.
type Nodes struct {
	Constants
	Facts
	Steps
	table   arena.Table[Node]
	Lists   arena.Table[Expr]
	index   index
	digests Dict[Expr, Digest] // zero: no digest
	Made    atomic.Uint32      // own expressions
	AnyRune [Encodings]Expr
	AnyText [Encodings]Expr
}

// Len returns the number of expressions, the store below included.
func (s *Nodes) Len() uint32 { return s.table.Len() }

// initOver begins with the nodes of below.
func (s *Nodes) initOver(below *Nodes) {
	s.Constants.initOver(&below.Constants)
	s.Facts.initOver(&below.Facts, Expr(below.Len()))
	s.table, s.Lists, s.digests = arena.Over(&below.table), arena.Over(&below.Lists), Over(&below.digests)
	s.index = index{table: make([]uint64, 1<<8), below: below.index.table}
	s.AnyRune, s.AnyText = below.AnyRune, below.AnyText
}

// size returns about how many bytes of memory the nodes take.
func (s *Nodes) size() int {
	return s.table.Cap()*nodeBytes + s.Lists.Cap()*4 + len(s.index.table)*8 + s.unions.size() +
		s.spareUnions.size() + len(s.folders)*8 + len(s.digests.Own)*2*20 + s.Constants.size() + int(s.Extra.Load())
}

// Node returns the node of an expression.
func (s *Nodes) Node(e Expr) *Node { return s.table.At(uint32(e)) }

// List returns the members of a union or intersection.
func (s *Nodes) List(n *Node) []Expr { return s.Lists.Slice(n.list, int(n.N)) }

// Nullable reports whether x matches the empty string.
func (s *Nodes) Nullable(x Expr) bool { return s.Node(x).Flags&FNullable != 0 }

// Maybe reports whether x matches the empty string at some count.
func (s *Nodes) Maybe(x Expr) bool { return s.Node(x).Flags&FMaybe != 0 }

// Weight returns the weight of e.
func (s *Nodes) Weight(e Expr) int { return int(s.Node(e).Weight) }

// Sprawls reports whether the transitions of n are found one by one: n is a state of a sprawling machine, begins with
// one, or is a union of such states and other expressions.
func (s *Nodes) Sprawls(n *Node) bool { return n.Flags&FSprawls != 0 }

// CountHead returns the KCount that state e is inside of, or nil.
func (s *Nodes) CountHead(e Expr) *Node {
	n := s.Node(e)
	if n.Flags&FHead == 0 {
		return nil
	}
	if n.Kind == KConcat {
		n = s.Node(n.Head())
	}
	return n
}

// LastPart returns the last part of a concatenation, else e. Tags stand nowhere else.
func (s *Nodes) LastPart(e Expr) Expr {
	for n := s.Node(e); n.Kind == KConcat; n = s.Node(e) {
		e = n.Tail()
	}
	return e
}

// Direct returns the target of n for byte b if the fields of n show it; ok is false otherwise. Most states need no row
// for that reason.
func (s *Nodes) Direct(n *Node, b byte) (Expr, bool) {
	switch n.Kind {
	case KEmpty, KEps, KTag, KTooHard:
		return Empty, true
	case KBytes:
		if s.Sets.At(n.A).Has(b) {
			return Epsilon, true
		}
		return Empty, true
	case KConcat:
		if m := s.Node(n.Head()); m.Kind == KBytes && n.Flags&FBoolean == 0 {
			if s.Sets.At(m.A).Has(b) {
				return n.Tail(), true
			}
			return Empty, true
		} else if m.Kind == KSpelled && !s.Sets.At(s.Node(m.Head()).A).Has(b) {
			return Empty, true
		}
	case KSpelled:
		if s.Sets.At(s.Node(n.Head()).A).Has(b) {
			return n.Tail(), true
		}
		return Empty, true
	}
	return Empty, false
}
