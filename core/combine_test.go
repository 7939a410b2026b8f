package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

func partOf(kind core.Kind, spec string) core.Part { return core.Part{Kind: kind, Spec: []byte(spec)} }

// Parts of every kind can be concatenated and united.
func TestConcatAndUnion(t *testing.T) {
	v := loadCaseVocabulary(t)
	compiler := core.NewCompiler(v.v, core.CompilerConfig{})
	parts := []core.Part{
		partOf(core.JSONSchema, `{"type": "integer"}`), partOf(core.Regex, "[x-z]+"),
		partOf(core.EBNF, `root ::= "(" root? ")"`), partOf(core.Lark, `start: "{" start? "::=" "}"`),
		partOf(core.Choice, `["yes", "no\n"]`), partOf(core.JSONObject, ""), partOf(core.AnyJSON, ""),
		partOf(core.JSONSchema, "$$ANY$$"), partOf(core.StructuralTag, `{"type": "structural_tag", "format": {"type": `+
			`"tag", "begin": "<a>", "content": {"type": "const_string", "value": "b"}, "end": "</a>"}}`),
	}
	texts := []string{"12", "xyz", "(())", "{{::=}::=}", "no\n", `{"a": 1}`, "[1, 2]", "null", "<a>b</a>"}
	accepts := func(g *core.Grammar, text string) bool {
		m, err := core.NewMatcher(g, core.MatcherOptions{})
		require.NoError(t, err)
		ok, err := m.AcceptBytes([]byte(text))
		require.NoError(t, err)
		return ok && m.Completed()
	}
	compile := func(spec []byte, o *core.Options, err error) *core.Grammar {
		require.NoError(t, err)
		g, err := compiler.Compile(core.StructuralTag, spec, o)
		require.NoError(t, err)
		return g
	}
	either, both := compile(core.Union(parts...)), compile(core.Concat(parts...))
	whole := ""
	for i, text := range texts {
		require.True(t, accepts(either, text), text)
		require.False(t, accepts(both, text), text)
		alone, o, err := core.Concat(parts[i])
		require.True(t, accepts(compile(alone, o, err), text), text)
		whole += text
	}
	require.True(t, accepts(both, whole))
	require.False(t, accepts(either, "12xyz"))

	for _, c := range []struct {
		want core.Code
		part core.Part
	}{
		{core.CodeSyntax, partOf(core.JSONSchema, "{")},
		{core.CodeArgument, partOf(core.Request, "{}")},
		{core.CodeSyntax, partOf(core.Regex, "a\xff")},
		{core.CodeSyntax, partOf(core.EBNF, "root ::= \"\xff\"")},
		{core.CodeSyntax, partOf(core.JSONSchema, "{\"const\": \"\xff\"}")},
		{core.CodeSyntax, partOf(core.Choice, "[null]")},
		{core.CodeSyntax, partOf(core.StructuralTag, `{"FORMAT": {"type": "any_text"}}`)},
	} {
		_, _, err := core.Union(parts[0], c.part)
		require.Error(t, err, "%s %q", c.part.Kind, c.part.Spec)
		require.Equal(t, c.want, core.AsError(err).Code)
		require.Equal(t, "/1", core.AsError(err).Place.Pointer)
	}
	// A lone surrogate is no text: the tag refuses it like the choice alone.
	spec, o, err := core.Union(partOf(core.Choice, `["a", "\ud800"]`))
	require.NoError(t, err)
	_, err = compiler.Compile(core.StructuralTag, spec, o)
	require.Error(t, err)
	require.Equal(t, core.CodeSyntax, core.AsError(err).Code)
	_, _, err = core.Concat()
	require.Equal(t, core.CodeArgument, core.AsError(err).Code)
}
