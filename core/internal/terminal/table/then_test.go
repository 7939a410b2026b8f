package table_test

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/table"
)

// A table with a text behind it is the table of the sequence.
func TestThen(t *testing.T) {
	r := rand.New(rand.NewSource(8))
	for range 60 {
		m, end := randomMember(r), []string{"a", "aab", "</a>", "é", "\n"}[r.Intn(5)]
		s := terminal.NewStore()
		got, ok := of(t, m).Then(end)
		require.True(t, ok)
		want, ok := table.Anything().And(s, s.Concat(m(s, terminal.UTF8), s.Literal(end)), false)
		require.True(t, ok)
		for _, pair := range [][2]*table.Table{{got, want}, {want, got}} {
			rest, ok := pair[0].And(s, pair[1].Expr(s, terminal.UTF8), true)
			require.True(t, ok)
			require.True(t, rest.IsEmpty())
		}
		require.True(t, got.IsEmpty() || got.Has(end[0]))
	}
}
