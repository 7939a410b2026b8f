package mask

import (
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
	"github.com/sluice-engine/sluice/core/internal/tokentrie"
)

// walkFrame is the state at one depth of a walk.
type walkFrame struct {
	state pushdown.StateID
	alive *terminal.ByteSet
}

// scratch is what one computation of a mask works with. One goroutine at a time.
type scratch struct {
	*tokenset.Scratch
	stateMeter
	trie    *tokenset.EscapeTrie // that is walked: of the vocabulary, or of what crosses a terminal's end
	stack   []walkFrame
	extra   []uint32 // tokens found one by one
	list    []uint32 // tokens of a class
	narrow  []narrow
	leads   []led
	named   []uint32 // tokens that the grammar names as tokens
	a       *pushdown.Automaton
	text    bool                   // special tokens are text
	outside [][]tokenset.ItemFrame // by how many terminals end before
	counts  []pushdown.Item
}

// walkNodes adds to w.Ranges the tokens in nodes[i:end] that keep the state above them alive, which w.stack holds. It
// leaves out what is dead, and what loops: a subtree that an item leaves unchanged is allowed as a whole.
func (e *Engine) walkNodes(a *pushdown.Automaton, i, end uint32, w *scratch) {
	nodes := w.trie.Nodes
	stack := w.stack
	for i < end {
		n := &nodes[i]
		w.Visited++
		w.Cost += limits.NodeCost - 1
		f := &stack[n.Depth-1]
		if !f.alive.Has(n.Byte) {
			i = n.End
			continue
		}
		t := a.Step(f.state, n.Byte)
		if !w.step(a, f.state, n.Byte, t) || w.Spent() {
			return
		}
		if t == pushdown.Dead {
			i = n.End
			continue
		}
		w.Ranges.Add(n.Token, nodes[i+1].Token)
		if n.End == i+1 {
			i++
			continue
		}
		if looks := loopLooks; n.Big >= 0 && e.loops(a, t, &w.trie.Bigs[n.Big], &looks) {
			w.Ranges.Add(nodes[i+1].Token, nodes[n.End].Token)
			i = n.End
			continue
		}
		alive := w.alive(a, t)
		if alive == nil {
			return
		}
		stack[n.Depth] = walkFrame{t, alive}
		i++
	}
}

// walkItem adds to w.Ranges the tokens that one item lets through. It walks the trie along with the item's terminal,
// whose transitions all grammars share, and goes on with states only where the terminal is complete. The ranges may
// then overlap and be in no order. Tokens that begin with bytes of known runs are left out.
func (e *Engine) walkItem(a *pushdown.Automaton, it *pushdown.Item, known *tokenset.Runs, w *scratch) {
	if w.Spent() {
		return // before a row of transitions is made, which may take a good part of the budget
	}
	start := w.FrameOf(it.Terminal, it.Counter)
	for b := start.Alive.Next(0); b < terminal.TokenMark && !w.Over; b = start.Alive.Next(b + 1) {
		if known != nil && known.Set.Has(byte(b)) {
			continue
		}
		if i := e.Tokens().Trie.Root[b]; i != 0 {
			e.walkItemAt(a, it, start, i, 0, w)
		}
	}
}

const (
	// itemLevels is how many terminals within one token are walked item by item. An item's transitions are shared by
	// all grammars and mostly known, those of a state are its own; but what two items have in common is walked twice,
	// so that further on it is states.
	itemLevels = 3
	// itemsAtOnce bounds the items of a state that is walked item by item.
	itemsAtOnce = 6
)

// byItems reports whether state s, which so many terminals of a token lead to, is walked item by item.
func byItems(a *pushdown.Automaton, s pushdown.StateID, level int) bool {
	return level < itemLevels && len(a.Items(s)) <= itemsAtOnce && len(a.BooleanItems(s)) == 0
}

// walkAfter adds to w.Ranges the tokens in nodes[i:end], the subtrees below a node after which the state is s.
func (e *Engine) walkAfter(a *pushdown.Automaton, s pushdown.StateID, i, end uint32, level int, w *scratch) {
	if w.Spent() {
		return
	}
	nodes := w.trie.Nodes
	if !byItems(a, s, level) {
		if alive := w.alive(a, s); alive != nil {
			w.stack[nodes[i].Depth-1] = walkFrame{s, alive}
			e.walkNodes(a, i, end, w)
		}
		return
	}
	for k := range a.Items(s) {
		it := &a.Items(s)[k]
		if e.usePart(a, it, i, end, level, w) {
			continue
		}
		if w.Spent() {
			return
		}
		start := w.FrameOf(it.Terminal, it.Counter)
		for j := i; j < end && !w.Over; j = nodes[j].End {
			if start.Alive.Has(nodes[j].Byte) {
				e.walkItemAt(a, it, start, j, level, w)
			}
		}
	}
}

// walkItemAt is walkItem for the tokens in the subtree of node i, the item's terminal being at start before the node's
// byte, after level other terminals.
func (e *Engine) walkItemAt(
	a *pushdown.Automaton, it *pushdown.Item, start tokenset.ItemFrame, i uint32, level int, w *scratch,
) {
	nodes, frames := w.trie.Nodes, w.Items
	w.Meet(start.Facts)
	frames[nodes[i].Depth-1] = start
	for end := nodes[i].End; i < end; {
		n := &nodes[i]
		w.Visited++
		w.Cost += limits.ItemNodeCost - 1
		f := &frames[n.Depth-1]
		if !f.Alive.Has(n.Byte) {
			i = n.End
			continue
		}
		if f.Open && (!f.Tagged || a.TakesAllTags(it.After)) {
			e.walkOpen(a, it, f.Expr, i, level, w)
			i = n.End
			continue
		}
		t, ok := w.Move(f, n.Byte)
		if w.Spent() {
			return
		}
		if !ok || t.Tagged && !w.mayEnd(&t, a, it.After) {
			i = n.End
			continue
		}
		after := pushdown.Dead
		if (n.End > i+1 || t.Last) && w.Accepts(&t) {
			var ok bool
			if after, ok = w.afterEnd(a, t.Expr, t.Tagged, it.After); !ok {
				return
			}
		}
		if t.Last && after <= pushdown.Over {
			i = n.End // what follows cannot go on
			continue
		}
		w.Ranges.Add(n.Token, nodes[i+1].Token)
		if n.End == i+1 {
			i++
			continue
		}
		if n.Big >= 0 && w.Covers(&t, &w.trie.Bigs[n.Big]) {
			w.Ranges.Add(nodes[i+1].Token, nodes[n.End].Token)
			i = n.End
			continue
		}
		if after > pushdown.Over && a.Width(after) > 0 {
			if s := e.together(a, &t, it, after, w); s != pushdown.Dead {
				if !w.reached(s) {
					return
				}
				alive := w.alive(a, s)
				if alive == nil {
					return
				}
				w.stack[n.Depth] = walkFrame{s, alive}
				e.walkNodes(a, i+1, n.End, w)
				i = n.End
				continue
			}
			e.walkAfter(a, after, i+1, n.End, level+1, w)
		}
		if t.Last {
			i = n.End
			continue
		}
		frames[n.Depth] = t
		i++
	}
}

// together returns the state of being at t, within item it, or in state after, which comes after the item. It returns
// Dead where no byte goes on with both: then it takes no more steps to walk them one after the other, and those of t
// are steps that all grammars share. Where some byte does, the ways to read a token would be walked one by one, and
// they multiply.
func (e *Engine) together(
	a *pushdown.Automaton, t *tokenset.ItemFrame, it *pushdown.Item, after pushdown.StateID, w *scratch,
) pushdown.StateID {
	if t.Last {
		return pushdown.Dead
	}
	if alive := w.alive(a, after); alive == nil || !t.Alive.Intersects(alive) {
		return pushdown.Dead
	}
	return w.joined(a, after, pushdown.Item{Terminal: t.Expr, Counter: t.Counter, After: it.After})
}

// loops reports whether some item of state s stays what it is through all of a subtree. A boolean node does if its
// sides do; what its right side could deny is decided at the node's end or, of distinct items, at theirs, and those lie
// beyond. Sides may share the sides within them, so there is an end to looking at them.
func (e *Engine) loops(a *pushdown.Automaton, s pushdown.StateID, b *tokentrie.Big, looks *int) bool {
	if *looks--; !b.WellFormed || *looks < 0 {
		return false
	}
	for _, it := range a.Items(s) {
		if e.Covers(it.Terminal, it.Counter, b) {
			return true
		}
	}
	for _, it := range a.BooleanItems(s) {
		n := a.Boolean(it)
		if e.loops(a, n.Left, b, looks) && (n.Is != grammar.Both || e.loops(a, n.Right, b, looks)) {
			return true
		}
	}
	return false
}

// loopLooks is how many states of sides loops looks at.
const loopLooks = 32

// mayEnd reports whether something follows the item for one of the tags that the terminal of a frame may end in.
func (w *scratch) mayEnd(t *tokenset.ItemFrame, a *pushdown.Automaton, after pushdown.NodeID) bool {
	if t.Tags == nil {
		t.Tags = w.Store.ReachableTags(t.Expr)
	}
	return a.MayEnd(after, t.Tags)
}
