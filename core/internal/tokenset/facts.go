package tokenset

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

// Facts are the properties of a state that walks need. They are found once, and stay valid until the table is emptied
// between two walks.
type Facts struct {
	Expr    terminal.Expr
	counter counters.Counter // with count 0: only the phase, the place within a code point or an escape

	complete   bool // it may end here, and its code points are not counted
	Tagged     bool // it may end with a tag
	plain      bool // nothing is counted in it
	inside     bool // its code points are counted
	apart      bool // inside, in the middle of a backslash sequence
	maybe      bool // it may end here at some count
	sprawls    bool // its transitions are made one by one, and nothing is counted in it
	Last       bool // no byte goes on
	price      int  // of its transitions
	Alive      *terminal.ByteSet
	to         terminal.Transitions
	links      []*Facts      // by class of bytes: the state after it, nil: not known; see moveCounted
	head       counters.Head // if inside
	loop       cover         // loop.Loop is nil: not known yet
	rounds     *rounds       // nil: not asked yet
	Tags       []uint32      // that it may end in if tagged, nil: not asked yet
	lengths                  // if inside
	completion completion
	serial     uint64 // of the computation that met the state last
}

// rounds is a bounded repetition that a state begins with.
type rounds struct {
	each cover // code points that are strings of the body: each uses up one round
	most uint32
}

// completion caches the fields that all endings of one state share, within the walk with number walk.
type completion struct {
	walk   uint64
	tags   []uint32 // that the state carries, NoTag among them if it is complete without one too
	goesOn uint32   // as in ending
}

// lengths are facts about the body of a counted state, equal for all counts.
type lengths struct {
	known bool
	least uint32 // code points to the end of the body
	// regular is set if the body can end after any number of code points from least on. It is also set for a terminal
	// without a minimum, whose tokens depend on least alone.
	regular bool
}

// knownFacts is how many states a scratch knows facts of. A walk returns to some dozens of states again and again, and
// the next walk often meets the same states.
const knownFacts = 1024

// factTable finds facts by state: open addressing. They lie in chunks, so that walks can hold on to them.
type factTable struct {
	slots  [2 * knownFacts]*Facts
	chunks [][]Facts
	n      int
	most   int      // the greatest n since the last release
	links  []*Facts // memory for Facts.links
	linked int      // how many of them are taken
}

const (
	factsAtOnce = 64   // a chunk
	linksAtOnce = 2048 // pointers
)

// forget empties the table in the middle of a walk. Facts that the walk holds stay valid.
func (t *factTable) forget() { *t = factTable{} }

// reset empties the table between walks, and keeps its memory.
func (t *factTable) reset() {
	clear(t.slots[:])
	clear(t.links[:t.linked])
	t.n, t.most, t.linked = 0, max(t.most, t.n), 0
}

// release is reset, and drops the references to the store in all facts.
func (t *factTable) release() {
	t.reset()
	for i := 0; i < t.most; i += factsAtOnce {
		clear(t.chunks[i/factsAtOnce])
	}
	t.most = 0
}

// add returns new facts, to be found at slot i.
func (t *factTable) add(i uint32) *Facts {
	if t.n%factsAtOnce == 0 && t.n/factsAtOnce == len(t.chunks) {
		t.chunks = append(t.chunks, make([]Facts, factsAtOnce))
	}
	f := &t.chunks[t.n/factsAtOnce][t.n%factsAtOnce]
	t.slots[i] = f
	t.n++
	return f
}

// linksOf returns room for n links.
func (t *factTable) linksOf(n int) []*Facts {
	if t.linked+n > len(t.links) {
		t.links, t.linked = make([]*Facts, linksAtOnce), 0
	}
	t.linked += n
	return t.links[t.linked-n : t.linked : t.linked]
}

// linksIn returns the links of f, which the first call takes from t.
func (f *Facts) linksIn(t *factTable) []*Facts {
	if f.links == nil {
		f.links = t.linksOf(f.to.Classes())
	}
	return f.links
}

// ItemFrame is the state of a terminal at one depth of a walk.
type ItemFrame struct {
	*Facts
	Counter counters.Counter
}

// follow returns the counter after byte b, which leads to next, and whether the bounds can still be kept. known is
// false if the store has to decide.
func (f *ItemFrame) follow(next *Facts, b byte) (c counters.Counter, fits, known bool) {
	switch {
	case !f.inside:
		return 0, true, true
	case !next.inside:
		return 0, f.head.Holds(f.Counter), true
	}
	return next.head.After(f.Counter, b)
}
