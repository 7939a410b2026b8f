package ending

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// The newest finders stay, and there are no more than findersKept.
func TestFindersAreFew(t *testing.T) {
	c := compiler.New(testkit.CommittedTokenizer(t), compiler.Config{})
	g, err := c.Compile(source.Regex, []byte("a*"), &source.Options{})
	require.NoError(t, err)
	x := FindersOf(g.Current())
	oldest := x.Of(Stops{})
	for id := range uint32(2 * findersKept) {
		f := x.Of(Stops{Text: []uint32{1000 + id}})
		require.Same(t, f, x.Of(Stops{Text: []uint32{1000 + id, 1000 + id}}))
	}
	require.Len(t, x.kept, findersKept)
	require.NotSame(t, oldest, x.Of(Stops{}))
}
