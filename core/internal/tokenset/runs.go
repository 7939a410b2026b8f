package tokenset

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
)

// Whitespace may stand before every token of JSON, and vocabularies have a thousand tokens of whitespace. Runs lists
// these tokens and the trie nodes behind a run, once for a set of bytes. The tokens of "a run, then X" are the runs,
// the tokens of X, and tokens below the few nodes at which X begins after a run.
//
// PERF: 400 schemas of MaskBench without GapRuns: p99 of masks 1.34 times as much, p99.9 1.73.

// Runs holds the tokens of a vocabulary that begin with bytes of a set. Immutable.
type Runs struct {
	Set     terminal.ByteSet // empty for GapRuns
	Longest uint32
	Tokens  []uint32   // those that are runs
	UpTo    [][]uint32 // by length: bitmap of the tokens that are runs no longer than that
	places
	Deepest uint32 // longest run that something follows
	bytes   int    // of memory
}

// places are the beginnings of the tokens of a class: the root and the ends of runs, or one node.
type places struct {
	After  *[256][]runEnd  // behind runs, by the next byte
	below  uint32          // 0: none
	digest terminal.Digest // a class is the same for all runs that end in the same places
}

// runsBytes is the size of a Runs.
const runsBytes = 256*24 + 160

// runEndBytes is the size of a runEnd.
const runEndBytes = 8

// runEnd is a trie node behind a run of Length bytes and one byte more.
type runEnd struct{ Node, Length uint32 }

// runBytes bounds the bytes of a set that has runs: whitespace, digits, and the like. With a bound on the number of
// sets, the order of questions would decide which sets have runs.
const runBytes = 16

// longestRun bounds the length of runs: each length costs a bitmap. A set with a longer run has none.
const longestRun = 256

func (t *Tokens) findRuns(set terminal.ByteSet) *Runs {
	trie := t.Trie
	r := &Runs{Set: set, places: places{After: new([256][]runEnd)}}
	var ids [][]uint32 // by length
	for b := set.Next(0); b < terminal.TokenMark; b = set.Next(b + 1) {
		i := trie.Root[b]
		if i == 0 {
			continue
		}
		for end := trie.Nodes[i].End; i < end; {
			n := &trie.Nodes[i]
			if !set.Has(n.Byte) {
				r.After[n.Byte] = append(r.After[n.Byte], runEnd{i, uint32(n.Depth) - 1})
				r.Deepest = max(r.Deepest, uint32(n.Depth)-1)
				i = n.End
				continue
			}
			if n.Depth > longestRun {
				return nil
			}
			for len(ids) <= int(n.Depth) {
				ids = append(ids, nil)
			}
			from, to := trie.Tokens(i)
			ids[n.Depth] = append(ids[n.Depth], trie.Order[from:to]...)
			i++
		}
	}
	bits := make([]uint32, t.words)
	for _, same := range ids {
		if len(same) > 0 || r.UpTo == nil {
			bits = append([]uint32(nil), bits...)
			r.bytes += t.words * 4
		}
		for _, id := range same {
			bits[id>>5] |= 1 << (id & 31)
		}
		r.Tokens = append(r.Tokens, same...)
		r.UpTo = append(r.UpTo, bits)
	}
	r.Longest = uint32(max(len(ids), 1) - 1)
	r.bytes += runsBytes + cap(r.Tokens)*4 + cap(r.UpTo)*24
	r.seal()
	return r
}

func (t *Tokens) findGapRuns(st *terminal.Store, gap terminal.Expr) *Runs {
	trie, bits := t.Trie, make([]uint32, t.words)
	r := &Runs{
		UpTo: [][]uint32{bits}, bytes: runsBytes + 4*t.words, places: places{After: new([256][]runEnd)},
	}
	states := make([]terminal.Expr, trie.MaxLen+2) // by depth
	states[0] = gap
	alive := st.Alive(gap)
	for b := alive.Next(0); b < terminal.TokenMark; b = alive.Next(b + 1) {
		i := trie.Root[b]
		if i == 0 {
			continue
		}
		for end := trie.Nodes[i].End; i < end; {
			n := &trie.Nodes[i]
			next := st.Delta(states[n.Depth-1], n.Byte)
			if next == terminal.Empty {
				if n.Depth > 1 && !relax.IsWhitespace(n.Byte) && st.View().Nullable(states[n.Depth-1]) {
					r.After[n.Byte] = append(r.After[n.Byte], runEnd{i, 0})
				}
				i = n.End
				continue
			}
			states[n.Depth] = next
			from, to := trie.Tokens(i)
			for _, id := range trie.Order[from:to] {
				bits[id>>5] |= 1 << (id & 31)
			}
			i++
		}
	}
	r.seal()
	return r
}

// seal counts the bytes of After, and finds its digest.
func (r *Runs) seal() {
	var nodes []byte
	for i := range r.After {
		r.bytes += cap(r.After[i]) * runEndBytes
		for _, x := range r.After[i] {
			nodes = binary.LittleEndian.AppendUint32(nodes, x.Node) // which knows the byte
		}
	}
	sum := sha256.Sum256(nodes)
	r.digest = terminal.Digest(sum[:len(r.digest)])
}
