package pushdown

import (
	"slices"
)

// found is what closures have found that a state is in the middle of. Each list is a stack: nested closures work above
// each other.
type found struct {
	items    []Item
	booleans []BooleanItem
	ends     []nodeID // see scope.go
}

// level is how high the stacks are.
type level struct{ items, booleans, ends int }

func (f *found) level() level { return level{len(f.items), len(f.booleans), len(f.ends)} }

func (f *found) cut(l level) {
	f.items, f.booleans, f.ends = f.items[:l.items], f.booleans[:l.booleans], f.ends[:l.ends]
}

// addState adds what state s is in the middle of.
func (a *Automaton) addState(s StateID) {
	a.found.items = append(a.found.items, a.Items(s)...)
	a.found.booleans = append(a.found.booleans, a.BooleanItems(s)...)
}

// addMapped adds what state s is in the middle of, with after(k) in the place of each stack node k; what that is 0 for
// is left out.
func (a *Automaton) addMapped(s StateID, after func(k nodeID) nodeID) {
	for _, it := range a.Items(s) {
		if it.After = after(it.After); it.After != 0 {
			a.found.items = append(a.found.items, it)
		}
	}
	for _, it := range a.BooleanItems(s) {
		if it.After = after(it.After); it.After != 0 {
			a.found.booleans = append(a.found.booleans, it)
		}
	}
}

// finish interns the state of what has been found since base: sorted, and with one item for each terminal and counter,
// and for each boolean node, which waits for all that its parts wait for.
func (a *Automaton) finish(base level, accept bool) StateID {
	if a.Len() >= stateLimit {
		panic(budgetSpent{})
	}
	items, booleans, ends := a.found.items[base.items:], a.found.booleans[base.booleans:], a.found.ends[base.ends:]
	a.spend(len(items) + len(booleans) + len(ends))
	sorted := true
	for i := 1; i < len(items) && sorted; i++ {
		x, y := &items[i-1], &items[i]
		sorted = x.Terminal < y.Terminal || x.Terminal == y.Terminal && x.Counter < y.Counter
	}
	if !sorted {
		slices.SortFunc(items, compareItems)
		items = mergeRuns(items, func(x, y *Item) bool { return x.Terminal == y.Terminal && x.Counter == y.Counter },
			func(run []Item) { run[0].After = uniteAll(&a.stacks, run, func(x Item) nodeID { return x.After }) })
	}
	if len(booleans) > 1 {
		slices.SortFunc(booleans, compareBooleanItems)
		booleans = mergeRuns(booleans, func(x, y *BooleanItem) bool { return x.id == y.id },
			func(run []BooleanItem) {
				run[0].After = uniteAll(&a.stacks, run, func(x BooleanItem) nodeID { return x.After })
			})
	}
	end := nodeID(0)
	if len(ends) > 0 {
		slices.Sort(ends)
		end = uniteAll(&a.stacks, ends, func(k nodeID) nodeID { return k })
	}
	s := a.intern(a.withoutCovered(items), booleans, accept, end)
	a.found.cut(base)
	return s
}

// mergeRuns calls merge with each run of elements that are the same, and returns the first of each run.
func mergeRuns[T any](xs []T, same func(x, y *T) bool, merge func(run []T)) []T {
	out := 0
	for i, j := 0, 0; i < len(xs); i = j {
		for j = i + 1; j < len(xs) && same(&xs[i], &xs[j]); j++ {
		}
		merge(xs[i:j])
		xs[out] = xs[i]
		out++
	}
	return xs[:out]
}

// uniteAll returns the union of the nodes of a run, which are in ascending order.
func uniteAll[T any](a *stacks, run []T, node func(T) nodeID) nodeID {
	if node(run[0]) == node(run[len(run)-1]) {
		return node(run[0])
	}
	ks := make([]nodeID, len(run))
	for i, x := range run {
		ks[i] = node(x)
	}
	return a.unite(ks)
}

// InternItems returns the state of what s is in the middle of, and of one item more, which comes from another state of
// InternLike, for masks of a part of a state. cost is what that costs, see Charge.
func (a *Automaton) InternItems(s StateID, it Item, first func(part uint32) bool) (t StateID, cost int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.accounted(first, func() StateID {
		base := a.found.level()
		a.addState(s)
		a.found.items = append(a.found.items, it)
		return a.finish(base, false)
	})
}

// InternLike returns the state that is like s but has these items, and in which no token of a limited rule has been
// counted: what it shows in a mask is what a state with these items shows. cost is what that costs, see Charge.
func (a *Automaton) InternLike(s StateID, items []Item, first func(part uint32) bool) (t StateID, cost int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.accounted(first, func() StateID {
		base := a.found.level()
		a.found.items = append(a.found.items, items...)
		a.found.booleans = append(a.found.booleans, a.BooleanItems(s)...)
		if a.p.Limited() {
			t := tokens{a: &a.stacks, nodes: map[nodeID]nodeID{0: 0}, plain: true}
			for i := range a.found.items[base.items:] {
				it := &a.found.items[base.items+i]
				it.After = t.node(it.After)
			}
			for i := range a.found.booleans[base.booleans:] {
				it := &a.found.booleans[base.booleans+i]
				it.After = t.node(it.After)
			}
		}
		return a.finish(base, a.Accepts(s))
	})
}
