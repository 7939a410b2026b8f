package core_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/testkit"
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
	testkit.Alone(t)
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

// MiniMax M3's arguments may end with an array, whose items have a name of their own.
func TestCallsThatEndWithAnArray(t *testing.T) {
	testkit.Alone(t)
	const m = "]<]minimax[>["
	request := `{"tools":[{"name":"f","input_schema":{"type":"object","properties":{"tags":{"type":"array","items":{"type":"string"}}}}}]}`
	output := func(tags string) string {
		return m + "<tool_call>\n" + m + `<invoke name="f">` + m + "<tags>" + tags + m + "</tags>" + m + "</invoke>\n" + m + "</tool_call>"
	}
	item := m + "<item>a" + m + "</item>"
	require.Equal(t, `f({"tags":["a"]})`, readCalls(t, "minimax_m3", request, output(item)))
	require.Equal(t, `f({"tags":["a","a"]})`, readCalls(t, "minimax_m3", request, output(item+"\n"+item)))
	require.Equal(t, `f({"tags":[]})`, readCalls(t, "minimax_m3", request, output("")))
}

// Templates print booleans and null as Python does, and put an empty line in place of no arguments.
func TestCallsAsTemplatesWriteThem(t *testing.T) {
	request := `{"tools":[{"name":"f","input_schema":{"type":"object","properties":{"on":{"type":"boolean"},` +
		`"or":{"type":["boolean","null"]}}}}]}`
	qwen := "<tool_call>\n<function=f>\n<parameter=on>\nTrue\n</parameter>\n<parameter=or>\nFalse\n</parameter>\n</function>\n</tool_call>"
	for word, want := range map[string]string{"False": `{"on":true,"or":false}`, "None": `{"on":true,"or":null}`} {
		text := []byte(strings.Replace(qwen, "False", word, 1))
		found, err := core.ParseCalls(text, []byte(request), &core.Options{Family: "qwen3_coder"})
		require.NoError(t, err)
		require.Equal(t, want, found.Calls[0].Arguments, "though masks allow neither")
	}
	deepseek := "<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"f\">\n\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>"
	require.Equal(t, `f({})`, readCalls(t, "deepseek_v4", request, deepseek))
}

// Families of users: text behind the arguments may begin with whitespace, or as a member does.
func TestCallsOfUsersFamilies(t *testing.T) {
	testkit.Alone(t)
	const request = `{"tools":[{"name":"f","input_schema":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}}}}],
		"tool_choice":"required"}`
	const glm, dsml, kimi = "<arg_key>a</arg_key>\n<arg_value>x</arg_value>",
		`<｜DSML｜parameter name="a" string="true">x</｜DSML｜parameter>`,
		`<|open|>argument key="a" type="string"<|sep|>x<|close|>argument<|sep|>`
	for _, c := range []struct{ call, style, output, want string }{
		{"<call name=$name>$arguments\n</call>", "qwen_xml", "<call name=f><parameter=a>\nx\n</parameter>\n</call>", `f({"a":"x"})`},
		{"<call name=$name>$arguments\n</call>", "qwen_xml", "<call name=f>\n</call>", `f({})`},
		{"<call name=$name>\n$arguments\n</call>", "glm_xml", "<call name=f>\n" + glm + "\n</call>", `f({"a":"x"})`},
		{"<call name=$name>\n$arguments\n</call>", "glm_xml", "<call name=f>\n\n</call>", `f({})`},
		{"<call name=$name>\n$arguments\n</call>", "deepseek_xml", "<call name=f>\n" + dsml + "\n</call>", `f({"a":"x"})`},
		{"<call name=$name>\n$arguments\n</call>", "deepseek_xml", "<call name=f>\n\n</call>", `f({})`},
		{"<call name=$name>\n$arguments </call>", "kimi_k3_xml", "<call name=f>\n </call>", `f({})`},
		{"<call name=$name>\n$arguments </call>", "kimi_k3_xml", "<call name=f>\n" + kimi + " </call>", `f({"a":"x"})`},
		{"<call name=$name>$arguments\n", "kimi_k3_xml", "<call name=f>" + kimi + "\n", `f({"a":"x"})`},
		{"]$name@$arguments<", "kimi_k3_xml", "]f@<", `f({})`},
		{"]$name@$arguments<", "kimi_k3_xml", "]f@" + kimi + "<", `f({"a":"x"})`},
		{"[call $name $arguments]", "python", "[call f a='x', b=1]", `f({"a":"x","b":1})`},
		{"[call $name $arguments]", "python", "[call f ]", `f({})`},
		{"[call $name $arguments end]", "python", "[call f  end]", `f({})`},
		{"[call $name $arguments end]", "python", "[call f a='x' end]", `f({"a":"x"})`},
		{"[call $name $arguments\n", "python", "[call f b=1\n", `f({"b":1})`},
		{"<call>$name: $arguments</call>", "gemma_4", `<call>f: a:<|"|>x<|"|></call>`, `f({"a":"x"})`},
		{"<call>$name: $arguments</call>", "gemma_4", "<call>f: </call>", `f({})`},
		{"<call>$name: $arguments\n</call>", "gemma_4", "<call>f: b:1\n</call>", `f({"b":1})`},
	} {
		family, err := json.Marshal(map[string]any{"name": "mine", "call": c.call, "arguments": c.style, "beside_text": false})
		require.NoError(t, err)
		require.Equal(t, c.want, readCalls(t, string(family), request, c.output), "%s: %q", c.call, c.output)
	}
}

// An output is incomplete if it ends behind a member, since another one may follow.
func TestCallsThatAreCutOff(t *testing.T) {
	request := []byte(`{"tools":[{"name":"f","input_schema":{"type":"object"}}]}`)
	for _, output := range []string{"<parameter=a>\nx\n</parameter>", "<parameter=a>\nx\n</parameter>\n<", "\n"} {
		_, err := core.ParseCalls([]byte("<tool_call>\n<function=f>\n"+output), request, &core.Options{Family: "qwen3_coder"})
		require.ErrorContains(t, err, "ends within the arguments", output)
	}
}

// A family without triggers can require calls, in a section or one behind another.
func TestRequiredCallsWithoutTriggers(t *testing.T) {
	testkit.Alone(t)
	for _, more := range []string{``, `,"beside_text":false`, `,"calls":{"begin":"<c>","separator":",","end":"</c>"}`} {
		family := `{"name":"mine","call":"[call $name $arguments]"` + more + `}`
		between, begin, end := "", "", ""
		if strings.Contains(more, "calls") {
			between, begin, end = ",", "<c>", "</c>"
		}
		for _, parallel := range []string{"true", "false"} {
			request := `{"tools":[{"name":"f","input_schema":{"type":"object"}}],"tool_choice":"required","parallel_tool_calls":` + parallel + `}`
			require.Equal(t, `f({})`, readCalls(t, family, request, begin+"[call f {}]"+end), more)
			if parallel == "true" {
				output := begin + "[call f {}]" + between + `[call f {"a": 1}]` + end
				require.Equal(t, `f({}) f({"a":1})`, readCalls(t, family, request, output), more)
			}
		}
		_, err := core.Check(core.Request, []byte(`{"tools":[{"name":"f"}]}`), &core.Options{Family: family})
		require.ErrorContains(t, err, `set tool_choice to "required"`)
	}
}

// The rule for names of a style without forbidden characters lists none.
func TestRuleOfNamesWithoutForbiddenCharacters(t *testing.T) {
	request := `{"tools":[{"name":"f","input_schema":{"type":"object","properties":{"":{}},"required":[""]}}]}`
	_, err := core.Check(core.Request, []byte(request), &core.Options{Family: "kimi_k3"})
	require.ErrorContains(t, err, `cannot write the name "": it must not be blank;`)
}
