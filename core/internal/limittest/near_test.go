package limittest

import (
	"fmt"
	"math/rand"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/mask"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// nearGroup is constraints for the same compilers.
type nearGroup struct {
	name        string
	defect      string // the reason why the answers differ today; a group with one that passes fails
	constraints []testkit.Constraint
	text        string // every walk is this text, byte by byte
}

// near are constraints near the limits: a search for an empty language that other constraints shorten, nullable
// recursion that fills a transition. One compiler answers all of a group.
var near = []nearGroup{
	{
		name:        "windows",
		constraints: []testkit.Constraint{windows(8, true, false), windows(8, false, true), windows(8, true, true)},
		text:        `"1xaaabb`,
	},
	{
		name: "nullable recursion",
		constraints: []testkit.Constraint{{Kind: source.EBNF, Text: `root ::= root{0,} "b" root{3,4} | ` +
			`""`}}, text: "bbbbbbbbb",
	},
	{
		name: "mutual nullable recursion",
		constraints: []testkit.Constraint{{Kind: source.EBNF, Text: "root ::= r3 r1\nr0 ::= [ab] r1{0,} r1\nr1 ::= | " +
			"\"cc\" root | \"a\" r3 r3\nr3 ::= | r1 root"}}, text: "ccaaaaaa",
	},
	{
		name: "passwords", constraints: []testkit.Constraint{
			{Kind: source.Regex, Text: `(?=.*[ab])(?=.*[xd])(?=.*1)(?=.*2)[a-z12]{4,20}`},
			{Kind: source.Regex, Text: `(?=.*a)(?=.*b)(?=.*c)(?=.*d)(?=.*x)\w{6,30}`},
		}, text: "abx12cda",
	},
	{
		name: "words", constraints: []testkit.Constraint{
			{Kind: source.JSONSchema, Text: `{"type": "string", "maxLength": 24, "allOf": [{"pattern": "ab1"}, ` +
				`{"pattern": ` +
				`"ab2"}, {"pattern": "cab"}, {"pattern": "xd"}, {"pattern": "xxd"}, {"pattern": "1221"}]}`},
		}, text: `"ab1abxcab2xd`,
	},
	{
		name: "look-aheads for words", constraints: []testkit.Constraint{
			{Kind: source.Regex, Text: `(?=.*ab1)(?=.*ab2)(?=.*cab)(?=.*xd)(?=.*xxd)(?=.*1221)\w{6,20}`},
			{Kind: source.Regex, Text: `(?=.*ab1)(?=.*ab2)(?=.*cab)(?=.*xd)(?=.*xxd)\w{6,20}`},
		}, text: `ab1abxcab2xd`,
	},
	{
		name: "words on a loop", constraints: []testkit.Constraint{
			{Kind: source.JSONSchema, Text: `{"type": "string", "minLength": 40, "allOf": [{"pattern": ` +
				`"^([a-dx][12])+$"}, ` +
				`{"pattern": "((c1d2).{4,6}){3}"}, {"pattern": "(x|2){6}$"}, {"not": {"pattern": ` +
				`"^((c1d2).{4,6}){3}"}}]}`},
			{Kind: source.JSONSchema, Text: `{"type": "string", "allOf": [{"pattern": "^([a-dx][12])+$"}, ` +
				`{"pattern": "c1.{10}x2$"}]}`},
		}, text: `"c1a1b2c1d2x2`,
	},
	{
		name: "alternatives of one string", constraints: []testkit.Constraint{
			{Kind: source.JSONSchema, Text: `{"type": "string", "minLength": 4, "maxLength": 9, "pattern": ` +
				`"[aA][12].*[xX]", ` +
				`"allOf": [{"not": {"allOf": [{"not": {"pattern": "^....$"}}, {"not": {"pattern": "ab1"}}]}}, ` +
				`{"not": {"allOf": [{"not": {"pattern": "1.*2"}}, {"not": {"pattern": "a2"}}]}}]}`},
			{Kind: source.JSONSchema, Text: `{"type": "string", "minLength": 4, "maxLength": 9, "pattern": ` +
				`"[aA][12].*[xX]", ` +
				`"not": {"pattern": "^....$"}}`},
		}, text: `"ab1a2x`,
	},
	{
		name: "divisors", constraints: []testkit.Constraint{
			{Kind: source.JSONSchema, Text: `{"type": "integer", "multipleOf": 60, "minimum": 0, "maximum": 1000000}`},
			{Kind: source.JSONSchema, Text: `{"type": "integer", "multipleOf": 3600}`},
		}, text: "1200000",
	},
}

// windows is an intersection of patterns that remember n letters: "1" with an x half and a 2 half, or "d".
func windows(n int, x, y bool) testkit.Constraint {
	pattern := func(left, right string) string {
		text := ""
		if x {
			text += fmt.Sprintf("|x[ab]*%s[ab]{%d}", left, n)
		}
		if y {
			text += fmt.Sprintf("|2[cd]*%s[cd]{%d}", right, n)
		}
		return "^(1(" + text[1:] + ")|d)$"
	}
	return testkit.Constraint{
		Kind: source.JSONSchema,
		Text: fmt.Sprintf(`{"type": "string", "allOf": [{"pattern": %q}, {"pattern": `+
			`%q}]}`, pattern("a", "c"), pattern("b", "d")),
	}
}

// Constraints near the limits have one answer, too.
func TestNearLimits(t *testing.T) {
	for _, n := range near {
		t.Run(n.name, func(t *testing.T) { nearLimits(t, &n, limits.DefaultBudgets()) })
		if n.defect == "" {
			low := limits.DefaultBudgets()
			low.Search /= 20
			t.Run(n.name+", shorter searches", func(t *testing.T) { nearLimits(t, &n, low) })
		}
	}
}

func nearLimits(t *testing.T, n *nearGroup, b limits.Budgets) {
	t.Helper()
	v, err := testkit.ConstraintVocabulary(false)
	require.NoError(t, err)
	var walk []int32
	for i := range n.text {
		id, ok := testkit.NewTokenizing(v).Cut([]byte(n.text[i : i+1]))
		require.True(t, ok)
		walk = append(walk, id...)
	}
	p := &problem{v: v, config: compiler.Config{Budgets: &b}, r: rand.New(rand.NewSource(1)), at: func(int, string) {}}
	var want []*answers
	for i, c := range n.constraints {
		s := &subject{Constraint: c, number: i, walks: [][]int32{walk}}
		p.subjects = append(p.subjects, s)
		want = append(want, answer(compiler.New(v, p.config), s))
	}
	found := check(p, want)
	if n.defect == "" {
		require.Empty(t, found)
		return
	}
	require.NotEmpty(t, found, "the defect (%s) is gone: take it off the list", n.defect)
	t.Logf("known: %s: %.300s", n.defect, found[0])
}

// answer collects the answers of a compiler of its own along given walks.
func answer(c *compiler.Compiler, s *subject) *answers {
	a := empty(s)
	g, verdict := compile(c, s.Constraint)
	if a.verdict = verdict; g == nil {
		return a
	}
	for w, walk := range s.walks {
		a.fills[w] = fills(g, walk)
	}
	for w, walk := range s.walks {
		a.probes[w] = probes(g, walk)
	}
	return a
}

// The heaviest known schemas, compiled several times in one compiler for a real vocabulary, have the masks of a
// compiler of their own. It takes minutes and belongs to the long run.
func TestHeavyAgain(t *testing.T) {
	if os.Getenv(countVariable) == "" {
		t.Skipf("skipped: `make lab NAME=determinism` sets %s", countVariable)
	}
	v := testkit.Tokenizer(t, "llama3_1")
	quote, ok := testkit.NewTokenizing(v).Cut([]byte(`"a`))
	require.True(t, ok)
	again := compiler.New(v, compiler.Config{})
	for _, job := range testkit.Jobs(t, 1, "..", "review", "repro", "heavy.jsonl.gz") {
		c := testkit.Constraint{Kind: source.JSONSchema, Text: string(job.Spec)}
		ask := func(in *compiler.Compiler) []fill {
			g, verdict := compile(in, c)
			if g == nil {
				return []fill{{mask: verdict}}
			}
			answers := fills(g, quote)
			for i := range answers {
				answers[i].name = mask.Name{} // it is another grammar's
			}
			return answers
		}
		want := ask(compiler.New(v, compiler.Config{}))
		for n := range 3 {
			if got := ask(again); !slices.Equal(want, got) {
				t.Errorf("%s: compiled once more after %d times: %v, not %v", job.ID, n, got, want)
			}
		}
	}
}
