package core

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/limits"
)

// Texts of every kind that exceed a bound fail with limit before anything is read into memory.
func TestTextsAreBounded(t *testing.T) {
	long := bytes.Repeat([]byte{' '}, limits.SpecBytes+1)
	for _, kind := range []Kind{JSONSchema, Regex, EBNF, Lark, StructuralTag, Choice, Request} {
		requireLimit(t, kind, long, nil)
	}
	values := []byte(`{"enum":[` + strings.Repeat("0,", limits.JSONValues) + `0]}`)
	requireLimit(t, JSONSchema, values, nil)
	requireLimit(t, Request, values, nil)

	options := fmt.Sprintf(`{"documents":{"x":{"title":%q}}}`, strings.Repeat("a", limits.OptionBytes))
	_, err := ParseOptions([]byte(options))
	require.Equal(t, CodeLimit, AsError(err).Code)
}

func TestToolsOfARequestAreBounded(t *testing.T) {
	request := func(count int, name string) []byte {
		var tools []string
		for i := range count {
			tools = append(tools, fmt.Sprintf(`{"type":"function","function":{"name":"%s%d","parameters":{"type":"object"}}}`, name, i))
		}
		return []byte(`{"tool_choice":"required","tools":[` + strings.Join(tools, ",") + `]}`)
	}
	o := &Options{Family: "hermes"}
	requireLimit(t, Request, request(limits.RequestTools+1, "f"), o)
	_, err := ReadRequest(request(1, strings.Repeat("f", limits.ToolName)), o, nil)
	require.ErrorContains(t, err, fmt.Sprint(limits.ToolName))
}

func TestStopStringsAreBounded(t *testing.T) {
	require.Equal(t, limits.StopStringBytes, MaxStopBytes)
	v, err := NewVocabulary(VocabularyConfig{Tokens: [][]byte{[]byte("a"), []byte("</s>")}, EndTokens: []uint32{1}})
	require.NoError(t, err)
	g, err := NewCompiler(v, CompilerConfig{}).Compile(Regex, []byte("a*"), nil)
	require.NoError(t, err)
	m, err := NewMatcher(g, MatcherOptions{})
	require.NoError(t, err)
	require.NoError(t, m.SetStopStrings([]string{"aa"}))
	for text, code := range map[string]Code{"": CodeArgument, strings.Repeat("a", MaxStopBytes): CodeLimit} {
		require.Equal(t, code, AsError(m.SetStopStrings([]string{"b", text})).Code)
	}
	n, err := m.Accept([]int32{0, 0, 0})
	require.NoError(t, err)
	require.Equal(t, 2, n) // the earlier strings remain
}

func requireLimit(t *testing.T, kind Kind, spec []byte, o *Options) {
	t.Helper()
	_, err := Check(kind, spec, o)
	require.Error(t, err)
	require.Equal(t, CodeLimit, AsError(err).Code, "%v: %v", kind, err)
}
