package dump_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/dump"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// The text of a grammar can be written by hand, and read.
func ExampleParse() {
	st := terminal.NewStore()
	g, err := dump.Parse(st, "start list.1\nlist.1\n  = /[a-c]{1,3}/\n  = /\"(\"/ list.1 /\")\"/", nil)
	fmt.Println(len(g.Rules[1].Alternatives), err)
	fmt.Println(g.Rules[1].Alternatives[1][1] == grammar.N(1), dump.Expression(st, st.Star(st.Literal("ab")), 100))
	// Output:
	// 2 <nil>
	// true "ab"*
}
