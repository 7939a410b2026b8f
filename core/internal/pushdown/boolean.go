package pushdown

import (
	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/distinct"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
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

// enterBoolean adds the item of a boolean node, followed by after.
func (c *closure) enterBoolean(n *boolean, after nodeID) {
	b := Boolean{Is: n.is, Left: c.side(n.left)}
	if n.is == grammar.Distinct {
		if c.values == nil {
			c.values = distinct.New()
		}
		b.Items = distinct.Start
	} else {
		b.Right = c.side(n.right)
	}
	c.addBoolean(b, after)
}

func (a *Automaton) side(d dot) StateID {
	s := a.startOf(a.node(frame{dot: d, k: a.root}))
	if s == Over {
		panic(budgetSpent{})
	}
	return s
}

// addBoolean adds the item of a boolean node with content b, unless it has no future. A node that has lost its right
// side becomes plain items.
func (c *closure) addBoolean(b Boolean, after nodeID) {
	if c.Width(b.Left) == 0 {
		return
	}
	switch b.Is {
	case grammar.Both:
		if c.Width(b.Right) == 0 {
			return
		}
		if b.Left == b.Right { // they have the same future
			c.addPlain(b.Left, after)
			return
		}
	case grammar.Without:
		// A right side that ends here forbids this end only.
		if c.Width(b.Right) == 0 && !(c.Accepts(b.Left) && c.Accepts(b.Right)) {
			c.addPlain(b.Left, after)
			return
		}
	}
	if b.Is == grammar.Distinct && !c.meets(b.Left, c.values.Need(b.Items)) {
		return
	}
	b.depth = 1 + max(c.booleanDepth(b.Left), c.booleanDepth(b.Right))
	b.sides = 2 + min(c.sidesOf(b.Left)+c.sidesOf(b.Right), 1<<30)
	if int(b.sides) > c.bounds.sides {
		b.sides = uint32(c.countSides(&b))
	}
	if b.depth > limits.BooleanDepth || int(b.sides) > c.bounds.sides {
		panic(budgetSpent{})
	}
	c.found.booleans = append(c.found.booleans, BooleanItem{c.internBoolean(b), after})
}

// addPlain adds the items of a side without the node around it.
func (c *closure) addPlain(side StateID, after nodeID) {
	plain := c.open()
	plain.graftItems(side, after)
	c.merge(plain.finish())
}

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

// TryItems returns a trial of texts against the items so far of a Distinct item.
func (a *Automaton) TryItems(it BooleanItem) *distinct.Trial {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.values.Try(a.Boolean(it).Items)
}

// Meets reports whether state s, of the left side of a Distinct node, can continue the present item if need demands it.
func (a *Automaton) Meets(s StateID, need distinct.Need) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.meets(s, need)
}

// meets is Meets under the lock. Counters may refuse bytes that are alive, so it takes transitions, each a unit of its
// own. Over counts as a continuation, for masks as for accepted texts.
func (a *Automaton) meets(s StateID, need distinct.Need) bool {
	if need == distinct.Nothing || s <= Over {
		return s != Dead
	}
	more := &numberBytes
	if need == distinct.MoreText {
		more = &textBytes
	}
	bytes := *a.aliveLocked(s)
	bytes.Intersect(more)
	for b := bytes.Next(0); b < 256; b = bytes.Next(b + 1) {
		t, ok := a.taken.get(transitionKey(s, byte(b)))
		if !ok {
			t = a.take(s, byte(b))
		}
		if t != Dead {
			return true
		}
	}
	return false
}

// numberBytes are the bytes that may continue a number.
var numberBytes = func() (set terminal.ByteSet) {
	set.AddRange('0', '9')
	for _, b := range []byte(".eE+-") {
		set.Add(b)
	}
	return set
}()

// textBytes are the bytes that may continue a string: all but the closing quote.
var textBytes = func() (set terminal.ByteSet) {
	set.AddRange(0, '"'-1)
	set.AddRange('"'+1, 0xFF)
	return set
}()

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

// stepBoolean adds the boolean item after byte x.
func (c *closure) stepBoolean(it BooleanItem, x byte) {
	b := *c.Boolean(it)
	if b.Left = c.stepSide(b.Left, x); b.Left == Dead {
		return
	}
	complete := c.Accepts(b.Left)
	switch b.Is {
	case grammar.Both:
		if b.Right = c.stepSide(b.Right, x); b.Right == Dead {
			return
		}
		complete = complete && c.Accepts(b.Right)
	case grammar.Without:
		b.Right = c.stepSide(b.Right, x)
		complete = complete && !c.Accepts(b.Right)
	case grammar.Distinct:
		var ok bool
		if b.Items, ok = c.values.Step(b.Items, x); !ok {
			return
		}
	}
	c.addBoolean(b, it.After)
	if complete {
		c.merge(c.startWithin(it.After))
	}
}

// stepSide is Step for a side of a boolean node, within a unit of work that pays for it.
func (a *Automaton) stepSide(s StateID, c byte) StateID {
	key := transitionKey(s, c)
	t, ok := s, s <= Over
	if !ok {
		t, ok = a.taken.get(key)
	}
	if !ok {
		t = a.take(s, c)
	}
	if t == Over {
		panic(budgetSpent{})
	}
	if a.taken.effort(key) == dear {
		a.charge(a.dearOf[key], 0)
	}
	return t
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
