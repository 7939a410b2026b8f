package core_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// aheadRule is a rule of a random grammar: alternatives of parts, each a letter, a class or a rule, and a look-ahead.
type aheadRule struct {
	alternatives [][]string
	ahead        string // "" for none
}

// aheadRules returns random rules a to d, starting with a, and their text.
func aheadRules(random *rand.Rand) (map[string]aheadRule, string) {
	grammar, text := map[string]aheadRule{}, strings.Builder{}
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	for _, name := range []string{"a", "b", "c", "d"} {
		var r aheadRule
		for range 1 + random.IntN(2) {
			parts := []string{pick("x", "y", "[xy]", "b", "c", "d")}
			for range random.IntN(3) {
				parts = append(parts, pick("x", "y", "y", "[xy]", "b", "c", "d"))
			}
			r.alternatives = append(r.alternatives, parts)
		}
		r.alternatives[0][0] = pick("x", "y") // so that most rules have texts
		fmt.Fprintf(&text, "%s ::= (", name)
		for i, parts := range r.alternatives {
			text.WriteString(strings.Repeat(" | ", min(i, 1)))
			for _, part := range parts {
				if part == "x" || part == "y" {
					part = fmt.Sprintf("%q", part)
				}
				text.WriteString(part + " ")
			}
		}
		text.WriteString(")")
		if name != "a" && random.IntN(2) == 0 {
			r.ahead = pick("y", "x*y", "xy", "[xy]")
			fmt.Fprintf(&text, " (= %s)", map[string]string{
				"y": `"y"`, "x*y": `"x"* "y"`, "xy": `"x" "y"`, "[xy]": "[xy]",
			}[r.ahead])
		}
		text.WriteString("\n")
		grammar[name] = r
	}
	return grammar, text.String()
}

// derives reports whether parts have a text that rest begins with, such that then holds for the remainder. It is slow
// and obvious, for grammars without loops through the first part of a rule.
func derives(grammar map[string]aheadRule, parts []string, rest string, then func(rest string) bool, depth int) bool {
	if depth > 60 {
		return false
	}
	if len(parts) == 0 {
		return then(rest)
	}
	rule, ok := grammar[parts[0]]
	if !ok {
		return rest != "" && strings.Contains(parts[0], rest[:1]) &&
			derives(grammar, parts[1:], rest[1:], then, depth+1)
	}
	for _, alternative := range rule.alternatives {
		if derives(grammar, alternative, rest, func(rest string) bool {
			if rule.ahead != "" && !regexp.MustCompile("^(?:"+rule.ahead+")").MatchString(rest) {
				return false
			}
			return derives(grammar, parts[1:], rest, then, depth+1)
		}, depth+1) {
			return true
		}
	}
	return false
}

// Look-aheads at the ends of rules mean the same at every place, whether they are enforced or always hold.
func TestLookAheadsOfRules(t *testing.T) {
	testkit.Alone(t)
	v, err := core.NewVocabulary(core.VocabularyConfig{
		Tokens: [][]byte{[]byte("x"), []byte("y"), []byte("</s>")}, Special: []uint32{2}, EndTokens: []uint32{2},
	})
	require.NoError(t, err)
	c := core.NewCompiler(v, core.CompilerConfig{})
	random, compiled, refused, held := rand.New(rand.NewPCG(3, 9)), 0, 0, 0
	for range 400 {
		grammar, text := aheadRules(random)
		g, err := c.Compile(core.EBNF, []byte(text), &core.Options{StartRule: "a"})
		if err != nil {
			refused++
			continue
		}
		compiled++
		if strings.Contains(text, "(=") {
			held++
		}
		for n := range 1 << 7 {
			word := strings.NewReplacer("0", "x", "1", "y").Replace(fmt.Sprintf("%b", n+2)[1:])
			m, err := core.NewMatcher(g, core.MatcherOptions{})
			require.NoError(t, err)
			ok, err := m.AcceptBytes([]byte(word))
			require.NoError(t, err)
			want := derives(grammar, []string{"a"}, word, func(rest string) bool { return rest == "" }, 0)
			require.Equal(t, want, ok && m.Completed(), "%s\n%q", text, word)
		}
	}
	t.Log(compiled, refused, held)
	require.Greater(t, held, 40)
	require.Greater(t, refused, 40)
}
