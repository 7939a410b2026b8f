package pushdown

// StateID names a state of one Automaton.
type StateID uint32

const (
	// Dead is the state without a future.
	Dead StateID = 0
	// Over stands for a state whose unit of work exceeded its bounds. Its future is unknown.
	Over StateID = 1
)

// StateBits is how many bits the ids of states have: a key is a state and a byte in 32 bits.
const StateBits = 24

// stateMask holds the bits of an id. Every id is less.
const stateMask = 1<<StateBits - 1

// NodeID names a stack node outside the package.
type NodeID = nodeID

// nodeID names a stack node. Node 0 is the empty set.
type nodeID uint32
