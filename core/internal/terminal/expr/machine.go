package expr

import (
	"sync"
)

// Machine is a language that is given by what reading it means, as a deterministic automaton whose states are made when
// somebody comes to them: numbers that are multiples of a large one, for example, of which no expression is small.
//
// A state is a text that says all that matters of what was read: two texts with the same future should have the same
// state. The machine keeps nothing for it, so that its states live and go with the expressions that stand for them.
// Safe for concurrent use.
type Machine interface {
	// Start returns the state before the first byte.
	Start() string
	// Step returns the state after byte b. It reports false if no string of the language goes on like that: a state
	// that is returned can be completed.
	Step(state string, b byte) (next string, ok bool)
	// Accepts reports whether a string of the language may end in the state.
	Accepts(state string) bool
	// Bytes returns the bytes that occur in strings of the language.
	Bytes() ByteSet
}

// Sprawling is a Machine with about one state for each text read, such as one that remembers a remainder, or Words. Few of a
// state's successors are ever asked for, so its transitions are made one by one.
type Sprawling interface {
	Machine
	// Alive returns the bytes that Step goes on with.
	Alive(state string) ByteSet
	// Read returns a reader that stands in the state.
	Read(state string) Reader
}

// Measured is a Machine that knows its states without making them.
type Measured interface {
	Machine
	// Sign calls sign with each byte that Step goes on with, in order, and a number of its own for each state after it.
	Sign(state string, sign func(b byte, next uint64))
	// Least returns the fewest code points that begin on a way from the state to the end of a string.
	Least(state string) uint32
	// Size returns how many bytes of memory the machine takes.
	Size() int
	// AtMost returns the strings of the machine from a state on that have at most so many code points, as a machine that
	// counts them in its states, and its start.
	AtMost(state string, most uint32) (m NamedMachine, start string)
}

// Reader goes through the states that follow one state, along the branches of a tree of texts. It remembers the state
// at each depth, so that going back costs nothing, and names none of them. One goroutine at a time.
type Reader interface {
	// Step goes from the state at a depth to the one after byte b, at the depth below: what Machine.Step does.
	Step(depth int, b byte) bool
	// Accepts is what Machine.Accepts says of the state at a depth.
	Accepts(depth int) bool
	// Room returns bytes, and how long a text of them can be with which the machine is sure to go on from the state
	// at a depth.
	Room(depth int) (bytes ByteSet, n int)
}

// NamedMachine is a machine with its name, which says all that there is to know of it.
type NamedMachine struct {
	Machine
	Text // its name
}

// machines keeps the machines of a store.
type machines struct {
	mu    sync.RWMutex // the oracle and printers inspect beside the store's lock
	list  []NamedMachine
	below *machines // of the store below
	from  uint32    // number of the first of its own
}
