package prices_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
)

// A transition of a union looks at each of its members, and costs the same for who comes second.
func ExampleRow() {
	st := terminal.NewStore()
	word := st.Star(st.Bytes(terminal.BytesOf("ab")))
	both := st.And(word, st.Not(st.Concat(word, st.Text("b", terminal.UTF8))))
	fmt.Println(prices.Weight(st, word) < prices.Weight(st, both))
	st.Alive(both)
	first := prices.Row(st, both)
	st.Alive(both)
	fmt.Println(first == prices.Row(st, both))
	// Output:
	// true
	// true
}
