package limittest

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// examples are constraints with every construct in the tables of the front ends, for the search to mutate. So it covers
// a new construct before random constraints contain it.
var examples = func() map[source.Kind][]source.Capability {
	c := compiler.Capabilities()
	return map[source.Kind][]source.Capability{
		source.EBNF: c.EBNF, source.Lark: c.Lark, source.Regex: c.Regex, source.StructuralTag: c.Tags,
		source.JSONSchema: append(c.Keywords, c.Formats...),
	}
}()

// example returns an example of that kind, or a random constraint of a kind without any.
func example(r *rand.Rand, kind source.Kind, size int) testkit.Constraint {
	all := examples[kind]
	if len(all) == 0 {
		return testkit.RandomConstraint(r, kind, size)
	}
	return testkit.Constraint{Kind: kind, Text: all[r.Intn(len(all))].Example}
}

func TestRandomTagsHaveAllStyles(t *testing.T) {
	require.ElementsMatch(t, jsonschema.Styles(), testkit.Styles)
}
