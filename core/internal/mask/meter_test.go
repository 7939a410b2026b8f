package mask

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/limits"
)

// A mask that is within its budget has taken no more work on transitions than one of them may take, so accepting one of its
// tokens is within the budget too.
func TestMasksAreRefusedBeforeTransitions(t *testing.T) {
	b := limits.DefaultBudgets()
	require.GreaterOrEqual(t, b.Transition, b.Mask/closureCost)
}
