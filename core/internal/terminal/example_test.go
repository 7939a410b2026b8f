package terminal_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

// An expression is a state: reading a byte leads to another expression, and equal expressions have equal ids.
func ExampleStore() {
	st := terminal.NewStore()
	ab := st.Star(st.Literal("ab"))
	afterA := st.Delta(ab, 'a')
	fmt.Println(st.Delta(afterA, 'b') == ab, st.Alive(afterA), st.View().Nullable(ab),
		st.Delta(ab, 'x') == terminal.Empty)
	// Output: true [b] true true
}

// A count of characters is no part of the expression, but a counter beside it, so that bounds of any size cost the
// same.
func ExampleStore_Counted() {
	st := terminal.NewStore()
	letter := st.Runes([]rune{'a', 'z'}, terminal.UTF8)
	e, c := st.Counted(st.Star(letter), terminal.UTF8, 2, 3), counters.Counter(0)
	for _, b := range []byte("abc") {
		e, c = counters.Step(st, e, c, b)
		fmt.Println(c.Count(), counters.Accepts(st, e, c))
	}
	e, _ = counters.Step(st, e, c, 'd')
	fmt.Println(e == terminal.Empty)
	// Output:
	// 1 false
	// 2 true
	// 3 true
	// true
}
