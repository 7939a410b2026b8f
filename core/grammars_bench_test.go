package core_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// The grammars are of the kinds in Lark's documentation: arithmetic, JSON, SQL, and a Python with line ends and
// indentation.
const (
	arithmeticLark = `
?start: sum
?sum: product | sum "+" product | sum "-" product
?product: atom | product "*" atom | product "/" atom
?atom: NUMBER | "-" atom | NAME | "(" sum ")"
%import common.CNAME -> NAME
%import common (NUMBER, WS_INLINE)
%ignore WS_INLINE
`
	jsonLark = `
start: value
?value: object | array | ESCAPED_STRING | SIGNED_NUMBER | "true" | "false" | "null"
array: "[" [value ("," value)*] "]"
object: "{" [pair ("," pair)*] "}"
pair: ESCAPED_STRING ":" value
%import common (ESCAPED_STRING, SIGNED_NUMBER, WS)
%ignore WS
`
	pythonLark = `
start: stmt::0+
stmt::_: simple NEWLINE | ("if " expr | "while " expr | "def " NAME "(" [NAME (", " NAME)*] ")") ":" NEWLINE
    block::incr(_) %if lt(_, 8)
block::_: (indent::_ stmt::_)+
indent::_: "    " indent::decr(_) %if gt(_, 0) | "" %if eq(_, 0)
?simple: NAME " = " expr | "return " expr | expr | "pass"
?expr: expr OP unary | unary
?unary: "-" unary | "not " unary | atom
?atom: NAME | NUMBER | STRING | atom "(" [expr (", " expr)*] ")" | "[" [expr (", " expr)*] "]" | "(" expr ")"
OP: " " ("+" | "-" | "*" | "/" | "==" | "<" | ">" | "and" | "or") " "
STRING: /"[^"\n]*"/
NEWLINE: /\n+/
%import common.CNAME -> NAME
%import common.NUMBER
`
)

var exampleGrammars = []struct {
	name, grammar, first string
	rest                 func(i int) string // repeated up to 10 KB
}{
	{"arithmetic", arithmeticLark, "1", func(i int) string {
		return []string{
			" + x", " - total_price / 4", " * (alpha - -3.25e10 / (beta * 2))", fmt.Sprint(" / ", i*37),
		}[i%4]
	}},
	{"json", jsonLark, "[null", func(i int) string {
		return fmt.Sprintf(",\n {\"id\": %d, \"name\": \"order é %d\", \"tags\": [\"a\", \"b\"], \"in\": {\"k\": "+
			"-1.5e3}}", i, i)
	}},
	{"sql", testkit.SQLLark, "SELECT * FROM t;", func(i int) string {
		return fmt.Sprintf("\nSELECT a%d, (price + %d) * max(total, 2) AS c, name\nFROM orders WHERE status = 'open' "+
			"AND "+
			"(amount >= %d.5 OR not region IS NULL) ORDER BY name DESC LIMIT %d;", i, i, i, i)
	}},
	{"python", pythonLark, "x = 1\n", func(i int) string {
		return fmt.Sprintf("def f_%d(a, b):\n    if b < %d:\n        print(\"round %d\", [a, 2])\n        while not b "+
			"== 3:\n"+
			"            b = b - 1\n    return f_%d(b - 1, a / 2)\n", i, i, i, i)
	}},
}

// BenchmarkExampleGrammars takes 10 KB of each through its grammar, with a mask before every token, in the vocabulary
// of Llama 3.1: once with a new grammar, and once more with its caches filled.
func BenchmarkExampleGrammars(b *testing.B) {
	v, err := core.LoadVocabulary(filepath.Join("../../shared/data", "tokenizers/llama3_1.json.gz"),
		core.VocabularyOptions{})
	require.NoError(b, err)
	ids := map[string]int32{}
	for id := range v.Size() {
		if text, flags := v.Token(uint32(id)); len(text) > 0 && flags&core.TokenSpecial == 0 {
			ids[string(text)] = int32(id)
		}
	}
	compiler := core.NewCompiler(v, core.CompilerConfig{CacheBytes: -1})
	row := make([]uint32, v.Words())
	for _, x := range exampleGrammars {
		text := x.first
		for i := 1; len(text) < 10_000; i++ {
			text += x.rest(i)
		}
		if strings.HasPrefix(text, "[") {
			text += "]"
		}
		b.Run(x.name, func(b *testing.B) {
			var cold, warm []time.Duration
			for b.Loop() {
				g, err := compiler.Compile(core.Lark, []byte(x.grammar), nil)
				require.NoError(b, err)
				cold = append(cold, walkTimes(b, g, v, ids, row, text)...)
				warm = append(warm, walkTimes(b, g, v, ids, row, text)...)
			}
			for name, times := range map[string][]time.Duration{"cold": cold, "warm": warm} {
				slices.Sort(times)
				b.ReportMetric(float64(times[len(times)*99/100].Nanoseconds())/1e3, name+"-p99-us")
				b.ReportMetric(float64(times[len(times)/2].Nanoseconds())/1e3, name+"-p50-us")
			}
		})
	}
}

// walkTimes takes a text through a grammar, and returns the time of each mask.
func walkTimes(
	b *testing.B, g *core.Grammar, v *core.Vocabulary, ids map[string]int32, row []uint32, text string,
) (times []time.Duration) {
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	require.NoError(b, err)
	for rest := text; len(rest) > 0; {
		n := min(len(rest), v.MaxTokenLength())
		for ; n > 1 && ids[rest[:n]] == 0; n-- {
		}
		begin := time.Now()
		_, err := m.Fill(row)
		times = append(times, time.Since(begin))
		require.NoError(b, err)
		id := ids[rest[:n]]
		require.NotZero(b, row[id>>5]>>(id&31)&1, "%q after %q", rest[:n], text[:len(text)-len(rest)])
		taken, err := m.Accept([]int32{id})
		require.NoError(b, err)
		require.Equal(b, 1, taken)
		rest = rest[n:]
	}
	require.True(b, m.Completed())
	return times
}
