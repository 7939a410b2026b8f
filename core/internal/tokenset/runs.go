package tokenset

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
)

// Whitespace may stand before every token of JSON, and vocabularies have a thousand tokens of whitespace. A
// gap is such whitespace, and a run is text of a gap that a token begins with. Runs lists the runs that are whole
// tokens, and the trie nodes behind all others, once for a gap. The tokens of "a gap, then X" are the listed ones, the
// tokens of X, and tokens below the few nodes at which X begins after a run.
//
// PERF: if gaps that are unions have no runs, p99 of masks is 1.47 times as much, in 200 schemas of MaskBench.

// Runs holds the tokens of a vocabulary that begin with text of a gap. Immutable.
type Runs struct {
	Tokens []uint32 // bitmap of the tokens that lie inside the gap
	places
	bytes int // of memory
}

// places are the trie nodes below which a terminal begins: the root and the ends of runs, or one node.
type places struct {
	After  *[256][]uint32  // nodes one byte behind a run, by that byte
	below  uint32          // 0: none
	digest terminal.Digest // of the nodes: gaps with equal nodes share classes
}

// runsBytes is the size of a Runs.
const runsBytes = 256*24 + 100

func (t *Tokens) findRuns(st *terminal.Store, gap terminal.Expr) *Runs {
	trie := t.Trie
	r := &Runs{Tokens: make([]uint32, t.words), bytes: runsBytes + 4*t.words, places: places{After: new([256][]uint32)}}
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
					r.After[n.Byte] = append(r.After[n.Byte], i)
				}
				i = n.End
				continue
			}
			states[n.Depth] = next
			from, to := trie.Tokens(i)
			for _, id := range trie.Order[from:to] {
				r.Tokens[id>>5] |= 1 << (id & 31)
			}
			i++
		}
	}
	var nodes []byte
	for i := range r.After {
		r.bytes += cap(r.After[i]) * 4
		for _, x := range r.After[i] {
			nodes = binary.LittleEndian.AppendUint32(nodes, x) // the node implies the byte
		}
	}
	sum := sha256.Sum256(nodes)
	r.digest = terminal.Digest(sum[:len(r.digest)])
	return r
}
