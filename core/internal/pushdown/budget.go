package pushdown

import (
	"math"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/limits"
)

// What may come after a stack node, and what a byte does to a state, are units of work: each is done as a whole, or
// leads to Over, and either is kept. A unit counts what it takes where nothing has been found before: for what it
// finds it is charged what finding it took, each part once. So which units lead to Over does not depend on what was
// asked before. Masks are charged in the same way for the parts of all transitions that they take, see Charge.

// budgetSpent aborts a unit that outgrew its limits. It never leaves the package.
type budgetSpent struct{}

// itemWork is what an item, frame or prediction counts for in a compilation.
const itemWork = 6

// bounds are the limits of one unit of work; tests have lower ones. rows bounds what the transitions of the terminals
// of one state may take together, in parts: as much as a mask may, so that accepting a token is not refused for rows that
// the mask which allows it has found within its budget.
type bounds struct{ work, depth, sides, rows int }

// boundsOf returns the bounds that budgets amount to.
func boundsOf(b *limits.Budgets) bounds {
	return bounds{work: b.Transition, depth: limits.CompletionDepth, sides: b.Booleans, rows: b.Mask / limits.PartCost}
}

// unit is the counters of one unit of work.
type unit struct {
	id      uint32
	work    int // items, frames and predictions, as if nothing had been found before: it is not more than this
	spent   int // of work, what the unit has done itself
	own     int // of that, what belongs to the part that is being found
	fresh   int // what has been done
	charged int // the parts that it has been charged for are those in Automaton.charged from here on
	counted int // of these, those before this are in the set of mark
	mark    uint32
	depth   int // nodes that are being started
	nest    int // unions that are being made within each other
	free    bool
	few     [4]part // the last parts that have been charged for
}

// countedParts is a set of parts, those that bear its mark, with what finding all of them takes together. It is kept
// from unit to unit, because the parts of one are mostly those of the one before.
type countedParts struct {
	mark  uint32
	total int
	sole  uint32 // the unit that all of them belong to, 0 if there is none
	twice int    // of total, what that unit has found itself, so that it belongs to what it has spent too
}

// part is what a unit may find, or find found: what comes after a node, a union of nodes, or a dear transition.
type part uint32

// The kinds of parts are their lowest bits.
const (
	startKind = iota
	unionKind
	dearKind
	kindBits = 2
)

func startPart(k nodeID) part { return part(k) << kindBits } // startKind is zero

func unionPart(id uint32) part { return part(id)<<kindBits | unionKind }

func dearPart(id uint32) part { return part(id)<<kindBits | dearKind }

func (p part) kind() part { return p & (1<<kindBits - 1) }

// partCost is what finding a part takes.
type partCost struct {
	own      uint32 // without the parts that it leads to
	under, n uint32 // those, in Automaton.below
	height   uint32 // how many of its kind there are above each other, itself among them
	most     uint32 // with those parts, each as often as it is met
	mark     uint32 // of the last countedParts that it was in
	by       uint32 // the unit that has found it
}

func (a *Automaton) costOf(p part) *partCost {
	switch id := uint32(p >> kindBits); p.kind() {
	case startKind:
		return &a.nodes.At(id).cost
	case unionKind:
		return &a.unions.At(id).cost
	default:
		return a.dear.At(id)
	}
}

// budgeted runs f as a unit of work; it returns Over if the limits are exceeded.
func (a *Automaton) budgeted(f func() StateID) (s StateID) {
	found, pending, gathered := a.found.level(), len(a.pending), len(a.gathered)
	under, charged := len(a.under), len(a.charged)
	outer := a.unit
	a.newUnit()
	defer func() {
		a.work.Add(int64(a.unit.fresh))
		a.under, a.charged = a.under[:under], a.charged[:charged]
		a.unit = outer
		if r := recover(); r != nil {
			if _, ok := r.(budgetSpent); !ok {
				panic(r)
			}
			a.found.cut(found)
			a.pending, a.gathered = a.pending[:pending], a.gathered[:gathered]
			s = Over
		}
	}()
	return f()
}

func (a *Automaton) newUnit() {
	a.units++
	a.unit = unit{id: a.units, charged: len(a.charged), counted: len(a.charged)}
}

// apart runs f as a unit of its own, whose parts are counted, while the present unit counts nothing.
func (a *Automaton) apart(f func()) {
	u := &a.unit
	before := *u
	a.newUnit()
	u.fresh, u.depth, u.nest = before.fresh, before.depth, before.nest
	f()
	a.charged = a.charged[:u.charged]
	before.fresh = u.fresh
	*u = before
}

// spend counts n.
func (a *Automaton) spend(n int) {
	u := &a.unit
	u.fresh += n
	a.st.Work().Spend(n * itemWork)
	if u.free {
		return
	}
	u.own += n
	u.spent += n
	a.pay(n)
}

// pay adds n to the work of the unit. As long as that is within the limit, parts are counted as often as they are met.
func (a *Automaton) pay(n int) {
	u := &a.unit
	if u.work += n; u.work > a.bounds.work && !a.countOnce(false) && !a.countOnce(true) ||
		a.states.Len() >= stateLimit {
		panic(budgetSpent{})
	}
}

// countOnce counts each part that the unit has been charged for once, and reports whether that is within the limit.
// Unless alone is set, parts of other units may be counted too.
func (a *Automaton) countOnce(alone bool) bool {
	u, set := &a.unit, &a.counted
	switch {
	case alone && set.sole == u.id:
		return false // that is what was counted
	case alone:
		*set = countedParts{mark: set.mark + 1, sole: u.id}
	case set.sole != u.id:
		set.sole, set.twice = 0, 0
	}
	if u.mark != set.mark {
		u.mark, u.counted = set.mark, u.charged
	}
	for ; u.counted < len(a.charged); u.counted++ {
		if !a.count(a.charged[u.counted]) {
			*set = countedParts{mark: set.mark + 1}
			return false
		}
	}
	u.work = u.spent + set.total - set.twice
	return u.work <= a.bounds.work
}

// count adds part p to the parts that are counted, with all that it leads to. It reports false if the limit is
// exceeded.
func (a *Automaton) count(p part) bool {
	u, set := &a.unit, &a.counted
	var room [16]part
	for parts := append(room[:0], p); len(parts) > 0; {
		c := a.costOf(parts[len(parts)-1])
		parts = parts[:len(parts)-1]
		if c.mark == set.mark {
			continue
		}
		c.mark = set.mark
		set.total += int(c.own)
		if set.sole == u.id && c.by == u.id {
			set.twice += int(c.own)
		}
		if u.spent+set.total-set.twice > a.bounds.work {
			return false
		}
		parts = append(parts, a.below.Slice(c.under, int(c.n))...)
	}
	return true
}

// enter begins to find a part; leave takes what it returns.
func (a *Automaton) enter() (own, under int) {
	u := &a.unit
	own, u.own = u.own, 0
	return own, len(a.under)
}

// leave writes down what finding part p has taken.
func (a *Automaton) leave(p part, own, under int) {
	c := a.spent(under)
	c.height = 1
	for _, x := range a.below.Slice(c.under, int(c.n)) {
		if x.kind() == p.kind() {
			c.height = max(c.height, 1+a.costOf(x).height)
		}
	}
	a.unit.own = own
	a.under = append(a.under[:under], p)
	c.mark, c.by = a.costOf(p).mark, a.unit.id
	*a.costOf(p) = c
}

// spent returns what has been spent on the part that is being found, and writes down which parts it has led to, which
// are those in a.under from index under on.
func (a *Automaton) spent(under int) partCost {
	slices.Sort(a.under[under:])
	parts := slices.Compact(a.under[under:])
	c := partCost{own: uint32(a.unit.own), n: uint32(len(parts))}
	if c.n > 0 {
		c.under = a.below.Span(len(parts))
		copy(a.below.Slice(c.under, len(parts)), parts)
	}
	c.most = a.most(under)
	return c
}

// most returns what has been spent on the part that is being found, with those that it has led to.
func (a *Automaton) most(under int) uint32 {
	most := uint64(a.unit.own)
	for _, p := range a.under[under:] {
		most += uint64(a.costOf(p).most)
	}
	return uint32(min(most, math.MaxUint32))
}

// effort is about how much work finding something took, with all that it led to.
type effort uint32

// The efforts. Only what is dear is charged for exactly, each part once: most is not, and is charged for each time.
const (
	little effort = iota // below 8: less than the items stand for that are before and after a transition
	modest               // below 24
	much                 // below 64
	dear
)

func effortOf(work uint32) effort {
	switch {
	case work < 8:
		return little
	case work < 24:
		return modest
	case work < 64:
		return much
	}
	return dear
}

// cost returns what is charged for an effort: nearly the most that it may be, since there are grammars all of whose
// transitions take that, and nothing for one that is dear, which is charged for exactly.
func (e effort) cost() int {
	return limits.ItemCost * [...]int{little: 0, modest: 20, much: 56, dear: 0}[e]
}

// keepTook keeps what the transition took that the present unit has made.
func (a *Automaton) keepTook(key uint32, under int) {
	if a.took = a.most(under); effortOf(a.took) == dear {
		a.dearOf[key] = a.dear.Append(a.spent(under))
	}
}

// Charge returns what the work on the transition of state s by byte b costs where nothing has been found before, in the
// unit of limits.Budgets.Mask: it has been taken. Parts of it that first knows cost nothing; first reports whether it
// has not seen a part.
func (a *Automaton) Charge(s StateID, b byte, first func(part uint32) bool) (cost int) {
	key := transitionKey(s, b)
	e := a.taken.effort(key)
	if e != dear {
		return e.cost()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return limits.ClosureCost * a.sum(dearPart(a.dearOf[key]), first)
}

// ChargeAfter is Charge for what may come after node k, which is known.
func (a *Automaton) ChargeAfter(k NodeID, first func(part uint32) bool) (cost int) {
	e := effort(a.nodes.At(uint32(k)).start.Load() >> StateBits)
	if e != dear {
		return e.cost()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return limits.ClosureCost * a.sum(startPart(k), first)
}

// accounted runs f as a unit of work and returns what that costs, like Charge.
func (a *Automaton) accounted(first func(part uint32) bool, f func() StateID) (s StateID, cost int) {
	s = a.budgeted(func() StateID {
		under := len(a.under)
		s := f()
		if e := effortOf(a.most(under)); e != dear {
			cost = e.cost()
			return s
		}
		work := a.unit.own
		for _, p := range a.under[under:] {
			work += a.sum(p, first)
		}
		cost = limits.ClosureCost * work
		return s
	})
	return s, cost
}

// sum adds up what part p takes with all that it leads to, but for what first has seen.
func (a *Automaton) sum(p part, first func(part uint32) bool) (work int) {
	if !first(uint32(p)) {
		return 0
	}
	var room [16]part
	for parts := append(room[:0], p); len(parts) > 0; {
		c := a.costOf(parts[len(parts)-1])
		parts = parts[:len(parts)-1]
		work += int(c.own)
		for _, x := range a.below.Slice(c.under, int(c.n)) {
			if first(uint32(x)) {
				parts = append(parts, x)
			}
		}
	}
	return work
}

// charge counts what finding part p took, which is done, with all that it leads to, but for what has been counted.
// within is how many of its kind are being found.
func (a *Automaton) charge(p part, within int) {
	u, c := &a.unit, a.costOf(p)
	if within+int(c.height) > a.bounds.depth {
		panic(budgetSpent{})
	}
	a.under = append(a.under, p)
	if u.free || slices.Contains(u.few[:], p+1) {
		return
	}
	u.few[len(a.charged)%len(u.few)] = p + 1
	a.charged = append(a.charged, p)
	a.pay(int(c.most))
}
