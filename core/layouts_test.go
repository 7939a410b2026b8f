package core_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/tests/corpus"
)

func takes(t *testing.T, g *core.Grammar, text string) bool {
	t.Helper()
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	require.NoError(t, err)
	for len(text) > 0 { // in pieces, since the work of one call is bounded
		n := min(len(text), 100)
		ok, err := m.AcceptBytes([]byte(text[:n]))
		require.NoError(t, err)
		if !ok {
			return false
		}
		text = text[n:]
	}
	return m.Completed()
}

var nested = []byte(`{"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"type": "array",
	"items": {"type": "object", "properties": {"c": {"type": ["string", "null"]}, "d": {"type": "number"}},
	"additionalProperties": false}}}, "additionalProperties": false}, "e": {"enum": ["x", "y"]}},
	"additionalProperties": false}`)

const nestedValue = `{"a":{"b":[{"c":"u v\n, {","d":-1.5},{},{"c":null}]},"e":"y"}`

// Layouts of serializers are accepted, other layouts are not.
func TestLayouts(t *testing.T) {
	testkit.Alone(t)
	c := core.NewCompiler(committedVocabulary(t), core.CompilerConfig{})
	g, err := c.Compile(core.JSONSchema, nested, nil)
	require.NoError(t, err)
	for _, l := range corpus.Layouts() {
		text, _ := l.Write(nestedValue)
		require.True(t, takes(t, g, text), "%s: %q", l.Name, text)
	}
	for _, text := range []string{
		"{  \"e\": \"x\"}", "{\n\n\n\"e\": \"x\"}", "{\"e\":\t\"x\"}",
		"{\n" + strings.Repeat(" ", 33) + "\"e\": \"x\"}", "{\n" + strings.Repeat("\t", 9) + "\"e\": \"x\"}",
		"{\n \t\"e\": \"x\"}", "{\"e\": \"x\" \n}", " {}", "{} ", "{\n \n\"e\": \"x\"}", "{\r\"e\": \"x\"}",
	} {
		require.False(t, takes(t, g, text), "%q", text)
	}
	free, err := c.Compile(core.JSONSchema, nested, &core.Options{MaxWhitespace: 3})
	require.NoError(t, err)
	require.True(t, takes(t, free, "{\t\t\t\"e\"   :\r\r\n\"x\"}"))
	require.False(t, takes(t, free, "{    \"e\": \"x\"}"))
}

// The instances of the collections are accepted in the layouts of serializers if they are accepted in the first layout,
// up to the longest gap allowed.
func TestLayoutsOfCollections(t *testing.T) {
	testkit.Alone(t)
	data, v, err := corpus.Real()
	if errors.Is(err, corpus.ErrNoData) {
		t.Skip(err)
	}
	require.NoError(t, err)
	c := core.NewCompiler(v, core.CompilerConfig{WarmBytes: -1})
	list, step, i, written := corpus.Layouts(), 60/testkit.Rounds(1, 60), 0, 0
	check := func(x *corpus.Job, relay func(l *corpus.Layout, text string) (string, int)) {
		if i++; i%step != 0 {
			return
		}
		var g *core.Grammar
		for k := range x.Tests {
			text := x.Tests[k].Text()
			if plain, _ := relay(&list[0], text); !x.Tests[k].Valid || plain != text {
				continue
			}
			if g == nil {
				if g, err = c.Compile(x.Kind, x.Spec, &x.Options); err != nil {
					return
				}
			}
			if !takes(t, g, text) {
				continue
			}
			for j := range list[1:] {
				if out, longest := relay(&list[j+1], text); list[j+1].Fits(longest) {
					require.True(t, takes(t, g, out), "%s, test %d, %s: %q", x.ID, k, list[j+1].Name, out)
					written++
				}
			}
		}
	}
	require.NoError(t, corpus.MaskBench(data, func(x *corpus.Job) { check(x, (*corpus.Layout).Write) }))
	require.NoError(t, corpus.BFCL(data, "dev", func(x *corpus.Job) { check(x, (*corpus.Layout).Calls) }))
	require.Greater(t, written, 1000)
}

// A sampler that prefers whitespace gets at most two line ends and the indentation of four levels, or of fifteen if
// values may be nested deeper, for every preferred character.
func TestWhitespaceDoesNotRunAway(t *testing.T) {
	testkit.Alone(t)
	c := core.NewCompiler(committedVocabulary(t), core.CompilerConfig{})
	recursive := []byte(`{"$defs": {"x": {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/x"}}, {"type": "null"}]}},
		"$ref": "#/$defs/x"}`)
	for _, x := range []struct {
		schema []byte
		value  string
		bound  func(depth int) int
	}{
		{nested, nestedValue, func(depth int) int {
			if depth > 4 {
				return 128
			}
			return 2 + 8*4
		}},
		{[]byte(`true`), nestedValue, func(int) int { return 128 }},
		{recursive, strings.Repeat("[", 20) + "null" + strings.Repeat("]", 20), func(int) int { return 128 }},
	} {
		g, err := c.Compile(core.JSONSchema, x.schema, nil)
		require.NoError(t, err)
		for _, prefers := range []string{
			" \t\n\r", "\t \n\r", "\n \t\r", "\n\t \r", "\r\n \t", "\r\n\t ", " \n\t\r", "\n\r\t ",
		} {
			m, err := core.NewMatcher(g, core.MatcherOptions{})
			require.NoError(t, err)
			depth := 0
			for i, token := range corpus.JSONTokens(x.value) {
				if token == "{" || token == "[" {
					depth++
				}
				if i > 0 {
					run := whitespace(t, m, prefers)
					require.LessOrEqual(t, len(strings.ReplaceAll(run, "\r\n", "\n")), x.bound(depth), "%q before %s", run, token)
				}
				ok, err := m.AcceptBytes([]byte(token))
				require.NoError(t, err)
				require.True(t, ok, "token %d, %s", i, token)
				if token == "}" || token == "]" {
					depth--
				}
			}
			require.True(t, m.Completed())
		}
	}
}

// whitespace accepts whitespace as long as it is allowed, always the first allowed character of `prefers`.
func whitespace(t *testing.T, m *core.Matcher, prefers string) (run string) {
	for i := 0; i < len(prefers); i++ {
		ok, err := m.AcceptBytes([]byte{prefers[i]})
		require.NoError(t, err)
		if ok {
			run += prefers[i : i+1]
			i = -1
		}
	}
	return run
}

// A value below the deepest counted level has the greatest bound.
func TestLayoutsOfDeepValues(t *testing.T) {
	testkit.Alone(t)
	schema, value := `{"type": "integer"}`, "1"
	for range 30 {
		schema = `{"type": "object", "properties": {"a": ` + schema + `}, "additionalProperties": false}`
		value = `{"a":` + value + `}`
	}
	g, err := core.NewCompiler(committedVocabulary(t), core.CompilerConfig{}).Compile(core.JSONSchema, []byte(schema), nil)
	require.NoError(t, err)
	for _, l := range corpus.Layouts() {
		text, longest := l.Write(value)
		require.Equal(t, l.Fits(longest), takes(t, g, text), "%s: %q", l.Name, text)
	}
}
