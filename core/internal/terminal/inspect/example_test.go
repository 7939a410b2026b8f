package inspect_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/inspect"
)

func ExampleOf() {
	st := terminal.NewStore()
	digit := st.Bytes(terminal.BytesOf("01"))
	n := inspect.Of(st, st.Repeat(digit, 2, 3))
	fmt.Println(n.Op == inspect.OpRepeat, n.Min, n.Max, n.Args[0] == digit)
	fmt.Println(inspect.Contains(st, st.Star(digit), st.Repeat(digit, 2, 3)))
	// Output:
	// true 2 3 true
	// true
}
