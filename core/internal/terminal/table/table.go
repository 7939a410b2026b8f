// Package table holds languages of text as deterministic automata in tables. A table holds all states from which a text
// can be completed, and the shortest completion of each. An intersection or complement of expressions is explored once
// into a table, instead of searching for a match from each of its states.
//
// Invariant: a table depends on the languages alone and numbers its states in the order in which bytes reach them
// (Lemma 135). Tables beyond limits.TableStates or limits.TableWork are refused. The package knows expressions and
// their derivatives, and no grammar. Start reading at Table, then And (explore.go) and Expr (machine.go).
package table

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
)

// nameBytes is the length of the hash that names a table.
const nameBytes = 16

// never is the distance to the end from a dead state.
const never = math.MaxUint32

// Table is a deterministic automaton over the bytes of UTF-8 text. Its texts consist of whole code points. State 1 is
// the start, state 0 is dead. Immutable.
type Table struct {
	class   [256]uint8 // byte → class; continuation bytes share no class with others
	classes int
	next    []uint32 // state*classes+class → state
	final   []bool   // by state
	least   []uint32 // by state: the fewest code points that begin on a way to a final state
	name    string
}

// start is the first state.
const start = 1

// States returns the number of states of t.
func (t *Table) States() int { return len(t.final) - 1 }

// IsEmpty reports whether t has no text.
func (t *Table) IsEmpty() bool { return t.least[start] == never }

func (t *Table) to(state uint32, b byte) uint32 {
	return t.next[int(state)*t.classes+int(t.class[b])]
}

// isContinuation reports whether b continues a code point of UTF-8.
func isContinuation(b byte) bool { return b&0xC0 == 0x80 }

// finish computes distances, drops transitions to dead states, and names t.
func (t *Table) finish() *Table {
	begins := make([]bool, t.classes) // by class: its bytes begin a code point
	for b, c := range t.class {
		begins[c] = !isContinuation(byte(b))
	}
	t.measure(begins)
	for i, to := range t.next {
		if to != 0 && t.least[to] == never {
			t.next[i] = 0
		}
	}
	hash := sha256.New()
	hash.Write(t.class[:])
	data := make([]byte, 0, 4*len(t.next)+len(t.final))
	for _, to := range t.next {
		data = binary.LittleEndian.AppendUint32(data, to)
	}
	for _, f := range t.final {
		data = append(data, byte(0))
		if f {
			data[len(data)-1] = 1
		}
	}
	hash.Write(data)
	t.name = "table " + hex.EncodeToString(hash.Sum(nil)[:nameBytes])
	return t
}

// measure sets least by a breadth-first search backwards. Transitions that begin no code point are free.
func (t *Table) measure(begins []bool) {
	n := len(t.final)
	first := make([]uint32, n+1) // by state: offset of the transitions to it in edges
	for _, to := range t.next {
		first[to]++
	}
	sum := uint32(0)
	for i, k := range first {
		first[i] = sum
		sum += k
	}
	type edge struct {
		from uint32
		cost uint8
	}
	edges := make([]edge, sum)
	fill := append([]uint32(nil), first...)
	for i, to := range t.next {
		cost := uint8(0)
		if begins[i%t.classes] {
			cost = 1
		}
		edges[fill[to]] = edge{uint32(i / t.classes), cost}
		fill[to]++
	}
	t.least = make([]uint32, n)
	var now, after []uint32
	for i := range t.least {
		if t.least[i] = never; t.final[i] {
			t.least[i] = 0
			now = append(now, uint32(i))
		}
	}
	for d := uint32(0); len(now) > 0; d++ {
		for k := 0; k < len(now); k++ {
			x := now[k]
			if t.least[x] != d {
				continue
			}
			for _, e := range edges[first[x]:first[x+1]] {
				switch {
				case t.least[e.from] <= d+uint32(e.cost):
				case e.cost == 0:
					t.least[e.from] = d
					now = append(now, e.from)
				default:
					t.least[e.from] = d + 1
					after = append(after, e.from)
				}
			}
		}
		now, after = after, now[:0]
	}
}
