package mask

import (
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// escapes are the tokens that leave a terminal part of the way, as tries of what follows its end, one for each tag.
// Many tokens share a suffix: Llama 3.1 has 1,345 tokens with a quote and 581 distinct suffixes. Immutable.
type escapes struct {
	tries   []escapeTrie
	tooMany bool
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
	suffix string
	token  uint32
	count  uint32
	tag    uint32
}

// escapesOf returns the class's escapes, finding them the first time somebody needs them.
func (e *Engine) escapesOf(c *class) *escapes {
	if x := c.escapes.Load(); x != nil {
		return x
	}
	x := e.findEscapes(c)
	if !c.escapes.CompareAndSwap(nil, x) {
		return c.escapes.Load()
	}
	for i := range x.tries {
		e.bytes.Add(int64(len(x.tries[i].nodes)*16 + len(x.tries[i].tokens)*8))
	}
	return x
}

func (e *Engine) findEscapes(c *class) *escapes {
	trie := e.tokens.Trie
	var entries []escapeEntry
	for _, end := range c.ends {
		from, to := trie.Below(end.node)
		depth := int(trie.Nodes[end.node].Depth)
		r, _ := slices.BinarySearch(c.ranks, from)
		r &^= 1 // the range that from is in, or the next one
		for k := from; k < to; k++ {
			for r < len(c.ranks) && c.ranks[r+1] <= k {
				r += 2
			}
			if r < len(c.ranks) && c.ranks[r] <= k {
				k = c.ranks[r+1] - 1 // inside, however it goes on
				continue
			}
			if len(entries) == escapeEntries {
				return &escapes{tooMany: true}
			}
			id := trie.Order[k]
			entries = append(entries, escapeEntry{string(trie.Bytes[id][depth:]), id, end.count, end.tag})
		}
	}
	slices.SortFunc(entries, func(x, y escapeEntry) int {
		if x.tag != y.tag {
			return int(int64(x.tag) - int64(y.tag))
		}
		if c := strings.Compare(x.suffix, y.suffix); c != 0 {
			return c
		}
		return int(x.token) - int(y.token)
	})
	out := &escapes{}
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

func newEscapeTrie(entries []escapeEntry) escapeTrie {
	t := escapeTrie{tag: entries[0].tag, nodes: []escapeNode{{}}}
	path := []uint32{0}
	prev := ""
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

// walkEscapes adds to w.extra the escapes whose suffix state s accepts.
func (e *Engine) walkEscapes(a *pushdown.Automaton, t *escapeTrie, s pushdown.StateID, it *pushdown.Item, w *scratch) {
	if s <= pushdown.Over {
		return
	}
	_, _, counting := e.store.Counting(it.Terminal)
	stack := w.stack
	stack[0] = walkFrame{s, a.Alive(s)}
	for i := uint32(1); i < uint32(len(t.nodes)); {
		n := &t.nodes[i]
		w.visited++
		f := &stack[n.depth-1]
		if !f.alive.Has(n.b) {
			i = n.end
			continue
		}
		next := a.Step(f.state, n.b)
		if next <= pushdown.Over {
			i = n.end
			continue
		}
		if !counting {
			w.extra = append(w.extra, t.tokens[n.from:n.to]...)
		} else {
			e.takeCounted(t, n, it, w)
		}
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
	for _, t := range c.exits {
		if e.store.WithinBounds(it.Terminal, count+t.n) {
			w.extra = append(w.extra, t.token)
		}
	}
	for _, t := range c.irregular {
		if e.store.FitsRest(it.Terminal, count+t.n, t.state, t.c) {
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
