package tokenset

import (
	"iter"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/tokentrie"
)

// walkClass walks the trie with terminal state x from some places, or from the root if p is nil. It fills c and w.Ranges,
// and returns false if the budget is spent.
func (e *Sets) walkClass(x terminal.Expr, p *places, w *Scratch, c *Class) bool {
	w.Ranges = w.Ranges[:0]
	_, _, c.Counted = counters.Bounds(e.store, x)
	w.walks++
	c.Ends = w.ends[:0]
	v := classVisit{e, w, e.tokens.Trie, c, w.walks}
	walk := Walk{Scratch: w, Trie: e.tokens.Trie, free: c.Counted, Visitor: &v}
	if c.Counted {
		walk.Visitor = &countedVisit{classVisit: v}
	}
	start := w.FrameOf(x, 0)
	for i := range e.starts(x, p) {
		if walk.From(i, e.tokens.Trie.Nodes[i].End, start); w.Over {
			break
		}
	}
	w.ends = c.Ends // settle copies them
	w.Ranges.Normalise()
	return !w.Over
}

// starts returns the nodes at which a walk with terminal state x begins.
func (e *Sets) starts(x terminal.Expr, p *places) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		if nodes := e.tokens.Trie.Nodes; p != nil && p.below != 0 {
			for i := p.below + 1; i < nodes[p.below].End && yield(i); i = nodes[i].End {
			}
			return
		}
		alive := e.store.Alive(x)
		for b := alive.Next(0); b < terminal.TokenMark; b = alive.Next(b + 1) {
			if i := e.tokens.Trie.Root[b]; i != 0 && !yield(i) {
				return
			}
			if p == nil {
				continue
			}
			for _, end := range p.After[b] {
				if !yield(end.Node) {
					return
				}
			}
		}
	}
}

// classVisit gathers a class. One walk.
type classVisit struct {
	e      *Sets
	w      *Scratch
	trie   *tokentrie.Trie
	c      *Class
	number uint64 // of the walk
}

// Visit adds the tokens of node i, and of the nodes below if t takes all of them.
func (v *classVisit) Visit(i uint32, t *ItemFrame) bool {
	nodes := v.trie.Nodes
	n := &nodes[i]
	if n.End > i+1 && v.w.Accepts(t) {
		v.addEnds(i, t.Facts, 0)
	}
	v.w.Ranges.Add(n.Token, nodes[i+1].Token)
	if n.End > i+1 && v.w.Covers(t, v.trie, i) {
		v.w.Ranges.Add(nodes[i+1].Token, nodes[n.End].Token)
		return false
	}
	return true
}

// Opens reports whether f has no tags, which escapes are kept by.
func (v *classVisit) Opens(f *ItemFrame) bool { return !f.Tagged }

// Ends adds an ending above node i. Few tokens leave a number or a list of words, so all of them count as leaving it.
func (v *classVisit) Ends(i, _ uint32, tail terminal.Expr) {
	if v.e.store.View().Nullable(tail) {
		v.c.Ends = append(v.c.Ends, ending{i - 1, 0, NoTag, v.c.goesOnWith(&terminal.ByteSet{})})
	}
}

// completion holds what all endings of a walk in one state have in common.
type completion struct {
	walk   uint64
	tags   []uint32 // that the state carries, NoTag among them if it is complete without one too
	goesOn uint32   // as in ending
}

// addEnds adds the endings of the terminal at node i, in complete state f, after so many code points.
//
// PERF: nearly every node is an ending of forbidden words. Without completion, their class took twice as long.
func (v *classVisit) addEnds(i uint32, f *Facts, count uint32) {
	if f.completion.walk != v.number {
		f.completion = completion{v.number, v.e.tagsHere(f.Expr), v.c.goesOnWith(f.Alive)}
	}
	for _, tag := range f.completion.tags {
		v.c.Ends = append(v.c.Ends, ending{i, count, tag, f.completion.goesOn})
	}
}

// untagged is what tagsHere returns of a state without tags.
var untagged = []uint32{NoTag}

// tagsHere returns the tags that complete state t carries, NoTag among them if it is complete without one too.
func (e *Sets) tagsHere(t terminal.Expr) []uint32 {
	if !e.store.View().Tagged(t) {
		return untagged
	}
	tags, bare := e.store.View().Tags(t, nil)
	if bare {
		tags = append(untagged[:1:1], tags...)
	}
	return tags
}
