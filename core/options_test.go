package core

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every option that is read is in the table of capabilities.
func TestEveryOptionIsInTheTable(t *testing.T) {
	var told []string
	for _, o := range Capabilities().Options {
		told = append(told, o.Name)
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(optionReaders)), told)
}
