package grammar_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/dump"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A front end builds rules of symbols: terminals of a store, other rules, and nodes such as repetitions.
func ExampleGrammar() {
	st := terminal.NewStore()
	g := grammar.New()
	list, item := g.NewRule("list"), g.NewRule("item")
	more := g.NewRepeat(0, grammar.Unbounded, grammar.T(st.Literal(",")), grammar.N(item))
	g.Add(list, grammar.N(item), more)
	g.Add(item, grammar.T(st.Literal("x")))
	g.Add(item, grammar.T(st.Literal("[")), grammar.N(list), grammar.T(st.Literal("]")))
	g.Start = list
	fmt.Print(dump.Grammar(st, g))
	// Output:
	// start list.1
	// list.1
	//   = item.2 @repeat.0
	// item.2
	//   = /[x]/
	//   = /[[]/ list.1 /[\]]/
	// @repeat.0 {0,} = /[,]/ item.2
}
