package enginetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/matcher"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/core/internal/testkit/engine"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// lookAheads returns a pattern that requires each of the first n letters at any place.
func lookAheads(n int, rest string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "(?=.*%c)", 'a'+i)
	}
	return b.String() + rest
}

func allPatterns(bounds string, patterns ...string) string {
	return `{"type": "string", ` + bounds + `"allOf": [{"pattern": "` + strings.Join(patterns, `"}, {"pattern": "`) +
		`"}]}`
}

// oneOfWords requires exactly one of five words in a string.
const oneOfWords = `{"type": "string", "oneOf": [{"pattern": "customer"}, {"pattern": "maker"}, {"pattern": ` +
	`"operator"}, ` +
	`{"pattern": "admin"}, {"pattern": "designer"}]}`

// labels are labels of any characters without two slashes after a colon, from a real schema.
const labels = `{"type": "string", "pattern": "^(?!.*://)(?=.{1,255}$)((.{1,63}\\.){1,127}(?![0-9]*$)[a-z0-9-]+\\.?)$"}`

// conditions are constraints with many conditions on one string, and a text of each.
func conditions() []ambiguous {
	const sentence = "the quick brown fox jumps over the lazy dog"
	return []ambiguous{
		{"4 look-aheads", "regex", lookAheads(4, `\w{10,40}`), "hello_abc_world_d"},
		{"10 look-aheads", "regex", lookAheads(10, `\w{10,40}`), "zzzzhello_abcdefghij_world"},
		{"eight patterns", "json_schema", allPatterns(`"minLength": 8, "maxLength": 64, `, "[A-Z]", "[a-z]", "[0-9]",
			"[!@#$%]", "[xyz]",
			"q", "[pP]", "[5-9]"), `"The Quick brown fox 1 jumped! over 7 p lazy q dogs"`},
		{"words on a loop", "json_schema", allPatterns(`"minLength": 20, "not": {"pattern": "^((c1d3g3).{4,8}){3}"}, `,
			"^([a-z][0-9])+$",
			"((c1d3g3).{4,8}){3}", "(t|8){10}$"), `"a1` + strings.Repeat("c1d3g3a1b2", 3) + `t8t8t8t8t8"`},
		{"alternatives of one string", "json_schema", `{"type": "string", "minLength": 10, "maxLength": 20, ` +
			`"pattern": "[aA][12].*[zZ]", ` +
			`"allOf": [{"not": {"allOf": [{"not": {"pattern": "^....$"}}, {"not": {"pattern": "ab1"}}]}}, ` +
			`{"not": {"allOf": [{"not": {"pattern": "1.*2"}}, {"not": {"pattern": ` +
			`"a2"}}]}}]}`, `"ab1 is two: a2 zebras"`[:20] + `"`},
		{"one of five words", "json_schema", oneOfWords, `"an operator, no one else"`},
		{
			"forbidden words", "regex", `(?!.*(?:foo|bar|baz|qux|quux|corge|grault|garply|waldo|fred))[\w ,.]{0,400}`,
			sentence + ", frwaldquu bafo gargrau. " + sentence,
		},
	}
}

// Masks of conditions on one string equal a trial of every token, along a text.
func TestConditionsOnOneString(t *testing.T) { everyMaskAlong(t, conditions(), 83) }

// A guess at each member proves a union nonempty, so masks are not charged five million for searches. They took 328,000
// before rows of unions were charged for comparing and deriving their members.
func TestUnionsOfWhatSurelyMatches(t *testing.T) {
	masksWithin(t, 1_000_000, oneOfWords, `"`, "an", " op", "era", "tor", `"`)
}

// Labels that may contain dots have a state for each set of possible beginnings: too many to be explored.
func TestLabelsWithDotsAreRefused(t *testing.T) {
	_, err := compiler.New(testkit.CommittedTokenizer(t), compiler.Config{}).Compile(
		source.JSONSchema, []byte(labels), &source.Options{})
	var e *diag.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, diag.Limit, e.Code)
}

// Searches for several characters of a class beside exclusions have a direct answer. Each of these took from 1,700,000
// to more than 5,200,000 when unknown states were searched.
func TestManyCharactersOfEachClass(t *testing.T) {
	const (
		twice  = `^(?=(.*[a-z]){2,})(?=(.*[A-Z]){2,})(?=(.*[0-9]){2,})(?=(.*[!@#$%^&*]){2,}).{8,32}$`
		groups = `^(?=(?:.*[a-z]){2})(?=(?:.*[A-Z]){2})(?=(?:.*[0-9]){2})(?=(?:.*[^\\w]){2}).{12,64}$`
		listed = `^(?=.*[0-9].*[0-9])(?=.*[a-z].*[a-z])(?=.*[A-Z].*[A-Z])(?=.*[!@#].*[!@#])[!-~]{8,20}$`
		word   = `^(?=(.*[a-z]){3})(?=(.*[A-Z]){2})(?=(.*[0-9]){2})(?!.*password)[ -~]{8,}$`
	)
	for _, pattern := range []string{twice, groups, listed, word} {
		masksWithin(t, 800_000, `{"pattern": "`+pattern+`"}`, `"`, "a", "B1", "pass", "wor", "!x", "?Q7")
	}
	masksWithin(t, 800_000, `{"minLength": 8, "maxLength": 40, "allOf": [{"pattern": "([A-Z].*){2}"}, {"pattern": `+
		`"([a-z].*){2}"}, {"pattern": "[0-9].*[0-9]"}, {"not": {"pattern": "password"}}]}`, `"`, "a", "B1", "pass", "wor")
}

// Words on one string can be concatenated, with any of them begun and others excluded. Each of these took from
// 2,300,000 to more than 5,200,000.
func TestManyWords(t *testing.T) {
	const words = `{"minLength": 20, "maxLength": 100, "allOf": [{"pattern": "foo"}, {"pattern": "bar"}`
	for _, more := range []string{
		`]}`, `, {"not": {"pattern": "qux"}}]}`,
		`, {"pattern": "baz"}, {"not": {"pattern": "qux"}}, {"not": {"pattern": "foobar"}}]}`,
	} {
		masksWithin(t, 1_000_000, words+more, `"`, "fo", "ba", "rfo", "o b", "a", "z", " and")
	}
	masksWithin(t, 1_000_000, `{"pattern": "^(?=.*foo)(?=.*bar)(?=.*baz)(?=.*qux)[a-z ]{20,80}$"}`, `"`, "fo", "oba", "qu")
	masksWithin(t, 3_000_000, `{"minLength": 8, "maxLength": 64, "allOf": [{"pattern": "\\p{Lu}"}, {"pattern": "\\p{Ll}"}]}`,
		`"`, "a", "1", "B")
}

// masksWithin fills the masks along a text and fails if one exceeds a budget.
func masksWithin(t *testing.T, budget int, schema string, pieces ...string) {
	t.Helper()
	v := testkit.CommittedTokenizer(t)
	budgets := limits.DefaultBudgets()
	budgets.Mask = budget
	c := compiler.New(v, compiler.Config{Budgets: &budgets})
	g, err := c.Compile(source.JSONSchema, []byte(schema), &source.Options{})
	require.NoError(t, err)
	m, err := matcher.New(g, matcher.Options{})
	require.NoError(t, err)
	row := make([]uint32, v.Words())
	for _, piece := range pieces {
		ok, err := m.AcceptBytes([]byte(piece))
		require.NoError(t, err)
		require.True(t, ok)
		engine.Fill(t, m, row, func() string { return "after " + piece })
	}
}

// BenchmarkConditions compiles each constraint in a compiler of its own and walks along its text, in processor time. It
// needs the vocabulary beside the checkout.
//
//	go test ./core/internal/enginetest -run '^$' -bench Conditions -benchtime 1x
func BenchmarkConditions(b *testing.B) {
	v := testkit.Tokenizer(b, "llama3_1")
	rows := append(conditions(),
		ambiguous{"14 look-aheads", "regex", lookAheads(14, `\w{10,40}`), "zzzzhello_abcdefghijklmn_wo"},
		ambiguous{"26 look-aheads", "regex", lookAheads(26, `\w{10,40}`), "thequickbrownfoxjumpsoverthelazydog"},
		ambiguous{"eight words", "json_schema", allPatterns(`"maxLength": 80, `, "foo", "bar", "baz", "qux", "quux",
			"corge", "grault",
			"garply"), `"foobar bazqux the quuxcorge xgrault garply zz"`})
	for _, x := range rows {
		b.Run(x.name, func(b *testing.B) {
			for range b.N {
				runConditions(b, v, &x)
			}
		})
	}
}

func runConditions(b *testing.B, v *vocab.Vocabulary, x *ambiguous) {
	b.Helper()
	kind, _ := source.ParseKind(x.kind)
	ids, ok := testkit.NewTokenizing(v).Cut([]byte(x.text))
	require.True(b, ok)
	row := make([]uint32, v.Words())
	c := compiler.New(v, compiler.Config{})
	begin := testkit.CPUTime()
	g, err := c.Compile(kind, []byte(x.spec), &source.Options{})
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(ms(testkit.CPUTime()-begin), "compile-ms")
	b.ReportMetric(0, "ns/op")
	if err != nil {
		b.ReportMetric(1, "failed")
		return
	}
	m, err := matcher.New(g, matcher.Options{})
	require.NoError(b, err)
	var took []time.Duration
	for _, id := range append([]int32{-1}, ids...) {
		begin := testkit.CPUTime()
		if id >= 0 {
			n, err := m.Accept([]int32{id})
			require.NoError(b, err)
			require.Equal(b, 1, n, "token %q after %d others", v.Bytes(uint32(id)), len(took)-1)
		}
		_, err := m.Fill(row)
		if took = append(took, testkit.CPUTime()-begin); err != nil {
			b.ReportMetric(1, "failed")
			break
		}
	}
	slices.Sort(took)
	b.ReportMetric(ms(took[len(took)/2]), "p50-ms")
	b.ReportMetric(ms(took[len(took)-1]), "max-ms")
	b.ReportMetric(float64(len(took)), "masks")
}
