package ending

import (
	"fmt"
	"strings"
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
	require.True(t, f.ask(0, func() { f.toEndBytes(behind) }))
	cost := f.Cost()
	require.Greater(t, cost, 100_000)
	known := 0
	for _, more := range []int{-1, 0, 1, 10, 100, 200, 300, 400, 1000, 10_000, 100_000, cost, 2 * cost} {
		f, _ := finder(cost + more)
		n := f.Tokens(f.a.Start())
		f, behind := finder(cost + more)
		f.ask(0, func() { f.toEndBytes(behind) })
		require.Equal(t, n, f.Tokens(f.a.Start()), "budget %d + %d", cost, more)
		if n == 2 {
			known++
		}
	}
	require.NotZero(t, known)
}

// distinctArrays is an object with n required arrays of distinct items.
func distinctArrays(n int) []byte {
	var properties, required []string
	for i := range n {
		properties = append(properties, fmt.Sprintf(`"p%d": {"type": "array", "uniqueItems": true}`, i))
		required = append(required, fmt.Sprintf(`"p%d"`, i))
	}
	return fmt.Appendf(nil, `{"type": "object", "properties": {%s}, "required": [%s]}`,
		strings.Join(properties, ","), strings.Join(required, ","))
}

// Facts about one required array of distinct items need those about the next. Whether they nest too deep does not depend
// on the facts that were found before.
func TestDepthOfFactsDoesNotDependOnHistory(t *testing.T) {
	comp := compiler.New(testkit.CommittedTokenizer(t), compiler.Config{})
	known, unknown := 0, 0
	for n := 82; n < 88; n++ {
		g, err := comp.Compile(source.JSONSchema, distinctArrays(n), &source.Options{})
		require.NoError(t, err)
		f := New(g.Current(), Stops{})
		start := f.a.Start()
		later := f.a.StepBytes(start, []byte(`{"p0":[],"p1":[],"p2":[1],"p3":[],"p4":[],"p5":[],"p6":[],"p7":[`))
		tokens := f.Tokens(start)
		if tokens < Unknown {
			known++
		} else {
			unknown++
		}
		f = New(g.Current(), Stops{})
		require.Less(t, f.Tokens(later), Unknown)
		require.Equal(t, tokens, f.Tokens(start), "%d arrays", n)
	}
	require.NotZero(t, known)
	require.NotZero(t, unknown)
}

// A question that takes too much has found no more facts than its budget pays for. A fact costs a step for each need, its
// memory counts as the grammar's, and the accounts of deep facts do not stay.
func TestQuestionsFindWhatTheyPayFor(t *testing.T) {
	b := limits.DefaultBudgets()
	b.Ending = 100_000
	c := compiler.New(testkit.CommittedTokenizer(t), compiler.Config{Budgets: &b})
	g, err := c.Compile(source.JSONSchema, distinctArrays(40), &source.Options{})
	require.NoError(t, err)
	f := New(g.Current(), Stops{})
	before := f.masks.Size()
	require.Equal(t, Unknown, f.Tokens(f.a.Start()))
	cost, needs := 0, 0
	for _, x := range f.facts {
		cost += x.cost
		needs += len(x.needs)
		require.GreaterOrEqual(t, x.cost, stepCost*len(x.needs))
	}
	require.GreaterOrEqual(t, f.masks.Size()-before, len(f.facts)*factSize+8*needs)
	require.Greater(t, len(f.accounts), accountsKept)
	require.True(t, f.ask(0, func() {}))
	require.LessOrEqual(t, len(f.accounts), accountsKept)
	require.Greater(t, cost, b.Ending/4)
	require.LessOrEqual(t, cost, b.Ending)
}
