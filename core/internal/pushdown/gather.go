package pushdown

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// closure gathers the items of a state and interns it. Closures nest; one goroutine, within a unit of work.
type closure struct {
	*Automaton
	base   level // of the automaton's stacks, above which the closure works
	accept bool  // the output may end
}

func (a *Automaton) open() closure { return closure{Automaton: a, base: a.found.level()} }

// copiedItems is how many copied items cost as much as one new item. finish, which sorts them, pays for each.
const copiedItems = 4

// merge adds state s.
func (c *closure) merge(s StateID) {
	if s == Over {
		panic(budgetSpent{})
	}
	c.spend(1 + c.Width(s)/copiedItems)
	c.addState(s)
	c.addEnds(c.states.At(uint32(s)).ends)
	c.accept = c.accept || c.Accepts(s)
}

func (c *closure) item(e terminal.Expr, k nodeID) {
	if c.st.GoesOn(e) {
		c.spend(1)
		c.found.items = append(c.found.items, Item{Terminal: e, After: k})
	}
}

// predict adds rule id, for which node k waits.
func (c *closure) predict(id uint32, k nodeID) {
	c.spend(1)
	c.found.add(prediction{rank: c.p.rules.At(id).rank, rule: id, k: k}, c.base.calls)
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

// addEnds adds the frames of node k to the ends.
func (c *closure) addEnds(k nodeID) {
	if k != 0 {
		c.spend(1)
		c.found.ends = append(c.found.ends, k)
	}
}

// addEndsOf adds to the ends those frames of rule id in node k that have no room for another token. Their count becomes
// MaxTokens.
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
