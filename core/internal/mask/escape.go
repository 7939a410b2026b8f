package mask

import (
	"bytes"
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

type escapeEntry struct {
	suffix []byte // of the token; the trie's
	token  uint32
	count  uint32
	tag    uint32
}

// A class keeps its escapes in two parts: those that leave the terminal with a byte that it could not have gone on with,
// and those where it could have. Nearly every token leaves "[a-z]+" in the second way, after each of its letters, and what
// comes after it can rarely begin with a letter.

// escapesOf returns one part of the class's escapes, finding them the first time somebody needs them.
func (e *Engine) escapesOf(c *class, within bool) *escapes {
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
		e.bytes.Add(int64(len(x.tries[i].nodes)*16 + len(x.tries[i].tokens)*8))
	}
	return x
}

// needsWithin reports whether what follows item it can begin with a byte that the terminal could have gone on with where it
// ended, so that the escapes of that part matter.
func (e *Engine) needsWithin(a *pushdown.Automaton, c *class, it *pushdown.Item) bool {
	if e.store.Tagged(it.Terminal) {
		return true
	}
	s := a.After(it.After)
	return s > pushdown.Over && a.Alive(s).Intersects(&e.escapesOf(c, false).goesOn)
}

func (e *Engine) findEscapes(c *class, within bool) *escapes {
	trie := e.tokens.Trie
	var entries []escapeEntry
	out := &escapes{tooMany: within && c.partial}
	for _, end := range c.ends {
		alive := &c.goesOn[end.goesOn]
		out.goesOn.Union(alive)
		n := &trie.Nodes[end.node]
		for i := end.node + 1; i < n.End; i = trie.Nodes[i].End {
			if alive.Has(trie.Nodes[i].Byte) == within {
				entries = e.appendEscapes(entries, c, &end, trie.Nodes[i].Token, trie.Nodes[trie.Nodes[i].End].Token)
			}
		}
		if len(entries) > escapeEntries {
			out.tooMany, out.cost, entries = true, escapeEntries/escapesAtOne, nil
		}
		if within && out.tooMany {
			return out
		}
	}
	if out.tooMany {
		return out
	}
	slices.SortFunc(entries, func(x, y escapeEntry) int {
		if x.tag != y.tag {
			return int(int64(x.tag) - int64(y.tag))
		}
		if c := bytes.Compare(x.suffix, y.suffix); c != 0 {
			return c
		}
		return int(x.token) - int(y.token)
	})
	out.cost = len(entries) / escapesAtOne
	for i := 0; i < len(entries); {
		j := i
		for j < len(entries) && entries[j].tag == entries[i].tag {
			j++
		}
		out.tries = append(out.tries, newEscapeTrie(entries[i:j]))
		i = j
	}
	return out
}

// appendEscapes appends the tokens from to to in the trie's order, unless they are inside the terminal all the way.
func (e *Engine) appendEscapes(entries []escapeEntry, c *class, end *ending, from, to uint32) []escapeEntry {
	trie := e.tokens.Trie
	depth := int(trie.Nodes[end.node].Depth)
	r, _ := slices.BinarySearch(c.ranks, from)
	r &^= 1 // the range that from is in, or the next one
	for k := from; k < to && len(entries) <= escapeEntries; k++ {
		for r < len(c.ranks) && c.ranks[r+1] <= k {
			r += 2
		}
		if r < len(c.ranks) && c.ranks[r] <= k {
			k = c.ranks[r+1] - 1 // inside, however it goes on
			continue
		}
		id := trie.Order[k]
		entries = append(entries, escapeEntry{trie.Bytes[id][depth:], id, end.count, end.tag})
	}
	return entries
}

func newEscapeTrie(entries []escapeEntry) escapeTrie {
	t := escapeTrie{tag: entries[0].tag, nodes: []escapeNode{{}}}
	path := []uint32{0}
	var prev []byte
	for _, x := range entries {
		common := 0
		for common < len(prev) && common < len(x.suffix) && prev[common] == x.suffix[common] {
			common++
		}
		for _, n := range path[common+1:] {
			t.nodes[n].end = uint32(len(t.nodes))
		}
		path = path[:common+1]
		for d := common; d < len(x.suffix); d++ {
			path = append(path, uint32(len(t.nodes)))
			n := uint32(len(t.tokens))
			t.nodes = append(t.nodes, escapeNode{from: n, to: n, depth: uint16(d + 1), b: x.suffix[d]})
		}
		t.tokens = append(t.tokens, x.token)
		t.counts = append(t.counts, x.count)
		t.nodes[path[len(path)-1]].to = uint32(len(t.tokens))
		prev = x.suffix
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
		alive := v.e.store.Alive(x.Terminal)
		for j := i; j < end; j = v.t.nodes[j].end {
			if alive.Has(v.t.nodes[j].b) {
				v.item(x, j, level)
			}
		}
	}
}

// item walks the subtree of node i with one item of the state before it.
func (v *escapeWalk) item(x *pushdown.Item, i uint32, level int) {
	a, t, w := v.a, v.t, v.w
	w.frames[t.nodes[i].depth-1] = w.frameOf(x.Terminal, x.Counter)
	for end := t.nodes[i].end; i < end; {
		n := &t.nodes[i]
		w.visited++
		f := &w.frames[n.depth-1]
		if !f.alive.Has(n.b) {
			i = n.end
			continue
		}
		y, known := w.move(f, n.b)
		if w.spent() {
			return
		}
		if known == nil || known.tagged && !a.MayEnd(x.After, y.expr) {
			i = n.end
			continue
		}
		over := y.alive.IsEmpty()
		after := pushdown.Dead
		if (n.end > i+1 || over) && w.accepts(&y, known) {
			after = a.Complete(y.expr, x.After)
			if !w.complete(a, x.After, after) {
				return
			}
		}
		if over && after <= pushdown.Over {
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
		if over {
			i = n.end
			continue
		}
		w.frames[n.depth] = y
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
	for _, t := range c.irregular {
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
