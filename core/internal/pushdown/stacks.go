package pushdown

import (
	"cmp"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/arena"
)

// A stack node is a set of stacks as a trie: frames, and below each the node that follows. Nodes have a normal form,
// which makes most equal sets one node (Lemma 150):
//
//   - a node has one frame for each place and register;
//   - no loop stands directly below itself;
//   - no frame covers a frame beside it, and no loop covers a frame directly below it, as far as order.go sees;
//   - frames are ordered by content, not by the age of their nodes.

// unite returns the union of the nodes ks. It may reorder ks; neither the result nor the price depends on their order.
func (st *stacks) unite(ks []nodeID) nodeID {
	slices.Sort(ks)
	ks = slices.Compact(ks)
	if ks[0] == 0 && len(ks) > 1 {
		ks = ks[1:]
	}
	if len(ks) == 1 {
		return ks[0]
	}
	h := hashNodes(ks)
	if id := st.unionIndex.Find(h, func(id uint32) bool { return slices.Equal(st.unionOf(id), ks) }); id != 0 {
		st.charge(st.unions.At(id).part, st.unit.nest)
		return st.unions.At(id).node
	}
	u := &st.unit
	if u.nest++; u.nest > st.bounds.depth {
		panic(budgetSpent{})
	}
	of := st.united.Span(len(ks))
	copy(st.united.Slice(of, len(ks)), ks)
	id := st.unions.Append(unionRecord{of: of, n: uint32(len(ks))})
	if u.free { // find the price all the same, since a later call may have to pay
		st.apart(func() { st.makeUnion(id, ks) })
	} else {
		st.makeUnion(id, ks)
	}
	u.nest--
	st.unionIndex.Add(h, id) // last, so a union that exceeds the bounds is not found
	return st.unions.At(id).node
}

// makeUnion sets the node and the price of union id, which is of ks.
func (st *stacks) makeUnion(id uint32, ks []nodeID) {
	own, under := st.enter()
	base := len(st.gathered)
	for _, k := range ks {
		st.gathered = append(st.gathered, st.framesOf(k)...)
	}
	fs := st.gathered[base:len(st.gathered):len(st.gathered)]
	st.spend(2 + len(fs)) // two for the record
	k := st.internNode(st.compact(fs))
	st.gathered = st.gathered[:base]
	u := st.unions.At(id)
	u.node, u.part = k, st.leave(unionPart, own, under)
}

// unionOf returns the nodes of union id.
func (st *stacks) unionOf(id uint32) []nodeID {
	u := st.unions.At(id)
	return st.united.Slice(u.of, int(u.n))
}

func hashNodes(ks []nodeID) uint64 {
	h := uint64(len(ks))
	for _, k := range ks {
		h = arena.Mix(h, uint64(k))
	}
	return h ^ h>>32
}

// node returns the stack node with the single frame f.
func (st *stacks) node(f frame) nodeID {
	f.k = st.belowLoop(f)
	fs := [1]frame{f}
	return st.internNode(fs[:])
}

// belowLoop returns the node to put below frame f. If f is a loop, that is f.k without the loop itself and without
// frames that the loop covers.
func (st *stacks) belowLoop(f frame) nodeID {
	if !st.p.loops(f) {
		return f.k
	}
	var again []nodeID
	var rest []frame
	for _, g := range st.framesOf(f.k) {
		if g.dot == f.dot && st.p.loops(g) {
			again = append(again, g.k)
		} else {
			rest = append(rest, g)
		}
	}
	k := f.k
	if len(again) > 0 {
		if len(rest) > 0 {
			again = append(again, st.internNode(rest))
		}
		k = st.unite(again)
		rest = st.framesOf(k)
	}
	if kept := st.withoutRead(st.p.code.At(uint32(f.dot)).arg, rest); len(kept) < len(rest) {
		return st.internNode(kept)
	}
	return k
}

// compact returns the normal form of frames, in the same memory.
func (st *stacks) compact(fs []frame) []frame {
	fs = st.sorted(fs)
	if len(fs) < 2 {
		return fs
	}
	slices.SortFunc(fs, st.p.compareFrames)
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
			f.k = st.unite(ks)
		}
		f.k = st.belowLoop(f)
		out = append(out, f)
		i = j
	}
	return st.withoutCoveredFrames(out)
}

// sorted sorts frames and drops duplicates. Among frames that differ only in their counts, it joins the counts into
// ranges for a repeat or a scope with Cut. For a scope without Cut, it keeps only the smallest count.
func (st *stacks) sorted(fs []frame) []frame {
	slices.SortFunc(fs, func(x, y frame) int {
		if x.dot != y.dot {
			return int(x.dot) - int(y.dot)
		}
		return cmp.Or(cmp.Compare(x.k, y.k), cmp.Compare(x.reg, y.reg))
	})
	fs = slices.Compact(fs)
	out := fs[:0]
	for i := 0; i < len(fs); {
		j := i + 1
		for j < len(fs) && fs[j].dot == fs[i].dot && fs[j].k == fs[i].k {
			j++
		}
		switch in := st.p.code.At(uint32(fs[i].dot)); {
		case j-i > 1 && in.op == opRepeatNext:
			out = st.joinCounts(out, fs[i:j], st.p.repeats.At(in.arg).min)
		case j-i > 1 && in.op == opLeave && st.p.scopeOf(fs[i]).Cut:
			out = st.joinCounts(out, fs[i:j], st.p.scopeOf(fs[i]).MaxTokens) // the text ends at the limit: all counts matter
		case in.op == opLeave:
			out = append(out, fs[i]) // the smallest count permits all that greater ones do
		default:
			out = append(out, fs[i:j]...)
		}
		i = j
	}
	return out
}

// joinCounts appends frames fs, which differ only in their counts, to out. It joins adjacent counts into a range. Of
// the counts from atLeast on, it keeps only the smallest.
func (st *stacks) joinCounts(out, fs []frame, atLeast uint32) []frame {
	spans := make([]span, len(fs))
	for i, f := range fs {
		spans[i] = st.p.spanOf(f.reg)
	}
	slices.SortFunc(spans, func(x, y span) int { return cmp.Compare(x.low, y.low) })
	joined := spans[:1]
	for _, s := range spans[1:] {
		if last := &joined[len(joined)-1]; s.low <= last.high+1 {
			last.high = max(last.high, s.high)
		} else if last.high < atLeast {
			joined = append(joined, s)
		} // else last permits all that s does
	}
	first := fs[0]
	for _, s := range joined {
		out = append(out, frame{first.dot, st.p.spanRegister(s.needed(atLeast)), first.k})
	}
	return out
}

// graft returns node k with onto in place of the output's end.
func (st *stacks) graft(k, onto nodeID) nodeID {
	if g, ok := st.grafted(k, onto); ok {
		return g
	}
	// Grafts are free, since an earlier call may have computed and kept them.
	free, under := st.unit.free, len(st.under)
	st.unit.free = true
	defer func() { st.unit.free, st.under = free, st.under[:under] }()
	st.bottomUp(k, func(n nodeID) bool { _, ok := st.grafted(n, onto); return ok }, func(n nodeID, fs []frame) {
		var out []frame
		for _, f := range fs {
			if f.dot == st.p.accept {
				out = append(out, st.framesOf(onto)...)
				continue
			}
			f.k, _ = st.grafted(f.k, onto)
			out = append(out, f)
		}
		g := nodeID(0)
		if len(out) > 0 {
			g = st.internNode(st.compact(out))
		}
		st.grafts[graft{n, onto}] = g
	})
	g, _ := st.grafted(k, onto)
	return g
}

func (st *stacks) grafted(k, onto nodeID) (nodeID, bool) {
	switch {
	case k == st.root:
		return onto, true
	case k == 0 || onto == st.root:
		return k, true
	}
	g, ok := st.grafts[graft{k, onto}]
	return g, ok
}
