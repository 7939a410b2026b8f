package pushdown

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/limits"
)

// What may come after a stack node, and what a byte does to a state, are units of work: each is done as a whole, or
// leads to Over, and either is kept. A unit counts what it takes where nothing has been found before: for what it
// finds it is charged what finding it took, each part once. So which units lead to Over does not depend on what was
// asked before.

// budgetSpent aborts a unit that outgrew its limits. It never leaves the package.
type budgetSpent struct{}

// worthOne is how many items, frames and predictions of a transition count as another transition. Most have a dozen,
// those of ambiguous grammars a hundred thousand.
const worthOne = 32

// bounds are the limits of one unit of work; tests have lower ones. rows bounds what the transitions of the terminals of one
// state may take together, see terminal.Store.RowCost.
type bounds struct{ work, depth, sides, rows int }

// boundsOf returns the bounds that budgets amount to.
func boundsOf(b *limits.Budgets) bounds {
	return bounds{work: b.Transition, depth: limits.CompletionDepth, sides: b.Booleans, rows: rowsAtOnce * b.Row}
}

// rowsAtOnce is how many of the dearest rows of transitions one byte may take.
const rowsAtOnce = 2

// unit is the counters of one unit of work.
type unit struct {
	work  int           // items, frames and predictions, as if nothing had been found before
	fresh int           // the same, without what had
	own   int           // of work, what belongs to the part that is being found
	depth int           // nodes that are being started
	nest  int           // unions that are being made within each other
	free  bool          // nothing is counted
	few   [8]part       // the first parts that have been charged for
	n     int           // how many these are
	seen  map[part]bool // the others
}

// part is what a unit may find, or find found: what comes after a node, or a union of nodes.
type part uint32

func startPart(k nodeID) part { return part(k) << 1 }

func unionPart(id uint32) part { return part(id)<<1 | 1 }

// partCost is what finding a part takes.
type partCost struct {
	own      uint32 // without the parts that it leads to
	under, n uint32 // those, in Automaton.below
	height   uint32 // how many of its kind there are above each other, itself among them
}

func (a *Automaton) costOf(p part) *partCost {
	if p&1 == 0 {
		return &a.nodes.At(uint32(p >> 1)).cost
	}
	return &a.unions.At(uint32(p >> 1)).cost
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

// enter begins to find part p; leave takes what it returns.
func (a *Automaton) enter(p part) (own, under int) {
	u := &a.unit
	u.see(p)
	own, u.own = u.own, 0
	return own, len(a.under)
}

// leave writes down what finding part p has taken.
func (a *Automaton) leave(p part, own, under int) {
	u := &a.unit
	slices.Sort(a.under[under:])
	parts := slices.Compact(a.under[under:])
	c := partCost{own: uint32(u.own), n: uint32(len(parts)), height: 1}
	if c.n > 0 {
		c.under = a.below.Span(len(parts))
		copy(a.below.Slice(c.under, len(parts)), parts)
	}
	for _, x := range parts {
		if x&1 == p&1 {
			c.height = max(c.height, 1+a.costOf(x).height)
		}
	}
	u.own = own
	a.under = append(a.under[:under], p)
	*a.costOf(p) = c
}

// see notes that part p is charged for, and reports whether it was not yet.
func (u *unit) see(p part) bool {
	if slices.Contains(u.few[:u.n], p) || u.seen[p] {
		return false
	}
	if u.n < len(u.few) {
		u.few[u.n] = p
		u.n++
		return true
	}
	if u.seen == nil {
		u.seen = make(map[part]bool)
	}
	u.seen[p] = true
	return true
}

// charge counts what finding part p took, which is done, with all that it leads to, but for what has been counted.
// within is how many of its kind are being found.
func (a *Automaton) charge(p part, within int) {
	u := &a.unit
	if within+int(a.costOf(p).height) > a.bounds.depth {
		panic(budgetSpent{})
	}
	a.under = append(a.under, p)
	if u.free || !u.see(p) {
		return
	}
	var room [16]part
	for work := append(room[:0], p); len(work) > 0; {
		c := a.costOf(work[len(work)-1])
		work = work[:len(work)-1]
		a.pay(int(c.own))
		for _, x := range a.below.Slice(c.under, int(c.n)) {
			if u.see(x) {
				work = append(work, x)
			}
		}
	}
}
