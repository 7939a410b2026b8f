package work_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/work"
)

// Steps beyond the budget end the compilation at any depth of calls.
func ExampleMeter() {
	defer func() { fmt.Printf("%+v\n", recover()) }()
	m := work.New(100, nil)
	m.Spend(60)
	fmt.Println(m.Left())
	m.Spend(60)
	m.Look()
	// Output:
	// 40
	// {Stopped:false At:<nil>}
}
