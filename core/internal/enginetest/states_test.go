package enginetest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/oracle"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// Every random grammar, on every text up to a small length: the state after the text accepts exactly if the oracle
// accepts, and is dead exactly if the oracle knows no completion.
func TestStatesAgreeWithOracle(t *testing.T) {
	shapes := []testkit.GrammarShape{
		{Alphabet: "ab", Rules: 1},
		{Alphabet: "ab", Rules: 3},
		{Alphabet: "abc", Rules: 4, ExprDepth: 2},
		{Alphabet: "ab", Rules: 3, ExprDepth: 2, Boolean: true, Counted: true},
		{Alphabet: "ab", Rules: 2, ExprDepth: 1, Ambiguous: true},
		{Alphabet: "abc", Rules: 3, ExprDepth: 1, Counted: true, Nodes: true, Scans: true, Lazy: true, Ambiguous: true},
		{Alphabet: "ab", Rules: 2, Nodes: true},
		{Alphabet: "ab", Rules: 2, Nodes: true, Unclosed: true},
		{Alphabet: "ab", Rules: 2, Nodes: true, Unclosed: true, Boolean: true, ExprDepth: 1},
		{Alphabet: "ab", Rules: 3, Nodes: true, Scans: true, Lazy: true, ExprDepth: 1},
		{Alphabet: "abc", Rules: 3, Nodes: true, Scans: true, Lazy: true, ExprDepth: 2, Boolean: true, Counted: true},
	}
	for _, shape := range shapes {
		t.Run(fmt.Sprintf("%+v", shape), func(t *testing.T) {
			r := testkit.Seeded(t, 5)
			refused := 0
			for range testkit.Rounds(120, 20_000) {
				st := terminal.NewStore()
				g := testkit.Grammar(r, st, shape)
				if !checkStates(t, st, g, shape.Alphabet, 5) {
					refused++
				}
			}
			t.Logf("%d grammars have no exact automaton and were refused", refused)
		})
	}
}

// checkStates compares the automaton of g with the oracle. It returns false if the engine refused the grammar as too
// large or unsupported, or ran out of its budget; it checks a refusal as unsatisfiable.
func checkStates(t *testing.T, st *terminal.Store, g *grammar.Grammar, alphabet string, length int) bool {
	t.Helper()
	o := oracle.New(st, g)
	p, err := pushdown.NewProgram(st, g)
	if err != nil {
		var e *diag.Error
		require.ErrorAs(t, err, &e)
		if e.Code == diag.Unsatisfiable {
			require.False(t, o.Prefix(nil), "refused as unsatisfiable, but is not:\n%s", oracle.DescribeGrammar(st, g))
			return true
		}
		if e.Code == diag.Unsupported || e.Code == diag.Limit {
			return false
		}
		require.Failf(t, "unexpected error", "%v in\n%s", err, oracle.DescribeGrammar(st, g))
	}
	a := pushdown.NewAutomaton(p)
	type node struct {
		text  string
		state pushdown.StateID
	}
	level := []node{{"", a.Start()}}
	for n := 0; n <= length; n++ {
		var next []node
		for _, x := range level {
			if x.state == pushdown.Over {
				return false
			}
			accepts, live := o.Accepts([]byte(x.text)), o.Prefix([]byte(x.text))
			if a.Accepts(x.state) != accepts || (x.state != pushdown.Dead) != live {
				require.Failf(t, "disagreement", "%q: engine accepts %v and is in state %d, oracle accepts %v and is "+
					"live %v, in\n%s",
					x.text, a.Accepts(x.state), x.state, accepts, live, oracle.DescribeGrammar(st, g))
			}
			if !live {
				continue
			}
			for i := range len(alphabet) {
				next = append(next, node{x.text + alphabet[i:i+1], a.Step(x.state, alphabet[i])})
			}
		}
		level = next
	}
	return true
}
