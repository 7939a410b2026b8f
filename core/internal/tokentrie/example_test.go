package tokentrie_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/tokentrie"
)

// Tokens with a common prefix are neighbours, so a set of tokens is a few ranges of Order.
func ExampleTrie() {
	t := tokentrie.New([][]byte{[]byte("to"), []byte("a"), []byte("token"), []byte("tx")})
	from, to := t.Below(t.Root['t'])
	for _, id := range t.Order[from:to] {
		fmt.Println(id, string(t.Bytes[id]))
	}
	// Output:
	// 0 to
	// 2 token
	// 3 tx
}
