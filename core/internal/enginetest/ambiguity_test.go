package enginetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/matcher"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/core/internal/testkit/engine"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// ambiguous is a constraint with many readings of a text, and the text.
type ambiguous struct{ name, kind, spec, text string }

func formatOf(content string) string { return `{"type": "structural_tag", "format": ` + content + `}` }

const prose = "the quick brown fox jumps over the lazy dog and runs away "

// ambiguities are small constraints that are expensive for an engine that follows every reading separately.
func ambiguities() []ambiguous {
	words := strings.Repeat(prose, 4)
	regexTag := func(pattern string) string { return `{"type": "regex", "pattern": "` + pattern + `"}` }
	tag := `{"type": "tag", "begin": "<t>", "content": ` + regexTag("[0-9]+") + `, "end": "</t>"}`
	var alternatives []string
	for i := 1; i <= 60; i++ {
		alternatives = append(alternatives, fmt.Sprintf("[a-z]{%d,%d}%d", i, 30+i, i))
	}
	arithmetic := strings.Repeat("1+(2*34-(-5))/678*(9+10)-", 6) + "1"
	return []ambiguous{
		{"elements", "ebnf", "root ::= el\nel ::= \"<b>\" (el | text)* \"</b>\"\ntext ::= [^<>]{1,20}", "<b> Hello " +
			"world " + prose + "<b>" + prose + "</b>" + prose + "<b>x</b></b>"},
		{"lines", "ebnf", "root ::= line+\nline ::= [^\\n]{0,80} \"\\n\"?", "Hello\n" + words + "\n" + prose},
		{"counted loop", "ebnf", "root ::= ([a-z ]{1,20})+", "ab cde fgh ij " + words},
		{"texts and tags 10", "structural_tag", formatOf(`{"type": "star", "content": {"type": "or", "elements": [` +
			regexTag("[^<]{1,10}") + "," + tag + `]}}`), "Hi there <t>12</t> " + words + "<t>7</t>"},
		{"texts and tags 30", "structural_tag", formatOf(`{"type": "star", "content": {"type": "or", "elements": [` +
			regexTag("[^<]{1,30}") + "," + tag + `]}}`), "Hi there <t>12</t> " + words + "<t>7</t>"},
		{"two counts", "structural_tag", formatOf(`{"type": "plus", "content": {"type": "or", "elements": [` +
			regexTag("[a-z ]{1,5}") + "," + regexTag("[a-z ]{1,10}") + `]}}`), words},
		{"plus 20", "structural_tag", formatOf(`{"type": "plus", "content": ` + regexTag("[a-z ]{1,20}") + `}`), words},
		{"plus 5", "structural_tag", formatOf(`{"type": "plus", "content": ` + regexTag("[a-z ]{1,5}") + `}`), words},
		{"regex star", "ebnf", "root ::= x*\nx ::= Regex(\"[a-z ]{1,20}\")", words},
		{"word and space", "ebnf", `root ::= ([a-z]{1,15} " "?)+`, words},
		{"narrow counted loop", "ebnf", `root ::= ([a-z]{1,10})+`, strings.ReplaceAll(words, " ", "")},
		{"arithmetic", "ebnf", "root ::= e\ne ::= e (\"+\"|\"-\"|\"*\"|\"/\") e | [0-9]+ | \"(\" e \")\" | \"-\" " +
			"e", arithmetic},
		{"regular expressions", "ebnf", `r ::= r "|" r | r r | r [*+?] | "(" r ")" | [a-z]` + "\nroot ::= " +
			"r", "a(b|c)*de+f?(gh|(i|j)k*)lmno" + strings.Repeat("pqr(stu|vw)*xyz", 8)},
		{"conditions", "ebnf", "root ::= c\nc ::= c \" AND \" c | c \" OR \" c | \"NOT \" c | \"(\" c \")\" | v op " +
			"v\nop ::= \" = \" | \" < \"\nv ::= [a-z]+ | [0-9]+ | v \"+\" v", strings.Repeat("a = 1 AND NOT (b < c+2 "+
			"OR NOT x = y) OR ", 5) + "z = 1"},
		{"formulas", "ebnf", "root ::= x\nx ::= [a-z ]+ | \"{\" x* \"}\" | x \"^\" x | x \"_\" " +
			"x", strings.Repeat("a^{b_c d{e}f}_g^h", 6)},
		{"dangling else", "ebnf", "root ::= s\ns ::= \"if c \" s | \"if c \" s \" else \" s | " +
			"\"x\"", strings.Repeat("if c ", 20) + "x" + strings.Repeat(" else if c x", 10) + " else x"},
		{"triples", "ebnf", "root ::= s\ns ::= s s s | s s | [a-z] | \" \"", words},
		{"lambda terms", "ebnf", "root ::= e\ne ::= e \" \" e | \"\\\\\" [a-z] \".\" e | [a-z] | \"(\" e " +
			"\")\"", strings.Repeat(`\x.\y.x (y z) (\f.f f) `, 16) + "x"},
		{"text, tag, text", "structural_tag", formatOf(`{"type": "star", "content": {"type": "sequence", "elements": ` +
			`[{"type": "any_text"}, {"type": "optional", "content": ` + tag +
			`}, {"type": "any_text"}]}}`), "Hi there <t>12</t> " + words + "<t>7</t>"},
		{"separated tags", "structural_tag", formatOf(`{"type": "tags_with_separator", "separator": ",", "tags": ` +
			`[{"begin": "<a>", "content": ` + regexTag("[^<]{0,40}") +
			`, "end": "</a>"}]}`), "<a>the quick brown fox jumps over the</a>,<a></a>,<a>some more text</a>"},
		{"counted alternatives", "regex", strings.Join(alternatives, "|"), "thequickbrownfoxjumpsoverthelaz7"},
		{"least two", "ebnf", "root ::= a*\na ::= \"<\" a \">\" | [a-z ]{2,20} \",\"?", words + "<quick>brown, fox,"},
		{"elements of three", "ebnf", "root ::= el\nel ::= \"<b>\" (el | text)* \"</b>\"\ntext ::= [^<>]{3,20}", "<b> " +
			"Hello world " + prose + "<b>" + prose + "</b>" + prose + "<b>xyz</b></b>"},
		{"words without a star", "ebnf", "root ::= p\np ::= \"(\" p \")\" | w p | w\nw ::= [a-z ]{1,15}", words},
		{"words from the left", "ebnf", "root ::= p\np ::= \"(\" p \")\" | p w | w\nw ::= [a-z ]{1,15}", words},
		{"bounded words", "ebnf", "root ::= ([a-z ]{1,20}){1,200}", words},
		{"bounded short words", "ebnf", "root ::= ([a-z ]{3,5} \".\"?){1,50}", words},
		{"words in a row", "ebnf", "root ::= w w w w w w \".\"\nw ::= [a-z ]{1,30}", prose + prose + "."},
		{"palindromes", "ebnf", "root ::= s\ns ::= \"a\" s \"a\" | \"b\" s \"b\" | \"a\" | \"b\" | " +
			"\"\"", strings.Repeat("ab", 15) + strings.Repeat("ba", 15)},
		{"mixed operators", "ebnf", "root ::= e\ne ::= t | e \"+\" e | \"-\" e | e \"!\"\nt ::= f | t \"*\" t\nf ::= " +
			"[0-9]+ | e \"?\" e \":\" e | \"(\" e \")\"", "1+2*3+(4*5)!+6?2:3*4+-5?6:7!"},
		{"nullable loop", "ebnf", "root ::= root root | \"a\" | \"b\" root \"c\" | \"\"", strings.Repeat("aabacaabbacc",
			8)},
		{"nullable threes", "ebnf", "root ::= root root | \"a\" | root root root | \"\"", strings.Repeat("a", 60)},
		{"nullable beginning", "ebnf", "root ::= | root{3} [ ]", strings.Repeat(" ", 60)},
		{"nullable middle", "ebnf", "root ::= root{0,} \"b\" root{3,4} | \"\"", strings.Repeat("b", 60)},
	}
}

// Masks of ambiguous constraints equal a trial of every token, and stay within the budgets all along a text.
func TestAmbiguousConstraints(t *testing.T) { everyMaskAlong(t, ambiguities(), 21) }

// everyMaskAlong follows the text of each constraint. It fills a mask after every token and compares some of them with
// a trial of every token.
func everyMaskAlong(t *testing.T, constraints []ambiguous, seed int64) {
	t.Helper()
	v := testkit.CommittedTokenizer(t)
	r := testkit.Seeded(t, seed)
	cut := testkit.NewTokenizing(v)
	row := make([]uint32, v.Words())
	c := compiler.New(v, compiler.Config{})
	for _, x := range constraints {
		t.Run(x.name, func(t *testing.T) {
			kind, _ := source.ParseKind(x.kind)
			g, err := c.Compile(kind, []byte(x.spec), &source.Options{})
			require.NoError(t, err)
			m, err := matcher.New(g, matcher.Options{})
			require.NoError(t, err)
			ids, ok := cut.Cut([]byte(x.text))
			require.True(t, ok)
			for i, id := range ids {
				n, err := m.Accept([]int32{id})
				require.NoError(t, err)
				require.Equal(t, 1, n, "after %q", bytesOf(v, ids[:i]))
				where := func() string { return "after " + string(bytesOf(v, ids[:i+1])) }
				if r.Intn(len(ids)) < testkit.Rounds(3, 20) {
					engine.EveryBit(t, v, m, row, where)
				} else {
					engine.Fill(t, m, row, where)
				}
			}
			require.True(t, m.Completed(), "the whole text is an output")
		})
	}
}

// ambiguityRun is the cost of one walk in a compiler of its own.
type ambiguityRun struct {
	compile time.Duration
	masks   []time.Duration // an accepted token and the mask after it; the first is the first mask
	states  int
	items   int // of the largest state
	failed  bool
}

// slowMask ends a walk early.
const slowMask = 3 * time.Second

func runAmbiguity(b *testing.B, v *vocab.Vocabulary, x *ambiguous) (r ambiguityRun) {
	b.Helper()
	kind, _ := source.ParseKind(x.kind)
	ids, ok := testkit.NewTokenizing(v).Cut([]byte(x.text))
	require.True(b, ok)
	row := make([]uint32, v.Words())
	c := compiler.New(v, compiler.Config{})
	begin := time.Now()
	g, err := c.Compile(kind, []byte(x.spec), &source.Options{})
	require.NoError(b, err)
	r.compile = time.Since(begin)
	m, err := matcher.New(g, matcher.Options{})
	require.NoError(b, err)
	for _, id := range append([]int32{-1}, ids...) {
		begin := time.Now()
		if id >= 0 {
			n, err := m.Accept([]int32{id})
			if n == 0 {
				b.Logf("token %q after %d others: %v", v.Bytes(uint32(id)), len(r.masks)-1, err)
				r.failed = true
				break
			}
		}
		_, err := m.Fill(row)
		took := time.Since(begin)
		r.masks = append(r.masks, took)
		if r.failed = err != nil || took > slowMask; r.failed {
			break
		}
	}
	a := g.Current().Automaton()
	r.states = a.Len()
	for s := range a.Len() {
		r.items = max(r.items, len(a.Items(pushdown.StateID(s))))
	}
	return r
}

// BenchmarkAmbiguity compiles each ambiguous constraint in a compiler of its own and walks along its text: the cost for
// the first user. It reports the fastest of three walks, step by step. It needs the vocabulary beside the checkout.
//
//	go test ./core/internal/enginetest -run '^$' -bench Ambiguity -benchtime 1x
func BenchmarkAmbiguity(b *testing.B) {
	v := testkit.Tokenizer(b, "llama3_1")
	for _, x := range ambiguities() {
		b.Run(x.name, func(b *testing.B) {
			var best ambiguityRun
			for range b.N {
				best = runAmbiguity(b, v, &x)
				for range 2 {
					if best.failed || best.masks[len(best.masks)/2] > 20*time.Millisecond {
						break
					}
					r := runAmbiguity(b, v, &x)
					best.compile = min(best.compile, r.compile)
					for i := range r.masks {
						best.masks[i] = min(best.masks[i], r.masks[i])
					}
				}
			}
			slices.Sort(best.masks)
			n := len(best.masks)
			ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
			b.ReportMetric(ms(best.compile), "compile-ms")
			b.ReportMetric(ms(best.masks[n/2]), "p50-ms")
			b.ReportMetric(ms(best.masks[(n-1)*99/100]), "p99-ms")
			b.ReportMetric(ms(best.masks[n-1]), "max-ms")
			b.ReportMetric(float64(n), "masks")
			b.ReportMetric(float64(best.states), "states")
			b.ReportMetric(float64(best.items), "items")
			if best.failed {
				b.ReportMetric(1, "failed")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}
