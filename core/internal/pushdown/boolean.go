package pushdown

import (
	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/distinct"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Boolean is the content of a boolean node's item: a state for each side, as if the side were a whole output. The sides
// are stepped together. The node is complete if its sides agree on that.
//
// A mask does not follow from the sides alone, because a token may go on beyond the node. Unfold gives a side the text
// after the node, or none. A token that both sides allow with no text after them stays within the node. A token that
// one side forbids even with the text after the node is forbidden. Masks try the rest.
type Boolean struct {
	Is          grammar.Condition
	Left, Right StateID
	Items       distinct.State // Distinct: the items so far; it does not use the right side
	depth       uint32         // of nested boolean nodes
	sides       uint32         // states of nested sides; few of them are counted with repetition
}

// BooleanItem is a boolean node that a state is in the middle of, and the node after it.
type BooleanItem struct {
	id    uint32 // of its Boolean
	After NodeID
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

// sidesOf returns the number of nested sides of state s, with repetition.
func (t *stateTable) sidesOf(s StateID) uint32 {
	n := uint32(0)
	for _, it := range t.BooleanItems(s) {
		n = min(n+t.Boolean(it).sides, 1<<30)
	}
	return n
}

// sideCounter is the scratch of countSides.
type sideCounter struct {
	marks []uint32
	mark  uint32 // of the present count
	left  []StateID
}

// countSides returns the number of nested sides of b without repetition. It stops beyond the bound. Four of them cost
// as much as an item.
func (t *stateTable) countSides(b *Boolean) int {
	n := 0
	defer func() { t.spend(n / 4) }()
	c := &t.sides
	c.marks = append(c.marks, make([]uint32, max(0, int(t.states.Len())-len(c.marks)))...)
	c.mark++
	work := append(c.left[:0], b.Left, b.Right)
	defer func() { c.left = work[:0] }()
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		if c.marks[s] == c.mark {
			continue
		}
		c.marks[s] = c.mark
		if n++; n > t.bounds.sides {
			break
		}
		for _, it := range t.BooleanItems(s) {
			x := t.Boolean(it)
			work = append(work, x.Left, x.Right)
		}
	}
	return n
}

func (t *stateTable) booleanDepth(s StateID) uint32 {
	depth := uint32(0)
	for _, it := range t.BooleanItems(s) {
		depth = max(depth, t.Boolean(it).depth)
	}
	return depth
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
