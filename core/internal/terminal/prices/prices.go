// Package prices says what finding something out about a terminal takes where nothing is known: rows of transitions,
// answers to questions, lengths. Budgets are sums of such prices.
//
// Invariant: a price is a fact about the expression, never about who has asked before. Start reading at Row.
package prices

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Weight returns how many parts of e a transition looks at.
func Weight(st *terminal.Store, e expr.Expr) int { return int(st.View().Node(e).Weight) }

// Row returns what the transitions of e take when nobody has made them before, in parts that are looked at. What they
// ask counts as little more than it may, where it takes more.
func Row(st *terminal.Store, e expr.Expr) int {
	own, asked, _ := RowParts(st, e)
	return own + min(asked, st.Budgets().Row+1)
}

// RowParts returns what the transitions of e take by themselves, and what they ask, with the question that leads to all
// of it. They are made where they have not been: what they take is counted then, and an estimate would be a price that
// depends on who came before.
func RowParts(st *terminal.Store, e expr.Expr) (own, asked int, question uint32) {
	st.Alive(e)
	return st.View().RowParts(e)
}

// Question returns what a question takes with all that it leads to, but for those that first knows; first reports
// whether it has not seen one. It takes no lock.
func Question(st *terminal.Store, id uint32, first func(question uint32) bool) (cost int) {
	return st.View().QuestionCost(id, first)
}

// Length returns what it takes to find out how few code points complete counted state e, for a counter in phase of
// c, when nothing is known: a fact about e, in the unit of the budget of a search.
func Length(st *terminal.Store, e expr.Expr, c counters.Counter) int {
	_, cost := counters.Least(st, e, c)
	return cost
}

// Room returns what it takes beside Length to find out whether counted state e can be completed within its
// bounds, which its room may not tell.
func Room(st *terminal.Store, e expr.Expr, c counters.Counter) int {
	v := st.View()
	head := v.CountHead(e)
	a := st.Lock()
	defer st.Unlock()
	return a.RoomCost(head.Body(), c, v.BoundsOf(head))
}
