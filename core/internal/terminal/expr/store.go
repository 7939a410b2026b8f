// Package expr holds regular languages over bytes as hash-consed expressions in normal form, and finds the derivative
// of an expression by a byte.
//
// Invariant: equal expressions have equal ids. A derivative is a fact about the expression: it does not depend on what
// was made before. The package decides nothing about an expression that its structure does not show, and takes no
// locks: package terminal does. Start reading at Store, then build.go (normal forms) and derive.go (derivatives).
package expr

import (
	"math"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/work"
)

// Expr is an interned expression of one Store. Zero is Empty.
type Expr uint32

const (
	// Empty matches nothing. As a state it is the dead one.
	Empty Expr = 0
	// Epsilon matches the empty string.
	Epsilon Expr = 1
	// Unbounded is the max of a Repeat or Counted without an upper bound.
	Unbounded = math.MaxUint32
)

// Kind says what a node is.
type Kind uint8

// The kinds. What a, b, c and list of a node are depends on them; Head, Body and others read them by what they are.
const (
	KEmpty   Kind = iota
	KEps          // ε
	KBytes        // a: set
	KConcat       // a, b
	KOr           // list
	KAnd          // list
	KNot          // a
	KStar         // a
	KRepeat       // a, b = min, c = max
	KText         // a: text, b: byte position in it, c: encoding
	KTag          // a: tag; matches ε
	KCount        // a: body state, b: bounds
	KScan         // a: scan, b: automaton state, c: UTF-8 state
	KTop          // every byte string
	KMachine      // a: machine, b: its state, a text, c: 1 if the state accepts
	KTooHard      // see TooHard
	KSpelled      // a, b: KBytes and then KBytes or KSpelled, in one piece; what else is a sequence is a KConcat
	Kinds         // how many there are
)

// Flags of a node that are fixed when it is made.
const (
	FNullable uint8 = 1 << iota
	FBoolean        // contains And or Not: may be empty without being Empty
	FRepeat         // contains a KRepeat
	FTag            // contains a tag
	FCount          // contains a KCount
	FHead           // begins with a KCount: the state is inside it
	FMaybe          // nullable at some count; the same as FNullable where nothing is counted
	FOpen           // its transitions are made one by one, see Sprawling
)

// Node is 36 bytes; children are fields or a part of lists. What is found out about it later is in facts and marks.
type Node struct {
	order uint64 // a hash of the content, see content.go
	Kind  Kind
	Flags uint8
	// a bit for each encoding that a node can have: every string is made of whole code points of it; and extents.
	// Written and read under the lock.
	Subset  uint8
	Weight  uint32
	A, B, C uint32
	list, N uint32
}

// Head returns the first part of a Concat or Spelled, and Tail the rest.
func (n *Node) Head() Expr { return Expr(n.A) }

// Tail returns what comes after the Head.
func (n *Node) Tail() Expr { return Expr(n.B) }

// Body returns the part of a Not, Star, Repeat or Count. It lies in the same field as the Head of a Concat or Spelled, so
// code that handles both kinds may ask for either.
func (n *Node) Body() Expr { return Expr(n.A) }

// Enc returns the encoding of a Text.
func (n *Node) Enc() Encoding { return Encoding(n.C) }

// Row is the transition table of one node: a map from bytes to classes, and a target for each class.
type Row struct {
	Classes uint32 // index into classMaps
	Targets uint32 // index into targets
	Alive   uint32 // index into sets: bytes whose target is not Empty
	N       uint32 // of targets
	Price   uint32 // of making it, in parts; 0: that of its weight
}

// Store interns expressions and keeps the tables of their transitions. It grows under the lock of whoever holds it;
// what has been interned before is read without one.
type Store struct {
	Below   *Store // what it lies over, see layer.go
	From    Expr   // the first expression of its own
	folders []atomic.Pointer[folder]
	sealed  bool

	Nodes arena.Table[Node]
	pages arena.Table[atomic.Pointer[page]] // of its own expressions
	Lists arena.Table[Expr]
	index index

	Sets  arena.Table[ByteSet]
	setOf Dict[ByteSet, uint32]

	ClassMaps arena.Table[[256]uint8]
	ClassOf   Dict[[256]uint8, uint32]
	Rows      arena.Table[Row]
	Targets   arena.Table[Expr]

	Texts  arena.Table[Text]
	textOf Dict[string, uint32]

	Bounds   arena.Table[Bounds]
	boundsOf Dict[Bounds, uint32]
	Scans    arena.Table[*Scanner]
	machines machines

	steps    int  // that transitions have taken, those counted that a known union saved; see tally
	alone    bool // rows of parts of what is traversed are not used, see traverse
	pairs    int  // those of them that are comparisons
	stepsEnd int  // where they are given up, 0: nowhere; see tally
	unions   unions
	spare    unions // for the next tally
	within   int    // how many unions are being made, one within the other

	epoch   uint32 // names the traversal that is going on
	epochs  uint32
	Members []Expr             // a stack: unions within unions gather their members above each other
	digests Dict[Expr, Digest] // zero: it has none
	Extra   atomic.Int64       // bytes that are in no table
	Made    atomic.Uint32      // expressions of its own
	Work    *work.Meter        // of the compilation that the store is being made for; nil after it
	AnyRune [Encodings]Expr
	AnyText [Encodings]Expr
	escape  [128]Expr // spelling of an ASCII code point after a backslash, filled on demand
}

// Init makes a store that holds Empty, Epsilon and the expressions of any text.
func (s *Store) Init() {
	s.index = index{table: make([]uint64, 1<<12)}
	s.Sets.Append(ByteSet{})
	s.setOf.Put(ByteSet{}, 0)
	s.Rows.Append(Row{})
	s.Bounds.Append(Bounds{})
	s.append(Node{Kind: KEmpty, Subset: allEncodings | ExtentFinite})
	s.append(Node{
		Kind: KEps, Flags: FNullable | FMaybe, Subset: allEncodings | ExtentFinite | suffixClosed, order: 1,
	})
	s.append(Node{Kind: KTooHard, Weight: 1, order: leastOrder - 1})
	for e := range Encodings {
		s.AnyRune[e] = s.Runes([]rune{0, 0x10FFFF}, e)
		s.AnyText[e] = s.Star(s.AnyRune[e])
	}
}

// Size returns how many bytes of memory the store holds, approximately.
func (s *Store) Size() int {
	tables := s.Nodes.Cap()*nodeBytes + s.Lists.Cap()*4 + (len(s.index.table)+len(s.index.old))*8 + s.Sets.Cap()*32 +
		s.ClassMaps.Cap()*256 + s.Rows.Cap()*20 + s.Targets.Cap()*4 + s.Texts.Cap()*16 + s.Bounds.Cap()*12 +
		s.unions.size() + s.spare.size() +
		len(s.folders)*8
	maps := len(s.setOf.Own)*2*(32+4) + len(s.ClassOf.Own)*2*(256+4) + len(s.textOf.Own)*2*(16+4) +
		len(s.boundsOf.Own)*2*16 + len(s.digests.Own)*2*20
	return tables + maps + int(s.Extra.Load())
}

// Forget drops the unions that are remembered: no answer depends on them.
func (s *Store) Forget() { s.unions, s.spare = unions{}, unions{} }

// nodeWork is what making an expression counts for, beside its parts.
const nodeWork = 20

// append adds a node, with nothing known of it.
func (s *Store) append(n Node) Expr {
	s.Work.Spend(nodeWork + int(n.N))
	s.Made.Add(1)
	e := Expr(s.Nodes.Append(n))
	if need := pageIndex(e) - pageIndex(s.From) + 1; need > s.pages.Len() {
		s.pages.Span(1)
	}
	return e
}

// nodeBytes is what a node takes with its place in the table of pages, KnownBytes with its part of a page, pageBytes what
// a page takes, folderBytes a folder, IndexBytes what a node takes in the index.
const (
	IndexBytes  = 24
	nodeBytes   = 40 + 8/pageSize
	KnownBytes  = nodeBytes + int(pageBytes)/pageSize
	pageBytes   = pageSize * (4*int64(factCount) + 20)
	folderBytes = folderSize * 8
)

// Node returns the node of an expression.
func (s *Store) Node(e Expr) *Node { return s.Nodes.At(uint32(e)) }

// List returns the members of a union or intersection.
func (s *Store) List(n *Node) []Expr { return s.Lists.Slice(n.list, int(n.N)) }

// derived computes the flags of a new node from its children.
func (s *Store) derived(k Kind, a, b, c uint32, list []Expr) (flags, subset uint8) {
	child := func(e uint32) *Node { return s.Node(Expr(e)) }
	const inherited = FBoolean | FRepeat | FTag | FCount
	switch k {
	case KEps, KTag:
		flags, subset = FNullable|FMaybe, allEncodings
		if k == KTag {
			flags |= FTag
		}
	case KBytes:
		subset = ByteSubset(*s.Sets.At(a))
	case KText:
		subset = s.subsetOfText(s.Texts.At(a), b, Encoding(c))
	case KConcat, KSpelled:
		x, y := child(a), child(b)
		flags = x.Flags&y.Flags&(FNullable|FMaybe) | (x.Flags|y.Flags)&inherited | x.Flags&FHead
		if x.Kind == KMachine && flags&(FBoolean|FCount) == 0 {
			flags |= x.Flags & FOpen
		}
		subset = x.Subset & y.Subset
	case KOr, KAnd:
		all, some := FNullable|FMaybe, uint8(0)
		inAll, inSome, open := allEncodings, uint8(0), uint8(0)
		for _, e := range list {
			n := s.Node(e)
			all &= n.Flags
			some |= n.Flags
			inAll &= n.Subset
			inSome |= n.Subset
			if n.Kind == KMachine {
				open |= n.Flags & (FOpen | FTag)
			}
		}
		flags, subset = some&^(FHead|FOpen), inAll
		if flags&(FBoolean|FCount) == 0 && flags&FTag == open&FTag {
			flags |= open
		}
		if k == KAnd {
			flags, subset = some&inherited|all&(FNullable|FMaybe)|FBoolean, inSome
		}
	case KNot:
		flags = child(a).Flags&inherited | FBoolean | ^child(a).Flags&(FNullable|FMaybe)
	case KStar:
		flags, subset = child(a).Flags&inherited|FNullable|FMaybe, child(a).Subset
	case KRepeat:
		flags, subset = child(a).Flags&(inherited|FNullable|FMaybe)|FRepeat, child(a).Subset
		if b == 0 {
			flags |= FNullable | FMaybe
		}
	case KCount:
		flags, subset = FCount|FHead|child(a).Flags&(inherited|FMaybe), child(a).Subset
		if s.Bounds.At(b).Min == 0 {
			flags |= child(a).Flags & FNullable
		}
	case KScan:
		flags = FTag
		if between(c) {
			flags |= FNullable | FMaybe
		}
	case KTop:
		flags = FNullable | FMaybe
	case KMachine:
		if c == 1 {
			flags = FNullable | FMaybe
		}
		if _, ok := s.MachineOf(a).(Sprawling); ok {
			flags |= FOpen
		}
		if w := s.wordsOf(a); w != nil {
			if w.tags != nil {
				flags |= FTag
			}
			subset = w.subsetOfWords(s.Texts.At(b).Str)
		}
	}
	return flags, subset
}

// Nullable reports whether x matches the empty string.
func (s *Store) Nullable(x Expr) bool { return s.Node(x).Flags&FNullable != 0 }

// Maybe reports whether x matches the empty string at some count.
func (s *Store) Maybe(x Expr) bool { return s.Node(x).Flags&FMaybe != 0 }
