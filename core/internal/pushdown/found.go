package pushdown

import "slices"

// found holds what closures have gathered. Each list is a stack: nested closures work above each other.
type found struct {
	items    []Item
	booleans []BooleanItem
	ends     []nodeID // see scope.go
	predictions
}

// level is the heights of the stacks.
type level struct{ items, booleans, ends, calls int }

func (f *found) level() level { return level{len(f.items), len(f.booleans), len(f.ends), len(f.calls)} }

func (f *found) cut(l level) {
	f.items, f.booleans, f.ends, f.calls = f.items[:l.items], f.booleans[:l.booleans], f.ends[:l.ends], f.calls[:l.calls]
}

// addState adds the items of state s.
func (c *closure) addState(s StateID) {
	c.found.items = append(c.found.items, c.Items(s)...)
	c.found.booleans = append(c.found.booleans, c.BooleanItems(s)...)
}

// addMapped adds the items of state s with after(k) for each node k. It leaves out items whose node becomes 0.
func (c *closure) addMapped(s StateID, after func(k nodeID) nodeID) {
	for _, it := range c.Items(s) {
		if it.After = after(it.After); it.After != 0 {
			c.found.items = append(c.found.items, it)
		}
	}
	for _, it := range c.BooleanItems(s) {
		if it.After = after(it.After); it.After != 0 {
			c.found.booleans = append(c.found.booleans, it)
		}
	}
}

// finish interns the state of the gathered items. It unites the nodes of items with one terminal and counter, and of
// equal boolean nodes.
func (c *closure) finish() StateID {
	if c.Len() >= stateMask {
		panic(budgetSpent{})
	}
	items, booleans, ends := c.found.items[c.base.items:], c.found.booleans[c.base.booleans:], c.found.ends[c.base.ends:]
	c.spend(len(items) + len(booleans) + len(ends))
	slices.SortFunc(items, compareItems)
	items = uniteRuns(&c.stacks, items, func(x, y *Item) bool {
		return x.Terminal == y.Terminal && x.Counter == y.Counter
	}, func(x *Item) *nodeID { return &x.After })
	slices.SortFunc(booleans, compareBooleanItems)
	booleans = uniteRuns(&c.stacks, booleans, func(x, y *BooleanItem) bool { return x.id == y.id },
		func(x *BooleanItem) *nodeID { return &x.After })
	end := nodeID(0)
	if len(ends) > 0 {
		end = c.unite(ends)
	}
	s := c.intern(c.withoutCovered(items), booleans, c.accept, end)
	c.found.cut(c.base)
	return s
}

// uniteRuns replaces each run of equal elements by the first, above the union of their nodes.
func uniteRuns[T any](st *stacks, xs []T, same func(x, y *T) bool, after func(x *T) *nodeID) []T {
	out := 0
	for i, j := 0, 0; i < len(xs); i = j {
		for j = i + 1; j < len(xs) && same(&xs[i], &xs[j]); j++ {
		}
		if j > i+1 {
			var ks []nodeID
			for k := range xs[i:j] {
				ks = append(ks, *after(&xs[i+k]))
			}
			*after(&xs[i]) = st.unite(ks)
		}
		xs[out] = xs[i]
		out++
	}
	return xs[:out]
}

// InternItems returns the state of the items of s and one more. Both must come from states of InternLike. cost is the
// price, as for Charge.
func (a *Automaton) InternItems(s StateID, it Item, first func(part uint32) bool) (t StateID, cost int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.accounted(first, func() StateID {
		c := a.open()
		c.addState(s)
		a.found.items = append(a.found.items, it)
		return c.finish()
	})
}

// InternLike returns a state like s with these items that counts no tokens of limited rules, so that all states with
// these items have one mask. cost is the price, as for Charge.
func (a *Automaton) InternLike(s StateID, items []Item, first func(part uint32) bool) (t StateID, cost int) {
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

// addEnds adds the frames of node k to the ends.
func (c *closure) addEnds(k nodeID) {
	if k != 0 {
		c.spend(1)
		c.found.ends = append(c.found.ends, k)
	}
}

// addEndsOf adds the frames in node k of rule id that have no room for another token, with the greatest count.
func (c *closure) addEndsOf(id uint32, k nodeID) {
	s := c.p.rules.At(id).scope
	var ends []frame
	for _, f := range c.framesOf(k) {
		if c.p.leaves(f) == s && c.p.isFull(f) {
			ends = append(ends, frame{f.dot, s.MaxTokens, f.k})
		}
	}
	if len(ends) > 0 {
		c.addEnds(c.internNode(c.compact(ends)))
	}
}

// prediction is a rule that a closure is going to run, and a node that waits for it.
type prediction struct {
	rank, rule uint32
	k          nodeID
}

func (p prediction) before(q prediction) bool {
	return p.rank < q.rank || p.rank == q.rank && p.rule < q.rule
}

// predictions is a stack of heaps, one for each closure that is being made. The prediction of least rank comes first,
// so all that waits for a rule is known before the rule runs.
type predictions struct {
	calls []prediction
	nodes []nodeID // the nodes that wait for the rule taken last
}

// add adds c to the heap calls[first:].
func (p *predictions) add(c prediction, first int) {
	p.calls = append(p.calls, c)
	heap := p.calls[first:]
	for i := len(heap) - 1; i > 0 && heap[i].before(heap[(i-1)/2]); i = (i - 1) / 2 {
		heap[i], heap[(i-1)/2] = heap[(i-1)/2], heap[i]
	}
}

// take removes all predictions of the first rule in the heap calls[first:]. It returns the rule, and the nodes that
// wait for it until the next call.
func (p *predictions) take(first int) (rule uint32, ks []nodeID) {
	rule, p.nodes = p.calls[first].rule, p.nodes[:0]
	for len(p.calls) > first && p.calls[first].rule == rule {
		p.nodes = append(p.nodes, p.calls[first].k)
		last := len(p.calls) - 1
		p.calls[first] = p.calls[last]
		p.calls = p.calls[:last]
		sink(p.calls[first:])
	}
	return rule, p.nodes
}

// sink moves the first element of a heap to its place.
func sink(heap []prediction) {
	for i := 0; ; {
		least := i
		for j := 2*i + 1; j <= 2*i+2 && j < len(heap); j++ {
			if heap[j].before(heap[least]) {
				least = j
			}
		}
		if least == i {
			return
		}
		heap[i], heap[least] = heap[least], heap[i]
		i = least
	}
}
