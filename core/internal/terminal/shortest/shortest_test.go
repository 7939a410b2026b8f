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

// A counted text whose shortest form has plain characters alone takes no search, as a pattern without anchors beside a
// length has it. Beyond the greatest count, within escapes and without plain characters, a search decides.
func TestCountedPlainTextsTakeNoSearch(t *testing.T) {
	const enc = terminal.JSONString
	st := terminal.NewStore()
	pattern := func(least uint32) terminal.Expr {
		all, letter := st.Star(st.AnyRune(enc)), st.Or(st.Literal("a"), st.Literal("b"))
		return st.Concat(all, st.Literal("x"), st.Repeat(letter, least, least), all)
	}
	for _, c := range []struct {
		name     string
		e        terminal.Expr
		text     string
		bytes    uint32
		searched bool
	}{
		{"start", st.Counted(pattern(64), enc, 0, 200), "", 65, false},
		{"within", st.Counted(pattern(64), enc, 0, 200), "éxab", 62, false},
		{"just fits", st.Counted(pattern(64), enc, 0, 68), "éabx", 64, false},
		{"too many characters", st.Counted(st.Or(st.Literal("abc"), st.Literal("éé")), enc, 0, 2), "", 4, true},
		{"too many characters behind a text", st.Concat(st.Literal("q"), st.Counted(st.Or(st.Literal("abc"),
			st.Literal("éé")), enc, 0, 2)), "", 5, true},
		{"more characters than the pattern takes", st.Counted(pattern(8), enc, 12, 20), "x", 11, true},
		{"within an escape", st.Counted(pattern(8), enc, 0, 20), `\u00`, 11, true},
		{"not plain", st.Counted(st.Literal("é"), enc, 0, 20), "", 2, true},
	} {
		f, at, count := shortest.New(st), c.e, counters.Counter(0)
		for _, b := range []byte(c.text) {
			at, count = counters.Step(st, at, count, b)
		}
		ends, cost := f.Of(at, count)
		require.Equal(t, c.bytes, ends.Bare.Bytes, c.name)
		require.Equal(t, c.searched, cost > 1, c.name)
		require.True(t, ends.Bare.Exact, c.name)
	}
}
