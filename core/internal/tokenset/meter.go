package tokenset

import (
	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
	"github.com/sluice-engine/sluice/core/internal/work"
)

// meter counts the cost of a computation, in the unit of limits.Budgets.Mask, as if no result were known before. So a
// computation exceeds its budget in every process or in none. One goroutine at a time.
type meter struct {
	serial  uint64 // names the computation
	Cost    int
	Visited int // trie nodes, which cost one each
	limit   int
	Over    bool      // the budget is spent, or something is too hard to be known
	terms   arena.Set // terminal states whose transitions have been counted
	classes arena.Set // classes that have been counted
	// If Shares is set, Paid and Terms list the classes and terminal states that this meter charged itself, not by
	// Share and ShareTerm. Classes at given trie nodes (placedClass) and charges within unit are not listed.
	Paid   []Paid
	Terms  []terminal.Expr
	Shares bool

	work *work.Meter // of a compilation, which may be stopped; nil after it
}

// Paid is a class and its cost.
type Paid struct {
	class uint32
	Cost  int
}

// Costs in the meter's unit. Package limits has the costs of transitions, since the budget for accepted text counts
// them, too.
const (
	// narrowCost is the cost of finding that a terminal state needs no class.
	narrowCost = 100
	lookWork   = 10 // approximate work between two looks at the budget
	// escapeCost is the cost of sorting a boundary-crossing token into a trie. With half of it masks took 140 ms within
	// the budget.
	escapeCost = 16
)

func (m *meter) start(limit int, serial uint64) {
	m.serial = serial
	m.Cost, m.Visited, m.limit, m.Over = 0, 0, limit, false
	m.terms.Clear()
	m.classes.Clear()
	m.Paid, m.Terms, m.Shares = m.Paid[:0], m.Terms[:0], false
}

// counts notes that the class was paid for, and reports whether that is new.
func (m *meter) counts(class uint32, cost int) bool {
	if !m.classes.Add(uint64(class)) {
		return false
	}
	if m.Shares {
		m.Paid = append(m.Paid, Paid{class, cost})
	}
	return true
}

// Share counts a class that another computation has paid for, whose result is used. It returns the cost: 0 if the class
// was counted before.
func (m *meter) Share(x Paid) int {
	if !m.classes.Add(uint64(x.class)) {
		return 0
	}
	m.Cost += x.Cost
	return x.Cost
}

// Total returns the cost so far.
func (m *meter) Total() int { return m.Cost + m.Visited }

// Charge adds to the cost.
func (m *meter) Charge(n int) { m.Cost += n }

// Spent reports whether the budget is spent.
func (m *meter) Spent() bool {
	m.Over = m.Over || m.Cost+m.Visited > m.limit || m.work.Stopped(lookWork)
	return m.Over
}

// Term counts the transitions of terminal state x.
func (m *meter) Term(st *terminal.Store, x terminal.Expr) { m.term(x, prices.Row(st, x)) }

func (m *meter) term(x terminal.Expr, price int) {
	if !m.terms.Add(uint64(x)) {
		return
	}
	m.Cost += limits.PartCost * price
	if m.Shares {
		m.Terms = append(m.Terms, x)
	}
}

// ShareTerm counts the transitions of a terminal state for which another computation has paid. It returns the cost.
func (m *meter) ShareTerm(st *terminal.Store, x terminal.Expr) int {
	if !m.terms.Add(uint64(x)) {
		return 0
	}
	cost := TermCost(st, x)
	m.Cost += cost
	return cost
}

// TermCost returns the cost of the transitions of a terminal state.
func TermCost(st *terminal.Store, x terminal.Expr) int { return limits.PartCost * prices.Row(st, x) }
