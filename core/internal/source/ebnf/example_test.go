package ebnf_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/dump"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/ebnf"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A regular grammar becomes one terminal.
func ExampleCompile() {
	st := terminal.NewStore()
	g, notes, err := ebnf.Compile(st, []byte("root ::= \"[\" (root \",\")* [0-9]+ \"]\""), new(source.Options))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(len(notes), " notes\n", dump.Grammar(st, g))
	// Output:
	// 0 notes
	// start root.1
	// root.1
	//   = /[[]/ @repeat.0 /[0-9] [0-9]* [\]]/
	// @repeat.0 {0,} = root.1 /[,]/
}
