package pushdown

import (
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/distinct"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
)

// Item is a terminal that a state is in the middle of, its counter, and the node after it.
type Item struct {
	Terminal terminal.Expr
	Counter  counters.Counter
	After    NodeID
}

// Boolean is the content of a boolean node's item: a state for each side, as if the side were a whole output. The sides
// are stepped together. A Both node is complete if both sides are, a Without node if the left one alone is, a Distinct
// node if its left side is.
//
// The masks of the sides do not give the mask of the node, because a token may extend beyond the node. So package mask
// (find.go) turns a side into two states (Unfold). In one, the text after the node follows the side; in the other,
// nothing follows. The package tries the tokens that the masks of these states do not decide.
type Boolean struct {
	Is          grammar.Condition
	Left, Right StateID
	Items       distinct.State // Distinct: the items so far; it does not use the right side
	depth       uint32         // of nested boolean nodes
	sides       uint32         // number of nested sides, at every use; of distinct ones if it exceeds bounds.sides
}

// BooleanItem is a boolean node that a state is in the middle of, and the node after it.
type BooleanItem struct {
	id    uint32 // of its Boolean
	After NodeID
}

// sideCounter is the scratch of countSides.
type sideCounter struct {
	seen arena.Set
	left []StateID
}

type stateRecord struct {
	items, n    uint32
	booleans, m uint32
	accept      bool
	ends        nodeID        // the opLeave frames of rules at their token limit that may end here, see scope.go
	alive       atomic.Uint32 // (1 + index into alive)<<1, plus 1 if that has TokenMark; 0: not computed; or namesNone
	aux         atomic.Uint32 // see Aux
	rows        atomic.Uint32 // see rowsOf; 0: not computed
}

// stateTable holds the states of an automaton, interned by content. Shared and growing; states never change. Methods
// that make states need the automaton's lock.
type stateTable struct {
	*meter
	items        arena.Table[Item]
	booleanItems arena.Table[BooleanItem]
	states       arena.Table[stateRecord]
	index        arena.Index // of states
	alive        arena.Table[terminal.ByteSet]
	booleans     arena.Table[Boolean]
	booleanIndex arena.Index
	sides        sideCounter
	length       atomic.Uint32 // number of states, for Len
}

func newStates(m *meter) *stateTable {
	a := &stateTable{meter: m}
	a.states.Append(stateRecord{}) // Dead
	a.states.Append(stateRecord{}) // Over
	a.length.Store(a.states.Len())
	return a
}

func (t *stateTable) size() int {
	return t.items.Cap()*12 + t.booleanItems.Cap()*8 + t.states.Cap()*36 + t.index.Size() + t.alive.Cap()*32 +
		t.booleans.Cap()*24 + t.booleanIndex.Size() + t.sides.seen.Size()
}

// Len returns the number of states, which never falls.
func (t *stateTable) Len() int { return int(t.length.Load()) }

// Items returns the items of state s, sorted by terminal and counter. The slice is the automaton's.
func (t *stateTable) Items(s StateID) []Item {
	r := t.states.At(uint32(s))
	return t.items.Slice(r.items, int(r.n))
}

// BooleanItems returns the items of boolean nodes in state s. The slice is the automaton's.
func (t *stateTable) BooleanItems(s StateID) []BooleanItem {
	r := t.states.At(uint32(s))
	return t.booleanItems.Slice(r.booleans, int(r.m))
}

// nodesOf returns the nodes of the items of state s.
func (t *stateTable) nodesOf(s StateID) []nodeID {
	ks := make([]nodeID, 0, t.Width(s))
	for _, it := range t.Items(s) {
		ks = append(ks, it.After)
	}
	for _, it := range t.BooleanItems(s) {
		ks = append(ks, it.After)
	}
	return ks
}

// Width returns the number of items of state s, boolean nodes included.
func (t *stateTable) Width(s StateID) int {
	r := t.states.At(uint32(s))
	return int(r.n + r.m)
}

// Parts returns the size of state s and of its sides, each side once: the number of items and of parts of their
// terminals. It stops beyond most.
func (t *stateTable) Parts(s StateID, most int) (n int) {
	var seen map[StateID]bool
	var room [8]StateID
	for left := append(room[:0], s); len(left) > 0 && n <= most; {
		s, left = left[len(left)-1], left[:len(left)-1]
		for _, it := range t.Items(s) {
			n += 1 + prices.Weight(t.st, it.Terminal)
		}
		for _, it := range t.BooleanItems(s) {
			n++
			if seen == nil {
				seen = map[StateID]bool{}
			}
			b := t.Boolean(it)
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

// wideItems is a number of items. With so many, making a transition takes longer than the search for the transition of
// another byte that it may copy (alike.go).
const wideItems = 8

// Wide reports whether a transition from state s takes so much time that it is worth a search for a way around it.
func (t *stateTable) Wide(s StateID) bool { return t.Width(s) >= wideItems }

// Steps reports whether the rows of all terminals of state s together cost at most bounds.rows. If not, each byte leads
// to Over. Call it before Alive, which makes the rows.
func (t *stateTable) Steps(s StateID) bool { return t.rowsOf(s) <= t.bounds.rows }

// rowsOf returns the price of the rows of all terminals of state s, without its sides. If the price exceeds
// bounds.rows, the result is some greater number.
func (t *stateTable) rowsOf(s StateID) (sum int) {
	r := t.states.At(uint32(s))
	if sum := r.rows.Load(); sum != 0 {
		return int(sum)
	}
	var last terminal.Expr
	for _, it := range t.Items(s) { // sorted by terminal
		if it.Terminal != last {
			sum += prices.Row(t.st, it.Terminal)
		}
		if last = it.Terminal; sum > t.bounds.rows {
			break
		}
	}
	r.rows.Store(uint32(sum))
	return sum
}

// Accepts reports whether the output may end in state s.
func (t *stateTable) Accepts(s StateID) bool { return t.states.At(uint32(s)).accept }

// Aux returns a number that the mask package keeps on a state, 0 at first.
func (t *stateTable) Aux(s StateID) uint32 { return t.states.At(uint32(s)).aux.Load() }

// SetAux publishes v as the state's Aux.
func (t *stateTable) SetAux(s StateID, v uint32) { t.states.At(uint32(s)).aux.Store(v) }

// AliveKnown returns the result of an earlier call of Alive for s, else nil. It takes no lock.
func (t *stateTable) AliveKnown(s StateID) *terminal.ByteSet {
	if i := t.states.At(uint32(s)).alive.Load(); i > namesNone {
		return t.alive.At(i>>1 - 1)
	}
	return nil
}

// NamesTokens reports whether some token that the grammar names by its id may come next, and whether that is known. It
// is known after a call of Alive or Names.
func (t *stateTable) NamesTokens(s StateID) (names, known bool) {
	i := t.states.At(uint32(s)).alive.Load()
	return i&1 != 0 && i != namesNone, i != 0
}

func (t *stateTable) aliveLocked(s StateID) *terminal.ByteSet {
	r := t.states.At(uint32(s))
	if i := r.alive.Load(); i > namesNone {
		return t.alive.At(i>>1 - 1)
	}
	var set terminal.ByteSet
	for _, it := range t.Items(s) {
		set.Union(t.st.Alive(it.Terminal))
	}
	for _, it := range t.BooleanItems(s) {
		set.Union(t.aliveBoolean(it))
	}
	i, mark := t.alive.Append(set), uint32(0)
	if set.Has(terminal.TokenMark) {
		mark = 1
	}
	r.alive.Store((i+1)<<1 | mark)
	return t.alive.At(i)
}

// aliveBoolean returns the bytes that may continue a boolean item.
func (t *stateTable) aliveBoolean(it BooleanItem) *terminal.ByteSet {
	b := t.Boolean(it)
	set := *t.aliveLocked(b.Left)
	if b.Is == grammar.Both {
		set.Intersect(t.aliveLocked(b.Right))
	}
	return &set
}

// intern returns the state with this content. Items must be sorted and distinct.
func (t *stateTable) intern(items []Item, booleans []BooleanItem, accept bool, ends nodeID) StateID {
	if len(items)+len(booleans) == 0 && !accept {
		return Dead
	}
	h := hashState(items, booleans, accept, ends)
	id := t.index.Find(h, func(s uint32) bool {
		r := t.states.At(s)
		return r.accept == accept && r.ends == ends && slices.Equal(t.Items(StateID(s)), items) &&
			slices.Equal(t.BooleanItems(StateID(s)), booleans)
	})
	if id == 0 {
		i, j := t.items.Span(len(items)), t.booleanItems.Span(len(booleans))
		copy(t.items.Slice(i, len(items)), items)
		copy(t.booleanItems.Slice(j, len(booleans)), booleans)
		id = t.states.Append(stateRecord{
			items: i, n: uint32(len(items)), booleans: j, m: uint32(len(booleans)), accept: accept, ends: ends,
		})
		t.length.Store(id + 1)
		t.index.Add(h, id)
	}
	return StateID(id)
}

// Boolean returns the content of a boolean item.
func (t *stateTable) Boolean(it BooleanItem) *Boolean { return t.booleans.At(it.id) }

func (t *stateTable) internBoolean(b Boolean) uint32 {
	h := arena.Mix(arena.Mix(uint64(b.Left)<<32|uint64(b.Right), uint64(b.Items)), uint64(b.Is))
	id := t.booleanIndex.Find(h, func(id uint32) bool { return *t.booleans.At(id) == b })
	if id == 0 {
		if t.booleans.Len() == 0 {
			t.booleans.Append(Boolean{}) // ids in an index are not 0
		}
		id = t.booleans.Append(b)
		t.booleanIndex.Add(h, id)
	}
	return id
}

func hashState(items []Item, booleans []BooleanItem, accept bool, ends nodeID) uint64 {
	h := uint64(len(items))*2 + uint64(ends)<<32
	if accept {
		h++
	}
	for _, it := range items {
		h = arena.Mix(h, uint64(it.Terminal)|uint64(it.After)<<32)
		h = arena.Mix(h, uint64(it.Counter))
	}
	for _, it := range booleans {
		h = arena.Mix(h, uint64(it.id)|uint64(it.After)<<32)
	}
	return h ^ h>>32
}

func compareItems(x, y Item) int {
	return cmp.Or(cmp.Compare(x.Terminal, y.Terminal), cmp.Compare(x.Counter, y.Counter), cmp.Compare(x.After, y.After))
}

func compareBooleanItems(x, y BooleanItem) int {
	return cmp.Or(cmp.Compare(x.id, y.id), cmp.Compare(x.After, y.After))
}

// namesNone is stateRecord.alive of a state whose alive bytes are not computed, but are known to lack TokenMark.
const namesNone = 1
