package tokenset

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/tokentrie"
)

// OpenWalk walks a subtree of the trie along an open state, one whose transitions are made one by one: each token
// leads to another state, which hardly anybody comes to, so that none is made here. What follows where the state's
// machine is complete is the caller's to walk.
type OpenWalk struct {
	Trie   *tokentrie.Trie
	W      *Scratch
	Reader terminal.Reader
	// After walks the subtrees nodes[i:end] below a node at which the machine is complete, at a depth of the reader. It
	// returns false to end the walk.
	After func(i, end uint32, depth int) bool
}

// From walks the subtree of node i, the state being the one before the node's byte. It returns false if After has.
func (v *OpenWalk) From(i uint32) bool {
	nodes, w := v.Trie.Nodes, v.W
	above := int(nodes[i].Depth) - 1
	for end := nodes[i].End; i < end; {
		n := &nodes[i]
		w.Visited++
		depth := int(n.Depth) - above
		if !v.Reader.Step(depth-1, n.Byte) {
			i = n.End
			continue
		}
		w.Ranges.Add(n.Token, nodes[i+1].Token)
		switch {
		case n.End == i+1:
			i++
			continue
		case v.Reader.Accepts(depth) && !v.After(i+1, n.End, depth):
			return false
		case n.Big >= 0 && v.passes(depth, n.Big):
			w.Ranges.Add(nodes[i+1].Token, nodes[n.End].Token)
			i = n.End
			continue
		}
		i++
	}
	return true
}

// passes reports whether the state at a depth goes on with all of a subtree.
func (v *OpenWalk) passes(depth int, big int32) bool {
	b := &v.Trie.Bigs[big]
	bytes, room := v.Reader.Room(depth)
	return int(b.MaxRunes) <= room && b.Leads == 0 && b.WellFormed && b.ASCII[0]&^bytes[0]|b.ASCII[1]&^bytes[1] == 0
}

// open is from for the subtree of node i and a frame whose state x is open.
func (v *classWalk) open(i uint32, x terminal.Expr) bool {
	e, w, nodes := v.e, v.w, v.trie.Nodes
	within := func(t terminal.Expr, i, end uint32) bool {
		above := &w.frames[nodes[i].Depth-1]
		frame := *above
		ok := v.from(i, end, w.FrameOf(t, 0))
		*above = frame
		return ok
	}
	parts, rest := e.store.Open(x)
	ok := within(rest, i, nodes[i].End)
	for _, o := range parts {
		ok = ok && (!o.Reader.Accepts(0) || within(o.Tail, i, nodes[i].End))
		ends := e.store.View().Nullable(o.Tail)
		walk := OpenWalk{Trie: v.trie, W: w, Reader: o.Reader}
		walk.After = func(i, end uint32, _ int) bool {
			if ends {
				// few tokens leave a number, or a list of words
				v.c.Ends = append(v.c.Ends, ending{i - 1, 0, NoTag, v.c.goesOnWith(&terminal.ByteSet{})})
			}
			return within(o.Tail, i, end)
		}
		ok = ok && walk.From(i)
	}
	return ok
}
