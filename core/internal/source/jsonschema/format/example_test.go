package format_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/format"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

// A format as a terminal, in UTF-8.
func ExamplePattern() {
	st := terminal.NewStore()
	tree, err := regex.Parse(nil, format.Pattern("date"))
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := regex.Lower(st, tree, regex.Mode{Encoding: terminal.UTF8})
	for _, text := range []string{"2024-02-29", "2023-02-29"} {
		fmt.Println(text, counters.Match(st, e, []byte(text)), err)
	}
	// Output:
	// 2024-02-29 true <nil>
	// 2023-02-29 false <nil>
}
