package pushdown_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A grammar is linked into a program, which an automaton runs byte by byte: its states are numbers, made on demand.
func ExampleAutomaton() {
	st := terminal.NewStore()
	g := grammar.New()
	nested := g.NewRule("nested")
	g.Add(nested, grammar.T(st.Literal("(")), grammar.N(nested), grammar.T(st.Literal(")")))
	g.Add(nested, grammar.T(st.Literal("x")))
	g.Start = nested
	p, err := pushdown.NewProgram(st, g)
	if err != nil {
		fmt.Println(err)
		return
	}
	a := pushdown.NewAutomaton(p)
	s := a.Start()
	for _, b := range []byte("((x))") {
		s = a.Step(s, b)
		fmt.Printf("%c %s %v\n", b, a.Alive(s), a.Accepts(s))
	}
	fmt.Println(a.Step(s, ')') == pushdown.Dead)
	// Output:
	// ( [(x] false
	// ( [(x] false
	// x [)] false
	// ) [)] false
	// ) [] true
	// true
}
