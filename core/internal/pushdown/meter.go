package pushdown

import (
	"math"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Computing the state after a stack node and taking a transition are units of work. A unit ends in a state or in Over,
// and the automaton keeps either. A unit pays once for each part that it uses, as if no earlier unit had computed it.
// So earlier calls do not decide whether it ends in Over. Masks pay in the same way for the parts of all transitions
// that they take (Charge).

// budgetSpent is the panic that ends a unit. It never leaves the package.
type budgetSpent struct{}

// itemWork is the price of an item, frame or prediction in a compilation.
const itemWork = 6

// bounds limits one unit of work. rows bounds the price of all transitions of one state's terminals, in units of
// limits.PartCost. It equals the budget of a mask, so no token is refused for rows that the mask before it could pay.
type bounds struct{ work, depth, sides, rows int }

func boundsOf(b *limits.Budgets) bounds {
	return bounds{work: b.Transition, depth: limits.CompletionDepth, sides: b.Booleans, rows: b.Mask / limits.PartCost}
}

// unit is one unit of work.
type unit struct {
	id      uint32
	work    int // spent, plus an upper bound of the price of charged parts; see countOnce
	spent   int // by the unit itself
	own     int // of spent: for the part that is being computed
	fresh   int // work that was done, free or not
	charged int // meter.charged[charged:] are the unit's
	counted int // meter.charged[charged:counted] are in the counted set with this mark
	mark    uint32
	depth   int  // nodes that are being started
	nest    int  // unions that are being made within each other
	free    bool // nothing is spent
}

// part names the result of some work that others may use: the state after a node, a union of nodes, or a transition.
type part uint32

// partKind is a kind of part. The height of a part counts only parts of its kind.
type partKind uint8

const (
	startPart partKind = iota
	unionPart
	stepPart
)

// partCost is the price of a part.
type partCost struct {
	own      uint32 // without the parts that it uses
	under, n uint32 // the parts that it uses: meter.below[under:under+n]
	height   uint32 // the most parts of its kind in a chain of uses that begins with it
	most     uint32 // own, plus the most of each part that it uses: an upper bound of its price
	mark     uint32 // of the last counted set that it was in
	by       uint32 // the unit that computed it
	kind     partKind
}

// countedParts is a set of parts, each with the parts that it uses. Units share it, because consecutive units use
// nearly the same parts. To count them anew for each unit takes time quadratic in the text's length.
//
// PERF: 2,572 letters of root ::= "(" root ")" | [a-z] root? | root [a-z] take 500 ms without it, and 9 ms with it.
type countedParts struct {
	mark  uint32 // of the parts in the set, at least 1
	total int    // their price
	sole  uint32 // the only unit whose parts are in the set; 0 if there are several
	own   int    // the price of those parts that the sole unit has computed itself; included in total
}

// meter holds the prices of parts and pays for units of work. One goroutine, under the automaton's lock.
type meter struct {
	parts   arena.Table[partCost]
	below   arena.Table[part]
	under   []part // a stack: the parts that the parts being computed use
	charged []part // a stack: the parts that units have paid for
	units   uint32
	counted countedParts
	unit    unit
	bounds  bounds
	st      *terminal.Store
}

func (m *meter) size() int { return m.parts.Cap()*32 + m.below.Cap()*4 }

func (m *meter) newUnit() {
	m.units++
	m.unit = unit{id: m.units, charged: len(m.charged), counted: len(m.charged)}
}

// apart runs f as a unit of its own, while the present unit pays nothing.
func (m *meter) apart(f func()) {
	u := &m.unit
	before := *u
	m.newUnit()
	u.fresh, u.depth, u.nest = before.fresh, before.depth, before.nest
	f()
	m.charged = m.charged[:u.charged]
	before.fresh = u.fresh
	*u = before
}

// spend pays for n items, frames or predictions.
func (m *meter) spend(n int) {
	u := &m.unit
	u.fresh += n
	m.st.Work().Spend(n * itemWork)
	if u.free {
		return
	}
	u.own += n
	u.spent += n
	m.pay(n)
}

// pay adds n to the work of the unit. If the sum exceeds the bound, it computes the exact price, each part once.
func (m *meter) pay(n int) {
	if m.unit.work += n; m.unit.work > m.bounds.work && !m.countOnce() {
		panic(budgetSpent{})
	}
}

// countOnce sets the unit's work to a price that counts each part once, and reports whether it is within the bound. It
// first adds the unit's parts to the counted set, although parts of earlier units there raise the price. If that price
// exceeds the bound, it empties the set and counts the unit's parts alone.
func (m *meter) countOnce() bool {
	u, set := &m.unit, &m.counted
	alone := set.sole == u.id
	if !alone {
		set.sole, set.own = 0, 0
	}
	if m.countAll() {
		return true
	}
	*set = countedParts{mark: set.mark + 1, sole: u.id}
	if !alone && m.countAll() {
		return true
	}
	*set = countedParts{mark: set.mark + 1}
	return false
}

// countAll adds the unit's parts to the counted set. It reports false if their price exceeds the bound; then the set
// may lack some.
func (m *meter) countAll() bool {
	u, set := &m.unit, &m.counted
	if u.mark != set.mark {
		u.mark, u.counted = set.mark, u.charged
	}
	for ; u.counted < len(m.charged); u.counted++ {
		if !m.count(m.charged[u.counted]) {
			return false
		}
	}
	u.work = u.spent + set.total - set.own
	return u.work <= m.bounds.work
}

// count adds p and the parts that it uses to the counted set. It reports whether the price is within the bound.
func (m *meter) count(p part) bool {
	u, set := &m.unit, &m.counted
	var room [16]part
	for parts := append(room[:0], p); len(parts) > 0; {
		c := m.parts.At(uint32(parts[len(parts)-1]))
		parts = parts[:len(parts)-1]
		if c.mark == set.mark {
			continue
		}
		c.mark = set.mark
		set.total += int(c.own)
		if c.by == u.id && set.sole == u.id {
			set.own += int(c.own)
		}
		if u.spent+set.total-set.own > m.bounds.work {
			return false
		}
		parts = append(parts, m.below.Slice(c.under, int(c.n))...)
	}
	return true
}

// enter begins a part; leave takes its results.
func (m *meter) enter() (own, under int) {
	own, m.unit.own = m.unit.own, 0
	return own, len(m.under)
}

// leave ends a part and returns it.
func (m *meter) leave(kind partKind, own, under int) part {
	p := m.newPart(kind, under)
	m.unit.own = own
	m.under = append(m.under[:under], p)
	return p
}

// newPart returns a part that holds the cost of the present part so far, with the uses in m.under[under:].
func (m *meter) newPart(kind partKind, under int) part {
	slices.Sort(m.under[under:])
	uses := slices.Compact(m.under[under:])
	c := partCost{
		own: uint32(m.unit.own), n: uint32(len(uses)), height: 1, most: m.most(under), by: m.unit.id, kind: kind,
	}
	if c.n > 0 {
		c.under = m.below.Span(len(uses))
		copy(m.below.Slice(c.under, len(uses)), uses)
	}
	for _, x := range uses {
		if x := m.parts.At(uint32(x)); x.kind == kind {
			c.height = max(c.height, 1+x.height)
		}
	}
	return part(m.parts.Append(c))
}

// most returns an upper bound of the price of the present part: its own work, plus the most of each of m.under[under:].
func (m *meter) most(under int) uint32 {
	most := uint64(m.unit.own)
	for _, p := range m.under[under:] {
		most += uint64(m.parts.At(uint32(p)).most)
	}
	return uint32(min(most, math.MaxUint32))
}

// sum returns the price of part p and the parts that it uses, without parts for which first reports false.
func (m *meter) sum(p part, first func(x Counted) bool) (work int) {
	if !first(Counted(p)) {
		return 0
	}
	var room [16]part
	for parts := append(room[:0], p); len(parts) > 0; {
		c := m.parts.At(uint32(parts[len(parts)-1]))
		parts = parts[:len(parts)-1]
		work += int(c.own)
		for _, x := range m.below.Slice(c.under, int(c.n)) {
			if first(Counted(x)) {
				parts = append(parts, x)
			}
		}
	}
	return work
}

// charge pays for a use of part p. nested is the number of parts of its kind that are being computed.
func (m *meter) charge(p part, nested int) {
	u, c := &m.unit, m.parts.At(uint32(p))
	if nested+int(c.height) > m.bounds.depth {
		panic(budgetSpent{})
	}
	m.under = append(m.under, p)
	if u.free {
		return
	}
	m.charged = append(m.charged, p)
	m.pay(int(c.most))
}
