package pushdown

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/distinct"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
)

// StateID names a state of one Automaton.
type StateID uint32

const (
	// Dead is the state without a future.
	Dead StateID = 0
	// Over is where a budget was spent on the way to a state: what its future is nobody knows.
	Over StateID = 1
)

// nodeID names a stack node. Node 0 is the empty set.
type nodeID uint32

// frame says what goes on when what stands above a stack node is complete: the program goes on at dot, with a
// register, and after that with node k.
type frame struct {
	dot dot
	reg uint32
	k   nodeID
}

// Item is a terminal that a state is in the middle of, the counter beside it, and what comes after. The boolean nodes
// that a state is in the middle of are BooleanItems.
type Item struct {
	Terminal terminal.Expr
	Counter  counters.Counter
	After    NodeID
}

// NodeID names a stack node outside the package.
type NodeID = nodeID

type nodeRecord struct {
	frames, n uint32
	start     atomic.Uint32 // effort<<StateBits | 1 + StateID of what may come next, 0 = not computed
	cost      partCost      // of finding it
}

// started returns the state of what may come next, if it is known.
func (r *nodeRecord) started() (s StateID, known bool) {
	x := r.start.Load()
	return StateID(x&stateMask) - 1, x != 0
}

// setStart writes down the state of what may come next, and how much it took to find it.
func (r *nodeRecord) setStart(s StateID, e effort) {
	r.start.Store(uint32(e)<<StateBits | uint32(s+1))
}

type stateRecord struct {
	items, n    uint32
	booleans, m uint32
	accept      bool
	ends        nodeID        // the frames that limited rules leave here, see scope.go
	alive       atomic.Uint32 // twice 1 + index into alive, and 1 if it has the mark of tokens; 0 = not computed
	aux         atomic.Uint32 // the mask package's
}

// Automaton holds the states of one program that somebody has reached. Shared and growing; safe for concurrent use. A
// transition that was taken before is found without a lock.
type Automaton struct {
	p  *Program
	st *terminal.Store

	mu           sync.Mutex
	frames       arena.Table[frame]
	nodes        arena.Table[nodeRecord]
	nodeIndex    arena.Index
	items        arena.Table[Item]
	booleanItems arena.Table[BooleanItem]
	states       arena.Table[stateRecord]
	index        arena.Index // of states
	alive        arena.Table[terminal.ByteSet]
	booleans     arena.Table[Boolean]
	booleanIndex arena.Index
	grafts       map[graft]nodeID
	unions       arena.Table[unionRecord]
	unionIndex   arena.Index
	united       arena.Table[nodeID] // the nodes that unions are of
	values       *distinct.Values
	taken        transitions
	borders      transitions // between tokens, where they matter
	tagged       map[taggedKey]tagStart
	heats        map[nodeID]heat // of nodes that were asked for

	found    found
	pending  []pendingCall
	gathered []frame // a stack: the frames of the unions that are being made
	under    []part  // a stack: what the parts that are being found lead to
	charged  []part  // a stack: what units of work have been charged for
	counted  countedParts
	units    uint32 // that have been begun
	below    arena.Table[part]
	dear     arena.Table[partCost] // of transitions and tags
	dearOf   map[uint32]uint32     // by transitionKey
	took     uint32                // what the last transition has spent, see most
	unit     unit
	bounds   bounds
	sides    sideCounter
	pricing  CountedSet // room for costAtMost

	length  atomic.Uint32 // number of states, for Len
	work    atomic.Int64  // items, frames and predictions that units of work have found
	held    atomic.Int64  // see Held
	carried atomic.Int64  // states that movers brought
	movers  atomic.Int64
	initial StateID
	root    nodeID // the stack node of a whole output, or of a whole side of a boolean node
}

type taggedKey struct {
	k   nodeID
	tag uint32
}

// tagStart is the state after a node for a tag, and what finding it takes.
type tagStart struct {
	state StateID
	cost  part
}

type pendingCall struct {
	rank, rule uint32
	k          nodeID
	more       []nodeID // others that wait for it
}

// NewAutomaton returns an automaton with p's initial state.
func NewAutomaton(p *Program) *Automaton { return newAutomaton(p, boundsOf(p.st.Budgets())) }

func newAutomaton(p *Program, b bounds) *Automaton {
	a := &Automaton{
		bounds: b,
		p:      p, st: p.st,
		dearOf: map[uint32]uint32{}, tagged: map[taggedKey]tagStart{},
		grafts: map[graft]nodeID{}, heats: map[nodeID]heat{0: no},
	}
	a.taken.init(64)
	a.counted.mark = 1 // that of parts which were never counted is 0
	a.nodes.Append(nodeRecord{})
	a.unions.Append(unionRecord{}) // ids in an index are not 0
	a.states.Append(stateRecord{}) // Dead
	a.states.Append(stateRecord{}) // Over
	a.alive.Append(terminal.ByteSet{})
	a.mu.Lock()
	defer a.mu.Unlock()
	a.root = a.node(frame{dot: p.accept})
	a.initial = a.start(a.node(frame{dot: p.start, k: a.root}))
	if p.Limited() {
		a.borders.init(64)
		a.initial = a.budgeted(func() StateID { return a.token(a.initial) })
	}
	a.length.Store(a.states.Len())
	return a
}

// Start returns the state before any byte.
func (a *Automaton) Start() StateID { return a.initial }

// Program returns what the automaton runs.
func (a *Automaton) Program() *Program { return a.p }

// Len returns the number of states, none of which is ever taken out.
func (a *Automaton) Len() int { return int(a.length.Load()) }

// Size returns how many bytes the automaton holds, approximately, without the program and the store.
func (a *Automaton) Size() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.size()
}

// Held returns what Size did some transitions ago. It takes no lock.
func (a *Automaton) Held() int { return int(a.held.Load()) }

// sizeEvery is after how many new transitions the size is looked at.
const sizeEvery = 8

func (a *Automaton) size() int {
	values := 0
	if a.values != nil {
		values = a.values.Size()
	}
	nodes := a.frames.Cap()*12 + a.nodes.Cap()*44 + a.nodeIndex.Size() + len(a.grafts)*24 +
		a.unions.Cap()*40 + a.united.Cap()*4 + a.unionIndex.Size() + cap(a.gathered)*12
	if a.p.Limited() {
		values += a.borders.size()
	}
	states := a.items.Cap()*12 + a.booleanItems.Cap()*8 + a.states.Cap()*32 + a.index.Size() + a.alive.Cap()*32 + a.booleans.Cap()*24 +
		a.booleanIndex.Size() + cap(a.sides.marks)*4 + len(a.pricing.rest)*8
	costs := a.below.Cap()*4 + a.dear.Cap()*28 + len(a.dearOf)*24
	return values + nodes + states + costs + a.taken.size() + len(a.tagged)*32 + len(a.heats)*24
}

// Items returns the terminals that state s is in the middle of, sorted by terminal and counter. The slice is the
// automaton's.
func (a *Automaton) Items(s StateID) []Item {
	r := a.states.At(uint32(s))
	return a.items.Slice(r.items, int(r.n))
}

// BooleanItems returns the boolean nodes that state s is in the middle of. The slice is the automaton's.
func (a *Automaton) BooleanItems(s StateID) []BooleanItem {
	r := a.states.At(uint32(s))
	return a.booleanItems.Slice(r.booleans, int(r.m))
}

// Width returns how many terminals and boolean nodes state s is in the middle of: none where nothing may go on.
func (a *Automaton) Width(s StateID) int {
	r := a.states.At(uint32(s))
	return int(r.n + r.m)
}

// Parts returns how many items state s has, those of sides of boolean nodes among them, each side once, and how many
// parts of their terminals its transitions look at. It ends where these are more than most.
func (a *Automaton) Parts(s StateID, most int) (n int) {
	var seen map[StateID]bool
	var room [8]StateID
	for left := append(room[:0], s); len(left) > 0 && n <= most; {
		s, left = left[len(left)-1], left[:len(left)-1]
		for _, it := range a.Items(s) {
			n += 1 + prices.Weight(a.st, it.Terminal)
		}
		for _, it := range a.BooleanItems(s) {
			n++
			if seen == nil {
				seen = map[StateID]bool{}
			}
			b := a.Boolean(it)
			for _, side := range [2]StateID{b.Left, b.Right} {
				if !seen[side] {
					seen[side] = true
					left = append(left, side)
				}
			}
		}
	}
	return n
}

// Accepts reports whether the output may end in state s.
func (a *Automaton) Accepts(s StateID) bool { return a.states.At(uint32(s)).accept }

// Aux returns a number that the mask package keeps on a state, 0 at first.
func (a *Automaton) Aux(s StateID) uint32 { return a.states.At(uint32(s)).aux.Load() }

// SetAux publishes v as the state's Aux.
func (a *Automaton) SetAux(s StateID, v uint32) { a.states.At(uint32(s)).aux.Store(v) }

// After returns the state that node k leads to once what stands above it is complete.
func (a *Automaton) After(k NodeID) StateID {
	if s, ok := a.nodes.At(uint32(k)).started(); ok {
		return s
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.start(k)
}

// Alive returns the bytes that may have a transition from s.
func (a *Automaton) Alive(s StateID) *terminal.ByteSet {
	if set := a.AliveKnown(s); set != nil {
		return set
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.aliveLocked(s)
}

// AliveKnown returns what Alive does if it has been asked for s before, else nil. It takes no lock.
func (a *Automaton) AliveKnown(s StateID) *terminal.ByteSet {
	if i := a.states.At(uint32(s)).alive.Load(); i > namesNone {
		return a.alive.At(i>>1 - 1)
	}
	return nil
}

// namesNone is kept in the place of what Alive returns where only this is known: no token comes next by its name.
const namesNone = 1

// NamesTokens reports whether tokens may come next by their names, whatever they spell, and whether that is known: it
// is once Alive or Names has been asked.
func (a *Automaton) NamesTokens(s StateID) (names, known bool) {
	i := a.states.At(uint32(s)).alive.Load()
	return i&1 != 0 && i != namesNone, i != 0
}

// Names reports whether tokens may come next by their names in state s, whatever is known of s. For most states it
// looks only at what their terminals may begin with. Making their transitions may take long, and nobody is charged for
// it here.
func (a *Automaton) Names(s StateID) bool {
	if names, known := a.NamesTokens(s); known {
		return names
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	may := func(it Item) bool { return a.st.MayBegin(it.Terminal, terminal.TokenMark) }
	if len(a.BooleanItems(s)) > 0 || slices.ContainsFunc(a.Items(s), may) {
		return a.aliveLocked(s).Has(terminal.TokenMark)
	}
	a.states.At(uint32(s)).alive.CompareAndSwap(0, namesNone)
	return false
}

func (a *Automaton) aliveLocked(s StateID) *terminal.ByteSet {
	r := a.states.At(uint32(s))
	if i := r.alive.Load(); i > namesNone {
		return a.alive.At(i>>1 - 1)
	}
	var set terminal.ByteSet
	for _, it := range a.Items(s) {
		set.Union(a.st.Alive(it.Terminal))
	}
	for _, it := range a.BooleanItems(s) {
		set.Union(a.aliveBoolean(it))
	}
	i, mark := a.alive.Append(set), uint32(0)
	if set.Has(terminal.TokenMark) {
		mark = 1
	}
	r.alive.Store((i+1)<<1 | mark)
	return a.alive.At(i)
}

// AfterTag is After for a terminal that ended in tag.
func (a *Automaton) AfterTag(k NodeID, tag uint32) StateID {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.startTagged(k, tag)
}

// TakesAllTags reports whether node k goes on whatever tag its terminal ends in, so that no register decides which
// text may go on.
func (a *Automaton) TakesAllTags(k NodeID) bool {
	for _, f := range a.framesOf(k) {
		in := a.p.code.At(uint32(f.dot))
		if in.op != opSwitchTag || a.p.switches.At(in.arg).partial {
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

func (a *Automaton) framesOf(k nodeID) []frame {
	r := a.nodes.At(uint32(k))
	return a.frames.Slice(r.frames, int(r.n))
}

// internNode returns the node with these frames, which are sorted and differ.
func (a *Automaton) internNode(fs []frame) nodeID {
	h := hashFrames(fs)
	id := a.nodeIndex.Find(h, func(k uint32) bool { return slices.Equal(a.framesOf(nodeID(k)), fs) })
	if id == 0 {
		at := a.frames.Span(len(fs))
		copy(a.frames.Slice(at, len(fs)), fs)
		id = a.nodes.Append(nodeRecord{frames: at, n: uint32(len(fs))})
		a.nodeIndex.Add(h, id)
	}
	return nodeID(id)
}

// compareFrames orders frames by place, register and node. Where a node has one frame for each place and register, the
// order does not depend on the numbers that nodes have.
func (a *Automaton) compareFrames(x, y frame) int {
	switch {
	case x.dot != y.dot:
		return int(x.dot) - int(y.dot)
	case x.reg != y.reg:
		return a.compareRegisters(x.dot, x.reg, y.reg)
	}
	return int(x.k) - int(y.k)
}

// compareRegisters orders two registers of frames at d by what they hold.
func (a *Automaton) compareRegisters(d dot, x, y uint32) int {
	switch in := a.p.code.At(uint32(d)); in.op {
	case opRepeatNext, opLeave:
		s, t := a.spanOf(x), a.spanOf(y)
		return cmp.Or(cmp.Compare(s.low, t.low), cmp.Compare(s.high, t.high))
	case opObjectKey, opObjectTag, opObjectNext, opObjectFirst:
		o := a.p.objects.At(in.arg)
		m, n := a.members(o, x), a.members(o, y)
		if c := cmp.Or(cmp.Compare(m.taken, n.taken), cmp.Compare(m.owed, n.owed),
			cmp.Compare(m.members, n.members), cmp.Compare(m.from, n.from)); c != 0 {
			return c
		}
	}
	return cmp.Compare(x, y)
}
