package mask

import (
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Whitespace may stand before every token of JSON, and vocabularies have a thousand tokens that are whitespace. Which
// these are, and where in the trie a run of it is followed by some other byte, is found once for a set of bytes; the
// tokens of "a run, then X" are then the runs, the few nodes where X can begin after one, and the tokens of X itself.

// runs is what a vocabulary knows of tokens that begin with bytes of a set. Immutable.
type runs struct {
	set     terminal.ByteSet
	longest uint32
	tokens  []uint32   // those that are runs
	upTo    [][]uint32 // by length: bitmap of the tokens that are runs no longer than that
	after   [256][]runEnd
	deepest uint32 // longest run that something follows
}

// runEnd is a trie node that is a run of so many bytes and one byte more.
type runEnd struct{ node, length uint32 }

// runBytes bounds the sets of bytes that runs are kept for: whitespace, digits, and the like. A bound on the number of
// sets would let the order in which somebody asks decide which of them have runs.
const runBytes = 16

// longestRun bounds the runs that a set is kept for: each length costs a bitmap.
const longestRun = 256

// runsOf returns the runs of a set, nil if it is one of those that have none.
func (e *Engine) runsOf(set terminal.ByteSet) *runs {
	if set.Len() > runBytes {
		return nil
	}
	if e.below != nil {
		if r, ok := e.below.runs[set]; ok {
			return r
		}
	}
	e.mu.Lock()
	r, ok := e.runs[set]
	e.mu.Unlock()
	if ok {
		return r
	}
	found := e.findRuns(set) // outside the lock, which others need; equal for all who look
	e.mu.Lock()
	defer e.mu.Unlock()
	if r, ok = e.runs[set]; ok {
		return r
	}
	if e.runs[set] = found; found != nil {
		e.bytes.Add(int64(len(found.upTo)*e.tokens.words*4 + len(found.tokens)*4))
	}
	return found
}

func (e *Engine) findRuns(set terminal.ByteSet) *runs {
	trie := e.tokens.Trie
	r := &runs{set: set}
	var ids [][]uint32 // by length
	for b := set.Next(0); b < terminal.TokenMark; b = set.Next(b + 1) {
		i := trie.Root[b]
		if i == 0 {
			continue
		}
		for end := trie.Nodes[i].End; i < end; {
			n := &trie.Nodes[i]
			if !set.Has(n.Byte) {
				r.after[n.Byte] = append(r.after[n.Byte], runEnd{i, uint32(n.Depth) - 1})
				r.deepest = max(r.deepest, uint32(n.Depth)-1)
				i = n.End
				continue
			}
			if n.Depth > longestRun {
				return nil
			}
			for len(ids) <= int(n.Depth) {
				ids = append(ids, nil)
			}
			from, to := trie.Tokens(i)
			ids[n.Depth] = append(ids[n.Depth], trie.Order[from:to]...)
			i++
		}
	}
	bits := make([]uint32, e.tokens.words)
	for _, same := range ids {
		if len(same) > 0 || r.upTo == nil {
			bits = append([]uint32(nil), bits...)
		}
		for _, id := range same {
			bits[id>>5] |= 1 << (id & 31)
		}
		r.tokens = append(r.tokens, same...)
		r.upTo = append(r.upTo, bits)
	}
	r.longest = uint32(max(len(ids), 1) - 1)
	return r
}

// led is an item that a run may stand before.
type led struct {
	item pushdown.Item // without the run
	runs *runs
	most uint32 // bytes of the run
}

// lead takes an item apart into a run and what comes after it, if that is what the item is.
func (e *Engine) lead(it pushdown.Item) (led, bool) {
	set, most, x, ok := e.store.Lead(it.Terminal)
	if !ok {
		return led{}, false
	}
	r := e.runsOf(set)
	if r == nil || r.longest == 0 {
		return led{}, false
	}
	return led{pushdown.Item{Terminal: x, After: it.After}, r, min(most, r.longest)}, true
}

// layer returns the tokens that are runs and nothing else.
func (l *led) layer() layer { return layer{bits: l.runs.upTo[l.most]} }

// walkLed adds to w.ranges the tokens that are a run and then something of the item.
func (e *Engine) walkLed(a *pushdown.Automaton, l *led, w *scratch) {
	start := w.frameOf(l.item.Terminal, l.item.Counter)
	for b := start.alive.Next(0); b < terminal.TokenMark; b = start.alive.Next(b + 1) {
		for _, x := range l.runs.after[b] {
			if x.length <= l.most {
				e.walkItemAt(a, &l.item, start, x.node, 0, w)
			}
		}
	}
}

// ledKey is a run and what comes after it.
type ledKey struct {
	runs *runs
	x    terminal.Expr
}

// ledClass returns the class of the tokens that go on with the item at once or after a run, nil if there is none.
func (e *Engine) ledClass(l *led, w *scratch) *class {
	x := l.item.Terminal
	if _, _, counting := e.store.Counting(x); counting || l.most < l.runs.deepest {
		return nil
	}
	key := ledKey{l.runs, x}
	if e.below != nil {
		if k, ok := e.below.led[key]; ok {
			w.chargeKnown(k.cost)
			return k.c
		}
	}
	e.mu.Lock()
	k, ok := e.led[key]
	e.mu.Unlock()
	if ok {
		w.chargeKnown(k.cost)
		return k.c
	}
	var c *class
	known := false
	cost := w.unit(func() { c, known = e.walkNewClass(x, l.runs, w) })
	if !known {
		return nil
	}
	if c == nil {
		w.charge(narrowCost - cost)
		cost = narrowCost
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if other, ok := e.led[key]; ok {
		return other.c // another thread was faster
	}
	e.led[key] = keptClass{c, cost}
	if c != nil {
		e.bytes.Add(int64(c.size()))
	}
	return c
}
