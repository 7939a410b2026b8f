package arena_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/arena"
)

// An element never moves: its index and a pointer to it stay valid.
func ExampleTable() {
	var t arena.Table[string]
	first := t.Append("a")
	p := t.At(first)
	for range 100_000 {
		t.Append("b")
	}
	fmt.Println(*p, p == t.At(first), t.Len())
	// Output: a true 100001
}
