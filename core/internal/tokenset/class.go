package tokenset

import (
	"slices"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
)

// A class is what one terminal state lets through, whatever stands around it: the tokens that stay inside the terminal,
// and its escapes, the tokens that leave it part of the way. Terminal states are shared by all grammars of a store, so
// a class is computed once for "inside a JSON string" and never again.
//
// A counted state has one class for all bounds and counts: each token comes with the least number of further code
// points that it takes to be complete again, and a mask is the tokens for which there is room. While a minimum has not
// been reached there is another class, since then it also matters which greater numbers are possible.

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

// Class is immutable but for what it fills in lazily.
type Class struct {
	found
	in      *EscapeTrie                // of a part of which it is, nil: of the vocabulary
	like    *Class                     // that of another store, with the same escapes; nil: none
	of      terminal.Expr              // where there is one: the state that this one is the class of
	states  atomic.Pointer[[]counted]  // and what irregularOf returns
	escapes [2]atomic.Pointer[Escapes] // by whether the terminal could have gone on, see escapesOf
	closing atomic.Pointer[[]uint32]   // see closingNodes

	isShared bool // it is one of those that grammars share
}

// found is what the walk for a class has found.
type found struct {
	List    []uint32 // the tokens inside, where they are few
	Special bool     // some token of list is a special one
	Bitmap  []uint32 // else
	ranks   ranges   // the tokens inside as ranges of the trie's order

	From    *Class // a difference: what from lets through
	Removed ranges // without these tokens, which list spells out

	Counted   bool
	groups    []group  // counted: tokens inside by what they need beyond their own code points
	order     []uint32 // counted: tokens of small groups by what they need
	upTo      []uint32 // counted: order[:upTo[n]] need at most n code points
	Rooms     []atomic.Pointer[[]uint32]
	Irregular []counted // tokens inside for which need alone does not decide
	Exits     []exit    // tokens that end in what follows the counted body

	walked  int                // what the walk took
	narrow  bool               // the state needs no class, which is all that is known of it
	left    uint32             // least repetitions left in any state of the walk, see sharedClass
	Ends    []ending           // where the terminal may be complete
	goesOn  []terminal.ByteSet // what it can go on with there, by ending.goesOn
	single  bool               // from an ending, a byte that the terminal cannot go on with leaves it for good
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
			e.store.SetAux(x, auxNarrow) // nobody will come to this state again
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
	if e.isNarrowText(x) {
		e.store.SetAux(x, auxNarrow)
		w.Charge(narrowCost)
		return nil
	}
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

// isNarrowText reports whether the text that x begins with shows that x needs no class: along it a walk visits few nodes,
// and no token goes on behind it.
//
// PERF: a list of texts has a state for each of them. To look at the trie alone takes half as long as to walk.
func (e *Sets) isNarrowText(x terminal.Expr) bool {
	text := e.store.View().LeadingText(x)
	if text == "" {
		return false
	}
	nodes, i := e.tokens.Trie.Nodes, e.tokens.Trie.Root[text[0]]
	for visited, at := 1, 1; i != 0; at++ {
		if at == len(text) {
			return nodes[i].End == i+1 // what follows the text is not looked at
		}
		next := uint32(0)
		for k := i + 1; k < nodes[i].End; k = nodes[k].End {
			if nodes[k].Byte == text[at] {
				next = k
			}
			if visited++; visited > narrowNodes {
				return false
			}
		}
		i = next
	}
	return true
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
	shape, left, most, many := relax.Generalise(e.store, x)
	if many {
		if s := e.sharedClass(shape, left); s.c != nil {
			w.Charge(s.cost)
			return s.c, true
		}
		if d := e.boundedClass(x, w); d != nil {
			return d, true
		}
	}
	tried := w.Total()
	cost := w.unit(func() { c, known = e.walkNewClass(x, nil, w) })
	if c != nil && known && many && len(c.Irregular) == 0 {
		e.shareClass(shape, c, left, most, tried+cost)
	}
	return c, known && !w.Over
}

// walkNewClass returns the class of x, nil if x deserves none, and known = false if a budget was spent before that was
// known.
func (e *Sets) walkNewClass(x terminal.Expr, r *Runs, w *Scratch) (c *Class, known bool) {
	if len(e.store.ReachableTags(x)) > classTags {
		return nil, true
	}
	key, named := e.keyOf(x, r)
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
	if !e.walkClass(x, r, w, c) {
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

// sharedClass returns the class kept for shape if no token can exhaust a repetition of which left are left.
func (e *Sets) sharedClass(shape terminal.Expr, left uint32) sharedClass {
	if e.below != nil {
		if s, ok := e.below.shared[shape]; ok && left >= s.needs {
			return s
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if s, ok := e.shared[shape]; ok && left >= s.needs {
		return s
	}
	return sharedClass{}
}

// shareClass keeps class c for all states that differ from the walked one only in how many rounds of their repetitions
// are left: there it was from left to most. That is right for a state if no token can exhaust a repetition. Derivatives
// tell apart only "one round left", "two left" and "more", and the walk never saw fewer than c.left, which is at least
// three. No token has used up more than most - c.left rounds, since which repetition had c.left of them left is not
// known. So a state with three more than that has the same class.
func (e *Sets) shareClass(shape terminal.Expr, c *Class, left, most uint32, cost int) {
	if c.left < 3 || c.left > left {
		return
	}
	needs := most - c.left + 3
	e.mu.Lock()
	defer e.mu.Unlock()
	if s, ok := e.shared[shape]; !ok || needs < s.needs {
		e.shared[shape] = sharedClass{c, needs, cost}
		if !ok {
			e.bytes.Add(placedBytes)
		}
	}
}

// sharedClass is a class and the least number of repetitions left with which it holds.
type sharedClass struct {
	c     *Class
	needs uint32
	cost  int // of the walk
}

// keptClass is the class of a terminal state, and what it took to find it.
type keptClass struct {
	c    *Class
	cost int
}

// placedKey names a class of terminal state x that is not of the whole vocabulary from its root: that of tokens without
// one of some runs or after one, or that of the nodes of a part of a trie, from the first on, that have one parent.
type placedKey struct {
	ends  terminal.Digest
	part  *EscapeTrie
	first uint32
	x     terminal.Expr
}

// knownPlaced returns a class that has been looked for before, nil if there was none, and what that took.
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
	if c != nil && !e.held[c] { // a class may be that of many states
		e.held[c] = true
		e.bytes.Add(int64(c.size()))
	}
	e.bytes.Add(keptBytes)
	e.store.SetAux(x, e.classes.Append(keptClass{c, cost})+auxClass)
	return c
}

// completion is what all endings in one state have in common. The zero value: nobody has asked yet.
type completion struct {
	tags   []uint32 // that the state carries, NoTag among them if it is complete without one too
	goesOn uint32   // as in ending
}

// addEnds notes that the terminal may be complete at node i, in state t, after so many code points. known is filled in
// the first time; a walk that numbers its states keeps one for each.
//
// PERF: nearly every node is an ending of forbidden words. Without what is kept, their class took twice as long.
func (e *Sets) addEnds(c *Class, i uint32, t terminal.Expr, count uint32, known *completion) {
	if known.tags == nil {
		*known = completion{e.tagsHere(t), c.goesOnWith(e.store.Alive(t))}
	}
	for _, tag := range known.tags {
		c.Ends = append(c.Ends, ending{i, count, tag, known.goesOn})
	}
}

// untagged is what tagsHere returns of a state without tags.
var untagged = []uint32{NoTag}

// tagsHere returns the tags that complete state t carries, NoTag among them if it is complete without one too.
func (e *Sets) tagsHere(t terminal.Expr) []uint32 {
	if !e.store.View().Tagged(t) {
		return untagged
	}
	tags, bare := e.store.View().Tags(t, nil)
	if bare {
		tags = append(untagged[:1:1], tags...)
	}
	return tags
}

// goesOnWith returns the index of a set in goesOn. Most states that a walk comes to can go on with the same bytes as
// the last.
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

// settle turns what a walk found into the form that masks use.
func (e *Sets) settle(c *Class, w *Scratch) {
	c.ranks, c.goesOn = slices.Clone(w.Ranges), slices.Clone(c.goesOn)
	if c.Counted {
		c.Ends, c.Irregular, c.Exits = slices.Clone(c.Ends), slices.Clone(c.Irregular), slices.Clone(c.Exits)
		e.settleCounted(c)
		return
	}
	c.Ends = e.leavingEnds(c)
	order := e.tokens.Trie.Order
	if n := c.ranks.Count(); n <= SparseTokens {
		c.List = make([]uint32, 0, n)
		for i := 0; i < len(c.ranks); i += 2 {
			c.List = append(c.List, order[c.ranks[i]:c.ranks[i+1]]...)
		}
		c.Special = len(e.tokens.Clear) > 0 && slices.ContainsFunc(c.List,
			func(id uint32) bool { return e.tokens.IsSpec[id] })
		return
	}
	c.Bitmap = make([]uint32, e.tokens.words)
	e.Spread(c.ranks, c.Bitmap)
}

// leavingEnds returns the places where the terminal may be complete and after which not all tokens are inside it: from
// the others none leaves it. Free text may be complete nearly everywhere, and few tokens leave it. c.Ends is overwritten.
func (e *Sets) leavingEnds(c *Class) []ending {
	ends := c.Ends[:0]
	nodes, ranks, r := e.tokens.Trie.Nodes, c.ranks, 0
	for _, end := range c.Ends {
		from, to := nodes[end.node+1].Token, nodes[nodes[end.node].End].Token
		if r > 0 && from < ranks[r-1] {
			r = 0 // what is met in the middle of a token comes out of order
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
			e.Spread(g.ranks, g.bitmap)
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
func (e *Sets) Spread(r ranges, bm []uint32) {
	order := e.tokens.Trie.Order
	if r.Count()*2 <= len(order) {
		clear(bm)
		for i := 0; i < len(r); i += 2 {
			for _, id := range order[r[i]:r[i+1]] {
				bm[id>>5] |= 1 << (id & 31)
			}
		}
		return
	}
	copy(bm, e.tokens.All)
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
