package pushdown

import (
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// sidesOf returns the number of nested sides of state s, the sum of Boolean.sides.
func (t *stateTable) sidesOf(s StateID) uint32 {
	n := uint32(0)
	for _, it := range t.BooleanItems(s) {
		n = min(n+t.Boolean(it).sides, 1<<30)
	}
	return n
}

// countSides returns the number of nested sides of b, each side once. It stops beyond the bound. Four of them cost as
// much as an item.
func (t *stateTable) countSides(b *Boolean) int {
	n := 0
	defer func() { t.spend(n / 4) }()
	c := &t.sides
	c.seen.Clear()
	work := append(c.left[:0], b.Left, b.Right)
	defer func() { c.left = work[:0] }()
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		if !c.seen.Add(uint64(s)) {
			continue
		}
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

// graftItems adds the items of state side, followed by node onto.
func (c *closure) graftItems(side StateID, onto nodeID) {
	for _, it := range c.Items(side) {
		c.found.items = append(c.found.items, Item{it.Terminal, it.Counter, c.graft(it.After, onto)})
	}
	for _, it := range c.BooleanItems(side) {
		c.found.booleans = append(c.found.booleans, BooleanItem{it.id, c.graft(it.After, onto)})
	}
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
		// A right side without items can only forbid that the node ends here.
		if c.Width(b.Right) == 0 && !(c.Accepts(b.Left) && c.Accepts(b.Right)) {
			c.addPlain(b.Left, after)
			return
		}
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
