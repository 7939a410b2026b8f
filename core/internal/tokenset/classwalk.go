package tokenset

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/tokentrie"
)

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

// Opens reports whether f has no tags, since escapes are kept by tag.
func (v *classVisit) Opens(f *ItemFrame) bool { return !f.Tagged }

// Ends adds an ending above node i. Few tokens leave a machine (a number, a list of words), so all below its end count
// as escapes.
func (v *classVisit) Ends(i, _ uint32, tail terminal.Expr) {
	if v.e.store.View().Nullable(tail) {
		v.c.Ends = append(v.c.Ends, ending{i - 1, 0, NoTag, v.c.goesOnWith(&terminal.ByteSet{})})
	}
}

// addEnds adds the endings of the terminal at node i, in complete state f, after so many code points.
//
// PERF: free text that excludes words ends at nearly every node. Without the cache completion, its class took twice
// as long.
func (v *classVisit) addEnds(i uint32, f *Facts, count uint32) {
	if f.completion.walk != v.number {
		f.completion = completion{v.number, v.e.tagsHere(f.Expr), v.c.goesOnWith(f.Alive)}
	}
	for _, tag := range f.completion.tags {
		v.c.Ends = append(v.c.Ends, ending{i, count, tag, f.completion.goesOn})
	}
}

// untagged is the result of tagsHere for a state without tags.
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
