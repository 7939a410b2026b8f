package pushdown

import (
	"cmp"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal"
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

const (
	// comparisons is how many comparisons of items take as long as finding one.
	comparisons = 4
	// framesAtOne is how many frames of the nodes after two items count as one more comparison.
	framesAtOne = 16
)

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
	if len(items) < 2 {
		return items
	}
	d := dropping{a: a, items: items}
	if len(items) > containedItems {
		d.alike()
	} else {
		d.all()
	}
	a.unit.fresh += d.compared / comparisons
	return d.rest()
}

// dropping is the state of one dropOnce. One goroutine.
type dropping struct {
	a        *Automaton
	items    []Item
	gone     []bool              // nil if none is
	alive    []*terminal.ByteSet // by item, where items of several terminals are compared; nil where it is not known yet
	compared int
}

// all compares each item with all others.
func (d *dropping) all() {
	var room [containedItems]int
	order := room[:len(d.items)]
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(inspect.Compare(d.a.st, d.items[i].Terminal, d.items[j].Terminal), cmp.Compare(i, j))
	})
	d.alive = d.a.goOn[:len(d.items)]
	clear(d.alive)
	for at, i := range order {
		d.drop(i, order[:at], order[at+1:])
	}
}

// alike compares the items of one terminal with each other. Of items of one terminal, which differ in their counters,
// only one with a smaller count contains another, and only if the smaller count has reached the minimum: see hasAll.
// The order of items is that of their counters, which begin with the count.
func (d *dropping) alike() {
	var smaller []int
	for from, to := 0, 0; from < len(d.items); from = to {
		e := d.items[from].Terminal
		for to = from + 1; to < len(d.items) && d.items[to].Terminal == e; to++ {
		}
		low, _, counting := counters.Bounds(d.a.st, e)
		if !counting {
			continue
		}
		for from < to && d.items[from].Counter.Count() < low {
			from++
		}
		smaller = smaller[:0]
		for at := from; at < to; at++ {
			d.drop(at, smaller)
			smaller = append(smaller, at)
		}
	}
}

// drop drops item i if one of the others contains it that is not gone.
func (d *dropping) drop(i int, others ...[]int) {
	for _, list := range others {
		for _, j := range list {
			if d.gone != nil && d.gone[j] {
				continue
			}
			d.compared++
			if d.hasAll(j, i) {
				if d.gone == nil {
					d.gone = make([]bool, len(d.items))
				}
				d.gone[i] = true
				return
			}
		}
	}
}

// rest returns the items that are not gone.
func (d *dropping) rest() []Item {
	if d.gone == nil {
		return d.items
	}
	kept := d.items[:0]
	for i, it := range d.items {
		if !d.gone[i] {
			kept = append(kept, it)
		}
	}
	return kept
}

// hasAll reports whether item i has all futures of item j, as far as a look tells.
func (d *dropping) hasAll(i, j int) bool {
	a, x, y := d.a, &d.items[i], &d.items[j]
	if x.Terminal == y.Terminal {
		low, _, counting := counters.Bounds(a.st, x.Terminal)
		m, n := x.Counter.Count(), y.Counter.Count()
		room := x.Counter == y.Counter || counting && x.Counter.WithCount(n) == y.Counter && low <= m && m <= n
		return room && d.waitsForAll(x.After, y.After)
	}
	// PERF: the bytes tell nearly all apart, and cost least: masks of ambiguous grammars take up to a third less time.
	return x.Counter == 0 && y.Counter == 0 && d.goesOn(i).Contains(d.goesOn(j)) &&
		d.waitsForAll(x.After, y.After) && inspect.Contains(a.st, x.Terminal, y.Terminal)
}

// goesOn returns the bytes that go on with item i.
func (d *dropping) goesOn(i int) *terminal.ByteSet {
	if d.alive[i] == nil {
		d.alive[i] = d.a.st.Alive(d.items[i].Terminal)
	}
	return d.alive[i]
}

// waitsForAll reports whether node j waits for all that node k waits for, as far as a look tells.
//
// PERF: nodes of nested repetitions have hundreds of frames, which took 200 ms for a mask where each was compared with
// each.
func (d *dropping) waitsForAll(j, k nodeID) bool {
	if j == k {
		return true
	}
	a := d.a
	fs, gs := a.framesOf(j), a.framesOf(k) // both in the order of compareFrames
	d.compared += (len(fs) + len(gs)) / framesAtOne
	var room [4]frame
	var loops []frame
	at := 0
	for _, g := range gs {
		order := 1
		for at < len(fs) {
			if order = a.compareFrames(fs[at], g); order >= 0 {
				break
			}
			at++
		}
		if order == 0 || a.leavesRoom(fs, g) {
			continue
		}
		if loops == nil {
			loops = a.absorbing(room[:0], fs)
		}
		if !slices.ContainsFunc(loops, func(f frame) bool {
			return a.within(a.p.code.At(uint32(f.dot)).arg, a.framesOf(f.k), g, absorbDepth)
		}) {
			return false
		}
	}
	return true
}

// leavesRoom reports whether fs have a range of the counts of g that leaves as much room.
func (a *Automaton) leavesRoom(fs []frame, g frame) bool {
	in := a.p.code.At(uint32(g.dot))
	if in.op != opRepeatNext {
		return false
	}
	at, _ := slices.BinarySearchFunc(fs, g.dot, func(f frame, d dot) int { return int(f.dot) - int(d) })
	for ; at < len(fs) && fs[at].dot == g.dot; at++ {
		if fs[at].k == g.k && a.p.repeats.At(in.arg).leaves(a.spanOf(fs[at].reg), a.spanOf(g.reg)) {
			return true
		}
	}
	return false
}

// absorbing adds to loops those of fs that may read what others wait for.
func (a *Automaton) absorbing(loops, fs []frame) []frame {
	for _, f := range fs {
		if a.loops(f) && len(a.framesOf(f.k)) <= absorbFrames {
			loops = append(loops, f)
		}
	}
	return loops
}
