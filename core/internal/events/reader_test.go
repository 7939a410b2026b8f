package events_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/events"
	"github.com/sluice-engine/sluice/core/internal/events/value"
	"github.com/sluice-engine/sluice/core/internal/request/family"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// shown writes events in one line.
func shown(list []value.Event) string {
	var b strings.Builder
	for _, e := range merged(list) {
		switch e.Kind {
		case value.Text, value.Reasoning, value.Input:
			fmt.Fprintf(&b, "%s%q ", map[value.Kind]string{value.Reasoning: "think", value.Input: "in"}[e.Kind], e.Text)
		case value.Call:
			if e.Begins {
				b.WriteString(e.Text + "(")
			} else {
				b.WriteString(") ")
			}
		default:
			b.WriteString(e.JSON)
		}
	}
	return strings.TrimSpace(b.String())
}

func tool(name string) family.Tool { return family.Tool{Name: name, Schema: `{"type": "object"}`} }

// Outputs that the random ones seldom have, at every cut.
func TestOutputsAtEveryCut(t *testing.T) {
	r := testkit.Seeded(t, 94)
	for _, c := range []struct {
		family string
		use    family.Use
		text   string
		want   string
	}{
		{"hermes", family.Use{}, "a <tool_call> <tool_cal", `"a <tool_call> <tool_cal"`},
		{
			"hermes",
			family.Use{},
			"<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>é\xff",
			`f({}) "é\xff"`,
		},
		{
			"hermes",
			family.Use{Choice: family.None},
			"<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>",
			`"<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>"`,
		},
		{
			"hermes",
			family.Use{Tools: []family.Tool{tool("f")}},
			"<tool_call>\n{\"name\": \"g\", \"arguments\": {}}",
			`"<tool_call>\n{\"name\": \"g\", \"arguments\": {}}"`,
		},
		{"kimi_k2", family.Use{}, "<|tool_calls_section_begin|><|tool_call_begin|>functions.a:1:é:12<|tool_call_argument_begin|>" +
			"{}<|tool_call_end|><|tool_calls_section_end|>", `a:1:é({})`},
		{"mistral_v11", family.Use{}, "[TOOL_CALLS]a[b[ARGS]{}[TOOL_CALLS]c[ARGS]{\"x\": []}", `a[b({}) c({"x":[]})`},
		{"mistral", family.Use{}, `[TOOL_CALLS] [{"name": "a", "arguments": {}, "id": "a1B2c3D4e"}, ` +
			`{"name": "b", "arguments": {}}]`, `a({}) b({})`},
		{
			"glm_4_7",
			family.Use{},
			"<tool_call>f</tool_call><tool_call>g<arg_key>a</arg_key><arg_value>1</arg_value></tool_call>",
			`f({}) g({"a":1})`,
		},
		{"pythonic", family.Use{Tools: []family.Tool{tool("f")}}, "[see](f(x))", `"[see](f(x))"`},
		{"pythonic", family.Use{Tools: []family.Tool{tool("f")}}, `[f(a="]"), f()]`, `f({"a":"]"}) f({})`},
		{"llama", family.Use{}, `{"name": "f", "parameters": {}}; {"name": "g", "parameters": {"a": 1}}`, `f({}) g({"a":1})`},
		{"llama", family.Use{}, `{"name": 1}`, `"{\"name\": 1}"`},
		{
			"llama",
			family.Use{Tools: []family.Tool{tool("f")}, Answer: &family.Format{Type: "json_schema"}},
			`{"name": "Ada", "b": 1}`, `{"name":"Ada","b":1}`,
		},
		{
			"function_gemma",
			family.Use{Tools: []family.Tool{tool("f")}, Answer: &family.Format{Type: "json_schema"}},
			`{"a": "<start_function_call>call:f{}<end_function_call>"}`,
			`{"a":"<start_function_call>call:f{}<end_function_call>"}`,
		},
		{"qwen3", family.Use{Reasoning: family.On}, "a</think>\n\nb", `think"a" "b"`},
		{"qwen3", family.Use{Reasoning: family.On}, "<think>a</think>\n", `think"a"`},
		{"qwen3", family.Use{Reasoning: family.Maybe}, "a</think>b", `"a</think>b"`},
		{"qwen3", family.Use{Reasoning: family.On}, "a</thin", `think"a</thin"`},
		{"nemotron", family.Use{Reasoning: family.On}, "a</think>\n\n\nb", `think"a" "\nb"`},
		{
			"harmony",
			family.Use{Reasoning: family.Maybe},
			"<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>" +
				"commentary<|message|>b<|end|><|start|>assistant to=functions.f<|channel|>commentary json<|message|>{}",
			`think"a" "b" f({})`,
		},
		{"harmony", family.Use{}, " to=browser.open<|channel|>commentary code<|message|>{\"a\": 1}<|call|>", `browser.open({"a":1})`},
		{"harmony", family.Use{Answer: &family.Format{Type: "json_schema"}}, "<|channel|>final <|constrain|>json<|message|>" +
			`["<|return|>"]<|return|>`, `["<|return|>"]`},
		{"command_r7b", family.Use{}, "<|START_RESPONSE|>a<|END_RESPONSE|>", `"a"`},
		{"arguments", family.Use{Tools: []family.Tool{tool("f")}}, `{"a": 1}`, `f({"a":1})`},
		{"arguments", family.Use{Tools: []family.Tool{{Name: "f", Kind: family.Raw}}}, `{"a": 1`, `f(in"{\"a\": 1" )`},
		{
			"qwen3_coder",
			family.Use{Tools: []family.Tool{{Name: "f", Schema: `{"properties": {"a": {"type": "string"}}}`}}},
			"<tool_call>\n<function=f>\n<parameter=a>\n<parameter=b>\n1\n</parameter>\n</function>\n</tool_call>",
			`f({"a":"<parameter=b>\n1"})`,
		},
	} {
		f, err := family.Find(c.family)
		require.NoError(t, err)
		p := events.New(f, &c.use)
		whole := events.NewReader(p)
		var out value.Sink
		require.NoError(t, whole.Feed([]byte(c.text), &out), c.text)
		require.NoError(t, whole.Finish(&out))
		require.Equal(t, c.want, shown(out.Events), "%s: %q", c.family, c.text)
		atCuts(t, p, c.text, r)
	}
}

// Outputs in no format end with an error, and the same one for every cut.
func TestOutputsInNoFormat(t *testing.T) {
	for text, says := range map[string]string{
		"<tool_call>\n{\"name\": \"f\", \"arguments\": {a": "byte 40", "<tool_call>\n{\"name\": \"f\", \"arguments\": {}x": "byte 41",
		"<tool_call>\n{\"name\": \"f\", \"arguments\": \"q\"": "byte 39: arguments must be an object",
	} {
		f, err := family.Find("hermes")
		require.NoError(t, err)
		for i := range text {
			r, out := events.NewReader(events.New(f, &family.Use{})), &value.Sink{}
			if err = r.Feed([]byte(text[:i]), out); err == nil {
				err = r.Feed([]byte(text[i:]), out)
			}
			require.ErrorContains(t, err, says)
			require.Equal(t, diag.Invalid, err.(*diag.Error).Code)
			require.Equal(t, err, r.Feed([]byte("more"), out))
		}
	}
}

// Text is told as soon as it cannot begin a mark, and memory does not grow with it.
func TestTextIsNotKept(t *testing.T) {
	f, err := family.Find("hermes")
	require.NoError(t, err)
	r, out := events.NewReader(events.New(f, &family.Use{})), &value.Sink{}
	for i := range 2000 {
		require.NoError(t, r.Feed([]byte("a < b, <tool"), out))
		require.Len(t, out.Events, 1)
		require.Equal(t, len("a < b, ")+min(i, 1)*len("<tool"), len(out.Events[0].Text))
		out.Events = out.Events[:0]
	}
	require.Less(t, testing.AllocsPerRun(10, func() { r.Clone() }), 4.0)
}

// Any bytes, in any family: no panic, and the same events for every cut.
func FuzzReader(f *testing.F) {
	f.Add([]byte("<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n</tool_call>"), uint8(9), uint16(20))
	for i, x := range family.List() {
		for _, call := range x.Call {
			text, err := call.MarshalJSON()
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text, uint8(i), uint16(len(text)/2))
		}
	}
	all := family.List()
	f.Fuzz(func(t *testing.T, text []byte, which uint8, cut uint16) {
		p := events.New(all[int(which)%len(all)], &family.Use{Reasoning: family.Thinking(which / 85)})
		readAt := func(cuts ...int) (string, error) {
			r, out, from := events.NewReader(p), &value.Sink{}, 0
			for _, to := range append(cuts, len(text)) {
				if err := r.Feed(text[from:to], out); err != nil {
					return "", err
				}
				r, from = r.Clone(), to
			}
			return shown(out.Events), r.Finish(out)
		}
		want, err := readAt()
		got, same := readAt(min(int(cut), len(text)))
		require.Equal(t, err == nil, same == nil)
		if err == nil {
			require.Equal(t, want, got)
		}
	})
}
