package schema

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/format"
)

// The table lists exactly the known keywords. A test of package core compiles its examples.
func TestCapabilitiesAreComplete(t *testing.T) {
	told := map[Keyword]bool{}
	for _, c := range Capabilities() {
		k, since := lookup(c.Name)
		require.NotEqual(t, Other, k, c.Name)
		told[k] = true
		letters := strings.ToLower(strings.TrimPrefix(c.Name, "$"))
		require.Equal(t, letters, string(plainName(nil, c.Name)), "longestSpelling is too short")
		if since > 0 {
			require.Equal(t, Dialects()[since.age():], c.Dialects, c.Name)
		}
	}
	for k := Other + 1; k < keywordCount; k++ {
		require.True(t, told[k], "keyword number %d", k)
	}
	for i, name := range Dialects() {
		require.Equal(t, i, dialectNames[name].age())
	}
	require.False(t, slices.ContainsFunc(Formats(), func(c source.Capability) bool {
		return format.Pattern(c.Name) == "" && c.Support == source.Exact
	}))
}
