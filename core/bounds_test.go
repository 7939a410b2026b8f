package core

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// Texts of every kind that exceed a bound fail with limit before anything is read into memory.
func TestTextsAreBounded(t *testing.T) {
	testkit.Alone(t)
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

// Conditions on one constant are decided by it, however many there are: nothing is tested side by side.
func TestConditionsOnOneConstantServe(t *testing.T) {
	testkit.Alone(t)
	var names, conditions []string
	for i := range 120 {
		names = append(names, fmt.Sprintf(`"k%d"`, i))
		conditions = append(conditions, fmt.Sprintf(
			`{"if": {"properties": {"type": {"const": "k%d"}}}, "then": {"required": ["p%d"]}}`, i, i))
	}
	spec := fmt.Sprintf(`{"type": "array", "items": {"type": "object", "properties": {"type": {"enum": [%s]}}, "required": ["type"],
		"allOf": [%s]}}`, strings.Join(names, ","), strings.Join(conditions, ","))
	v, err := NewVocabulary(VocabularyConfig{Tokens: singleBytes(), EndTokens: []uint32{256}})
	require.NoError(t, err)
	g, err := NewCompiler(v, CompilerConfig{}).Compile(JSONSchema, []byte(spec), nil)
	require.NoError(t, err)
	require.Empty(t, g.Notes(), "a note says that values are checked while they are written")
	for text, whole := range map[string]bool{
		`[{"type": "k3", "p3": 1}, {"type": "k119", "p119": 1, "p1": 1}]`: true,
		`[{"type": "k3", "p4": 1}]`:                                       false,
	} {
		m, err := NewMatcher(g, MatcherOptions{})
		require.NoError(t, err)
		row, taken := make([]uint32, v.Words()), 0
		for ; taken < len(text); taken++ {
			_, err := m.Fill(row)
			require.NoError(t, err)
			n, err := m.Accept([]int32{int32(text[taken])})
			require.NoError(t, err)
			if n == 0 {
				break
			}
		}
		require.Equal(t, whole, taken == len(text), text)
	}
}

// singleBytes returns a token for each byte, and an end token.
func singleBytes() (tokens [][]byte) {
	for b := range 256 {
		tokens = append(tokens, []byte{byte(b)})
	}
	return append(tokens, []byte("</s>"))
}

func requireLimit(t *testing.T, kind Kind, spec []byte, o *Options) {
	t.Helper()
	_, err := Check(kind, spec, o)
	require.Error(t, err)
	require.Equal(t, CodeLimit, AsError(err).Code, "%v: %v", kind, err)
}
