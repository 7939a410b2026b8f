package enginetest

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// costed is a random constraint and texts to walk along.
type costed struct {
	kind  source.Kind
	spec  string
	texts [][]byte
}

func costedConstraints(r *rand.Rand, n int) (out []costed) {
	for i := range n {
		c := costed{kind: source.Regex, spec: testkit.Regex(r, "ab1", 4)}
		if i%2 == 0 {
			c = costed{kind: source.JSONSchema, spec: testkit.Schema(r)}
		}
		if i%6 == 1 { // counts and patterns that strain the engine
			c.kind = []source.Kind{source.Regex, source.EBNF, source.Regex}[i/6%3]
			c.spec = testkit.RandomConstraint(r, c.kind, 3).Text
		}
		for range 3 {
			text := testkit.RandomString(r, "abc1", 8)
			if c.kind == source.JSONSchema {
				text = testkit.Value(r, 3)
			}
			c.texts = append(c.texts, []byte(text))
		}
		out = append(out, c)
	}
	return out
}

// costs walks along a text and returns the cost and the hash of the mask at each place.
func costs(g *compiled.Grammar, v *vocab.Vocabulary, text []byte) (out []string) {
	m := g.Current()
	s := m.Automaton().Start()
	row := make([]uint32, v.Words())
	for i := 0; s > pushdown.Over; i++ {
		some, within := m.Fill(s, row, v.EndTokens())
		said := fmt.Sprint(m.Cost(s) > m.Engine().Store().Budgets().Mask)
		if within {
			said = fmt.Sprint(m.Cost(s), some, row)
		}
		out = append(out, said)
		if i == len(text) {
			break
		}
		s = m.Automaton().Step(s, text[i])
	}
	return append(out, fmt.Sprint(s == pushdown.Dead, s == pushdown.Over))
}

// Masks and their costs in a new grammar equal those in a grammar that has walked along the other texts, for all
// budgets.
func TestCostsDoNotDependOnHistory(t *testing.T) {
	r := testkit.Seeded(t, 21)
	v := testkit.CommittedTokenizer(t)
	full := limits.DefaultBudgets()
	low := limits.Budgets{
		Expression: 40, Search: 4000, Transition: full.Transition, Booleans: full.Booleans, Mask: 30_000,
	}
	spent := 0
	for _, budgets := range []limits.Budgets{full, low} {
		c := compiler.New(v, compiler.Config{Budgets: &budgets})
		for _, x := range costedConstraints(r, testkit.Rounds(60, 4000)) {
			var fresh [][]string
			for range x.texts {
				g, err := c.Compile(x.kind, []byte(x.spec), &source.Options{})
				if err != nil {
					var e *diag.Error
					require.ErrorAs(t, err, &e)
					if e.Code == diag.Limit {
						spent++
					}
					break
				}
				fresh = append(fresh, costs(g, v, x.texts[len(fresh)]))
			}
			if len(fresh) == 0 {
				continue
			}
			g, err := c.Compile(x.kind, []byte(x.spec), &source.Options{})
			require.NoError(t, err)
			for i := len(x.texts) - 1; i >= 0; i-- {
				require.Equal(t, fresh[i], costs(g, v, x.texts[i]), "%s\nalong %q, after %q", x.spec, x.texts[i],
					x.texts[i+1:])
			}
		}
	}
	require.Positive(t, spent, "no budget was spent")
}
