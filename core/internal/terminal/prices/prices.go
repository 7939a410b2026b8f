// Package prices says what the transitions of a terminal take if nothing is known. Budgets are sums of such prices.
//
// Invariant: a price is a fact about the expression, never about who has asked before. Start reading at Row.
package prices

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Weight returns how many parts of e a transition looks at.
func Weight(st *terminal.Store, e expr.Expr) int { return int(st.View().Node(e).Weight) }

// Row returns the price of the transitions of e, in parts. It makes them unless they are made: an estimate would depend
// on who came before.
func Row(st *terminal.Store, e expr.Expr) int {
	st.Alive(e)
	return st.View().RowPrice(e)
}
