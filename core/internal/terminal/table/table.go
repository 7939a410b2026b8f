// Package table holds languages of text as deterministic automata in tables: every state is there, none is a dead end,
// and each knows its shortest completion. An intersection or complement of expressions is explored once to become one,
// instead of searching for a match from each of its states.
//
// Invariant: a table is built from the languages alone and numbers its states in the order in which bytes lead to them,
// so equal constructions give equal tables in every process. What would exceed limits.TableStates or limits.TableWork
// is refused, for everybody. The package knows expressions and their derivatives, and no grammar. Start reading at
// Table, then And (explore.go) and Expr (machine.go).
package table

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
)

// nameBytes is how much of a hash names a table.
const nameBytes = 16

// never is the distance to the end of a state that no text completes.
const never = math.MaxUint32

// Table is a deterministic automaton over the bytes of UTF-8 text. Its texts are made of whole code points. State 1 is
// the start; a transition to 0 leads nowhere. Immutable.
type Table struct {
	class   [256]uint8 // byte → class; continuation bytes of UTF-8 share no class with others
	classes int
	next    []uint32 // state*classes+class → state
	final   []bool   // by state
	least   []uint32 // by state: the fewest code points that begin on a way to a final state; never: none
	name    string
}

// start is the first state.
const start = 1

// States returns how many states t has.
func (t *Table) States() int { return len(t.final) - 1 }

// IsEmpty reports whether t has no text.
func (t *Table) IsEmpty() bool { return t.least[start] == never }

func (t *Table) to(state uint32, b byte) uint32 {
	return t.next[int(state)*t.classes+int(t.class[b])]
}

// isContinuation reports whether b continues a code point of UTF-8.
func isContinuation(b byte) bool { return b&0xC0 == 0x80 }

// finish computes distances, drops transitions to states from which no end can be reached, and names t.
func (t *Table) finish() *Table {
	begins := make([]bool, t.classes) // whether the bytes of a class begin a code point
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

// measure fills least: a breadth-first search backwards, in which transitions that begin no code point are free.
func (t *Table) measure(begins []bool) {
	n := len(t.final)
	first := make([]uint32, n+1) // of the transitions to a state, in from
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
