package lower

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A temporary store makes nothing until it is used: some schemas need many.
func TestTemporaryStores(t *testing.T) {
	r, err := schema.Read([]byte(`{}`), &source.Options{})
	require.NoError(t, err)
	c, err := plan.New(r, nil, plan.Writing{})
	require.NoError(t, err)
	var l terms
	l.p = c.Planner
	require.Equal(t, terminal.NewStore().AnyRune(terminal.UTF8), l.temporary().AnyRune(terminal.UTF8))
	require.Less(t, testing.AllocsPerRun(10, func() { l.temporary() }), 100.0)
}
