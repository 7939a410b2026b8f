package pushdown

// sidesOf returns the number of nested sides of state s, with repetition.
func (t *stateTable) sidesOf(s StateID) uint32 {
	n := uint32(0)
	for _, it := range t.BooleanItems(s) {
		n = min(n+t.Boolean(it).sides, 1<<30)
	}
	return n
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
