package jsonschema_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/dump"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Whitespace stands before a token and belongs to its terminal.
func ExampleCompile() {
	st := terminal.NewStore()
	schema := []byte(`{"type": "array", "items": {"enum": [1, 2]}, "maxItems": 3}`)
	g, notes, err := jsonschema.Compile(st, schema, &source.Options{MaxWhitespace: 128})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(len(notes), " notes\n", dump.Grammar(st, g))
	// Output:
	// 0 notes
	// start json.1
	// $1 = [\x09\x0a\x0d\x20]{0,128}
	// $2 = $1 [\]]
	// $3 = $1 [12]
	// json.1
	//   = /[[]/ items.2
	// items.2
	//   = /$2/
	//   = /$3/ @repeat.0 /$2/
	// @repeat.0 {0,2} = /$1 [,]/ /$3/
}
