// Package stopstring finds the strings at which an output stops, while its text grows.
//
// Invariant: Read finds the string that ends first in the text so far, if any string does. The package knows no tokens and
// no grammar. Start reading at New.
package stopstring

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// Node is a state of an Automaton: the longest end of the text so far that is the beginning of a string.
type Node uint16

// Root is the node of every automaton before any text.
const Root Node = 0

// Automaton is the Aho–Corasick automaton of some strings, with a table of all transitions. Immutable.
type Automaton struct {
	class   [256]uint16 // of each byte; bytes that no string has are class 0
	classes int
	next    []Node // by node and class
	depth   []uint16
	ends    []uint16 // by node: the index of the longest string that ends there, plus 1; 0: none does
	lengths []uint16 // by string
}

// New returns the automaton of strings. The error is Argument for an empty string, and Limit for too many bytes.
func New(strings []string) (*Automaton, error) {
	a, bytes := &Automaton{classes: 1}, 0
	for i, s := range strings {
		if s == "" {
			return nil, diag.Errorf(diag.Argument, "stop strings", diag.Place{},
				"stop string %d is empty: every output would stop at once", i)
		}
		if bytes += len(s); bytes > limits.StopStringBytes {
			return nil, diag.Errorf(diag.Limit, "stop strings", diag.Place{},
				"the first %d stop strings have %d bytes together, and all may have %d: use fewer or shorter ones",
				i+1, bytes, limits.StopStringBytes)
		}
		for _, b := range []byte(s) {
			if a.class[b] == 0 {
				a.class[b] = uint16(a.classes)
				a.classes++
			}
		}
	}
	a.next = make([]Node, 0, (bytes+1)*a.classes)
	a.node(0)
	for i, s := range strings {
		at := Root
		for k, b := range []byte(s) {
			edge := a.edge(at, b)
			if a.next[edge] == Root {
				a.next[edge] = a.node(k + 1)
			}
			at = a.next[edge]
		}
		if a.ends[at] == 0 { // of equal strings the first counts
			a.ends[at] = uint16(i + 1)
		}
		a.lengths = append(a.lengths, uint16(len(s)))
	}
	a.link()
	return a, nil
}

func (a *Automaton) edge(n Node, b byte) int { return int(n)*a.classes + int(a.class[b]) }

// node adds a node at a depth.
func (a *Automaton) node(depth int) Node {
	a.next = append(a.next, make([]Node, a.classes)...)
	a.depth, a.ends = append(a.depth, uint16(depth)), append(a.ends, 0)
	return Node(len(a.depth) - 1)
}

// link turns the trie into the automaton, breadth first.
func (a *Automaton) link() {
	fail := make([]Node, len(a.depth))
	queue := []Node{Root}
	for i := 0; i < len(queue); i++ {
		n := queue[i]
		row, shorter := a.next[int(n)*a.classes:][:a.classes], a.next[int(fail[n])*a.classes:]
		for c, to := range row {
			switch {
			case to == Root:
				row[c] = shorter[c]
			case n == Root:
				queue = append(queue, to)
			default:
				fail[to] = shorter[c]
				if a.ends[to] == 0 {
					a.ends[to] = a.ends[fail[to]]
				}
				queue = append(queue, to)
			}
		}
	}
}

// Read follows text from node n. If a string ends in it, Read stops there: `to` is the node for Found, and end the number
// of bytes up to there. Otherwise end is 0.
func (a *Automaton) Read(n Node, text []byte) (to Node, end int) {
	for i, b := range text {
		if n = a.next[a.edge(n, b)]; a.ends[n] != 0 {
			return n, i + 1
		}
	}
	return n, 0
}

// Found returns the index and the length of the longest string that ends at node n.
func (a *Automaton) Found(n Node) (index, length int) {
	index = int(a.ends[n]) - 1
	return index, int(a.lengths[index])
}

// Depth returns the number of bytes at the end of the text that may still become a string.
func (a *Automaton) Depth(n Node) int { return int(a.depth[n]) }
