package pushdown

import "github.com/sluice-engine/sluice/core/internal/limits"

// What may come after a stack node, and what a byte does to a state, are units of work: each is done as a whole, or leads to
// Over, and either is kept. A unit counts what it takes where nothing has been found before: for what it finds it is charged
// what finding it took, each part once. So which units lead to Over does not depend on what was asked before.

// budgetSpent aborts a unit that outgrew its limits. It never leaves the package.
type budgetSpent struct{}

// worthOne is how many items, frames and predictions of a transition count as another transition. Most have a dozen, those
// of ambiguous grammars a hundred thousand.
const worthOne = 32

// bounds are the limits of one unit of work; tests have lower ones.
type bounds struct{ work, depth, sides int }

var usual = bounds{limits.TransitionWork, limits.CompletionDepth, limits.BooleanSides}

// unit is the counters of one unit of work.
type unit struct {
	work  int             // items, frames and predictions, as if nothing had been found before
	fresh int             // the same, without what had
	own   int             // of work, what belongs to the node that is being started
	depth int             // nodes that are being started
	nest  int             // unions that are being made within each other
	unite int             // how deep unions made so far went
	free  bool            // nothing is counted
	seen  map[nodeID]bool // nodes that have been charged for
}

// startCost is what finding out what comes after a node takes.
type startCost struct {
	own      uint32 // without the nodes that it leads to
	under, n uint32 // those, in Automaton.below
	height   uint32 // how many there are above each other, itself among them
}

// budgeted runs f as a unit of work; it returns Over if the limits are exceeded.
func (a *Automaton) budgeted(f func() StateID) (s StateID) {
	scratch, pending, under := len(a.scratch), len(a.pending), len(a.under)
	outer := a.unit
	a.unit = unit{}
	defer func() {
		a.made.Add(int64(a.unit.fresh / worthOne))
		a.unit = outer
		a.under = a.under[:under]
		if r := recover(); r != nil {
			if _, ok := r.(budgetSpent); !ok {
				panic(r)
			}
			a.scratch, a.pending = a.scratch[:scratch], a.pending[:pending]
			s = Over
		}
	}()
	return f()
}

// spend counts n.
func (a *Automaton) spend(n int) {
	u := &a.unit
	u.fresh += n
	if u.free {
		return
	}
	u.own += n
	a.pay(n)
}

func (a *Automaton) pay(n int) {
	if a.unit.work += n; a.unit.work > a.bounds.work || a.states.Len() >= stateLimit {
		panic(budgetSpent{})
	}
}

// enter begins to start node k; leave takes what it returns.
func (a *Automaton) enter(k nodeID) (own, under int) {
	u := &a.unit
	if u.depth++; u.depth > a.bounds.depth {
		panic(budgetSpent{})
	}
	u.see(k)
	own, u.own = u.own, 0
	return own, len(a.under)
}

// leave writes down what starting the node of r has taken.
func (a *Automaton) leave(r *nodeRecord, own, under int) {
	u := &a.unit
	c := startCost{own: uint32(u.own), n: uint32(len(a.under) - under), height: 1}
	if c.n > 0 {
		c.under = a.below.Span(int(c.n))
		copy(a.below.Slice(c.under, int(c.n)), a.under[under:])
	}
	for _, k := range a.under[under:] {
		c.height = max(c.height, 1+a.nodes.At(uint32(k)).cost.height)
	}
	a.under, u.own = a.under[:under], own
	u.depth--
	r.cost = c
}

// see notes that node k is charged for, and reports whether it was not yet.
func (u *unit) see(k nodeID) bool {
	if u.seen[k] {
		return false
	}
	if u.seen == nil {
		u.seen = make(map[nodeID]bool)
	}
	u.seen[k] = true
	return true
}

// charge counts what starting node k took, which is done, with all that it leads to, but for what has been counted.
func (a *Automaton) charge(k nodeID) {
	u := &a.unit
	if u.depth+int(a.nodes.At(uint32(k)).cost.height) > a.bounds.depth {
		panic(budgetSpent{})
	}
	if !u.see(k) {
		return
	}
	var room [16]nodeID
	for work := append(room[:0], k); len(work) > 0; {
		c := &a.nodes.At(uint32(work[len(work)-1])).cost
		work = work[:len(work)-1]
		a.pay(int(c.own))
		for _, j := range a.below.Slice(c.under, int(c.n)) {
			if u.see(j) {
				work = append(work, j)
			}
		}
	}
}
