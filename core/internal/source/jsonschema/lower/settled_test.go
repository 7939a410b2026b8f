package lower

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
)

// Settled builds no automata.
func TestSettled(t *testing.T) {
	for spec, settled := range map[string]bool{
		`{"type": "object", "properties": {"a": {"type": "integer", "minimum": 3}}}`: true,
		`{"type": "string", "pattern": "^a+$", "maxLength": 9}`:                      false,
	} {
		r, err := schema.Read([]byte(spec), &source.Options{})
		require.NoError(t, err)
		c, err := plan.New(r, nil, plan.Writing{})
		require.NoError(t, err)
		require.Equal(t, settled, Settled(c), spec)
	}
}
