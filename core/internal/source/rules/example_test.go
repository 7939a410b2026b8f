package rules_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/dump"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A front end reads a tree. Lowering decides which parts become one terminal.
func ExampleTree_Lower() {
	const text = `list = "x" | "[" list "]"`
	t := rules.New("example", text, nil, nil)
	word := func(s string) *rules.Node { return t.Node(rules.Node{Kind: rules.Text, Text: s}) }
	list := t.Node(rules.Node{Kind: rules.Ref, Rule: 0})
	t.Rules = []rules.Rule{{Name: "list", Body: t.Choice(0, word("x"), t.Sequence(0, word("["), list, word("]")))}}
	st, g := terminal.NewStore(), grammar.New()
	start, err := t.Lower(st, g)
	if err != nil {
		fmt.Println(err)
		return
	}
	g.Start = start
	fmt.Print(dump.Grammar(st, g))
	// Output:
	// start list.1
	// list.1
	//   = /[[]/ list.1 /[\]]/
	//   = /[x]/
}
