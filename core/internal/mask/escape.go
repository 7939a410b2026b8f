package mask

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// escapes are the tokens that leave a terminal part of the way, as tries of what follows its end, one for each tag.
// Many tokens share a suffix: Llama 3.1 has 1,345 tokens with a quote and 581 distinct suffixes. Immutable.
type escapes struct {
	tries   []escapeTrie
	tooMany bool
	goesOn  terminal.ByteSet // what the terminal can go on with in places where it may end
	cost    int              // of finding them
}

type escapeTrie struct {
	tag    uint32
	nodes  []escapeNode // nodes[0] is the root
	tokens []uint32
	counts []uint32 // by token: code points begun when the counted body was left
}

type escapeNode struct {
	end      uint32
	from, to uint32 // range of tokens whose suffix ends here
	depth    uint16
	b        byte
}

// escapeEntry is a token and where in it the terminal is left.
type escapeEntry struct {
	token uint32
	count uint32
	tag   uint32
	depth uint16 // bytes of the token before that
}

// A class keeps its escapes in two parts: those that leave the terminal with a byte that it could not have gone on
// with, and those where it could have. Nearly every token leaves "[a-z]+" in the second way, after each of its letters,
// and what comes after it can rarely begin with a letter.

// escapesOf returns one part of the class's escapes, finding them the first time somebody needs them.
func (e *Engine) escapesOf(c *class, within bool) *escapes {
	if c.like != nil {
		c = c.like
	}
	p := &c.escapes[0]
	if within {
		p = &c.escapes[1]
	}
	if x := p.Load(); x != nil {
		return x
	}
	x := e.findEscapes(c, within)
	if !p.CompareAndSwap(nil, x) {
		return p.Load()
	}
	for i := range x.tries {
		e.grew(len(x.tries[i].nodes)*16 + len(x.tries[i].tokens)*8)
	}
	return x
}

// needsWithin reports whether what follows item it can begin with a byte that the terminal could have gone on with
// where it ended, so that the escapes of that part matter.
func (e *Engine) needsWithin(a *pushdown.Automaton, c *class, it *pushdown.Item) bool {
	if e.store.Tagged(it.Terminal) {
		return true
	}
	s := a.After(it.After)
	return s > pushdown.Over && a.Alive(s).Intersects(&e.escapesOf(c, false).goesOn)
}

func (e *Engine) findEscapes(c *class, within bool) *escapes {
	out := &escapes{tooMany: within && c.partial}
	for i := range c.goesOn {
		out.goesOn.Union(&c.goesOn[i])
	}
	if out.tooMany {
		return out
	}
	f := escapeFinder{e: e, c: c, within: within}
	if !f.find() {
		out.tooMany, out.cost = true, escapeEntries/escapesAtOne
		return out
	}
	f.sort()
	out.cost = len(f.entries) / escapesAtOne
	for i := 0; i < len(f.entries); {
		j := i
		for j < len(f.entries) && f.entries[j].tag == f.entries[i].tag {
			j++
		}
		out.tries = append(out.tries, f.trie(f.entries[i:j]))
		i = j
	}
	return out
}

// escapeFinder gathers one part of a class's escapes.
type escapeFinder struct {
	e       *Engine
	c       *class
	within  bool
	entries []escapeEntry
}

// find fills entries. It returns false if there are too many.
func (f *escapeFinder) find() bool {
	trie := f.e.tokens.Trie
	for k := range f.c.ends {
		end := &f.c.ends[k]
		alive := &f.c.goesOn[end.goesOn]
		for i := end.node + 1; i < trie.Nodes[end.node].End; i = trie.Nodes[i].End {
			if alive.Has(trie.Nodes[i].Byte) != f.within {
				continue
			}
			from, to := trie.Nodes[i].Token, trie.Nodes[trie.Nodes[i].End].Token
			if !f.within && f.c.single {
				if len(f.entries)+int(to-from) > escapeEntries {
					return false
				}
				f.append(end, from, to)
			} else if f.appendOutside(end, from, to); len(f.entries) > escapeEntries {
				return false
			}
		}
	}
	return true
}

// appendOutside appends the tokens from to to in the trie's order, unless they are inside the terminal all the way.
func (f *escapeFinder) appendOutside(end *ending, from, to uint32) {
	ranks := f.c.ranks
	r, _ := slices.BinarySearch(ranks, from)
	r &^= 1 // the range that from is in, or the next one
	for from < to && len(f.entries) <= escapeEntries {
		for r < len(ranks) && ranks[r+1] <= from {
			r += 2
		}
		if r == len(ranks) || ranks[r] >= to {
			f.append(end, from, to)
			return
		}
		if ranks[r] > from {
			f.append(end, from, ranks[r])
		}
		from = ranks[r+1] // what is inside is so however it goes on
	}
}

func (f *escapeFinder) append(end *ending, from, to uint32) {
	for _, id := range f.e.tokens.Trie.Order[from:to] {
		f.entries = append(f.entries, escapeEntry{id, end.count, end.tag, f.e.tokens.Trie.Nodes[end.node].Depth})
	}
}

// suffix returns what follows the terminal in a token.
func (f *escapeFinder) suffix(x *escapeEntry) []byte { return f.e.tokens.Trie.Bytes[x.token][x.depth:] }

// suffixKey is an entry by how its suffix begins, in bytes: the order of keys is that of the suffixes, but for those of
// which both are longer than headBytes.
type suffixKey struct {
	head uint64 // the first bytes, and below them how many there are
	at   uint32
}

// headBytes is how much of a suffix is in its key. Hardly any is longer.
const headBytes = 7

func keyOfSuffix(suffix []byte, at int) suffixKey {
	head := uint64(min(len(suffix), headBytes+1))
	for i, b := range suffix[:min(len(suffix), headBytes)] {
		head |= uint64(b) << (56 - 8*i)
	}
	return suffixKey{head, uint32(at)}
}

// sort sorts the entries by tag, then by suffix, then by token.
//
// PERF: without keys, finding the escapes of the class of \w+ takes 320 µs instead of 140, and the walk for it 70.
func (f *escapeFinder) sort() {
	keys := make([]suffixKey, len(f.entries))
	for i := range f.entries {
		keys[i] = keyOfSuffix(f.suffix(&f.entries[i]), i)
	}
	slices.SortFunc(keys, func(x, y suffixKey) int {
		if x.head != y.head {
			return cmp.Compare(x.head, y.head)
		}
		a, b := &f.entries[x.at], &f.entries[y.at]
		if byte(x.head) > headBytes {
			if c := bytes.Compare(f.suffix(a), f.suffix(b)); c != 0 {
				return c
			}
		}
		return cmp.Compare(a.token, b.token)
	})
	sorted := make([]escapeEntry, len(keys))
	for i, k := range keys {
		sorted[i] = f.entries[k.at]
	}
	f.entries = sorted
	if slices.ContainsFunc(sorted, func(x escapeEntry) bool { return x.tag != noTag }) {
		slices.SortStableFunc(sorted, func(x, y escapeEntry) int { return cmp.Compare(x.tag, y.tag) })
	}
}

// trie returns the trie of sorted entries, which have one tag.
func (f *escapeFinder) trie(entries []escapeEntry) escapeTrie {
	t := escapeTrie{tag: entries[0].tag, nodes: []escapeNode{{}}}
	path := []uint32{0}
	var prev []byte
	for i := range entries {
		x := &entries[i]
		suffix := f.suffix(x)
		common := 0
		for common < len(prev) && common < len(suffix) && prev[common] == suffix[common] {
			common++
		}
		for _, n := range path[common+1:] {
			t.nodes[n].end = uint32(len(t.nodes))
		}
		path = path[:common+1]
		for d := common; d < len(suffix); d++ {
			path = append(path, uint32(len(t.nodes)))
			n := uint32(len(t.tokens))
			t.nodes = append(t.nodes, escapeNode{from: n, to: n, depth: uint16(d + 1), b: suffix[d]})
		}
		t.tokens = append(t.tokens, x.token)
		t.counts = append(t.counts, x.count)
		t.nodes[path[len(path)-1]].to = uint32(len(t.tokens))
		prev = suffix
	}
	for _, n := range path {
		t.nodes[n].end = uint32(len(t.nodes))
	}
	return t
}

func (e *Engine) walkAllEscapes(a *pushdown.Automaton, esc *escapes, it *pushdown.Item, w *scratch) {
	for i := range esc.tries {
		t := &esc.tries[i]
		if s := after(a, it, t.tag); w.complete(a, it.After, s) {
			e.walkEscapes(a, t, s, it, w)
		}
	}
}

// walkEscapes adds to w.extra the escapes whose suffix state s accepts.
func (e *Engine) walkEscapes(a *pushdown.Automaton, t *escapeTrie, s pushdown.StateID, it *pushdown.Item, w *scratch) {
	if s > pushdown.Over && len(t.nodes) > 1 {
		v := escapeWalk{e: e, a: a, t: t, w: w, it: it}
		_, _, v.counting = e.store.Counting(it.Terminal)
		v.after(s, 1, uint32(len(t.nodes)), 0)
	}
}

// escapeWalk is one walk through the escapes of item it.
type escapeWalk struct {
	e        *Engine
	a        *pushdown.Automaton
	t        *escapeTrie
	w        *scratch
	it       *pushdown.Item
	counting bool
}

// take adds the tokens that end at node n.
func (v *escapeWalk) take(n *escapeNode) {
	if !v.counting {
		v.w.extra = append(v.w.extra, v.t.tokens[n.from:n.to]...)
	} else {
		v.e.takeCounted(v.t, n, v.it, v.w)
	}
}

// after walks nodes i to end, the subtrees below a node after which the state is s, which level terminals led to.
func (v *escapeWalk) after(s pushdown.StateID, i, end uint32, level int) {
	if v.w.spent() {
		return
	}
	if !byItems(v.a, s, level) {
		v.states(s, i, end)
		return
	}
	for k := range v.a.Items(s) {
		x := &v.a.Items(s)[k]
		start := v.w.frameOf(x.Terminal, x.Counter)
		for j := i; j < end; j = v.t.nodes[j].end {
			if start.alive.Has(v.t.nodes[j].b) {
				v.item(x, start, j, level)
			}
		}
	}
}

// item walks the subtree of node i with one item of the state before it, whose terminal is at start.
func (v *escapeWalk) item(x *pushdown.Item, start itemFrame, i uint32, level int) {
	a, t, w, frames := v.a, v.t, v.w, v.w.items
	w.meet(start.facts)
	frames[t.nodes[i].depth-1] = start
	for end := t.nodes[i].end; i < end; {
		n := &t.nodes[i]
		w.visited++
		f := &frames[n.depth-1]
		if !f.alive.Has(n.b) {
			i = n.end
			continue
		}
		y, ok := w.move(f, n.b)
		if w.spent() {
			return
		}
		if !ok || y.tagged && !w.mayEnd(&y, a, x.After) {
			i = n.end
			continue
		}
		after := pushdown.Dead
		if (n.end > i+1 || y.last) && w.accepts(&y) {
			after = a.Complete(y.expr, x.After)
			if !w.complete(a, x.After, after) {
				return
			}
		}
		if y.last && after <= pushdown.Over {
			i = n.end // what follows cannot go on
			continue
		}
		v.take(n)
		if after > pushdown.Over && n.end > i+1 {
			if s := v.e.together(a, &y, x, after, w); s != pushdown.Dead {
				if !w.reached(s) {
					return
				}
				v.states(s, i+1, n.end)
				i = n.end
				continue
			}
			v.after(after, i+1, n.end, level+1)
		}
		if y.last {
			i = n.end
			continue
		}
		frames[n.depth] = y
		i++
	}
}

// states walks nodes i to end with states of the automaton, s being the one before them.
func (v *escapeWalk) states(s pushdown.StateID, i, end uint32) {
	a, t, stack := v.a, v.t, v.w.stack
	stack[t.nodes[i].depth-1] = walkFrame{s, a.Alive(s)}
	for i < end {
		n := &t.nodes[i]
		v.w.visited++
		f := &stack[n.depth-1]
		if !f.alive.Has(n.b) {
			i = n.end
			continue
		}
		next := a.Step(f.state, n.b)
		if !v.w.step(a, f.state, n.b, next) || v.w.spent() {
			return
		}
		if next == pushdown.Dead {
			i = n.end
			continue
		}
		v.take(n)
		if n.end > i+1 {
			stack[n.depth] = walkFrame{next, a.Alive(next)}
		}
		i++
	}
}

func (e *Engine) takeCounted(t *escapeTrie, n *escapeNode, it *pushdown.Item, w *scratch) {
	for k := n.from; k < n.to; k++ {
		if e.store.WithinBounds(it.Terminal, it.Counter.Count()+t.counts[k]) {
			w.extra = append(w.extra, t.tokens[k])
		}
	}
}

// after returns the state of what follows item it once its terminal is complete with tag.
func after(a *pushdown.Automaton, it *pushdown.Item, tag uint32) pushdown.StateID {
	if tag == noTag {
		return a.After(it.After)
	}
	return a.AfterTag(it.After, tag)
}

// fillCounted adds the tokens of a counted class that depend on the count to w.extra, and returns the bitmap of those
// that need no more than there is room for.
func (e *Engine) fillCounted(c *class, it *pushdown.Item, w *scratch) []uint32 {
	count := it.Counter.Count()
	w.charge(len(c.exits) + len(c.irregular))
	for _, t := range c.exits {
		if e.store.WithinBounds(it.Terminal, count+t.n) {
			w.extra = append(w.extra, t.token)
		}
	}
	for _, t := range e.irregularOf(c) {
		fits, known := e.store.FitsRest(it.Terminal, count+t.n, t.state, t.c)
		if !known {
			w.over = true
			return nil
		}
		if fits {
			w.extra = append(w.extra, t.token)
		}
	}
	_, limit, _ := e.store.Counting(it.Terminal)
	room := terminal.Unbounded
	if limit != terminal.Unbounded {
		room = int(limit - min(limit, count))
	}
	return e.room(c, uint32(min(room, 1<<30)))
}
