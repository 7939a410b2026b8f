package format_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/format"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Every format has a table, and a loose form contains the format.
func TestEveryFormatHasATable(t *testing.T) {
	loose := 0
	for _, name := range format.Names() {
		exact, ok := format.Table(name, false)
		require.True(t, ok, name)
		wide, ok := format.Table(name, true)
		if !ok {
			continue
		}
		loose++
		require.Less(t, wide.States(), exact.States()/4, name)
		st := terminal.NewStore()
		rest, ok := exact.And(st, wide.Expr(st, terminal.UTF8), true)
		require.True(t, ok, name)
		require.True(t, rest.IsEmpty(), name)
	}
	require.Equal(t, 4, loose)
}

// A table has the texts of the expression.
func TestTablesAreTheFormats(t *testing.T) {
	for _, name := range []string{"email", "uri", "date-time", "ipv6", "regex"} {
		table, ok := format.Table(name, false)
		require.True(t, ok)
		st := terminal.NewStore()
		e, err := regex.Lower(st, regex.MustParse(format.Pattern(name)), regex.Mode{Encoding: terminal.UTF8})
		require.NoError(t, err)
		rest, ok := table.And(st, e, true)
		require.True(t, ok)
		require.True(t, rest.IsEmpty(), name)
		same, ok := table.And(st, e, false)
		require.True(t, ok)
		require.Equal(t, table.States(), same.States(), name)
	}
}
