package core_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

func TestDump(t *testing.T) {
	c := core.NewCompiler(smallVocabulary(), core.CompilerConfig{})
	dump := func(kind core.Kind, spec string, d core.DumpOptions) string {
		var out strings.Builder
		require.NoError(t, c.Dump(&out, kind, []byte(spec), nil, d))
		return out.String()
	}
	text := dump(core.Regex, "yes|no{3}", core.DumpOptions{Text: []byte("n")})
	require.Contains(t, text, `== state after "n" ==`)
	require.Contains(t, text, "== mask: 1 of 262 tokens ==\n  111 \"o\"\n")
	require.Contains(t, text, "== mask against trying every token ==\n  the same\n")
	require.Contains(t, dump(core.Regex, "yes", core.DumpOptions{Draw: "automaton"}), "digraph")
	// A request is shown as its constraint.
	request := `{"structured_outputs": {"regex": "yes"}}`
	require.Equal(t, dump(core.Regex, "yes", core.DumpOptions{}), dump(core.Request, request, core.DumpOptions{}))
	// So is a grammar of either kind.
	require.Equal(t, dump(core.Lark, "start: /a/", core.DumpOptions{}),
		dump(core.GrammarText, "start: /a/", core.DumpOptions{}))
	require.ErrorContains(t, c.Dump(&strings.Builder{}, core.Regex, []byte("(a"), nil, core.DumpOptions{}),
		"never closed")
	require.Error(t, c.Dump(&strings.Builder{}, core.Regex, []byte("a"), nil, core.DumpOptions{Draw: "cat"}))
}
