// Package terminal holds regular languages over bytes as hash-consed expressions, and turns an expression into the next
// one by a byte (its Brzozowski derivative). An expression is therefore a state of a deterministic automaton that is
// built only where somebody goes.
//
// Invariant: equal expressions have equal ids, so everything that is cached on an id (transitions here, token sets in
// the mask package) is shared by every grammar in which the expression occurs. The package must not know vocabularies
// or grammars. Start reading at Store, then build.go (constructors) and derive.go (transitions).
package terminal

import (
	"math"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/arena"
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

// Encoding says how one code point is spelled in bytes.
type Encoding uint8

// The encodings.
const (
	UTF8       Encoding = iota // as itself
	JSONString                 // inside the quotes of a JSON string: as itself where allowed, or by any escape
)

type kind uint8

const (
	kEmpty   kind = iota
	kEps          // ε
	kBytes        // a: set
	kConcat       // a, b
	kOr           // list
	kAnd          // list
	kNot          // a
	kStar         // a
	kRepeat       // a, b = min, c = max
	kText         // a: text, b: byte position in it, c: encoding
	kTag          // a: tag; matches ε
	kCount        // a: body state, b: bounds
	kScan         // a: scan, b: automaton state, c: UTF-8 state
	kTop          // every byte string
	kMachine      // a: machine, b: its state, c: 1 if the state accepts
	kSpelled      // a, b: kBytes and then kBytes or kSpelled, in one piece; what else is a sequence is a kConcat
)

// Flags of a node that are fixed when it is made.
const (
	fNullable uint8 = 1 << iota
	fBoolean        // contains And or Not: may be empty without being Empty
	fRepeat         // contains a kRepeat
	fTag            // contains a tag
	fCount          // contains a kCount
	fHead           // begins with a kCount: the state is inside it
	fMaybe          // nullable at some count; the same as fNullable where nothing is counted
)

// node is 56 bytes; children are fields or a span of lists.
type node struct {
	kind    kind
	flags   uint8
	subset  uint8 // bit per Encoding: every string is made of whole code points of it; and extents. Guarded by Store.mu
	empty   uint8 // emptiness: 0 unknown, 1 not empty, 2 empty. Guarded by Store.mu
	a, b, c uint32
	list, n uint32
	row     atomic.Uint32 // index into rows, 0 = not filled
	loop    atomic.Uint32 // 1 + index into loops, 0 = not known
	length  atomic.Uint32 // 1 + index into lengths, 0 = not known
	tags    atomic.Uint32 // 1 + index into tagSets, 0 = not known
	aux     atomic.Uint32 // the mask package's, see Aux

	// Marks of one traversal, so that shared parts are visited once. Guarded by Store.mu
	signed, derived uint32
	value           Expr // of derived
}

// row is the transition table of one node: a map from bytes to classes, and a target for each class.
type row struct {
	classes uint32 // index into classMaps
	targets uint32 // index into targets
	alive   uint32 // index into sets: bytes whose target is not Empty
	n       uint32 // of targets
}

// transition is a state and a byte.
type transition struct {
	e Expr
	b byte
}

// Store interns expressions and their transitions. Shared and growing; safe for concurrent use. Readers take no lock
// for a transition that has been made before.
type Store struct {
	mu sync.Mutex

	nodes arena.Table[node]
	lists arena.Table[Expr]
	index index

	sets  arena.Table[ByteSet]
	setOf map[ByteSet]uint32

	classMaps arena.Table[[256]uint8]
	classOf   map[[256]uint8]uint32
	rows      arena.Table[row]
	targets   arena.Table[Expr]

	texts  arena.Table[string]
	textOf map[string]uint32

	bounds   arena.Table[bounds]
	boundsOf map[bounds]uint32
	scans    arena.Table[*scanner]
	machines machines

	loops   arena.Table[Loop]
	lengths arena.Table[Spectrum]
	tagSets arena.Table[[]uint32]

	lengthOf map[lengthKey]uint32 // lengths that found their node's place taken

	heads                       map[Expr]generalisedHead
	conditions                  map[conditionKey]*condition
	classesWithin, classesApart map[pairOfClasses]bool

	textRows map[uint16]textRow
	openRows map[ByteSet]textRow // by the bytes that go on, of states with open targets
	resolved map[transition]Expr
	compared [1 << comparedBits]compared // pairs by hash, the last of each
	work     int64                       // derivatives taken so far
	epoch    uint32                      // names the traversal that is going on
	epochs   uint32
	spent    atomic.Int64 // work that went into transitions and lengths
	spending int          // calls within each other that will add to spent
	members  []Expr       // a stack: unions within unions gather their members above each other
	memo     map[string]Expr
	anyRune  [2]Expr
	anyStar  [2]Expr
	escape   [128]Expr // spelling of an ASCII code point after a backslash, filled on demand
}

// NewStore returns a store that holds Empty, Epsilon and the expressions of any text.
func NewStore() *Store {
	s := &Store{
		setOf: map[ByteSet]uint32{}, classOf: map[[256]uint8]uint32{}, textOf: map[string]uint32{},
		boundsOf: map[bounds]uint32{}, textRows: map[uint16]textRow{}, openRows: map[ByteSet]textRow{}, resolved: map[transition]Expr{}, lengthOf: map[lengthKey]uint32{}, heads: map[Expr]generalisedHead{}, conditions: map[conditionKey]*condition{}, classesWithin: map[pairOfClasses]bool{}, classesApart: map[pairOfClasses]bool{}, memo: map[string]Expr{},
		index: index{table: make([]uint64, 1<<12)},
	}
	s.sets.Append(ByteSet{})
	s.setOf[ByteSet{}] = 0
	s.rows.Append(row{})
	s.bounds.Append(bounds{})
	s.nodes.Append(node{kind: kEmpty, subset: 3 | extentFinite})
	s.nodes.Append(node{kind: kEps, flags: fNullable | fMaybe, subset: 3 | extentFinite | suffixClosed})
	for e := UTF8; e <= JSONString; e++ {
		s.anyRune[e] = s.runes([]rune{0, 0x10FFFF}, e)
		s.anyStar[e] = s.star(s.anyRune[e])
	}
	return s
}

// Len returns the number of interned expressions.
func (s *Store) Len() int { s.mu.Lock(); defer s.mu.Unlock(); return int(s.nodes.Len()) }

// Work returns how much has been spent on transitions and lengths, in derivatives of parts of expressions. It grows only
// where something is asked for the first time.
func (s *Store) Work() int64 { return s.spent.Load() }

// spend ends a call that began, with spending one higher, when work was before: what the outermost one took counts.
func (s *Store) spend(before int64) {
	if s.spending--; s.spending == 0 {
		s.spent.Add(s.work - before)
	}
}

// Rows returns the number of states whose transitions have been computed.
func (s *Store) Rows() int { s.mu.Lock(); defer s.mu.Unlock(); return int(s.rows.Len()) }

// Size returns how many bytes of memory the store holds, approximately.
func (s *Store) Size() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.nodes.Cap()*56 + s.lists.Cap()*4 + (len(s.index.table)+len(s.index.old))*8 + s.sets.Cap()*32 + s.classMaps.Cap()*256 +
		s.rows.Cap()*16 + s.targets.Cap()*4 + s.loops.Cap()*24 + s.lengths.Cap()*40
}

// Aux returns a number that the mask package keeps on an expression, 0 at first. It is read without a lock.
func (s *Store) Aux(e Expr) uint32 { return s.node(e).aux.Load() }

// SetAux publishes v as the expression's Aux.
func (s *Store) SetAux(e Expr, v uint32) { s.node(e).aux.Store(v) }

func (s *Store) node(e Expr) *node { return s.nodes.At(uint32(e)) }

func (s *Store) list(n *node) []Expr { return s.lists.Slice(n.list, int(n.n)) }

// derived computes the flags of a new node from its children.
func (s *Store) derived(k kind, a, b, c uint32, list []Expr) (flags, subset uint8) {
	child := func(e uint32) *node { return s.node(Expr(e)) }
	const inherited = fBoolean | fRepeat | fTag | fCount
	switch k {
	case kEps, kTag:
		flags, subset = fNullable|fMaybe, 3
		if k == kTag {
			flags |= fTag
		}
	case kBytes:
		subset = byteSubset(*s.sets.At(a))
	case kText:
		if utf8.RuneStart((*s.texts.At(a))[b]) {
			subset = 1 << c
		}
	case kConcat, kSpelled:
		x, y := child(a), child(b)
		flags = x.flags&y.flags&(fNullable|fMaybe) | (x.flags|y.flags)&inherited | x.flags&fHead
		subset = x.subset & y.subset
	case kOr, kAnd:
		all, some := fNullable|fMaybe, uint8(0)
		inAll, inSome := uint8(3), uint8(0)
		for _, e := range list {
			n := s.node(e)
			all &= n.flags
			some |= n.flags
			inAll &= n.subset
			inSome |= n.subset
		}
		flags, subset = some&^fHead, inAll
		if k == kAnd {
			flags, subset = some&inherited|all&(fNullable|fMaybe)|fBoolean, inSome
		}
	case kNot:
		flags = child(a).flags&inherited | fBoolean | ^child(a).flags&(fNullable|fMaybe)
	case kStar:
		flags, subset = child(a).flags&inherited|fNullable|fMaybe, child(a).subset
	case kRepeat:
		flags, subset = child(a).flags&(inherited|fNullable|fMaybe)|fRepeat, child(a).subset
		if b == 0 {
			flags |= fNullable | fMaybe
		}
	case kCount:
		flags, subset = fCount|fHead|child(a).flags&(inherited|fMaybe), child(a).subset
		if s.bounds.At(b).min == 0 {
			flags |= child(a).flags & fNullable
		}
	case kScan:
		flags = fTag
		if c == 0 {
			flags |= fNullable | fMaybe
		}
	case kTop:
		flags = fNullable | fMaybe
	case kMachine:
		if c == 1 {
			flags = fNullable | fMaybe
		}
	}
	return flags, subset
}

// Nullable reports whether x matches the empty string.
func (s *Store) Nullable(x Expr) bool { return s.nullable(x) }

func (s *Store) nullable(x Expr) bool { return s.node(x).flags&fNullable != 0 }

// maybe reports whether x matches the empty string at some count.
func (s *Store) maybe(x Expr) bool { return s.node(x).flags&fMaybe != 0 }

// Memo returns what build returned for key before, or calls it. Front ends keep the expressions of formats and
// patterns here, which are the same in many schemas. Errors are not kept, and neither is anything once the memo is full.
func (s *Store) Memo(key string, build func() (Expr, error)) (Expr, error) {
	s.mu.Lock()
	e, ok := s.memo[key]
	s.mu.Unlock()
	if ok {
		return e, nil
	}
	e, err := build()
	if err != nil {
		return Empty, err
	}
	s.mu.Lock()
	if len(s.memo) < memoEntries {
		s.memo[key] = e
	}
	s.mu.Unlock()
	return e, nil
}

// memoEntries bounds Memo: formats and the patterns of a fleet's schemas fit, a stream of random patterns does not.
const memoEntries = 1 << 14
