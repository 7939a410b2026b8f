package enginetest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/matcher"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// recurrence is a recursive grammar, and a text that may occur any number of times before the tail.
type recurrence struct{ name, spec, again, tail string }

// recurrences are ambiguous grammars of regular languages, or of nested ones in which only brackets nest.
var recurrences = []recurrence{
	{"ternaries", `e ::= e "?" e ":" e | e "+" e | "x"`, "x?x:x+x?x+x:", "x"},
	{
		"operators on all sides", `e ::= "-" e | e "!" | e "+" e | e "[" e "]" | e "." [a-z] | "x" | "(" e ")"`,
		"-x!+x[x!].y+(-x)!+", "x",
	},
	{"one sign on all sides", `e ::= e "-" e | "-" e | e "-" | "x"`, "x--x-", "x"},
	{"triples and pairs", `e ::= e e e | e e | "a" | "b" | "(" e ")"`, "ab(ab)", "a"},
	{"triples", `e ::= e e e | "a" | "(" e ")"`, "aa(aaa)aa", "a"},
	{
		"lambda terms", `e ::= e " " e | "\\" [a-z] "." e | "let " [a-z] "=" e " in " e | [a-z] | "(" e ")"`,
		`\x.let y=x z in x (y z) `, "x",
	},
	{
		"regular expressions", `e ::= e "|" e | e e | e [*+?] | "(" e ")" | [a-z] | "[" [a-z]+ "]"`,
		"a(b|c)*d[ef]+|", "x",
	},
	{
		"formulas", `e ::= [a-z ]+ | "{" e* "}" | e "^" e | e "_" e | e e | "\\" [a-z]+ | "\\frac" e e | "\\sum" e e e`,
		`a^{b_c d{e}f}_g^h\frac{a}{b} \sum\frac a b{c}\frac\frac{d}e f`, "x",
	},
	{"palindromes in a row", `e ::= "a" e "a" | "b" e "b" | "a" | "b" | e e`, "abaabab", "a"},
	{"prefix operators", `e ::= "+" e e | "*" e e | "-" e | "x" | e e`, "+x*xx-+xx*-x", "x"},
	{
		"lists of lists", `e ::= e "," e | e ";" e | i | "[" e? "]"` + "\n" + `i ::= [a-z]+ | i "." i`,
		"a.b,c;[d.e.f,g];[],", "x",
	},
	{
		"types", `e ::= e "|" e | e "&" e | e "[]" | "(" e ")" | [a-z] | [a-z] "<" e ("," e)* ">" | "(" e ")=>" e | ` +
			`"keyof " e`,
		"keyof a|b<c,d[]>&(e)=>(f|g)[]|", "x",
	},
	{
		"layers", `e ::= e "," e | a` + "\n" + `a ::= a "=" a | c` + "\n" + `c ::= c "?" e ":" c | o` + "\n" +
			`o ::= o "||" o | n` + "\n" + `n ::= "!" n | n "++" | [a-z] | "(" e ")"`,
		"a=b?c:!d||e++,f?(g,h):i||j,", "x",
	},
	{
		"five operators", `e ::= e "+" e | e "-" e | e "*" e | e "/" e | e "^" e | "-" e | [0-9]+ | "(" e ")"`,
		"1+-(2*3)-4/5^", "6",
	},
}

// A text that repeats itself makes no new states, for any number of repetitions.
func TestStatesRecur(t *testing.T) {
	c := compiler.New(testkit.CommittedTokenizer(t), compiler.Config{})
	for _, x := range recurrences {
		t.Run(x.name, func(t *testing.T) {
			g, err := c.Compile(source.EBNF, []byte("root ::= e\n"+x.spec), &source.Options{})
			require.NoError(t, err)
			states := func(times int) int {
				m, err := matcher.New(g, matcher.Options{})
				require.NoError(t, err)
				ok, err := m.AcceptBytes([]byte(strings.Repeat(x.again, times) + x.tail))
				require.NoError(t, err)
				require.True(t, ok)
				require.True(t, m.Completed())
				return g.Current().Automaton().Len()
			}
			require.Equal(t, states(4), states(16))
		})
	}
}

// Masks of these grammars are every token tried.
func TestRecurringMasks(t *testing.T) {
	var constraints []ambiguous
	for _, x := range recurrences {
		text := strings.Repeat(x.again, 2) + x.tail
		constraints = append(constraints, ambiguous{x.name, "ebnf", "root ::= e\n" + x.spec, text})
	}
	everyMaskAlong(t, constraints, 22)
}
