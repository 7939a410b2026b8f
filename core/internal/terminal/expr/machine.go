package expr

import (
	"sync"
)

// Machine is a language given as a deterministic automaton in Go, whose states are made on demand: the multiples of a
// large number, for example, have no small expression.
//
// A state is a text. Two read texts with the same future should have the same state. The machine keeps no data for a
// state, so its states live as long as their expressions. Safe for concurrent use.
type Machine interface {
	// Start returns the state before the first byte.
	Start() string
	// Step returns the state after byte b. ok is false if no string of the language continues so; a returned state can
	// be completed.
	Step(state string, b byte) (next string, ok bool)
	// Accepts reports whether a string of the language ends in the state.
	Accepts(state string) bool
	// Bytes returns the bytes that occur in strings of the language.
	Bytes() ByteSet
}

// Sprawling is a Machine with about one state for each text read, such as Words. Walks use few of a state's successors,
// so its transitions are found one by one.
type Sprawling interface {
	Machine
	// Alive returns the bytes that Step accepts.
	Alive(state string) ByteSet
	// Read returns a reader at the state.
	Read(state string) Reader
}

// Measured is a Machine that answers questions about its states without making more of them.
type Measured interface {
	Machine
	// Sign calls sign with each byte that Step accepts, in order, and a number that identifies the state after it.
	Sign(state string, sign func(b byte, next uint64))
	// Least returns the fewest code points that begin between the state and the end of a string.
	Least(state string) uint32
	// Size returns the machine's memory in bytes.
	Size() int
	// AtMost returns the machine of the strings from state on with at most most code points, and its start. It counts
	// in its states.
	AtMost(state string, most uint32) (m NamedMachine, start string)
}

// Reader walks the states after one state along the branches of a tree of texts. It keeps the state at each depth, so
// going back is free. It makes no texts of states. One goroutine at a time.
type Reader interface {
	// Step goes from the state at depth to the one after byte b, at depth+1, and reports whether there is one.
	Step(depth int, b byte) bool
	// Accepts reports whether a string ends in the state at depth.
	Accepts(depth int) bool
	// Room returns a set of bytes and a length: every text of such bytes up to that length continues the state at
	// depth.
	Room(depth int) (bytes ByteSet, n int)
}

// NamedMachine is a machine with a name. Machines of equal names have equal states with equal futures in every store.
type NamedMachine struct {
	Machine
	Text // the name
}

// machines are the machines of a store.
type machines struct {
	mu    sync.RWMutex // the oracle and printers read without the store's lock
	list  []NamedMachine
	below *machines // of the store below
	from  uint32    // number of its first machine
}
