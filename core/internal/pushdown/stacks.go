package pushdown

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A stack node is a set of stacks as a trie: frames, and below each the node that follows. Nodes have a normal form, so
// that equal sets are one node:
//
//   - a node has one frame for each place and register: D K ∪ D L = D (K ∪ L);
//   - a loop above itself is that loop: X* (X* K ∪ L) = X* (K ∪ L);
//   - no frame covers another one beside it, nor a loop a frame below it (order.go);
//   - frames are ordered by content, not by the age of their nodes.

// unionRecord is a union of nodes, and what making it takes.
type unionRecord struct {
	of, n uint32 // the nodes, in Automaton.united
	node  nodeID
	cost  partCost
}

// unite returns the node that waits for what the nodes ks wait for. The order of ks, which it may change, does not
// matter, also not to what it takes.
func (a *Automaton) unite(ks []nodeID) nodeID {
	slices.Sort(ks)
	ks = slices.Compact(ks)
	if ks[0] == 0 && len(ks) > 1 {
		ks = ks[1:]
	}
	if len(ks) == 1 {
		return ks[0]
	}
	h := hashNodes(ks)
	if id := a.unionIndex.Find(h, func(id uint32) bool { return slices.Equal(a.unionOf(id), ks) }); id != 0 {
		a.charge(unionPart(id), a.unit.nest)
		return a.unions.At(id).node
	}
	u := &a.unit
	if u.nest++; u.nest > a.bounds.depth {
		panic(budgetSpent{})
	}
	of := a.united.Span(len(ks))
	copy(a.united.Slice(of, len(ks)), ks)
	id := a.unions.Append(unionRecord{of: of, n: uint32(len(ks))})
	if u.free { // it may be found again where it is charged
		a.apart(func() { a.makeUnion(id, ks) })
	} else {
		a.makeUnion(id, ks)
	}
	u.nest--
	a.unionIndex.Add(h, id) // only now: where making it spends the budget, there is no union to be found
	return a.unions.At(id).node
}

// makeUnion finds what union id of the nodes ks is.
func (a *Automaton) makeUnion(id uint32, ks []nodeID) {
	own, under := a.enter()
	base := len(a.gathered)
	for _, k := range ks {
		a.gathered = append(a.gathered, a.framesOf(k)...)
	}
	fs := a.gathered[base:len(a.gathered):len(a.gathered)]
	a.spend(2 + len(fs)) // remembering it takes as much as two frames
	a.unions.At(id).node = a.internNode(a.compact(fs))
	a.gathered = a.gathered[:base]
	a.leave(unionPart(id), own, under)
}

// unionOf returns the nodes that union id is of.
func (a *Automaton) unionOf(id uint32) []nodeID {
	u := a.unions.At(id)
	return a.united.Slice(u.of, int(u.n))
}

func hashNodes(ks []nodeID) uint64 {
	h := uint64(len(ks))
	for _, k := range ks {
		h = arena.Mix(h, uint64(k))
	}
	return h ^ h>>32
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

// belowLoop returns the node below frame f. If f is a loop, the node does not have the loop itself, nor frames that f
// covers.
func (a *Automaton) belowLoop(f frame) nodeID {
	if !a.loops(f) {
		return f.k
	}
	var again []nodeID
	var rest []frame
	for _, g := range a.framesOf(f.k) {
		if g.dot == f.dot && a.loops(g) {
			again = append(again, g.k)
		} else {
			rest = append(rest, g)
		}
	}
	k := f.k
	if len(again) > 0 {
		if len(rest) > 0 {
			again = append(again, a.internNode(rest))
		}
		k = a.unite(again)
		rest = a.framesOf(k)
	}
	if kept := a.withoutRead(a.p.code.At(uint32(f.dot)).arg, rest); len(kept) < len(rest) {
		return a.internNode(kept)
	}
	return k
}

// compact brings the frames of a node to be into their form.
func (a *Automaton) compact(fs []frame) []frame {
	fs = a.sorted(fs)
	if len(fs) < 2 {
		return fs
	}
	slices.SortFunc(fs, a.compareFrames)
	out := fs[:0]
	var ks []nodeID
	for i := 0; i < len(fs); {
		f, j := fs[i], i+1
		for ; j < len(fs) && fs[j].dot == f.dot && fs[j].reg == f.reg; j++ {
		}
		if j > i+1 {
			ks = ks[:0]
			for _, g := range fs[i:j] {
				ks = append(ks, g.k)
			}
			f.k = a.unite(ks)
		}
		f.k = a.belowLoop(f)
		out = append(out, f)
		i = j
	}
	return a.withoutCoveredFrames(out)
}
