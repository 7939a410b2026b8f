package pushdown

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A stack node is a set of stacks, written as a trie: what its frames go on with, and below each the node of what comes
// after. It is kept in a form in which sets that are equal, or are so for all one can tell, meet as one node:
//
//   - a node has one frame for each place and register: D K ∪ D L = D (K ∪ L);
//   - a loop above itself is that loop: X* (X* K ∪ L) = X* (K ∪ L);
//   - what a loop leads to without another round does not stand beside it: X* K ∪ K = X* K.
//
// Without the first, nodes of ambiguous grammars have a frame for each way to come there, without the others a stack grows
// with each sign of an expression although nothing new can follow.

// nodePair is an argument of union.
type nodePair struct{ j, k nodeID }

// union returns the node that waits for what j and k wait for.
func (a *Automaton) union(j, k nodeID) nodeID {
	if j == k || k == 0 {
		return j
	}
	if j == 0 {
		return k
	}
	if j > k {
		j, k = k, j
	}
	if u, ok := a.unions[nodePair{j, k}]; ok {
		return u
	}
	if a.depth++; a.depth > limits.CompletionDepth {
		panic(budgetSpent{})
	}
	fs := slices.Concat(a.framesOf(j), a.framesOf(k))
	a.spend(len(fs))
	a.made.Add(int64(len(fs) / heavy))
	u := a.internNode(a.compact(fs))
	a.depth--
	a.unions[nodePair{j, k}] = u
	return u
}

// loops reports whether frame f goes on with any number of rounds of an unbounded repetition, none included.
func (a *Automaton) loops(f frame) bool {
	in := a.p.code.At(uint32(f.dot))
	if in.op != opRepeatNext {
		return false
	}
	r := a.p.repeats.At(in.arg)
	return r.max == terminal.Unbounded && a.spanOf(f.reg).high >= r.atLeast()
}

// node returns the stack node with the single frame f.
func (a *Automaton) node(f frame) nodeID {
	f.k = a.belowLoop(f)
	fs := [1]frame{f}
	return a.internNode(fs[:])
}

// belowLoop returns the node below frame f, without the loop that f is where that comes next there too.
func (a *Automaton) belowLoop(f frame) nodeID {
	if !a.loops(f) {
		return f.k
	}
	below := a.framesOf(f.k)
	i := slices.IndexFunc(below, func(g frame) bool { return g.dot == f.dot && a.loops(g) })
	if i < 0 {
		return f.k
	}
	if len(below) == 1 {
		return below[0].k
	}
	rest := slices.Delete(slices.Clone(below), i, i+1)
	return a.union(a.internNode(rest), below[i].k)
}

// compact brings the frames of a node to be into their form.
func (a *Automaton) compact(fs []frame) []frame {
	fs = a.sorted(fs)
	if len(fs) < 2 {
		return fs
	}
	// One frame for each place and register.
	slices.SortFunc(fs, func(x, y frame) int {
		if x.dot == y.dot && x.reg != y.reg {
			return int(int64(x.reg) - int64(y.reg))
		}
		return compareFrames(x, y)
	})
	out := fs[:0]
	for i := 0; i < len(fs); {
		f, j := fs[i], i+1
		for ; j < len(fs) && fs[j].dot == f.dot && fs[j].reg == f.reg; j++ {
			f.k = a.union(f.k, fs[j].k)
		}
		f.k = a.belowLoop(f)
		out = append(out, f)
		i = j
	}
	out = a.withoutBelow(out)
	slices.SortFunc(out, compareFrames)
	return out
}

// withoutBelow leaves out the frames that a loop among them leads to without another round.
func (a *Automaton) withoutBelow(fs []frame) []frame {
	var below []frame
	for _, f := range fs {
		if a.loops(f) {
			below = append(below, a.framesOf(f.k)...)
		}
	}
	if below == nil {
		return fs
	}
	// INVARIANT: a frame is never below itself, so one that all others are below stays.
	return slices.DeleteFunc(fs, func(g frame) bool { return slices.Contains(below, g) })
}
