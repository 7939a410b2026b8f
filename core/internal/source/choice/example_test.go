package choice_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/dump"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/choice"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// The texts become one trie, which is one terminal.
func ExampleCompile() {
	st := terminal.NewStore()
	g, notes, err := choice.Compile(st, []byte(`["yes", "no", "not now"]`), new(source.Options))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(len(notes), " notes\n", dump.Grammar(st, g))
	// Output:
	// 0 notes
	// start choice.1
	// choice.1
	//   = /"yes" | "no" (() | "t now")/
}
