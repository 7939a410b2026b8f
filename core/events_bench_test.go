package core_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/tests/corpus"
)

// BenchmarkEvents measures the processor time of a token: accepted without its output kept, with it, and with a call of
// Events after each one.
func BenchmarkEvents(b *testing.B) {
	const document = `{"name": "Ada Lovelace", "tags": ["mathematics", "engines"], "notes": "She wrote the first program, a ` +
		`long time before there was a machine to run it on; the note is longer than the text that it explains.", ` +
		`"born": {"year": 1815, "month": 12}, "alive": false, "scores": [1.5, 2.25, 3, 4, 5, 6, 7, 8, 9, 10]}`
	tools := []byte(`{"tools": [{"name": "save", "input_schema": {"type": "object", "properties": {
		"name": {"type": "string"}, "notes": {"type": "string"}, "count": {"type": "integer"}}}}]}`)
	anyTools := []byte(`{"tools": [{"name": "save", "input_schema": {"type": "object"}}]}`)
	v := committedVocabulary(b)
	c := core.NewCompiler(v, core.CompilerConfig{})
	for _, x := range []struct {
		name, text string
		kind       core.Kind
		spec       []byte
		options    *core.Options
	}{
		{"json", document, core.JSONObject, nil, nil},
		{
			"hermes", "Saving that.\n<tool_call>\n{\"name\": \"save\", \"arguments\": " + document + "}\n</tool_call>",
			core.Request, anyTools, &core.Options{Family: "hermes"},
		},
		{
			"qwen3_coder", "Saving that.\n<tool_call>\n<function=save>\n<parameter=name>\nAda Lovelace\n</parameter>\n" +
				"<parameter=notes>\nShe wrote the first program, a long time before there was a machine to run it on.\n</parameter>\n" +
				"<parameter=count>\n12\n</parameter>\n</function>\n</tool_call>",
			core.Request, tools, &core.Options{Family: "qwen3_coder"},
		},
		{
			"pythonic", `[save(name="Ada Lovelace", notes="She wrote the first program, a long time before a machine.", count=12)]`,
			core.Request, tools, &core.Options{Family: "pythonic"},
		},
		{
			"text", "She wrote the first program, a long time before there was a machine to run it on; the note is longer.",
			core.Request, tools, &core.Options{Family: "hermes"},
		},
	} {
		g, err := c.Compile(x.kind, x.spec, x.options)
		require.NoError(b, err)
		ids, ok := corpus.NewTokenizer(v).Cut([]string{x.text}, len(x.text))
		require.True(b, ok)
		for _, how := range []string{"accept", "kept", "events"} {
			b.Run(fmt.Sprintf("%s/%s", x.name, how), func(b *testing.B) {
				m, err := core.NewMatcher(g, core.MatcherOptions{KeepOutput: how != "accept"})
				require.NoError(b, err)
				n := 0
				var list []core.Event
				begin := testkit.CPUTime()
				for b.Loop() {
					require.NoError(b, m.Reset())
					for i := range ids {
						if k, err := m.Accept(ids[i : i+1]); k != 1 || err != nil {
							b.Fatal(x.name, i, err)
						}
						if how == "events" {
							list, err = m.Events(list[:0], false)
							if err != nil {
								b.Fatal(err)
							}
							n += len(list)
						}
					}
				}
				b.ReportMetric(float64((testkit.CPUTime()-begin).Nanoseconds())/float64(b.N)/float64(len(ids)), "cpu-ns/token")
				b.ReportMetric(float64(n)/float64(b.N)/float64(len(ids)), "events/token")
			})
		}
	}
}
