package relax_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
)

// Two bounds on the same text make two states, whose tokens are found once.
func ExampleUncounted() {
	st := terminal.NewStore()
	letters := st.Star(st.Bytes(terminal.BytesOf("abc")))
	short, long := st.Counted(letters, terminal.UTF8, 0, 3), st.Counted(letters, terminal.UTF8, 0, 300)
	fmt.Println(short == long)
	fmt.Println(relax.Uncounted(st, short) == relax.Uncounted(st, long))
	// Output:
	// false
	// true
}

// "Any key but these" is compared with "any key".
func ExampleExcludedTexts() {
	st := terminal.NewStore()
	anyKey, quote := st.Star(st.AnyRune(terminal.JSONString)), st.Literal(`"`)
	others := st.And(anyKey, st.Not(st.Texts([]string{"name", "age"}, terminal.JSONString, nil)))
	base, _, ok := relax.ExcludedTexts(st, st.Concat(others, quote))
	fmt.Println(base == st.Concat(anyKey, quote), ok)
	// Output: true true
}
