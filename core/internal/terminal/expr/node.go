package expr

import (
	"math"
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

// TooHard is where a transition leads of which it is not known whether anything can follow, or that is heavier than
// the budget of an expression. It is no dead end: who comes to it has to say that a limit was met.
const TooHard Expr = 2

// AnyRepeats is the number of repetitions that Generalise writes for any number. It is not Unbounded: a repetition that
// has no bound uses nothing up, and what is found out about a state with one must not be taken for what holds with a
// bound.
const AnyRepeats = Unbounded - 1

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

// What is known of how many strings an expression matches from its structure alone, kept in a node's subset above the
// bits of the encodings. Infinitely many less finitely many is never empty: that spares most searches for a string that
// an object's undeclared keys still match.
const (
	ExtentFinite   uint8 = 1 << Encodings
	ExtentInfinite uint8 = 2 << Encodings
)

// suffixClosed marks, beside the extents, a language that holds every suffix of its strings, as x* and x? of one byte
// do: its derivatives are parts of it.
const suffixClosed uint8 = 4 << Encodings

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

// Bounds of a Counted; interned.
type Bounds struct {
	Min, Max uint32
	Enc      Encoding
}

// Digest names the content of an expression, the same in every store. No two contents have the same one, as far as
// anybody can find them: what is kept by it may be shared among users who do not trust each other.
type Digest [16]byte
