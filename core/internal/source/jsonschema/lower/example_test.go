package lower_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/lower"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

// The way from a schema to its grammar; here all of it is one terminal.
func ExampleGrammar() {
	r, err := schema.Read([]byte(`{"enum": [12, "a"]}`), &source.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := plan.New(r, nil, plan.Writing{})
	if err != nil {
		fmt.Println(err)
		return
	}
	st := terminal.NewStore()
	g, notes, err := lower.Grammar(st, p)
	if err != nil {
		fmt.Println(err)
		return
	}
	start := g.Rules[g.Start].Alternatives
	fmt.Println(len(start), len(start[0]), len(notes))
	for _, text := range []string{"12", `"a"`, "a"} {
		fmt.Println(text, counters.Match(st, terminal.Expr(start[0][0].Index), []byte(text)))
	}
	// Output:
	// 1 1 0
	// 12 true
	// "a" true
	// a false
}
