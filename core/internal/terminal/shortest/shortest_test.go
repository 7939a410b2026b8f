package shortest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
	"github.com/sluice-engine/sluice/core/internal/terminal/shortest"
)

// Within a character or an escape, a search finds the fewest bytes after a few states, however many characters are
// missing.
func TestSearchEndsBehindTheCharacter(t *testing.T) {
	const enc = terminal.JSONString
	for _, missing := range []uint32{3, 3000} {
		st := terminal.NewStore()
		e := st.Concat(st.Counted(st.Star(st.AnyRune(enc)), enc, missing+1, terminal.Unbounded), st.Literal(`"`))
		for text, bytes := range map[string]uint32{
			``: missing + 2, `a`: missing + 1, `\`: missing + 2, `\u`: missing + 5, `\u00`: missing + 3,
			`\uD83D`: missing + 7, "\xE2": missing + 3, "\xF0\x9F": missing + 3,
		} {
			f, at, c := shortest.New(st), e, counters.Counter(0)
			for _, b := range []byte(text) {
				at, c = counters.Step(st, at, c, b)
				require.NotEqual(t, expr.Empty, at)
			}
			ends, cost := f.Of(at, c)
			require.Equal(t, shortest.Distance{Bytes: bytes, Exact: true}, ends.Bare, "%q", text)
			require.Less(t, cost, 20_000, "%q", text)
		}
	}
}
