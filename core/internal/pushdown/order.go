package pushdown

import (
	"cmp"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/inspect"
)

// An ambiguous grammar reads a text in many ways. Most of them allow only continuations that another way allows too, so
// states and stack nodes leave out each item and frame that another one covers. Otherwise, states and stacks grow with
// the text although nothing new can follow.
//
// An item covers another if its terminal and counter match all texts of the other's, and the node after it covers the
// node after the other. Node j covers node k if each frame of k is covered by a frame of j. Frame f covers frame g in
// three cases:
//
//   - They stand at one place, f's register permits every continuation that g's permits, and f's node covers g's.
//   - f is a loop X* above node L, and a frame of L covers g.
//   - f is a loop X*, g is a sequence D above node K, X* contains D, and f covers each frame of K.
//
// The cases of loops are Lemma 151; counts of items are Lemma 153.
//
// Masks of LaTeX formulas with e ::= e e | "\\frac" e e take 900 µs without loops that cover, and 0.2 µs with them.

const (
	// coveredItems bounds the items of a state that are compared pairwise. In a larger state, items of one terminal are
	// compared first, and all pairs only if at most coveredItems items are left. With 32, the largest masks of some Lark
	// grammars cost twice as much; with 16, all masks of 1,244 real grammars together cost 1.2 times as much.
	coveredItems = 24
	// coverDepth bounds the depth of the stacks that one comparison looks at.
	coverDepth = 4
	// coverLooks bounds the frames that one comparison looks at.
	coverLooks = 512
	// coverSteps bounds the parts of terminals that are compared for one state: they take 0.1 ms. Only the last pair
	// may exceed it.
	coverSteps = 1000
	// coverWork is a number of frames: comparing them costs as much as an item.
	coverWork = 3
	// coverScan is a number of frames: searching them for loops costs as much as comparing one frame.
	coverScan = 4
)

// order compares items and frames. One goroutine, under the automaton's lock.
type order struct {
	st     *stacks
	looks  int // frames that the present comparison may still look at
	steps  int // parts of terminals that may still be compared
	looked int // frames that all comparisons so far have looked at
}

// pay spends the work of the comparisons. The price depends on content alone, since frames are ordered by content.
func (o *order) pay() { o.st.spend(o.looked / coverWork) }

// withoutCovered drops each item that another one covers. Items are sorted. If two items cover each other, the later
// one in content order stays, so the result does not depend on ids.
func (st *stacks) withoutCovered(items []Item) []Item {
	if len(items) > coveredItems {
		items = st.withoutLessRoom(items)
	}
	if len(items) < 2 || len(items) > coveredItems {
		return items
	}
	var room [coveredItems]int
	by := room[:len(items)]
	for i := range by {
		by[i] = i
	}
	slices.SortFunc(by, func(i, j int) int {
		return cmp.Or(inspect.Compare(st.st, items[i].Terminal, items[j].Terminal), cmp.Compare(i, j))
	})
	// PERF: the next bytes rule out nearly all pairs: a state of Python's grammar with 30 items takes 10 µs, not 60.
	var next [coveredItems]*terminal.ByteSet
	for i := range items {
		next[i] = st.st.Alive(items[i].Terminal)
	}
	o := order{st: st, steps: coverSteps}
	for _, i := range by {
		for _, j := range by {
			if i != j && items[j].Terminal != terminal.Empty && next[j].Contains(next[i]) &&
				o.item(&items[j], &items[i]) {
				items[i].Terminal = terminal.Empty
				break
			}
		}
	}
	o.pay()
	return present(items)
}

// withoutLessRoom drops items that an item of the same terminal with a smaller count covers.
func (st *stacks) withoutLessRoom(items []Item) []Item {
	o := order{st: st}
	for from, to := 0, 0; from < len(items); from = to {
		e := items[from].Terminal
		for to = from; to < len(items) && items[to].Terminal == e; to++ {
		}
		for i := to - 1; i > from; i-- {
			for j := from; j < i; j++ {
				if o.item(&items[j], &items[i]) {
					items[i].Terminal = terminal.Empty
					break
				}
			}
		}
	}
	o.pay()
	return present(items)
}

func present(items []Item) []Item {
	return slices.DeleteFunc(items, func(it Item) bool { return it.Terminal == terminal.Empty })
}

// item reports whether x covers y.
func (o *order) item(x, y *Item) bool {
	o.looks = coverLooks
	if x.Terminal == y.Terminal {
		return o.count(x, y) && o.node(x.After, y.After, coverDepth)
	}
	return x.Counter == 0 && y.Counter == 0 && o.contains(x.Terminal, y.Terminal) &&
		o.node(x.After, y.After, coverDepth)
}

// contains reports whether terminal x contains y, as far as the remaining steps show. Each call deducts all steps of
// the comparison, even if the result comes from the cache.
//
// PERF: masks of a grammar with 100 words that adjoin take 58 ms, and 178 without the cache.
func (o *order) contains(x, y terminal.Expr) bool {
	if o.steps <= 0 {
		return false
	}
	o.looked++ // a look into the cache takes as long as a frame
	pair := terminalPair{x, y}
	c, known := o.st.contained[pair]
	if !known {
		left := coverSteps
		c.yes = inspect.ContainsWithin(o.st.st, &left, x, y)
		c.steps = coverSteps - left
		o.st.contained[pair] = c
	}
	o.steps -= c.steps
	return c.yes && o.steps >= 0
}

// count reports whether the counter of x permits every text that the counter of y permits. If both counts have reached
// the minimum, the smaller count permits every text that the greater one permits.
func (o *order) count(x, y *Item) bool {
	if x.Counter == y.Counter {
		return true
	}
	low, _, counting := counters.Bounds(o.st.st, x.Terminal)
	m, n := x.Counter.Count(), y.Counter.Count()
	return counting && low <= m && m <= n && x.Counter.WithCount(n) == y.Counter
}

// node reports whether node j covers node k.
func (o *order) node(j, k nodeID, depth int) bool {
	if j == k {
		return true
	}
	if depth == 0 {
		return false
	}
	c := o.cover(o.st.framesOf(j))
	for _, g := range o.st.framesOf(k) {
		if !o.frame(&c, g, depth, false) {
			return false
		}
	}
	return true
}

// cover holds the sorted frames of a node, and whether any is a loop.
type cover struct {
	frames []frame
	loops  bool
}

// cover returns the cover by frames fs.
func (o *order) cover(fs []frame) cover {
	o.looked += len(fs) / coverScan
	return cover{fs, slices.ContainsFunc(fs, o.st.p.loops)}
}

// frame reports whether a frame of c covers g. If others is set, g itself does not count.
func (o *order) frame(c *cover, g frame, depth int, others bool) bool {
	o.looked++
	fs := c.frames
	at, _ := slices.BinarySearchFunc(fs, g.dot, func(f frame, d dot) int { return cmp.Compare(f.dot, d) })
	for ; at < len(fs) && fs[at].dot == g.dot; at++ {
		f := fs[at]
		if o.looks--; o.looks < 0 {
			return false
		}
		if f == g && !others || f != g && o.register(f, g) && o.node(f.k, g.k, depth-1) {
			return true
		}
	}
	if !c.loops {
		return false
	}
	o.looked += len(fs) / coverScan
	for _, f := range fs {
		if f != g && o.st.p.loops(f) {
			below := o.cover(o.st.framesOf(f.k))
			if o.loop(o.st.p.code.At(uint32(f.dot)).arg, &below, g, depth) {
				return true
			}
		}
	}
	return false
}

// register reports whether the register of f permits every continuation that the register of g permits. Both frames
// stand at the same place.
func (o *order) register(f, g frame) bool {
	in := o.st.p.code.At(uint32(f.dot))
	return f.reg == g.reg ||
		in.op == opRepeatNext && o.st.p.repeats.At(in.arg).leaves(o.st.p.spanOf(f.reg), o.st.p.spanOf(g.reg))
}

// loop reports whether a loop covers g. The parameter below holds the frames of the node below the loop.
func (o *order) loop(loop uint32, below *cover, g frame, depth int) bool {
	if o.looks--; o.looks < 0 || depth < 0 {
		return false
	}
	if o.frame(below, g, depth, false) {
		return true
	}
	if depth == 0 || !o.st.absorbsFrame(loop, g) {
		return false
	}
	for _, h := range o.st.framesOf(g.k) {
		if !o.loop(loop, below, h, depth-1) {
			return false
		}
	}
	return true
}

// withoutCoveredFrames drops each of fs that another one covers.
func (st *stacks) withoutCoveredFrames(fs []frame) []frame {
	o := order{st: st}
	c := o.cover(fs)
	for i := 0; i < len(c.frames) && len(c.frames) > 1; {
		if o.looks = coverLooks; o.frame(&c, c.frames[i], coverDepth, true) {
			c.frames = slices.Delete(c.frames, i, i+1)
		} else {
			i++
		}
	}
	o.pay()
	return c.frames
}

// withoutRead returns fs, the frames below a loop. It drops each frame that the loop covers together with the other
// frames below it.
func (st *stacks) withoutRead(loop uint32, fs []frame) []frame {
	o := order{st: st}
	for i := 0; i < len(fs) && len(fs) > 1; {
		if st.absorbsFrame(loop, fs[i]) {
			rest := slices.Concat(fs[:i], fs[i+1:])
			c := o.cover(rest)
			if o.looks = coverLooks; o.loop(loop, &c, fs[i], coverDepth) {
				fs = rest
				continue
			}
		}
		i++
	}
	o.pay()
	return fs
}
