package analysis

import (
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// lifeNode is a node of the graph that decides whether expressions match anything. Its expression contains And or Not.
type lifeNode struct {
	parts []expr.Expr // the nodes on which it depends
	all   bool        // every part must match something; otherwise one is enough
	some  bool        // matches something, even if no part does
	price int         // of deriving it, in the unit of Budgets.Search

	// The transitions of an intersection or complement, with dead ends, until its row is made.
	classes uint32
	targets []expr.Expr
}

// Prices in units of Budgets.Search, about 25 ns: of a node besides its weight and derivatives, and of each target.
const (
	graphNode   = 60
	graphTarget = 15
)

// live returns which nodes match something: the least set that contains every node with some set, every node with a
// part in the set, and every all-node with all parts in it (Lemma 119).
func live(nodes []*lifeNode, at map[expr.Expr]int) []bool {
	some := make([]bool, len(nodes))
	missing := make([]int, len(nodes)) // parts not yet in the set
	dependants := make([][]int32, len(nodes))
	var queue []int32
	for i, n := range nodes {
		missing[i] = 1
		if n.all {
			missing[i] = len(n.parts)
		}
		for _, x := range n.parts {
			dependants[at[x]] = append(dependants[at[x]], int32(i))
		}
		if n.some {
			some[i], queue = true, append(queue, int32(i))
		}
	}
	for len(queue) > 0 {
		i := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, k := range dependants[i] {
			if missing[k]--; missing[k] == 0 && !some[k] {
				some[k], queue = true, append(queue, k)
			}
		}
	}
	return some
}
