package dump

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/rewrite"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/inspect"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// machinesOf returns a lookup of the machines that g mentions, for Parse.
func machinesOf(st *terminal.Store, g *grammar.Grammar) func(name string) (terminal.Expr, bool) {
	p := printer{st: st}
	known := map[string]terminal.Expr{}
	for _, e := range p.below(terminalsOf(g), map[terminal.Expr]int{}) {
		if n := inspect.Of(st, e); n.Op == inspect.OpMachine {
			known[n.Text] = e
		}
	}
	return func(name string) (e terminal.Expr, ok bool) { e, ok = known[name]; return e, ok }
}

// A printed grammar can be read back as the same grammar, with expressions of the same structure.
func TestParsePrint(t *testing.T) {
	v, err := testkit.ConstraintVocabulary(false)
	require.NoError(t, err)
	c := compiler.New(v, compiler.Config{})
	r := testkit.Seeded(t, 1)
	seen := map[source.Kind]int{}
	for range testkit.Rounds(100, 5000) {
		for _, kind := range testkit.ConstraintKinds {
			for range 3 { // as random constraints need not compile
				x := testkit.RandomConstraint(r, kind, 4)
				g, st, err := c.Front(x.Kind, []byte(x.Text), x.SourceOptions())
				if err != nil {
					continue
				}
				seen[kind]++
				requireReadBack(t, st, g, x)
				if w, _, err := rewrite.Run(st, g); err == nil {
					requireReadBack(t, st, w, x)
				}
				break
			}
		}
	}
	for _, kind := range testkit.ConstraintKinds {
		require.Greater(t, seen[kind], 20, "kind %s", kind)
	}
}

func requireReadBack(t *testing.T, st *terminal.Store, g *grammar.Grammar, x testkit.Constraint) {
	t.Helper()
	text := Grammar(st, g)
	again, err := Parse(st, text, machinesOf(st, g))
	require.NoError(t, err, "%s %s\n%s", x.Kind, x.Text, text)
	for i := range again.Rules {
		again.Rules[i].Lazy = g.Rules[i].Lazy
	}
	require.Equal(t, text, Grammar(st, again), "%s %s", x.Kind, x.Text)
}

// Any other text is an error with its line, without a panic.
func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"start root":                              `line 1: at "": "root" has no number`,
		"root.1\n  = /[a/":                        `line 2: at "": the set does not end`,
		"root.1\n  = /\"a/":                       `line 2: at "\"a/": a string in quotes is needed`,
		"root.1\n  = /$2/":                        `line 2: at "/": an expression is needed`,
		"root.1\n  = /#x/":                        `line 2: at "x/": a number is needed`,
		"root.1 =":                                `line 1: at " =": the line should end here`,
		"@object.0 {0,}\n  opne /()/":             `line 2: at "/()/": an object has no "opne"`,
		"@boolean.0 both = a.1":                   `line 1: at "": "both" is no condition of so many grammars`,
		"@switch.0 on /[b-a]/":                    `line 1: at "]/": the range goes backwards`,
		`root.1` + "\n  = /machine(\"m\" \"s\")/": `line 2: at "/": machine "m" is not known in state "s"`,
	} {
		_, err := Parse(terminal.NewStore(), text, nil)
		require.EqualError(t, err, want, "%s", text)
	}
}
