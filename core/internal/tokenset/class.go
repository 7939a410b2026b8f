package tokenset

import (
	"slices"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
)

// A class is the set of tokens that one terminal state lets through in every context: tokens that stay inside the
// terminal, and escapes, which leave it part of the way. Grammars of a store share terminal states, so "inside a JSON
// string" has one class.
//
// A counted state has one class for all bounds and counts. It stores with each token how many code points the body then
// needs to be complete, and a mask selects the tokens that fit. States below their minimum have another class, which
// also depends on the possible greater lengths.

const (
	// narrowNodes is how many trie nodes a walk may visit before its state deserves a class. Below, walking costs
	// less than looking a class up and merging it.
	narrowNodes = 100
	// SparseTokens is the size up to which a class keeps a list instead of a bitmap.
	SparseTokens = 2000
	// escapeEntries bounds the escapes of one class. A state with more can end nearly everywhere, and its
	// masks are found by walking.
	escapeEntries = 8_000
	// escapeBytes bounds what these have after the terminal, each byte of which may be a node of their trie. In real
	// vocabularies it is 15,000 at most; random tokens of a kilobyte took gigabytes.
	escapeBytes = 128_000
	// classTags bounds the tags of a terminal that has a class: escapes are kept by tag.
	classTags = 16
	// classGroups bounds the groups of a counted class; tokens of further ones are judged one by one. Most have one or
	// two.
	classGroups = 64
)

// Class is immutable, except for parts that it fills in on first use.
type Class struct {
	found
	like    *Class                     // the class of another store with the same escapes; nil: none
	of      terminal.Expr              // beside like: the state of this store
	states  atomic.Pointer[[]counted]  // and what irregularOf returns
	escapes [2]atomic.Pointer[Escapes] // by whether the terminal could have gone on, see escapesOf
	closing atomic.Pointer[closing]    // see closingNodes

	isShared bool // it is one of those that grammars share
}

// found is the result of a walk for a class.
type found struct {
	List    []uint32 // the tokens inside, if they are few
	Special bool     // some token of list is a special one
	Bitmap  []uint32 // else
	ranks   ranges   // the tokens inside as ranges of the trie's order

	From    *Class // a difference: what from lets through
	Removed ranges // without these tokens, which list spells out

	Counted   bool
	groups    []group  // counted: tokens inside by the code points that they need beyond their own
	order     []uint32 // counted: tokens of small groups by the code points that they need
	upTo      []uint32 // counted: order[:upTo[n]] need at most n code points
	Rooms     []atomic.Pointer[[]uint32]
	Irregular []counted // tokens inside for which need alone does not decide
	Exits     []exit    // tokens that end behind the counted body

	walked  int                // cost of the walk
	narrow  bool               // the state needs no class, which is all that is known of it
	Ends    []ending           // nodes at which the terminal may be complete
	goesOn  []terminal.ByteSet // bytes that go on there, by ending.goesOn
	partial bool               // ends leaves out places within a loop
}

// group is the tokens that need so many code points beyond their own: ranges while a walk gathers them, then a bitmap.
type group struct {
	beyond int
	ranks  ranges
	bitmap []uint32
}

// counted is a token of a counted class: it has begun n code points, after which the body takes the lengths of rest.
type counted struct {
	Token uint32
	N     uint32
	State terminal.Expr
	C     counters.Counter
}

// exit is a token that leaves the counted body after n code points.
type exit struct{ Token, N uint32 }

// ending is a trie node after which the terminal is complete, carrying tag.
type ending struct {
	node   uint32
	count  uint32
	tag    uint32
	goesOn uint32 // into class.goesOn
}

// NoTag marks an ending without a tag.
const NoTag = ^uint32(0)

// Values of an expression's Aux.
const (
	auxUnknown = 0
	auxNarrow  = 1
	auxClass   = 2 // plus the index of the class
)

// Class returns the class of terminal state x, nil if its masks are better walked.
func (e *Sets) Class(x terminal.Expr, w *Scratch) *Class {
	switch v := e.store.Aux(x); v {
	case auxUnknown:
		if e.store.View().IsOpen(x) {
			e.store.SetAux(x, auxNarrow) // no output reaches this state again
			w.Charge(narrowCost)
			return nil
		}
		return e.newClass(x, w)
	case auxNarrow:
		w.Charge(narrowCost)
		return nil
	default:
		k := e.classes.At(v - auxClass)
		if w.classes.Add(v) { // a mask asks twice: which counts are alike, then which tokens there are
			w.Charge(k.cost)
		}
		return k.c
	}
}

func (e *Sets) newClass(x terminal.Expr, w *Scratch) *Class {
	if shape := relax.AsStar(e.store, relax.Uncounted(e.store, x)); shape != x {
		c := e.Class(shape, w)
		e.store.SetAux(x, e.store.Aux(shape))
		return c
	}
	var c *Class
	known := false
	cost := w.unit(func() { c, known = e.findClass(x, w) })
	if !known {
		return nil
	}
	if c == nil {
		cost = w.narrow(cost)
	}
	c = e.keepClass(x, c, cost)
	if v := e.store.Aux(x); v >= auxClass {
		w.classes.Add(v) // it has been charged
	}
	return c
}

// narrow replaces cost, which was charged for finding that a state needs no class, by narrowCost and returns that. The
// walk that follows charges the same transitions.
func (w *Scratch) narrow(cost int) int {
	w.Charge(narrowCost - cost)
	return narrowCost
}

// findClass returns the class of x, nil if it deserves none, and known = false if the budget was spent before that was
// known.
func (e *Sets) findClass(x terminal.Expr, w *Scratch) (c *Class, known bool) {
	if d := e.differenceClass(x, w); d != nil {
		return d, true
	}
	if d := e.searchClass(x, w); d != nil {
		return d, true
	}
	if d := e.anyTextClass(x, w); d != nil {
		return d, true
	}
	w.unit(func() { c, known = e.walkNewClass(x, nil, w) })
	return c, known && !w.Over
}

// walkNewClass returns the class of x in some places, or at the root if p is nil. It returns nil if x deserves none, and known = false if a budget was spent before that was
// known.
func (e *Sets) walkNewClass(x terminal.Expr, p *places, w *Scratch) (c *Class, known bool) {
	if len(e.store.ReachableTags(x)) > classTags {
		return nil, true
	}
	key, named := e.keyOf(x, p)
	if named {
		switch c = e.tokens.sets.find(key); {
		case c != nil && c.narrow:
			w.Charge(c.walked)
			return nil, true
		case c != nil:
			w.Charge(c.walked)
			return e.withStates(c, x), true
		}
	}
	shared := named && e.mayGive()
	before, visited := w.Total(), w.Visited
	c = &Class{}
	if !e.walkClass(x, p, w, c) {
		return nil, false
	}
	if w.Visited-visited <= narrowNodes {
		w.narrow(w.Total() - before)
		if shared {
			e.give(key, narrowClass)
		}
		return nil, true
	}
	e.settle(c, w)
	c.walked = w.Total() - before
	if shared {
		c.isShared = true
		e.give(key, c)
	}
	return c, true
}

// keptClass is a class with the cost of finding it.
type keptClass struct {
	c    *Class
	cost int
}

// placedKey names the class of the tokens that begin with terminal state x in some places.
type placedKey struct {
	places terminal.Digest
	x      terminal.Expr
}

// knownPlaced returns a class that keepPlaced has kept.
func (e *Sets) knownPlaced(key placedKey) (k keptClass, ok bool) {
	if e.below != nil {
		if k, ok := e.below.placed[key]; ok {
			return k, true
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	k, ok = e.placed[key]
	return k, ok
}

// keepPlaced keeps a class, and returns the one that is kept.
func (e *Sets) keepPlaced(key placedKey, k keptClass) *Class {
	e.mu.Lock()
	defer e.mu.Unlock()
	if other, ok := e.placed[key]; ok {
		return other.c // another thread was faster
	}
	e.placed[key] = k
	e.bytes.Add(placedBytes)
	if k.c != nil {
		e.bytes.Add(int64(k.c.size()))
	}
	return k.c
}

func (e *Sets) keepClass(x terminal.Expr, c *Class, cost int) *Class {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch v := e.store.Aux(x); {
	case v >= auxClass:
		return e.classes.At(v - auxClass).c // another thread was faster
	case c == nil:
		e.store.SetAux(x, auxNarrow)
		return nil
	}
	e.bytes.Add(int64(c.size()) + keptBytes)
	e.store.SetAux(x, e.classes.Append(keptClass{c, cost})+auxClass)
	return c
}

// goesOnWith returns the index of a set in goesOn. Most states of a walk go on with the same bytes as the last.
func (c *Class) goesOnWith(set *terminal.ByteSet) uint32 {
	for i := len(c.goesOn) - 1; i >= max(0, len(c.goesOn)-goesOnLook); i-- {
		if c.goesOn[i] == *set {
			return uint32(i)
		}
	}
	c.goesOn = append(c.goesOn, *set)
	return uint32(len(c.goesOn) - 1)
}

// goesOnLook is how many sets are looked through for an equal one.
const goesOnLook = 16

// settle turns the result of a walk into the form that masks use.
func (e *Sets) settle(c *Class, w *Scratch) {
	c.ranks, c.goesOn = slices.Clone(w.Ranges), slices.Clone(c.goesOn)
	if c.Counted {
		c.Ends, c.Irregular, c.Exits = slices.Clone(c.Ends), slices.Clone(c.Irregular), slices.Clone(c.Exits)
		e.settleCounted(c)
		return
	}
	c.Ends = e.leavingEnds(c)
	e.tokens.spell(c)
}

// spell turns the ranges of a class that is not counted into a list or a bitmap.
func (t *Tokens) spell(c *Class) {
	order := t.Trie.Order
	if n := c.ranks.Count(); n <= SparseTokens {
		c.List = make([]uint32, 0, n)
		for i := 0; i < len(c.ranks); i += 2 {
			c.List = append(c.List, order[c.ranks[i]:c.ranks[i+1]]...)
		}
		c.Special = len(t.Clear) > 0 && slices.ContainsFunc(c.List, func(id uint32) bool { return t.IsSpec[id] })
		return
	}
	c.Bitmap = make([]uint32, t.words)
	t.Spread(c.ranks, c.Bitmap)
}

// leavingEnds returns the ends below which some token is not inside the terminal. Free text may end nearly everywhere,
// and few tokens leave it. c.Ends is overwritten.
func (e *Sets) leavingEnds(c *Class) []ending {
	ends := c.Ends[:0]
	nodes, ranks, r := e.tokens.Trie.Nodes, c.ranks, 0
	for _, end := range c.Ends {
		from, to := nodes[end.node+1].Token, nodes[nodes[end.node].End].Token
		if r > 0 && from < ranks[r-1] {
			r = 0 // ends behind other ends are out of order
		}
		for r < len(ranks) && ranks[r+1] <= from {
			r += 2
		}
		if r == len(ranks) || from < ranks[r] || to > ranks[r+1] {
			ends = append(ends, end)
		}
	}
	return slices.Clone(ends)
}

// group returns the ranges of the tokens that need so many code points beyond their own, nil if there are too many
// groups.
func (c *Class) group(beyond int) *ranges {
	for i := range c.groups {
		if c.groups[i].beyond == beyond {
			return &c.groups[i].ranks
		}
	}
	if len(c.groups) == classGroups {
		return nil
	}
	c.groups = append(c.groups, group{beyond: beyond})
	return &c.groups[len(c.groups)-1].ranks
}

// settleCounted turns large groups into bitmaps, and sorts the tokens of small ones by the code points they need.
func (e *Sets) settleCounted(c *Class) {
	type need struct{ n, token uint32 }
	var needs []need
	var large []group
	most := uint32(0)
	for _, g := range c.groups {
		g.ranks.Normalise()
		most = max(most, uint32(max(g.beyond+e.tokens.Runes, 0)))
		if g.ranks.Count() > SparseTokens {
			g.bitmap = make([]uint32, e.tokens.words)
			e.tokens.Spread(g.ranks, g.bitmap)
			g.ranks = nil // a mask takes the bitmap; such ranges may take several times as much
			large = append(large, g)
			continue
		}
		for i := 0; i < len(g.ranks); i += 2 {
			for _, id := range e.tokens.Trie.Order[g.ranks[i]:g.ranks[i+1]] {
				needs = append(needs, need{uint32(max(g.beyond+e.tokens.runesOf(id), 0)), id})
			}
		}
	}
	c.groups = slices.Clone(large)
	c.upTo = make([]uint32, most+1)
	for _, x := range needs {
		c.upTo[x.n]++
	}
	for i := 1; i < len(c.upTo); i++ {
		c.upTo[i] += c.upTo[i-1]
	}
	c.order = make([]uint32, len(needs))
	next := append([]uint32{0}, c.upTo...)
	for _, x := range needs {
		c.order[next[x.n]] = x.token
		next[x.n]++
	}
	c.Rooms = make([]atomic.Pointer[[]uint32], most+1)
}

// Room returns the tokens of a counted class that need at most n code points, as a bitmap; nil if there is none.
func (e *Sets) Room(c *Class, n uint32) []uint32 {
	most := uint32(len(c.Rooms)) - 1
	n = min(n, most)
	if p := c.Rooms[n].Load(); p != nil {
		return *p
	}
	bm := make([]uint32, e.tokens.words)
	for _, g := range c.groups {
		if int(n) < g.beyond {
			continue
		}
		short := e.tokens.upToRunes(uint32(int(n) - g.beyond))
		for i, x := range g.bitmap {
			bm[i] |= x & short[i]
		}
	}
	for _, id := range c.order[:c.upTo[n]] {
		bm[id>>5] |= 1 << (id & 31)
	}
	if !slices.ContainsFunc(bm, func(x uint32) bool { return x != 0 }) {
		bm = nil
	}
	if c.Rooms[n].CompareAndSwap(nil, &bm) {
		e.grew(c, cap(bm)*4)
	}
	return bm
}

// Spread sets the bits of ranges of the trie's order, starting from whichever is nearer, none or all.
func (t *Tokens) Spread(r ranges, bm []uint32) {
	order := t.Trie.Order
	if r.Count()*2 <= len(order) {
		clear(bm)
		for i := 0; i < len(r); i += 2 {
			for _, id := range order[r[i]:r[i+1]] {
				bm[id>>5] |= 1 << (id & 31)
			}
		}
		return
	}
	copy(bm, t.All)
	at := uint32(0)
	for i := 0; i <= len(r); i += 2 {
		to := uint32(len(order))
		if i < len(r) {
			to = r[i]
		}
		for _, id := range order[at:to] {
			bm[id>>5] &^= 1 << (id & 31)
		}
		if i < len(r) {
			at = r[i+1]
		}
	}
}
