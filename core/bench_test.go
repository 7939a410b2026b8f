package core_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// committedVocabulary is the 32k vocabulary of tests/data.
func committedVocabulary(tb testing.TB) *core.Vocabulary {
	const path = "../tests/data/tokenizer.json.gz"
	if _, err := os.Stat(path); err != nil {
		tb.Skipf("%s is not there: %v", path, err)
	}
	v, err := core.LoadVocabulary(path, core.VocabularyOptions{})
	require.NoError(tb, err)
	return v
}

// BenchmarkBatch measures one step of n sequences with cached rows, per row. The size at which a second thread begins
// to pay is the right value for helpAfter.
func BenchmarkBatch(b *testing.B) {
	v := committedVocabulary(b)
	g, err := core.NewCompiler(v, core.CompilerConfig{}).Compile(core.AnyJSON, nil, nil)
	require.NoError(b, err)
	for _, n := range []int{1, 8, 16, 32, 64, 128, 256, 1024} {
		var batch core.Batch
		for i := range n {
			m, err := core.NewMatcher(g, core.MatcherOptions{})
			require.NoError(b, err)
			_, err = m.AcceptBytes([]byte([]string{`{"a": [1, 2, "x`, `[`, `"text `, `{"k": 1`}[i%4]))
			require.NoError(b, err)
			batch.Items = append(batch.Items, core.BatchItem{Matcher: m, Row: i})
		}
		rows := core.Rows{Words: make([]uint32, n*v.Words()), Count: n, Stride: v.Words(), Width: v.Words()}
		for threads := 1; threads <= runtime.GOMAXPROCS(0); threads *= 2 {
			b.Run(fmt.Sprintf("rows=%d/threads=%d", n, threads), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					batch.Fill(rows, threads)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/row")
			})
		}
	}
}

// heavyPatterns returns sets of patterns for one text, many of them or with parts that may be empty, and a text that
// begins like a match.
func heavyPatterns() map[string]struct {
	kind       core.Kind
	spec, text string
} {
	type pattern = struct {
		kind       core.Kind
		spec, text string
	}
	var looks, counted []string
	for i := range 12 {
		looks = append(looks, fmt.Sprintf("(?=.*%c)", 'a'+i))
	}
	for i := 1; i <= 60; i++ {
		counted = append(counted, fmt.Sprintf("[a-z]{%d,%d}%d", i, i+30, i%10))
	}
	return map[string]pattern{
		"looks":    {core.Regex, strings.Join(looks, "") + `\w{10,40}`, "abcdefgh"},
		"counted":  {core.Regex, strings.Join(counted, "|"), "abcdefgh"},
		"loops":    {core.Regex, strings.Repeat("[ab]*[bc]*[cd]*", 1000), "abcdabcd"},
		"optional": {core.Regex, strings.Repeat("[ab]?c?", 10_000), "abcabcab"},
		"rounds": {
			core.Regex, `(?:\b[0-Ya.]_(?<=0|.a)|)ß|\x09.(?:(?is:b\t{1,3}(?!0\d\w)(?:b_\W[[:^punct:]9-B]|B))){0,` +
				`12}`, "\t",
		},
		"patterns": {core.JSONSchema, `{"type":"string","minLength":8,"maxLength":64,"allOf":[{"pattern":"[A-Z]"},` +
			`{"pattern":"[a-z]"},{"pattern":"[0-9]"},{"pattern":"[!@#$%]"},{"pattern":"[xyz]"},{"pattern":"q"},` +
			`{"pattern":"[pP]"},{"pattern":"[5-9]"}]}`, `"abcP1!q`},
	}
}

// BenchmarkPatterns measures heavyPatterns in a fresh compiler, and their slowest mask at the beginning of the text.
func BenchmarkPatterns(b *testing.B) {
	v := committedVocabulary(b)
	for name, p := range heavyPatterns() {
		b.Run(name, func(b *testing.B) {
			row := make([]uint32, v.Words())
			var compiling, worst time.Duration
			for b.Loop() {
				c := core.NewCompiler(v, core.CompilerConfig{})
				begin := time.Now()
				g, err := c.Compile(p.kind, []byte(p.spec), nil)
				compiling += time.Since(begin)
				require.NoError(b, err)
				m, err := core.NewMatcher(g, core.MatcherOptions{})
				require.NoError(b, err)
				slowest := time.Duration(0)
				for i := range len(p.text) {
					begin = time.Now()
					_, err = m.Fill(row)
					slowest = max(slowest, time.Since(begin))
					require.NoError(b, err)
					_, err = m.AcceptBytes([]byte(p.text[i : i+1]))
					require.NoError(b, err)
				}
				worst += slowest
			}
			b.ReportMetric(float64(compiling.Microseconds())/1000/float64(b.N), "compile-ms")
			b.ReportMetric(float64(worst.Microseconds())/1000/float64(b.N), "worst-mask-ms")
		})
	}
}

// BenchmarkDrafts measures masks of draft tokens with known states: chains of 8 and trees of 61 nodes of 64 requests,
// per row.
func BenchmarkDrafts(b *testing.B) {
	v := committedVocabulary(b)
	g, err := core.NewCompiler(v, core.CompilerConfig{}).Compile(core.AnyJSON, nil, nil)
	require.NoError(b, err)
	const requests, nodes = 64, 61
	tree := &core.Tree{}
	for k := range int64(nodes) { // three children each
		next, sibling := 3*k+1, k+1
		if next >= nodes {
			next = -1
		}
		if k == 0 || k%3 == 0 || sibling >= nodes {
			sibling = -1
		}
		tree.Next, tree.Sibling = append(tree.Next, next), append(tree.Sibling, sibling)
		tree.Tokens = append(tree.Tokens, int64(k))
	}
	var batch core.Batch
	row := make([]uint32, v.Words())
	for i := range requests {
		m, err := core.NewMatcher(g, core.MatcherOptions{})
		require.NoError(b, err)
		_, err = m.AcceptBytes([]byte(`{"a": "text `))
		require.NoError(b, err)
		_, err = m.Fill(row)
		require.NoError(b, err)
		var ids []int32
		for id := int32(0); len(ids) < nodes; id++ {
			if row[id/32]>>(id%32)&1 != 0 {
				if n, err := m.Validate([]int32{id, id}); n == 2 && err == nil {
					ids = append(ids, id)
				}
			}
		}
		for k := range tree.Tokens {
			tree.Tokens[k] = int64(ids[k])
		}
		batch.Items = append(batch.Items, core.BatchItem{Matcher: m, Row: i * nodes, IDs: ids[:8], Tree: tree})
	}
	rows := core.Rows{
		Words: make([]uint32, requests*nodes*v.Words()), Count: requests * nodes, Stride: v.Words(), Width: v.Words(),
	}
	for name, fill := range map[string]func(){
		"chains": func() { batch.FillChains(rows, 1) }, "trees": func() { batch.FillTrees(rows, 1) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				fill()
			}
			n, allowed := requests*9, 8
			if name == "trees" {
				n, allowed = requests*nodes, nodes
			}
			for _, it := range batch.Items {
				require.NoError(b, it.Err)
				require.Equal(b, allowed, it.Done)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/row")
		})
	}
}
