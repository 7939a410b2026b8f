package tokenset

import (
	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
	"github.com/sluice-engine/sluice/core/internal/work"
)

// meter counts the cost of a computation as if no result were known before; a unit is about 30 ns. So a computation
// exceeds its budget in every process or in none. One goroutine at a time.
type meter struct {
	serial  uint64 // names the computation
	Cost    int
	Visited int // trie nodes, which cost one each
	limit   int
	Over    bool      // the budget is spent, or something is too hard to be known
	terms   arena.Set // terminal states whose transitions have been counted
	classes arena.Set // classes that have been counted

	work *work.Meter // of a compilation, which may be stopped; nil after it
}

// Costs in the meter's unit. Package limits has the costs of transitions, which texts are charged, too.
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
func (m *meter) Term(st *terminal.Store, x terminal.Expr) {
	if m.terms.Add(uint64(x)) {
		m.Cost += limits.PartCost * prices.Row(st, x)
	}
}
