package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

const callSchema = `{"type": "object", "properties": {
	"location": {"type": "string"}, "days": {"type": "integer"}, "unit": {"enum": ["celsius", "fahrenheit"]},
	"details": {"type": "object", "properties": {"humidity": {"type": "boolean"}, "wind": {"type": "boolean"}},
		"required": ["humidity", "wind"], "additionalProperties": false},
	"tags": {"type": "array", "items": {"type": "string"}}},
	"required": ["location", "days", "unit", "details", "tags"], "additionalProperties": false}`

var callTexts = []string{
	`{"location": "San Francisco, CA", "days": 10, "unit": "celsius", "details": {"humidity": true, "wind": false}, "tags": ["a b", "c"]}`,
	"{\n  \"location\": \"San Francisco, CA\",\n  \"days\": 10,\n  \"unit\": \"celsius\",\n  \"details\": {\n    \"humidity\": true,\n" +
		"    \"wind\": false\n  },\n  \"tags\": [\n    \"a b\",\n    \"c\"\n  ]\n}",
}

// BenchmarkForcedTokens measures forced tokens and drafts along two outputs, at every token.
func BenchmarkForcedTokens(b *testing.B) {
	c := core.NewCompiler(cuttingVocabulary(b), core.CompilerConfig{WarmBytes: -1})
	g, err := c.Compile(core.JSONSchema, []byte(callSchema), nil)
	require.NoError(b, err)
	for _, x := range []struct {
		name string
		ask  func(m *core.Matcher, dst []int32) ([]int32, error)
	}{
		{"forced", (*core.Matcher).ForcedTokens},
		{"drafts", func(m *core.Matcher, dst []int32) ([]int32, error) { return m.Drafts(dst, 8) }},
	} {
		b.Run(x.name, func(b *testing.B) {
			var outputs [][]int32
			for _, text := range callTexts {
				outputs = append(outputs, cutByTokenizer(b, c, text))
			}
			m, err := core.NewMatcher(g, core.MatcherOptions{})
			require.NoError(b, err)
			var memory [64]int32
			calls, found := 0, 0
			began := testkit.CPUTime()
			for b.Loop() {
				for _, ids := range outputs {
					_ = m.Reset()
					for i := range ids {
						list, err := x.ask(m, memory[:0])
						if err != nil {
							b.Fatal(err)
						}
						calls++
						found += len(list)
						if n, err := m.Accept(ids[i : i+1]); n != 1 || err != nil {
							b.Fatal(n, err)
						}
					}
				}
			}
			spent := testkit.CPUTime() - began
			b.ReportMetric(float64(spent.Nanoseconds())/float64(calls), "cpu-ns/call")
			b.ReportMetric(float64(spent.Nanoseconds())/float64(found), "cpu-ns/token")
		})
	}
}
