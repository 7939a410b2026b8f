package distinct_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/distinct"
)

// Items are compared by value in any spelling.
func ExampleValues() {
	v := distinct.New()
	for _, text := range []string{`[1,2`, `[1,1.0`, `["a","\u0061"`} {
		s, alive := distinct.Start, true
		for _, b := range []byte(text + "]") {
			if s, alive = v.Step(s, b); !alive {
				break
			}
		}
		fmt.Println(text, alive)
	}
	// Output:
	// [1,2 true
	// [1,1.0 false
	// ["a","\u0061" false
}
