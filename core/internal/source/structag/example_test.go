package structag_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/dump"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/structag"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Free text is one terminal that ends in the tag of a trigger.
func ExampleCompile() {
	st := terminal.NewStore()
	const tag = `{"structures": [{"begin": "<n>", "schema": {"type": "boolean"}, "end": "</n>"}], "triggers": ["<n"]}`
	g, notes, err := structag.Compile(st, []byte(tag), new(source.Options))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(len(notes), " notes\n", dump.Grammar(st, g))
	// Output:
	// 0 notes
	// start structural_tag.1
	// structural_tag.1
	//   = free_text.2
	// free_text.2 "free text"
	//   = @switch.0
	// json_schema.3 lazy
	// @switch.0 on /scanbytes("<n"#0)/
	//   #0 = /[>]/ json_schema.3 /"</n>"/ free_text.2
	//   #16777216 =
}
