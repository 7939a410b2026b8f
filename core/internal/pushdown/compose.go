package pushdown

// Masks compose states from items of other states. Union composes the futures of two states.

// Side names a side of boolean nodes.
type Side uint8

// The sides.
const (
	LeftSide Side = iota
	RightSide
)

// Unfold returns the state of the items in plain and of one side of each boolean node in nodes. The text after the
// boolean node follows the side. With alone set, nothing follows, and the side cannot end. cost is the price, as for
// Charge.
func (a *Automaton) Unfold(
	plain []Item, nodes []BooleanItem, which Side, alone bool, first func(x Counted) bool,
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

// WithItem returns the state of the items of s and item it. Both s and it must come from states that InternLike
// returned. cost is the price, as for Charge.
func (a *Automaton) WithItem(s StateID, it Item, first func(x Counted) bool) (t StateID, cost int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.accounted(first, func() StateID {
		c := a.open()
		c.addState(s)
		a.found.items = append(a.found.items, it)
		return c.finish()
	})
}

// InternLike returns a state with the given items and the boolean items of s. The state has no ends, and zero for all
// token counts of limited rules, so that states that differ only in such counts share a mask. cost is the price, as for
// Charge.
func (a *Automaton) InternLike(s StateID, items []Item, first func(x Counted) bool) (t StateID, cost int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.accounted(first, func() StateID {
		c := a.open()
		c.accept = a.Accepts(s)
		a.found.items = append(a.found.items, items...)
		a.found.booleans = append(a.found.booleans, a.BooleanItems(s)...)
		if a.p.Limited() {
			t := tokens{a: &a.stacks, nodes: map[nodeID]nodeID{0: 0}, plain: true}
			for i := range a.found.items[c.base.items:] {
				it := &a.found.items[c.base.items+i]
				it.After = t.node(it.After)
			}
			for i := range a.found.booleans[c.base.booleans:] {
				it := &a.found.booleans[c.base.booleans+i]
				it.After = t.node(it.After)
			}
		}
		return c.finish()
	})
}

// Union returns the state with the futures of both s and t.
func (a *Automaton) Union(s, t StateID) StateID {
	if u, ok := eitherOf(s, t); ok {
		return u
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.budgeted(func() StateID { return a.merged(s, t) })
}

// UnionCost is Union, and returns its price, as Charge does.
func (a *Automaton) UnionCost(s, t StateID, first func(x Counted) bool) (u StateID, cost int) {
	if u, ok := eitherOf(s, t); ok {
		return u, 0
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.accounted(first, func() StateID { return a.merged(s, t) })
}

// eitherOf returns the union of s and t if that is one of them. Callers exclude Over before; here it counts as Dead.
func eitherOf(s, t StateID) (u StateID, ok bool) {
	if s <= Over {
		return t, true
	}
	return s, t <= Over || s == t
}

func (a *Automaton) merged(s, t StateID) StateID {
	c := a.open()
	c.merge(s)
	c.merge(t)
	return c.finish()
}
