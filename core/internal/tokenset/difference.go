package tokenset

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// "Any key except the declared ones" differs from "any key" only along the declared keys. So its class is a difference:
// the class of "any key", without ranges of tokens that a walk along the declared keys finds. Each object has its own
// declared keys, and a walk through the whole vocabulary for each would be expensive.
//
// PERF: 400 schemas of MaskBench without differences: p99 of masks 242 µs instead of 33 (make lab NAME=speed).

// differenceNodes bounds the walk along excluded texts. Beyond it, a class of its own is cheaper.
const differenceNodes = 4000

// without returns the class c without the tokens of removed.
func (e *Sets) without(c *Class, removed ranges) *Class {
	d := &Class{found: found{
		From: c, Removed: slices.Clone(removed), Ends: c.Ends, goesOn: c.goesOn, partial: c.partial,
	}}
	d.List = make([]uint32, 0, d.Removed.Count())
	order := e.tokens.Trie.Order
	for i := 0; i < len(d.Removed); i += 2 {
		d.List = append(d.List, order[d.Removed[i]:d.Removed[i+1]]...)
	}
	return d
}

// walkExcluded sets w.Ranges to the tokens with a quote right after one of texts. It follows the states of texts,
// which all objects that exclude them share. It returns false if the walk becomes long.
func (e *Sets) walkExcluded(texts terminal.Expr, w *Scratch) bool {
	w.Ranges = w.Ranges[:0]
	nodes := e.tokens.Trie.Nodes
	start := w.FrameOf(texts, 0)
	v := excludedVisit{e: e, w: w, left: differenceNodes}
	walk := Walk{Scratch: w, Trie: e.tokens.Trie, Visitor: &v}
	for b := start.Alive.Next(0); b < terminal.TokenMark && v.left > 0; b = start.Alive.Next(b + 1) {
		if i := e.tokens.Trie.Root[b]; i != 0 {
			walk.From(i, nodes[i].End, start)
		}
	}
	if i := e.tokens.Trie.Root['"']; i != 0 && start.complete {
		w.Ranges.Add(nodes[i].Token, nodes[nodes[i].End].Token)
		w.Ranges.Normalise()
	}
	return v.left > 0 && !w.Over
}

// excludedVisit takes out the quotes behind excluded texts.
type excludedVisit struct {
	e    *Sets
	w    *Scratch
	left int // nodes that may still be visited
}

// Visit adds the child of node i with a quote, if a text ends at i.
func (v *excludedVisit) Visit(i uint32, t *ItemFrame) bool {
	nodes := v.e.tokens.Trie.Nodes
	v.left--
	if t.complete {
		for k := i + 1; k < nodes[i].End; k = nodes[k].End {
			if nodes[k].Byte == '"' {
				v.w.Ranges.Add(nodes[k].Token, nodes[nodes[k].End].Token)
			}
		}
	}
	return v.left > 0
}

// Opens reports false: excluded texts have no machines.
func (v *excludedVisit) Opens(*ItemFrame) bool { return false }

// Ends does nothing.
func (v *excludedVisit) Ends(_, _ uint32, _ terminal.Expr) {}

// firstDiffer returns the number of bytes after which x and base are different states.
func (e *Sets) firstDiffer(x, base terminal.Expr) (n int) {
	f, _ := e.store.Transitions(x)
	g, _ := e.store.Transitions(base)
	bytes := e.store.Alive(base)
	for b := bytes.Next(0); b < 256; b = bytes.Next(b + 1) {
		s, _ := f.To(byte(b))
		t, _ := g.To(byte(b))
		if s != t {
			n++
		}
	}
	return n
}

// walkDifference leaves in w.Ranges the tokens that base lets through and x does not, if x is part of base. It skips
// subtrees above which the two are the same state. It returns false if the walk becomes long.
func (e *Sets) walkDifference(x, base terminal.Expr, w *Scratch) bool {
	w.Ranges = w.Ranges[:0]
	trie := e.tokens.Trie
	nodes, first := trie.Nodes, pair{w.lookUp(x, 0), w.lookUp(base, 0)}
	w.meetBoth(first)
	w.pairs[0] = first
	left := differenceNodes
	for i := uint32(1); i < nodes[0].End; {
		n := &nodes[i]
		f := &w.pairs[n.Depth-1]
		if left--; left < 0 {
			return false
		}
		w.Visited++
		s, t := e.after(f.x, n.Byte), e.after(f.base, n.Byte)
		if s == t || s == terminal.Empty {
			if s != t {
				w.Ranges.Add(n.Token, nodes[n.End].Token)
			}
			i = n.End
			continue
		}
		if !w.some(s) || !w.some(t) {
			return false
		}
		next := pair{w.lookUp(s, 0), w.lookUp(t, 0)}
		if w.meetBoth(next); w.Spent() {
			return false
		}
		w.pairs[n.Depth] = next
		i++
	}
	return !w.Spent()
}

// after returns the state after byte b.
func (e *Sets) after(f *Facts, b byte) terminal.Expr {
	if !f.Alive.Has(b) {
		return terminal.Empty
	}
	x, known := f.to.To(b)
	if !known {
		x = e.store.Delta(f.Expr, b)
	}
	return x
}

// meetBoth charges the transitions of two states.
func (w *Scratch) meetBoth(p pair) {
	w.Meet(p.x)
	w.Meet(p.base)
}

// TakeOut drops from ids, in place, the tokens in ranges of the trie's order.
func (e *Sets) TakeOut(ids []uint32, removed ranges) []uint32 {
	kept := ids[:0]
	for _, id := range ids {
		if !removed.has(e.tokens.Trie.Rank[id]) {
			kept = append(kept, id)
		}
	}
	return kept
}

// closingNodes returns the trie nodes at which base, whose class is c, is complete. It charges the walk on every call,
// and returns false if the budget does not suffice.
func (e *Sets) closingNodes(c *Class, base terminal.Expr, w *Scratch) (nodes []uint32, ok bool) {
	if p := c.closing.Load(); p != nil {
		w.Charge(p.cost)
		return p.nodes, !w.Spent()
	}
	v := closingVisit{excludedVisit{e: e, w: w}, nil}
	walk := Walk{Scratch: w, Trie: e.tokens.Trie, Visitor: &v}
	cost := w.unit(func() { walk.From(1, e.tokens.Trie.Nodes[0].End, w.FrameOf(base, 0)) })
	if w.Spent() {
		return nil, false
	}
	found := &closing{slices.Clone(v.nodes), cost}
	if c.closing.CompareAndSwap(nil, found) {
		e.grew(c, found.size())
	}
	return found.nodes, true
}

// closingVisit gathers the nodes at which a terminal is complete.
type closingVisit struct {
	excludedVisit
	nodes []uint32
}

// Visit adds node i if the terminal is complete there. It skips subtrees on which the state loops.
func (v *closingVisit) Visit(i uint32, t *ItemFrame) bool {
	if v.w.Accepts(t) {
		v.nodes = append(v.nodes, i)
		return false
	}
	return !v.w.Covers(t, v.e.tokens.Trie, i)
}
