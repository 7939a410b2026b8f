package tokenset

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/tokentrie"
)

// cover is a loop with a summary: every byte of the kinds `all` loops, and no byte of the kinds `none` does.
type cover struct {
	*terminal.Loop
	all, none tokentrie.Kinds
}

func coverOf(l *terminal.Loop) cover {
	all, none := tokentrie.KindsOf(l.ASCII, l.Leads != 0)
	return cover{l, all, none}
}

// Holds reports whether the text of a subtree, which is well-formed, is made of code points that loop.
func Holds(l *terminal.Loop, b *tokentrie.Big) bool {
	return b.ASCII[0]&^l.ASCII[0]|b.ASCII[1]&^l.ASCII[1]|b.Leads&^l.Leads == 0
}

// holds reports whether the text of the subtree of node i is made of code points that loop, and bounds the code points
// of one path.
//
// PERF: kinds decide for most nodes, so their summaries need not be read, and small subtrees have none. The class of
// [a-z]* takes 0.15 ms instead of 0.38.
func (c *cover) holds(trie *tokentrie.Trie, i uint32) (ok bool, runes uint32) {
	n := &trie.Nodes[i]
	if n.Kinds&c.none != 0 {
		return false, 0
	}
	if n.Big < 0 {
		return n.Kinds&^c.all == 0, n.End - i - 1
	}
	b := &trie.Bigs[n.Big]
	return b.WellFormed && Holds(c.Loop, b), uint32(b.MaxRunes)
}
