package pushdown

import (
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// frame is an entry of a stack: the position that resumes when all text above is complete, its register, and the node
// below.
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

type unionRecord struct {
	of, n uint32 // the nodes, in stacks.united
	node  nodeID
	part  part
}

// heat is a sampling temperature, or no if there is none.
type heat float64

const no heat = -1

// graft is the key of a result of stacks.graft: a node of a side, and the node that replaces the output's end in it. A
// side runs as if it were a whole output, so its states do not depend on the text after the boolean node.
type graft struct{ k, onto nodeID }

// terminalPair is a pair of terminals that were compared.
type terminalPair struct{ x, y terminal.Expr }

// containment says whether the first terminal of a pair contains the second, and how many steps the comparison takes.
type containment struct {
	yes   bool
	steps int
}

// stacks holds the nodes of an automaton. Shared and growing; nodes never change. Methods that make nodes need the
// automaton's lock.
type stacks struct {
	*meter
	p          *Program
	root       nodeID // the end of the output, or of a side of a boolean node
	frames     arena.Table[frame]
	nodes      arena.Table[nodeRecord]
	nodeIndex  arena.Index
	unions     arena.Table[unionRecord]
	unionIndex arena.Index
	united     arena.Table[nodeID] // the nodes of unions
	gathered   []frame             // a stack: the frames of the unions that are being made
	grafts     map[graft]nodeID
	heats      map[nodeID]heat
	contained  map[terminalPair]containment // the pairs that items have compared
}

func newStacks(p *Program, m *meter) stacks {
	a := stacks{
		meter: m, p: p, grafts: map[graft]nodeID{}, heats: map[nodeID]heat{0: no},
		contained: map[terminalPair]containment{},
	}
	a.nodes.Append(nodeRecord{})
	a.unions.Append(unionRecord{}) // ids in an index are not 0
	a.root = a.internNode([]frame{{dot: p.accept}})
	return a
}

func (st *stacks) size() int {
	return st.frames.Cap()*12 + st.nodes.Cap()*16 + st.nodeIndex.Size() + len(st.grafts)*24 + st.unions.Cap()*16 +
		st.united.Cap()*4 + st.unionIndex.Size() + cap(st.gathered)*12 + len(st.heats)*24 + len(st.contained)*40
}

func (st *stacks) framesOf(k nodeID) []frame {
	r := st.nodes.At(uint32(k))
	return st.frames.Slice(r.frames, int(r.n))
}

// bottomUp calls visit for node k and each node below it that is not known, lower nodes first. visit must make n known.
// bottomUp does not recurse: stacks are as deep as the output nests.
func (st *stacks) bottomUp(k nodeID, known func(n nodeID) bool, visit func(n nodeID, fs []frame)) {
	var room [16]nodeID
	for work := append(room[:0], k); len(work) > 0; {
		n, before := work[len(work)-1], len(work)
		fs := st.framesOf(n)
		if !known(n) {
			for _, f := range fs {
				if !known(f.k) {
					work = append(work, f.k)
				}
			}
			if len(work) > before {
				continue
			}
			visit(n, fs)
		}
		work = work[:before-1]
	}
}

// internNode returns the node with frames fs, which must be sorted and distinct.
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

func hashFrames(fs []frame) uint64 {
	h := uint64(len(fs))
	for _, f := range fs {
		h = arena.Mix(h, uint64(f.dot)|uint64(f.k)<<32)
		h = arena.Mix(h, uint64(f.reg))
	}
	return h ^ h>>32
}

// scopeOf returns the scope of the text above frame f, nil if f has none.
func (p *Program) scopeOf(f frame) *scope {
	switch in := p.code.At(uint32(f.dot)); in.op {
	case opLeave:
		return p.rules.At(in.arg).scope
	case opSwitchTag:
		return p.switches.At(in.arg).scope
	}
	return nil
}

// leaves returns the scope that frame f leaves, nil if it leaves none.
func (p *Program) leaves(f frame) *scope {
	if p.code.At(uint32(f.dot)).op != opLeave {
		return nil
	}
	return p.scopeOf(f)
}

// isFull reports whether frame f leaves a scope without room for another token, at the greatest of f's counts.
func (p *Program) isFull(f frame) bool {
	x := p.leaves(f)
	return x != nil && x.MaxTokens > 0 && p.spanOf(f.reg).high == x.MaxTokens
}

// loops reports whether frame f reads any number of further rounds of an unbounded repetition, zero included.
func (p *Program) loops(f frame) bool {
	in := p.code.At(uint32(f.dot))
	if in.op != opRepeatNext {
		return false
	}
	r := p.repeats.At(in.arg)
	return r.max == terminal.Unbounded && p.spanOf(f.reg).high >= r.min
}

// compareFrames orders frames by place, register and node. The frames of a node in normal form (stacks.go) differ in
// place or register, so their order does not depend on the ids of nodes.
func (p *Program) compareFrames(x, y frame) int {
	switch {
	case x.dot != y.dot:
		return int(x.dot) - int(y.dot)
	case x.reg != y.reg:
		return p.compareRegisters(x.dot, x.reg, y.reg)
	}
	return int(x.k) - int(y.k)
}

// compareRegisters orders two registers of frames at d by content. Registers of objects that differ only in their set
// are ordered by number.
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

// TakesAllTags reports whether node k continues after every tag of its terminal. Then no register decides which tokens
// are allowed.
func (st *stacks) TakesAllTags(k NodeID) bool {
	for _, f := range st.framesOf(k) {
		in := st.p.code.At(uint32(f.dot))
		if in.op != opSwitchTag || st.p.switches.At(in.arg).partial {
			return false
		}
	}
	return true
}

// MayEnd reports whether node k has a continuation for one of the sorted tags.
func (st *stacks) MayEnd(k NodeID, tags []uint32) bool {
	r := st.nodes.At(uint32(k))
	for i := uint32(0); i < r.n; i++ {
		f := st.frames.At(r.frames + i)
		switch in := st.p.code.At(uint32(f.dot)); in.op {
		case opObjectTag:
			o := st.p.objects.At(in.arg)
			if st.p.mayTakeAny(o, st.p.members(o, f.reg), tags) {
				return true
			}
		case opSwitchTag:
			w := st.p.switches.At(in.arg)
			if !w.partial {
				return true
			}
			for _, t := range tags {
				if _, ok := w.find(t); ok {
					return true
				}
			}
		}
	}
	return false
}
