package enginetest

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/oracle"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// Random EBNF texts, recursive, ambiguous and nullable: the compiled grammar accepts and keeps alive the same texts, up
// to a length, as the oracle does for the same grammar built without the front end.
func TestEBNFAgreesWithOracle(t *testing.T) {
	r := testkit.Seeded(t, 13)
	c := compiler.New(testkit.CommittedTokenizer(t), compiler.Config{})
	refused := 0
	for range testkit.Rounds(24, 20_000) {
		st := terminal.NewStore()
		text, g := testkit.EBNF(r, st, "ab", 3)
		compiled, err := c.Compile(source.EBNF, []byte(text), &source.Options{})
		o := oracle.New(st, g)
		var e *diag.Error
		if errors.As(err, &e) {
			require.Contains(t, []diag.Code{diag.Unsatisfiable, diag.Unsupported, diag.Limit}, e.Code, "%v\n%s", err,
				text)
			require.False(t, e.Code == diag.Unsatisfiable && o.Prefix(nil), "refused as unsatisfiable, but is not:\n%s",
				text)
			refused++
			continue
		}
		require.NoError(t, err, text)
		compareLanguages(t, compiled.Current().Automaton(), o, "ab", 5, text)
	}
	t.Logf("%d grammars were refused", refused)
}

func compareLanguages(t *testing.T, a *pushdown.Automaton, o *oracle.Oracle, alphabet string, length int, text string) {
	t.Helper()
	var visit func(s pushdown.StateID, said string)
	visit = func(s pushdown.StateID, said string) {
		if s == pushdown.Over {
			return // a budget was spent, and the caller gets the error
		}
		accepts, live := o.Accepts([]byte(said)), o.Prefix([]byte(said))
		require.Equal(t, accepts, a.Accepts(s), "%q is accepted\n%s", said, text)
		require.Equal(t, live, s != pushdown.Dead, "%q is alive\n%s", said, text)
		if !live || len(said) == length {
			return
		}
		for i := range len(alphabet) {
			visit(a.Step(s, alphabet[i]), said+alphabet[i:i+1])
		}
	}
	visit(a.Start(), "")
}

// Random regular expressions against Go's own, on every text up to a length; every live text has a completion.
func TestRegexAgreesWithGo(t *testing.T) {
	r := testkit.Seeded(t, 14)
	c := compiler.New(testkit.CommittedTokenizer(t), compiler.Config{})
	texts := testkit.Strings("ab1", 5)
	for range testkit.Rounds(300, 20_000) {
		pattern := testkit.Regex(r, "ab", 3)
		g, err := c.Compile(source.Regex, []byte(pattern), &source.Options{})
		require.NoError(t, err, pattern)
		want := regexp.MustCompile(`^(?:` + pattern + `)$`)
		a := g.Current().Automaton()
		for _, s := range texts {
			require.Equal(t, want.MatchString(s), a.Accepts(a.StepBytes(a.Start(), []byte(s))), "%q and %s", s, pattern)
		}
	}
}

// States and memory are linear in the length of the text, from 1 KB to 10 KB, for grammars with which many parsers are
// quadratic or worse.
func TestLongInputsAreLinear(t *testing.T) {
	for _, x := range []struct{ name, grammar, open, middle, end string }{
		{"left recursion", `root ::= root "a" | "a"`, "", "a", ""},
		{"right recursion", `root ::= "a" root | "a"`, "", "a", ""},
		{"ambiguous", `root ::= root root | "a" | "aa"`, "", "a", ""},
		{"nullable", "root ::= x x x root | \"a\"\nx ::= \"a\"? | \"b\"*", "", "ab", "a"},
		{"hidden left recursion", "root ::= x root \"b\" | \"a\"\nx ::= \"a\" | \"\"", "a", "b", ""},
		{"sums", "root ::= root \"+\" t | t\nt ::= t \"*\" f | f\nf ::= \"(\" root \")\" | [0-9]+", "1", "+1*2", ""},
		{"nesting", "root ::= \"(\" root \")\" root | \"\"", "", "()(())", ""},
		{"depth", `root ::= "a" root "b" | ""`, "", "a", ""},
		{"counted", `root ::= ("a" | "ab" | "b"){0,100000}`, "", "ab", ""},
		{"JSON", "", `[{"a": 1}`, `, {"a": [1, "two", {"b": null}]}`, "]"},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := compiler.New(testkit.CommittedTokenizer(t), compiler.Config{})
			kind := source.EBNF
			if x.grammar == "" {
				kind = source.AnyJSON
			}
			cost := func(n int) (states, bytes int) {
				g, err := c.Compile(kind, []byte(x.grammar), &source.Options{})
				require.NoError(t, err)
				a := g.Current().Automaton()
				text := x.open + strings.Repeat(x.middle, n/len(x.middle)) + x.end
				require.Greater(t, a.StepBytes(a.Start(), []byte(text)), pushdown.Over)
				return a.Len(), a.Size()
			}
			states, bytes := cost(1_000)
			manyStates, manyBytes := cost(10_000)
			t.Logf("%d states and %d bytes for 1 KB, %d and %d for 10 KB", states, bytes, manyStates, manyBytes)
			require.LessOrEqual(t, manyStates, 11*states)
			require.LessOrEqual(t, manyBytes, 16*bytes, "tables grow in powers of two")
		})
	}
}
