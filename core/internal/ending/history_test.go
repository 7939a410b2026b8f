package ending

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/terminal/spelling"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// Behind one of two names an end takes a long search, and its token is on no shortest text. Whether the search was made
// before changes no answer, however near the budget is to its cost (Lemma 225).
func TestComparedDistancesArePaid(t *testing.T) {
	v := testkit.CommittedTokenizer(t)
	text := `start: <[300]> | <[301]> thing
thing: %json {"type": "object", "oneOf": [
  {"patternProperties": {"a|b": {"multipleOf": 10}}}, {"patternProperties": {"a": {"multipleOf": 10}}}]}`
	finder := func(budget int) (f *Finder, behind pushdown.StateID) {
		b := limits.DefaultBudgets()
		b.Ending = budget
		g, err := compiler.New(v, compiler.Config{Budgets: &b}).Compile(source.Lark, []byte(text), &source.Options{})
		require.NoError(t, err)
		f = New(g.Current(), Stops{})
		name := spelling.Token(301)
		return f, f.a.StepBytes(f.a.Start(), name[:])
	}
	f, behind := finder(limits.DefaultBudgets().Ending)
	cost := 0
	require.True(t, f.ask(0, func() { cost = int(f.distance(behind).cost) }))
	require.Greater(t, cost, 100_000)
	known := 0
	for _, more := range []int{-1, 0, 1, 10, 100, 200, 300, 400, 1000, 10_000, 100_000, cost, 2 * cost} {
		f, _ := finder(cost + more)
		n := f.Tokens(f.a.Start())
		f, behind := finder(cost + more)
		f.ask(0, func() { f.distance(behind) })
		require.Equal(t, n, f.Tokens(f.a.Start()), "budget %d + %d", cost, more)
		if n == 2 {
			known++
		}
	}
	require.NotZero(t, known)
}
