package number_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/number"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

// The multiples of 0.25 above 1, as a terminal.
func ExampleWrite() {
	low, _ := number.Parse("1")
	step, _ := number.Parse("0.25")
	spec := number.Spec{Low: number.Bound{Value: low, Set: true, Exclusive: true}, Multiples: []number.Decimal{step}}
	st := terminal.NewStore()
	e, err := number.Write(st, jsontype.Number, &spec, number.Spelling{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{"1", "1.25", "1.3", "12.50", "-2"} {
		fmt.Println(text, counters.Match(st, e, []byte(text)))
	}
	// Output:
	// 1 false
	// 1.25 true
	// 1.3 false
	// 12.50 true
	// -2 false
}
