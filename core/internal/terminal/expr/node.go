package expr

import (
	"math"
)

// Expr is an interned expression of one Store. Zero is Empty.
type Expr uint32

const (
	// Empty matches nothing. As a state it is dead.
	Empty Expr = 0
	// Epsilon matches the empty string.
	Epsilon Expr = 1
	// Unbounded is the max of a Repeat or Counted without an upper bound.
	Unbounded = math.MaxUint32
)

// TooHard is the target of a transition whose derivative exceeds Budgets.Expression, or whose search for a matching
// string was given up. It is no dead end: a walk that reaches it reports a limit.
const TooHard Expr = 2

// Kind is the kind of a node.
type Kind uint8

// The kinds, with the meaning of the fields of their nodes.
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
	KSpelled      // a, b: KBytes, then KBytes or KSpelled, treated as one piece; other sequences are KConcat
	Kinds         // number of kinds
)

// Flags of a node that are fixed when it is made.
const (
	FNullable uint8 = 1 << iota
	FBoolean        // contains And or Not: may be empty without being Empty
	FRepeat         // contains a KRepeat
	FTag            // contains a tag
	FCount          // contains a KCount
	FHead           // begins with a KCount: the state is inside it
	FMaybe          // nullable at some count; equals FNullable if nothing is counted
	FSprawls        // its transitions are found one by one, see Sprawling
)

// Bits of Subset above the encodings: the structure of a node shows that it matches finitely or infinitely many
// strings. An infinite language without finitely many of its strings is not empty (Lemma 117).
const (
	ExtentFinite   uint8 = 1 << Encodings
	ExtentInfinite uint8 = 2 << Encodings
)

// Node is the content of an expression, in 40 bytes. Children are fields or a part of Lists; facts about it are in
// Facts.
type Node struct {
	order uint64 // a hash of the content, see content.go
	Kind  Kind
	Flags uint8
	// a bit for each encoding in which every string consists of whole code points; above them extents. Guarded by the
	// lock.
	Subset  uint8
	Weight  uint32
	A, B, C uint32
	list, N uint32
}

// Head returns the first part of a Concat or Spelled, and Tail the rest.
func (n *Node) Head() Expr { return Expr(n.A) }

// Tail returns the rest of a Concat or Spelled, after Head.
func (n *Node) Tail() Expr { return Expr(n.B) }

// Body returns the part of a Not, Star, Repeat or Count. It is the same field as Head.
func (n *Node) Body() Expr { return Expr(n.A) }

// Enc returns the encoding of a Text.
func (n *Node) Enc() Encoding { return Encoding(n.C) }

// Bounds are the least and the greatest number of code points of a Counted.
type Bounds struct {
	Min, Max uint32
	Enc      Encoding
}

// Digest names the content of an expression in every store. It is a cryptographic hash, because users who do not trust
// each other share data under it.
type Digest [16]byte
