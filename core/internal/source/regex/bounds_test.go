package regex

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// lowered lowers a pattern in a store of its own.
func lowered(t *testing.T, pattern string) (*terminal.Store, terminal.Expr, error) {
	t.Helper()
	st := terminal.NewStore()
	n, err := Parse(nil, pattern)
	if err != nil {
		return st, terminal.Empty, err
	}
	e, err := Lower(st, n, Mode{})
	return st, e, err
}

// Long patterns of optional parts have expressions in proportion to their length, and so have walks through them.
func TestPatternsOfManyOptionalParts(t *testing.T) {
	for _, part := range []string{"x*", "a?", "(?:ab)?", "[ab]?c?", "[ab]*[bc]*[cd]*", "(a?){20}a{20}"} {
		made := map[int]int{}
		for _, n := range []int{50, 800} {
			st, e, err := lowered(t, strings.Repeat(part, n))
			require.NoError(t, err)
			for _, b := range []byte("xabcab") {
				if next := st.Delta(e, b); next != terminal.Empty {
					e = next
				}
			}
			made[n] = st.Size().Expressions
		}
		require.LessOrEqual(t, made[800], 17*made[50], part)
	}
}

// A pattern with too many parts that can begin a text is refused at its place.
func TestTooManyPartsToBeginWith(t *testing.T) {
	_, _, err := lowered(t, "x(?:"+strings.Repeat("[ab]?c?", limits.DefaultBudgets().Expression/16)+")")
	require.NoError(t, err)
	_, _, err = lowered(t, "z?(?:y|"+strings.Repeat("[ab]?c?", limits.DefaultBudgets().Expression)+")z")
	var e *diag.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, diag.Limit, e.Code)
	require.ErrorContains(t, err, "1:8")
	require.ErrorContains(t, err, "write fewer alternatives")
}

func TestCountedNesting(t *testing.T) {
	nest := func(body, count string, depth int) string {
		return strings.Repeat("(", depth) + body + strings.Repeat(count, depth)
	}
	for _, count := range []string{"){1,2}", "b?){1,2}", "b*){0,2}", "c){3}"} {
		_, _, err := lowered(t, nest("a", count, limits.RegexCountedNesting))
		require.NoError(t, err, count)
		_, _, err = lowered(t, nest("ab", count, limits.RegexCountedNesting+1))
		var e *diag.Error
		require.ErrorAs(t, err, &e, count)
		require.Equal(t, diag.Limit, e.Code)
		require.ErrorContains(t, err, "counted repetitions")
	}
	for _, count := range []string{")+", "b?)*", ")?"} {
		_, _, err := lowered(t, nest("a", count, 900))
		require.NoError(t, err, count)
	}
}
