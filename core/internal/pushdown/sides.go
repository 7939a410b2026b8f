package pushdown

import (
	"github.com/sluice-engine/sluice/core/internal/distinct"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Side names a side of boolean nodes.
type Side uint8

// The sides.
const (
	LeftSide Side = iota
	RightSide
)

// Unfold returns the state of the items in plain and of one side of each boolean node in nodes. The node after the
// boolean node follows the side; with alone set, nothing does, not even the end of the node. cost is the price, as for
// Charge.
func (a *Automaton) Unfold(
	plain []Item, nodes []BooleanItem, which Side, alone bool, first func(part uint32) bool,
) (s StateID, cost int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.accounted(first, func() StateID {
		c := a.open()
		a.found.items = append(a.found.items, plain...)
		for _, it := range nodes {
			b, onto := a.Boolean(it), it.After
			side := b.Left
			if which == RightSide {
				side = b.Right
			}
			if alone {
				onto = 0
			}
			c.graftItems(side, onto)
		}
		return c.finish()
	})
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
		if a.take(s, byte(b)) != Dead {
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
	t, key := s, transitionKey(s, c)
	if s > Over {
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
