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

// scratch is the memory of one computation of a mask. One goroutine at a time.
type scratch struct {
	stateMeter
	trie  *tokentrie.Trie // that is walked: of the vocabulary, or of escapes
	stack []walkFrame
	items [itemLevels]struct { // by level
		walk  tokenset.Walk
		visit itemVisit
	}
	extra  []uint32        // tokens found one by one
	list   []uint32        // tokens of a class
	absent []uint32        // tokens that the base of a record lacks
	placed []placed        // items of the mask
	ends   []placed        // states at wide ends, one for each node
	narrow []placed        // those without a class
	named  []uint32        // tokens that the grammar names as tokens
	text   bool            // special tokens are text
	counts []pushdown.Item // items of a canonical state
	loops  [stateLoops]stateLoop
}

// walkNodes adds to w.Ranges the tokens in nodes[i:end] that keep the state above them alive, which w.stack holds. It
// skips dead subtrees, and takes a subtree as a whole if an item loops on it.
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
		if e.loopsBelow(a, t, i, w) {
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

// walkPlaced adds to w.Ranges the tokens that one item lets through in its place. It walks the trie along the item's
// terminal, whose transitions all grammars share, and goes on with states behind its ends. The ranges may overlap and
// be in no order.
func (e *Engine) walkPlaced(a *pushdown.Automaton, x *placed, w *scratch) {
	if w.Spent() {
		return // before a row of transitions is made, which may take a good part of the budget
	}
	nodes := e.Tokens().Trie.Nodes
	if x.state != pushdown.Dead {
		e.walkState(a, x.state, x.node+1, nodes[x.node].End, w)
		return
	}
	start, walk := w.FrameOf(x.it.Terminal, x.it.Counter), e.itemWalk(a, x.it.After, x.level, w)
	if x.node != 0 {
		walk.From(x.node+1, nodes[x.node].End, start)
		return
	}
	for b := start.Alive.Next(0); b < terminal.TokenMark && !w.Over; b = start.Alive.Next(b + 1) {
		if x.runs == nil {
			if i := e.Tokens().Trie.Root[b]; i != 0 {
				walk.From(i, nodes[i].End, start)
			}
			continue
		}
		for _, i := range x.runs.After[b] {
			walk.From(i, nodes[i].End, start)
		}
	}
}

const (
	// itemLevels is the number of terminals within one token that are walked item by item. Such a walk takes
	// transitions of terminals, which all grammars share. It visits a text twice if two items share it, so later
	// terminals are walked by state.
	itemLevels = 3
	// itemsAtOnce bounds the items of a state that is walked item by item.
	itemsAtOnce = 6
)

// byItems reports whether state s, behind level terminals of a token, is walked item by item.
func byItems(a *pushdown.Automaton, s pushdown.StateID, level int) bool {
	return level < itemLevels && len(a.Items(s)) <= itemsAtOnce && len(a.BooleanItems(s)) == 0
}

// walkState is walkNodes from state s.
func (e *Engine) walkState(a *pushdown.Automaton, s pushdown.StateID, i, end uint32, w *scratch) {
	if alive := w.alive(a, s); alive != nil {
		w.stack[w.trie.Nodes[i].Depth-1] = walkFrame{s, alive}
		e.walkNodes(a, i, end, w)
	}
}

// walkAfter adds to w.Ranges the tokens in nodes[i:end], the subtrees below a node after which the state is s.
func (e *Engine) walkAfter(a *pushdown.Automaton, s pushdown.StateID, i, end uint32, level int, w *scratch) {
	if w.Spent() {
		return
	}
	if !byItems(a, s, level) {
		e.walkState(a, s, i, end, w)
		return
	}
	for k := range a.Items(s) {
		it := &a.Items(s)[k]
		if w.Spent() {
			return
		}
		e.itemWalk(a, it.After, level, w).From(i, end, w.FrameOf(it.Terminal, it.Counter))
	}
}

// itemVisit gathers the tokens that one item lets through, after level other terminals. Each level has one walk at a
// time.
type itemVisit struct {
	e     *Engine
	a     *pushdown.Automaton
	after pushdown.NodeID
	level int
	w     *scratch
}

// itemWalk returns a walk of the trie along the terminal of an item, after level other terminals.
func (e *Engine) itemWalk(a *pushdown.Automaton, after pushdown.NodeID, level int, w *scratch) *tokenset.Walk {
	x := &w.items[level]
	x.visit = itemVisit{e, a, after, level, w}
	x.walk = tokenset.Walk{Scratch: w.Scratch, Trie: w.trie, Visitor: &x.visit, Node: limits.ItemNodeCost - 1}
	return &x.walk
}

// Opens reports whether the tags of f do not matter.
func (v *itemVisit) Opens(f *tokenset.ItemFrame) bool { return !f.Tagged || v.a.TakesAllTags(v.after) }

// Ends goes on with the continuation of the item.
func (v *itemVisit) Ends(i, end uint32, tail terminal.Expr) {
	view := v.e.Store().View()
	if !view.Nullable(tail) {
		return
	}
	s, ok := v.w.afterEnd(v.a, tail, view.Tagged(tail), v.after)
	if ok && s > pushdown.Over && v.a.Width(s) > 0 {
		v.e.walkAfter(v.a, s, i, end, v.level+1, v.w)
	}
}

// Visit adds the tokens of node i. If the terminal is complete, it goes on below i with the continuation of the item.
func (v *itemVisit) Visit(i uint32, frame *tokenset.ItemFrame) bool {
	e, a, w, nodes, t := v.e, v.a, v.w, v.w.trie.Nodes, *frame
	n := &nodes[i]
	if t.Tagged && !w.mayEnd(&t, a, v.after) {
		return false
	}
	after := pushdown.Dead
	if (n.End > i+1 || t.Last) && w.Accepts(&t) {
		var ok bool
		if after, ok = w.afterEnd(a, t.Expr, t.Tagged, v.after); !ok {
			return false
		}
	}
	if t.Last && after <= pushdown.Over {
		return false // the continuation is dead
	}
	w.Ranges.Add(n.Token, nodes[i+1].Token)
	if n.End == i+1 {
		return false
	}
	if n.Big >= 0 && w.Covers(&t, w.trie, i) { // visiting a small subtree is faster than finding a loop
		w.Ranges.Add(nodes[i+1].Token, nodes[n.End].Token)
		return false
	}
	if after > pushdown.Over && a.Width(after) > 0 {
		if s := e.together(a, &t, v.after, after, w); s != pushdown.Dead {
			if w.reached(s) {
				e.walkState(a, s, i+1, n.End, w)
			}
			return false
		}
		e.walkAfter(a, after, i+1, n.End, v.level+1, w)
		*frame = t // walks below have overwritten it
	}
	return !t.Last
}

// together returns the union of state after and an item: terminal t above the stack node. It returns Dead if no byte
// goes on with both. Then two walks take no more steps than one, and all grammars share the steps of t. With a common
// byte, two walks would follow each reading of a token separately, and readings multiply.
func (e *Engine) together(
	a *pushdown.Automaton, t *tokenset.ItemFrame, node pushdown.NodeID, after pushdown.StateID, w *scratch,
) pushdown.StateID {
	if t.Last {
		return pushdown.Dead
	}
	if alive := w.alive(a, after); alive == nil || !t.Alive.Intersects(alive) {
		return pushdown.Dead
	}
	return w.joined(a, after, pushdown.Item{Terminal: t.Expr, Counter: t.Counter, After: node})
}

// stateLoop holds the characters on which some item of a state loops. The zero value belongs to Dead, which has none.
type stateLoop struct {
	state pushdown.StateID
	any   terminal.Loop
}

// stateLoops is the number of states whose loops a scratch caches.
const stateLoops = 64

// loopsBelow reports whether some item of state s loops on all texts of the subtree below node i. For a small subtree it
// may report false if s is not wide.
//
// PERF: without small subtrees, masks of grammars whose words adjoin take up to 1.2 times as long.
func (e *Engine) loopsBelow(a *pushdown.Automaton, s pushdown.StateID, i uint32, w *scratch) bool {
	looks := loopLooks
	if n := &w.trie.Nodes[i]; n.Big >= 0 {
		b := &w.trie.Bigs[n.Big]
		return e.mayLoop(a, s, b, w) && e.loops(a, s, b, &looks)
	}
	if !a.Wide(s) {
		return false
	}
	b := w.trie.Summary(i)
	return e.mayLoop(a, s, &b, w) && e.loops(a, s, &b, &looks)
}

// mayLoop looks at all items of state s at once. If it returns false, loops returns false, too. If it returns true, the
// items have to be asked one by one.
//
// PERF: most nodes of a walk lead to one of few states. Masks of grammars whose words adjoin take 0.5 to 0.9 times as long
// with the 256,000 tokens of large vocabularies.
func (e *Engine) mayLoop(a *pushdown.Automaton, s pushdown.StateID, b *tokentrie.Big, w *scratch) bool {
	if !b.WellFormed {
		return false
	}
	if len(a.BooleanItems(s)) > 0 {
		return true
	}
	x := &w.loops[s%stateLoops]
	if x.state != s {
		*x = stateLoop{state: s}
		for _, it := range a.Items(s) {
			l := e.Store().Loop(it.Terminal)
			x.any.ASCII[0] |= l.ASCII[0]
			x.any.ASCII[1] |= l.ASCII[1]
			x.any.Leads |= l.Leads
		}
	}
	return tokenset.Holds(&x.any, b)
}

// loops reports whether some item of state s loops on all texts of a subtree. A Both node loops if both sides do. Any
// other node loops if its left side does: it excludes texts only at an end, and the subtree has none. looks bounds the
// visits of sides, which may share sides.
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

// placed is an item and the place in the trie at which its tokens begin: the root, behind runs, or below a node.
type placed struct {
	it    pushdown.Item    // without the run
	state pushdown.StateID // instead of an item; Dead: none
	runs  *tokenset.Runs
	node  uint32 // 0: none
	level int    // terminals before it in a token
}

// take takes a scratch from the pool, without facts of other stores.
func (e *Engine) take() *scratch {
	inner := e.Sets.Take()
	w, ok := inner.Outer.(*scratch)
	if !ok {
		w = &scratch{trie: e.Tokens().Trie, stack: make([]walkFrame, e.Tokens().Trie.MaxLen+2)}
		w.Scratch = inner
		inner.Outer = w
	}
	return w
}

// give puts a scratch back into the pool. It keeps neither the automaton nor classes alive.
func (e *Engine) give(w *scratch) {
	for i := range w.items {
		w.items[i].walk, w.items[i].visit = tokenset.Walk{}, itemVisit{}
	}
	clear(w.placed)
	clear(w.narrow)
	clear(w.paid)
	clear(w.loops[:])
	w.crossing, w.sided = emptied(w.crossing), emptied(w.sided)
	clear(w.sides)
	e.Sets.Give(w.Scratch)
}
