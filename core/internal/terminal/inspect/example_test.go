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
	// Output:
	// true 2 3 true
}

// Pairs are compared within steps that they share.
func ExampleContainsWithin() {
	st := terminal.NewStore()
	digit := st.Bytes(terminal.BytesOf("01"))
	steps := 3
	for range 3 {
		fmt.Println(inspect.ContainsWithin(st, &steps, st.Star(digit), st.Repeat(digit, 2, 3)), steps)
	}
	// Output:
	// true 1
	// false 0
	// false 0
}

// A character of a string with escapes is read in one way; a letter or two are not.
func ExamplePrefixFree() {
	st := terminal.NewStore()
	plain := st.Runes([]rune{' ', '!', '#', '[', ']', 0x10FFFF}, terminal.UTF8)
	escape := st.Concat(st.Text("\\", terminal.UTF8), st.Bytes(terminal.BytesOf(`"\nrt`)))
	letter := st.Bytes(terminal.BytesOf("ab"))
	fmt.Println(inspect.PrefixFree(st, st.Or(plain, escape)))
	fmt.Println(inspect.PrefixFree(st, st.Or(letter, st.Repeat(letter, 2, 2))))
	fmt.Println(inspect.PrefixFree(st, st.Star(letter)))
	// Output:
	// true
	// false
	// false
}
