package rewrite_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/dump"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/rewrite"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Left recursion becomes a loop: the language is the same, and no rule begins with itself.
func ExampleRun() {
	st := terminal.NewStore()
	g := grammar.New()
	sum := g.NewRule("sum")
	g.Add(sum, grammar.N(sum), grammar.T(st.Literal("+1")))
	g.Add(sum, grammar.T(st.Literal("1")))
	g.Start = sum
	g, _, err := rewrite.Run(st, g)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(dump.Grammar(st, g))
	// Output:
	// start sum.1
	// sum.1
	//   = sum.2 /"+1"*/
	// sum.2
	//   = /[1]/
	// sum.3
	// @repeat.0 {0,0} =
}
