package tokenset

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/tokentrie"
)

// Scratch is what one computation of token sets works with. One goroutine at a time.
type Scratch struct {
	Ranges ranges
	frames []ItemFrame // by depth, of the walk for a class
	pairs  []pairFrame // by depth, of walks that compare
	meter
	spare   []meter // for units
	serials uint64  // of computations
	Store   *terminal.Store
	facts   factTable // of states of the store
	Items   []ItemFrame
	plain   plainStates
	counted countedStates

	Outer any // what the user of the scratch works with besides
}

// pairFrame is a terminal's state at one depth of a walk, and that of another terminal beside it.
type pairFrame struct {
	expr, other terminal.Expr
	ended       bool // expr is complete here or further up
}

// holds reports whether the text of a subtree, which is well-formed, is made of code points that loop.
func holds(l *terminal.Loop, b *tokentrie.Big) bool {
	return b.ASCII[0]&^l.ASCII[0]|b.ASCII[1]&^l.ASCII[1]|b.Leads&^l.Leads == 0
}

// Covers is Sets.Covers for a frame.
func (w *Scratch) Covers(t *ItemFrame, b *tokentrie.Big) bool {
	if !b.WellFormed {
		return false
	}
	if t.loop == nil {
		t.loop = w.Store.Loop(t.Expr)
	}
	return holds(t.loop, b) && (!t.inside || t.head.RunsFor(t.Counter, uint32(b.MaxRunes)))
}

// Covers reports whether terminal state x stays what it is through all of a subtree, its counter running within bounds.
func (e *Sets) Covers(x terminal.Expr, c counters.Counter, b *tokentrie.Big) bool {
	if !b.WellFormed || !holds(e.store.Loop(x), b) {
		return false
	}
	if !counters.Inside(e.store, x) {
		return true
	}
	h := counters.HeadOf(e.store, x, c)
	return h.RunsFor(c, uint32(b.MaxRunes))
}
