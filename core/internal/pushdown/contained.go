package pushdown

import (
	"cmp"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/inspect"
)

// Where a text can be read in several ways, most of them say nothing that another does not say too. A way is left out
// of a state when all its futures are futures of another:
//
//   - of "in the middle of [a-z]+" and "before [a-z]+", with the same after them, the first has all futures;
//   - of a counted terminal's counts, once the minimum is reached, the smallest: c more code points of room are more
//     than c - 1, and the rest is the same;
//   - of the counts of a repetition likewise, see repeat.go;
//   - of two ways that are alike but for what comes after, the one after which more may come: also where that is a loop
//     which reads what the other must read, see absorb.go.
//
// Without this the ways to cut a text into words multiply; with it they are one or two.

// containedItems bounds the states all of whose items are compared with each other. In larger ones only those of one
// terminal are.
const containedItems = 32

// dropContained leaves out items whose futures another item has. Items are sorted.
func (a *Automaton) dropContained(items []Item) []Item {
	for {
		n := len(items)
		items = a.dropOnce(items)
		if n <= containedItems || len(items) == n {
			return items
		}
	}
}

// dropOnce leaves out items that another one contains of those that are compared with it: one after the other, lest
// two that have the same futures both go. It goes through them in the order of what they are: which of the two goes,
// and what is spent on finding that out, must not depend on the order of ids.
func (a *Automaton) dropOnce(items []Item) []Item {
	var room [containedItems]int
	order := room[:0]
	for i := range items {
		if !items[i].IsBoolean() {
			order = append(order, i)
		}
	}
	if len(items) <= containedItems {
		slices.SortFunc(order, func(i, j int) int {
			return cmp.Or(inspect.Compare(a.st, items[i].Terminal, items[j].Terminal), cmp.Compare(i, j))
		})
	} // else those of one terminal, which are compared, are in the order of their counters
	var gone []bool
	for at, i := range order {
		if !a.containedIn(items, gone, order, at, len(items) > containedItems) {
			continue
		}
		if gone == nil {
			gone = make([]bool, len(items))
		}
		gone[i] = true
	}
	if gone == nil {
		return items
	}
	kept := items[:0]
	for i, it := range items {
		if !gone[i] {
			kept = append(kept, it)
		}
	}
	return kept
}

// containedIn reports whether an item that is not gone has all futures of the item at order[at]. If alike is set, only
// those of its terminal are asked.
func (a *Automaton) containedIn(items []Item, gone []bool, order []int, at int, alike bool) bool {
	y := &items[order[at]]
	from, to := 0, len(order)
	if alike {
		for from = at; from > 0 && items[order[from-1]].Terminal == y.Terminal; from-- {
		}
		for to = at + 1; to < len(order) && items[order[to]].Terminal == y.Terminal; to++ {
		}
	}
	for _, j := range order[from:to] {
		if j != order[at] && (gone == nil || !gone[j]) && a.hasAll(&items[j], y) {
			return true
		}
	}
	return false
}

// hasAll reports whether x has all futures of y, as far as a look tells.
func (a *Automaton) hasAll(x, y *Item) bool {
	if x.Terminal == y.Terminal {
		low, _, counting := counters.Bounds(a.st, x.Terminal)
		c, d := x.Counter.Count(), y.Counter.Count()
		room := x.Counter == y.Counter || counting && x.Counter.WithCount(d) == y.Counter && low <= c && c <= d
		return room && a.waitsForAll(x.After, y.After)
	}
	return x.Counter == 0 && y.Counter == 0 && a.waitsForAll(x.After, y.After) &&
		a.st.Alive(x.Terminal).Contains(a.st.Alive(y.Terminal)) && inspect.Contains(a.st, x.Terminal, y.Terminal)
}

// waitsForAll reports whether node j waits for all that node k waits for.
func (a *Automaton) waitsForAll(j, k nodeID) bool {
	if j == k {
		return true
	}
	fs := a.framesOf(j)
	for _, g := range a.framesOf(k) {
		if !slices.ContainsFunc(fs, func(f frame) bool { return a.hasFrame(f, g) }) {
			return false
		}
	}
	return true
}

// hasFrame reports whether f has all futures of g, as far as a look tells.
func (a *Automaton) hasFrame(f, g frame) bool {
	in := a.p.code.At(uint32(f.dot))
	if f == g || in.op != opRepeatNext {
		return f == g
	}
	if f.dot == g.dot && f.k == g.k && a.p.repeats.At(in.arg).leaves(a.spanOf(f.reg), a.spanOf(g.reg)) {
		return true
	}
	below := a.framesOf(f.k)
	return len(below) <= absorbFrames && a.loops(f) && a.within(in.arg, below, g, absorbDepth)
}
