package pushdown

import (
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// sidesOf returns the number of nested sides of state s. Each use of a side counts.
func (t *stateTable) sidesOf(s StateID) uint32 {
	n := uint32(0)
	for _, it := range t.BooleanItems(s) {
		n = min(n+t.Boolean(it).sides, 1<<30)
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
		// A right side that ends here forbids this end only.
		if c.Width(b.Right) == 0 && !(c.Accepts(b.Left) && c.Accepts(b.Right)) {
			c.addPlain(b.Left, after)
			return
		}
	}
	b.depth = 1 + max(c.booleanDepth(b.Left), c.booleanDepth(b.Right))
	b.sides = 2 + min(c.sidesOf(b.Left)+c.sidesOf(b.Right), 1<<30)
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
