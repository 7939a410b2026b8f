package tokenset

import "github.com/sluice-engine/sluice/core/internal/terminal"

// Scratch is the memory of one computation of token sets. One goroutine at a time.
type Scratch struct {
	Ranges ranges
	frames []ItemFrame    // by depth
	pairs  []pair         // by depth
	path   []countedFrame // by depth
	ends   []ending       // memory for Class.Ends
	walks  uint64         // the number of walks for classes
	meter
	spare   []meter // memory for unit
	serials uint64  // of computations
	Store   *terminal.Store
	facts   factTable // of states of the store

	Outer any // memory of the caller
}

// pair is a state and the state of a base after the same text.
type pair struct{ x, base *Facts }

// countedFrame holds the counts of a token at one depth.
type countedFrame struct {
	need  uint32 // code points that the bound must permit: the greatest sum, on the way, of count and lengths.least
	count uint32 // code points of the counted body on the way here
	runes uint32 // code points that begin on the way here
}

// Start begins a computation with a budget.
func (w *Scratch) Start(limit int) {
	if w.facts.n > knownFacts*3/4 {
		w.facts.reset()
	}
	w.serials++
	w.work = w.Store.Work()
	w.meter.start(limit, w.serials)
}

// unit runs f with a meter of its own, charges its cost and returns it. Other computations use the result of f, too, so
// the cost must not depend on earlier work of w.
func (w *Scratch) unit(f func()) (cost int) {
	outer := w.meter
	var inner meter
	if n := len(w.spare); n > 0 {
		inner, w.spare = w.spare[n-1], w.spare[:n-1]
	}
	w.serials++
	inner.start(outer.limit-outer.Total(), w.serials)
	inner.work = outer.work
	w.meter = inner
	f()
	inner, w.meter = w.meter, outer
	w.spare = append(w.spare, inner)
	cost = inner.Total()
	w.Charge(cost)
	w.Over = w.Over || inner.Over
	return cost
}

// narrow replaces cost, which was charged for finding that a state needs no class, by narrowCost and returns that. The
// walk that follows charges the same transitions.
func (w *Scratch) narrow(cost int) int {
	w.Charge(narrowCost - cost)
	return narrowCost
}
