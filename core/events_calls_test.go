package core_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// readCalls compiles a request, and reads the output with a matcher and alone. It returns names and arguments of the calls.
func readCalls(t *testing.T, family, request, output string) string {
	t.Helper()
	o := &core.Options{Family: family}
	g, err := core.NewCompiler(familyVocabulary(t, nil, true), core.CompilerConfig{WarmBytes: -1}).Compile(core.Request, []byte(request), o)
	require.NoError(t, err)
	m, err := core.NewMatcher(g, core.MatcherOptions{KeepOutput: true})
	require.NoError(t, err)
	accepted, err := m.AcceptBytes([]byte(output))
	require.NoError(t, err)
	require.True(t, accepted, "%q", output)
	events, err := m.Events(nil, true)
	require.NoError(t, err, "%q", output)
	var written, parsed strings.Builder
	for _, e := range events {
		switch {
		case e.Kind == core.CallEvent && e.Begins:
			written.WriteString(e.Text + "(")
		case e.Kind == core.CallEvent:
			written.WriteString(") ")
		case e.Kind != core.TextEvent:
			written.WriteString(e.JSON)
		}
	}
	found, err := core.ParseCalls([]byte(output), []byte(request), o)
	require.NoError(t, err, "%q", output)
	for _, c := range found.Calls {
		parsed.WriteString(c.Name + "(" + c.Arguments + ") ")
	}
	require.Equal(t, parsed.String(), written.String())
	return strings.TrimSpace(parsed.String())
}

// A schema that is not enforced tells texts from numbers all the same, and so does a custom tool's text.
func TestCallsByUnenforcedSchemas(t *testing.T) {
	output := func(name, member, value string) string {
		return "<tool_call>\n<function=" + name + ">\n<parameter=" + member + ">\n" + value + "\n</parameter>\n</function>\n</tool_call>"
	}
	tools := func(tool string) string { return `{"tools":[` + tool + `]}` }
	for _, strict := range []string{``, `"strict":true,`, `"strict":false,`} {
		request := tools(`{"type":"function","function":{"name":"f",` + strict +
			`"parameters":{"type":"object","properties":{"zip":{"type":"string"},"n":{"type":"integer"}}}}}`)
		require.Equal(t, `f({"zip":"90210"})`, readCalls(t, "qwen3_coder", request, output("f", "zip", "90210")), strict)
		require.Equal(t, `f({"n":90210})`, readCalls(t, "qwen3_coder", request, output("f", "n", "90210")), strict)
	}
	free := tools(`{"type":"function","function":{"name":"f","strict":false,"parameters":{"type":"nothing","properties":{"n":[]}}}}`)
	require.Equal(t, `f({"n":12})`, readCalls(t, "qwen3_coder", free, output("f", "n", "12")))
	free = tools(`{"type":"function","function":{"name":"f","strict":false,"parameters":{"properties":{"n":{"type":"integer"}}}}}`)
	require.Equal(t, `f({"n":"twelve"})`, readCalls(t, "qwen3_coder", free, output("f", "n", "twelve")))
	custom := tools(`{"type":"custom","name":"f"}`)
	require.Equal(t, `f({"input":"12"})`, readCalls(t, "qwen3_coder", custom, output("f", "input", "12")))
}
