package pushdown

import (
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A stack node is a set of stacks as a trie: frames, and below each the node that follows. Nodes have a normal form, so
// that equal sets are one node (Lemma 150):
//
//   - a node has one frame for each place and register;
//   - no loop stands below itself;
//   - no frame covers another one beside it, nor a loop a frame below it (order.go);
//   - frames are ordered by content, not by the age of their nodes.

// NodeID names a stack node outside the package.
type NodeID = nodeID

// nodeID names a stack node. Node 0 is the empty set.
type nodeID uint32

// frame is an instruction that waits until everything above it is complete, its register, and the node below.
type frame struct {
	dot dot
	reg uint32
	k   nodeID
}

type nodeRecord struct {
	frames, n uint32
	start     atomic.Uint32 // effort<<StateBits | 1 + the state after the node; 0 = not computed
	part      part
}

// started returns the state after the node, if it is known.
func (r *nodeRecord) started() (s StateID, known bool) {
	x := r.start.Load()
	return StateID(x&stateMask) - 1, x != 0
}

// setStart publishes the state after the node, and its effort.
func (r *nodeRecord) setStart(s StateID, e effort) {
	r.start.Store(uint32(e)<<StateBits | uint32(s+1))
}

// unionRecord is a union of nodes.
type unionRecord struct {
	of, n uint32 // the nodes, in stacks.united
	node  nodeID
	part  part
}

// stacks holds the nodes of an automaton. Shared and growing; nodes never change. Methods that make nodes need the
// automaton's lock.
type stacks struct {
	*meter
	p          *Program
	root       nodeID // of a whole output, or of a whole side of a boolean node
	frames     arena.Table[frame]
	nodes      arena.Table[nodeRecord]
	nodeIndex  arena.Index
	unions     arena.Table[unionRecord]
	unionIndex arena.Index
	united     arena.Table[nodeID] // the nodes of unions
	gathered   []frame             // a stack: the frames of the unions that are being made
	grafts     map[graft]nodeID
	heats      map[nodeID]heat
}

func newStacks(p *Program, m *meter) stacks {
	a := stacks{meter: m, p: p, grafts: map[graft]nodeID{}, heats: map[nodeID]heat{0: no}}
	a.nodes.Append(nodeRecord{})
	a.unions.Append(unionRecord{}) // ids in an index are not 0
	a.root = a.node(frame{dot: p.accept})
	return a
}

func (st *stacks) size() int {
	return st.frames.Cap()*12 + st.nodes.Cap()*16 + st.nodeIndex.Size() + len(st.grafts)*24 + st.unions.Cap()*16 +
		st.united.Cap()*4 + st.unionIndex.Size() + cap(st.gathered)*12 + len(st.heats)*24
}

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
	if u.free { // a later call may have to pay
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

// loops reports whether frame f is any number of rounds of an unbounded repetition, none included.
func (p *Program) loops(f frame) bool {
	in := p.code.At(uint32(f.dot))
	if in.op != opRepeatNext {
		return false
	}
	r := p.repeats.At(in.arg)
	return r.max == terminal.Unbounded && p.spanOf(f.reg).high >= r.atLeast()
}

// node returns the stack node with the single frame f.
func (st *stacks) node(f frame) nodeID {
	f.k = st.belowLoop(f)
	fs := [1]frame{f}
	return st.internNode(fs[:])
}

// belowLoop returns the node below frame f. If f is a loop, the node does not have the loop itself, nor frames that f
// covers.
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

// TakesAllTags reports whether each tag of its terminal leads on from node k, so no register decides which text may
// follow.
func (st *stacks) TakesAllTags(k NodeID) bool {
	for _, f := range st.framesOf(k) {
		in := st.p.code.At(uint32(f.dot))
		if in.op != opSwitchTag || st.p.switches.At(in.arg).partial {
			return false
		}
	}
	return true
}

func hashFrames(fs []frame) uint64 {
	h := uint64(len(fs))
	for _, f := range fs {
		h = arena.Mix(h, uint64(f.dot)|uint64(f.k)<<32)
		h = arena.Mix(h, uint64(f.reg))
	}
	return h ^ h>>32
}

func (st *stacks) framesOf(k nodeID) []frame {
	r := st.nodes.At(uint32(k))
	return st.frames.Slice(r.frames, int(r.n))
}

// internNode returns the node with these frames, which are sorted and differ.
func (st *stacks) internNode(fs []frame) nodeID {
	h := hashFrames(fs)
	id := st.nodeIndex.Find(h, func(k uint32) bool { return slices.Equal(st.framesOf(nodeID(k)), fs) })
	if id == 0 {
		at := st.frames.Span(len(fs))
		copy(st.frames.Slice(at, len(fs)), fs)
		id = st.nodes.Append(nodeRecord{frames: at, n: uint32(len(fs))})
		st.nodeIndex.Add(h, id)
	}
	return nodeID(id)
}

// compareFrames orders frames by place, register and node. If nodes have one frame for each place and register, the
// order does not depend on ids.
func (p *Program) compareFrames(x, y frame) int {
	switch {
	case x.dot != y.dot:
		return int(x.dot) - int(y.dot)
	case x.reg != y.reg:
		return p.compareRegisters(x.dot, x.reg, y.reg)
	}
	return int(x.k) - int(y.k)
}

// compareRegisters orders two registers of frames at d by content.
func (p *Program) compareRegisters(d dot, x, y uint32) int {
	switch in := p.code.At(uint32(d)); in.op {
	case opRepeatNext, opLeave:
		s, t := p.spanOf(x), p.spanOf(y)
		return cmp.Or(cmp.Compare(s.low, t.low), cmp.Compare(s.high, t.high))
	case opObjectKey, opObjectTag, opObjectNext, opObjectFirst:
		o := p.objects.At(in.arg)
		m, n := p.members(o, x), p.members(o, y)
		if c := cmp.Or(cmp.Compare(m.taken, n.taken), cmp.Compare(m.owed, n.owed),
			cmp.Compare(m.members, n.members), cmp.Compare(m.from, n.from)); c != 0 {
			return c
		}
	}
	return cmp.Compare(x, y)
}
