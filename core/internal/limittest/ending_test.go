package limittest

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/ending"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/matcher"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// endingAnswers is the answers about one state.
type endingAnswers struct {
	tokens   int
	fits, ok bool
	some     bool
	cut      bool
	row      []uint32
}

// Answers about endings do not depend on the order of the questions, and each question costs its budget at most, which is
// low here, so that many questions exceed it.
func TestEndingsDoNotDependOnHistory(t *testing.T) {
	b := limits.DefaultBudgets()
	b.Mask, b.Ending = 60_000, 120_000
	v, err := testkit.ConstraintVocabulary(true)
	require.NoError(t, err)
	states, exceeded := 0, 0
	for _, kind := range testkit.ConstraintKinds {
		for seed := range int64(testkit.Rounds(12, 200)) {
			c := testkit.RandomConstraint(rand.New(rand.NewSource(seed)), kind, 2)
			var first []endingAnswers
			for order := range 2 {
				comp := compiler.New(v, compiler.Config{Budgets: &b})
				g, err := comp.Compile(c.Kind, []byte(c.Text), c.SourceOptions())
				if err != nil {
					break
				}
				masks := g.Current()
				a, r := masks.Automaton(), rand.New(rand.NewSource(seed))
				path := []pushdown.StateID{a.Start()}
				for range 6 {
					s := path[len(path)-1]
					if s <= pushdown.Over || !a.Steps(s) {
						break
					}
					alive := a.Alive(s)
					x := alive.Next(r.Intn(128))
					if x >= 255 {
						x = alive.Next(0)
					}
					if x >= 255 {
						break
					}
					path = append(path, a.Step(s, byte(x)))
				}
				f := ending.New(masks, ending.Stops{})
				answers := make([]endingAnswers, len(path))
				for i := range path {
					if order == 1 {
						i = len(path) - 1 - i
					}
					s := path[i]
					if s <= pushdown.Over {
						continue
					}
					x := &answers[i]
					for step := range 3 {
						if order == 1 {
							step = 2 - step
						}
						switch step {
						case 0:
							x.tokens = f.Tokens(s)
						case 1:
							x.fits, x.ok = f.Fits(s, 4)
						case 2:
							x.row = make([]uint32, v.Words())
							for w := range x.row {
								x.row[w] = ^uint32(0)
							}
							if x.some, x.cut = f.Cut(s, 4, x.row); !x.cut {
								exceeded++
							}
						}
						require.LessOrEqual(t, f.Cost(), b.Ending+limits.StepCost*b.Transition, "more than a step beyond: %s", c.Text)
					}
					states++
				}
				if order == 0 {
					first = answers
				} else {
					require.Equal(t, first, answers, "%v %d: %s %s", kind, seed, c.Text, c.Options)
				}
			}
		}
	}
	t.Logf("%d states; %d questions exceeded their budget", states, exceeded)
	require.Greater(t, exceeded, 10)
}

// Items that are compared with each other are refused when the limit is set, and an enum for the items makes them work.
func TestLimitsOfTokensBesideUniqueItems(t *testing.T) {
	v, err := testkit.ConstraintVocabulary(true)
	require.NoError(t, err)
	comp := compiler.New(v, compiler.Config{})
	for text, refused := range map[string]bool{
		`{"type": "array", "uniqueItems": true, "items": {"type": "string"}}`:       true,
		`{"type": "array", "uniqueItems": true, "items": {"enum": ["a", "b", 11]}}`: false,
	} {
		g, err := comp.Compile(source.JSONSchema, []byte(text), &source.Options{})
		require.NoError(t, err)
		_, err = matcher.New(g, matcher.Options{MaxTokens: 30})
		if !refused {
			require.NoError(t, err)
			continue
		}
		require.Equal(t, diag.Limit, err.(*diag.Error).Code)
		require.ErrorContains(t, err, "uniqueItems")
	}
}
