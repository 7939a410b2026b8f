package core_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// manyTools returns the first ten tools of BFCL as a request to OpenAI's API.
func manyTools(b *testing.B, data string) []byte {
	f, err := os.Open(filepath.Join(data, "bfcl/many.jsonl.gz"))
	if err != nil {
		b.Skip(err)
	}
	z, err := gzip.NewReader(f)
	require.NoError(b, err)
	var line struct{ Spec string }
	require.NoError(b, json.NewDecoder(z).Decode(&line))
	var spec struct {
		Format struct {
			Tags []struct {
				Begin   string
				Content struct {
					Schema json.RawMessage `json:"json_schema"`
				}
			}
		}
	}
	require.NoError(b, json.Unmarshal([]byte(line.Spec), &spec))
	var tools []map[string]any
	for _, t := range spec.Format.Tags {
		name := strings.ReplaceAll(t.Begin[len("<function="):len(t.Begin)-1], ".", "_") // as OpenAI's API demands
		tools = append(tools, map[string]any{"name": name, "parameters": t.Content.Schema})
	}
	out, err := json.Marshal(map[string]any{"tools": tools})
	require.NoError(b, err)
	return out
}

// BenchmarkFamilies measures the processor time of a request with ten tools until its first mask, in the vocabulary of
// Llama 3.1 with the marks of all families.
func BenchmarkFamilies(b *testing.B) {
	data := "../../shared/data"
	request := manyTools(b, data)
	base, err := core.LoadVocabulary(filepath.Join(data, "tokenizers/llama3_1.json.gz"), core.VocabularyOptions{})
	require.NoError(b, err)
	c := core.VocabularyConfig{EndTokens: base.EndTokens()}
	for id := range base.Size() {
		text, flags := base.Token(uint32(id))
		c.Tokens = append(c.Tokens, text)
		if flags&core.TokenSpecial != 0 {
			c.Special = append(c.Special, uint32(id))
		}
	}
	seen := map[string]bool{}
	for _, f := range core.Families() {
		for _, t := range f.Tokens {
			if _, ok := base.TokenID(t); !ok && !seen[t] {
				seen[t] = true
				c.Special = append(c.Special, uint32(len(c.Tokens)))
				c.Tokens = append(c.Tokens, []byte(t))
			}
		}
	}
	v, err := core.NewVocabulary(c)
	require.NoError(b, err)
	compiler := core.NewCompiler(v, core.CompilerConfig{CacheBytes: -1})
	row := make([]uint32, v.Words())
	for _, f := range core.Families() {
		if f.Name == "arguments" || f.Name == "json_list" {
			continue
		}
		b.Run(f.Name, func(b *testing.B) {
			var times []time.Duration
			for b.Loop() {
				begin := testkit.CPUTime()
				g, err := compiler.Compile(core.Request, request, &core.Options{Family: f.Name})
				require.NoError(b, err)
				m, err := core.NewMatcher(g, core.MatcherOptions{})
				require.NoError(b, err)
				_, err = m.Fill(row)
				times = append(times, testkit.CPUTime()-begin)
				require.NoError(b, err)
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-us")
		})
	}
}
