package pushdown_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/oracle"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// Each text of a sequence that a loop absorbs is a text of the loop.
func TestLoopsReadAbsorbedSequences(t *testing.T) {
	r := testkit.Seeded(t, 61)
	texts := testkit.Strings("ab", 5)
	shape := testkit.GrammarShape{Alphabet: "ab", Rules: 3, ExprDepth: 1, Nodes: true, Ambiguous: true}
	found, refused := 0, 0
	for range testkit.Rounds(300, 10_000) {
		st := terminal.NewStore()
		g := testkit.Grammar(r, st, shape)
		p, err := pushdown.NewProgram(st, g)
		if err != nil {
			refused++
			continue
		}
		a := pushdown.NewAutomaton(p)
		for _, x := range pushdown.Absorbed(a) {
			found++
			for _, text := range texts {
				if s := a.StepBytes(x.Sequence, []byte(text)); a.Accepts(s) {
					reads := a.Accepts(a.StepBytes(x.Loop, []byte(text)))
					require.True(t, reads, "%q\n%s", text, oracle.DescribeGrammar(st, g))
				}
			}
		}
	}
	require.Positive(t, found)
	require.True(t, found > 50 || testing.Short(), found)
	t.Logf("%d sequences are absorbed, %d grammars were refused", found, refused)
}
