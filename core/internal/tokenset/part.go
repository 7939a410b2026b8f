package tokenset

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/tokentrie"
)

// After a short terminal, as a blank or an operator, another one begins in the middle of the token, and it does so
// wherever the grammar has come to: only what follows both is another one each time. So a large part of a trie has
// classes too, that of the vocabulary below some bytes as well as that of what follows a terminal's end. Their escapes
// are tries again, which have classes of their own.

// partNodes is the size from which a part of a trie has classes. Below, it is walked for less than looking one up.
const partNodes = 256

// PartClass returns the class of terminal state x in the subtrees nodes[i:end] of trie t, nil if there is none: where
// the part is small, where few of its tokens begin with x, and where x counts, has tags, or is open.
func (e *Sets) PartClass(t *EscapeTrie, i, end uint32, x terminal.Expr, w *Scratch) *Class {
	if end-i < partNodes || e.store.Tagged(x) || e.store.IsOpen(x) {
		return nil
	}
	if _, _, counting := counters.Bounds(e.store, x); counting {
		return nil
	}
	key := placedKey{part: t, first: i, x: x}
	if c, ok := e.knownPlaced(key, w); ok {
		return c
	}
	c, outer := &Class{in: t}, w.Ranges
	fits := false
	w.Ranges = nil
	cost := w.unit(func() { fits = e.walkPart(t, i, end, x, c, w) })
	c.ranks, w.Ranges = slices.Clip(w.Ranges), outer
	if w.Over {
		return nil
	}
	if c.Ends = slices.Clip(c.Ends); !fits {
		c = nil
	}
	return e.keepPlaced(key, keptClass{c, cost})
}

// walkPart walks the subtrees nodes[i:end] of trie t with terminal state x alone. What it finds goes into c and
// w.Ranges. It returns false if x deserves no class there.
func (e *Sets) walkPart(t *EscapeTrie, i, end uint32, x terminal.Expr, c *Class, w *Scratch) bool {
	if w.part == nil {
		w.part = make([]ItemFrame, len(w.Items))
	}
	nodes, frames := t.Nodes, w.part
	start := w.FrameOf(x, 0)
	w.Meet(start.Facts)
	frames[nodes[i].Depth-1] = start
	for i < end {
		n := &nodes[i]
		w.Visited++
		f := &frames[n.Depth-1]
		if !f.Alive.Has(n.Byte) {
			i = n.End
			continue
		}
		if f.Open || !f.plain || f.Tagged {
			return false
		}
		next, ok := w.Move(f, n.Byte)
		if w.Spent() {
			return false
		}
		if !ok {
			i = n.End
			continue
		}
		w.Ranges.Add(n.Token, nodes[i+1].Token)
		if n.End == i+1 {
			i++
			continue
		}
		if w.Accepts(&next) {
			c.Ends = append(c.Ends, ending{i, 0, NoTag, c.goesOnWith(next.Alive)})
		}
		if n.Big >= 0 && e.Covers(next.Expr, next.Counter, &t.Bigs[n.Big]) {
			w.Ranges.Add(nodes[i+1].Token, nodes[n.End].Token)
			i = n.End
			continue
		}
		frames[n.Depth] = next
		i++
	}
	return w.Visited > narrowNodes
}

// trieOf returns the trie that c is a class of, or of a part of.
func (e *Sets) trieOf(c *Class) *tokentrie.Trie {
	if c.in == nil {
		return e.tokens.Trie
	}
	return &c.in.Trie
}

// Ranks returns the tokens inside a class as ranges of its trie's order.
func (c *Class) Ranks() []uint32 { return c.ranks }
