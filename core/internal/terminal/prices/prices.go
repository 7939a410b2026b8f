// Package prices returns the cost of a terminal's transitions. Budgets are sums of such prices.
//
// Invariant: a price depends on the expression alone, not on earlier requests. Start reading at Row.
package prices

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Weight returns the number of parts of e that a transition looks at.
func Weight(st *terminal.Store, e expr.Expr) int { return int(st.View().Node(e).Weight) }

// Row returns the price of the transitions of e, in parts. It makes them if necessary: an estimate would depend on
// earlier requests.
func Row(st *terminal.Store, e expr.Expr) int {
	st.Alive(e)
	return st.View().RowPrice(e)
}
