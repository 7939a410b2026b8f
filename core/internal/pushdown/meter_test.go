package pushdown_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/oracle"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// Verdicts, Over included, do not depend on earlier calls: each text has the same one in an automaton of its own and in
// one that has followed others.
func TestBudgetsDoNotRememberQuestions(t *testing.T) {
	shapes := []testkit.GrammarShape{
		{Alphabet: "ab", Rules: 3, ExprDepth: 1, Ambiguous: true},
		{Alphabet: "ab", Rules: 4, Nodes: true, Scans: true, Ambiguous: true},
		{Alphabet: "ab", Rules: 2, ExprDepth: 1, Nodes: true, Spans: true},
	}
	r := testkit.Seeded(t, 12)
	over, asked := 0, 0
	for _, shape := range shapes {
		texts := testkit.Strings(shape.Alphabet, 5)
		if shape.Spans {
			texts = testkit.Strings("a()", 4)
		}
		for range testkit.Rounds(160, 20_000) {
			st := terminal.NewStore()
			g := testkit.Grammar(r, st, shape)
			p, err := pushdown.NewProgram(st, g)
			if err != nil {
				continue
			}
			work, depth, sides := 4+r.Intn(60), 1+r.Intn(8), 1+r.Intn(8)
			used := pushdown.NewBounded(p, work, depth, sides)
			for _, i := range r.Perm(len(texts)) {
				fresh := pushdown.NewBounded(p, work, depth, sides)
				x, y := verdict(fresh, texts[i]), verdict(used, texts[i])
				if x != y {
					require.Failf(t, "another answer",
						"%q: %s asked first, %s after others; work %d, depth %d, sides %d "+
							"in\n%s", texts[i], x, y, work, depth, sides, oracle.DescribeGrammar(st, g))
				}
				if asked++; x == "over" {
					over++
				}
			}
			require.True(t, pushdown.Rests(used))
		}
	}
	require.Greater(t, over, asked/100, "hardly any text spends a budget")
	require.Less(t, over, asked*9/10, "nearly every text spends a budget")
}

func verdict(a *pushdown.Automaton, text string) string {
	switch s := a.StepBytes(a.Start(), []byte(text)); {
	case s == pushdown.Dead:
		return "dead"
	case s == pushdown.Over:
		return "over"
	case a.Accepts(s):
		return "complete"
	}
	return "alive"
}
