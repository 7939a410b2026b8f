package counters_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

// Two strings of different lengths are in one state, and their counters tell them apart.
func ExampleStep() {
	st := terminal.NewStore()
	e := st.Counted(st.Star(st.Bytes(terminal.BytesOf("ab"))), terminal.UTF8, 2, 3)
	one, afterOne := counters.Step(st, e, 0, 'a')
	two, afterTwo := counters.Step(st, one, afterOne, 'b')
	fmt.Println(one == two, afterOne.Count(), afterTwo.Count())
	fmt.Println(counters.Accepts(st, one, afterOne), counters.Accepts(st, two, afterTwo))
	// Output:
	// true 1 2
	// false true
}
