package rewrite_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/oracle"
	"github.com/sluice-engine/sluice/core/internal/rewrite"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// A repetition at the left of a left-recursive rule stays as it is if its body cannot begin with the rule, also if it
// may be empty.
func TestOtherRepeatsAtTheLeftStay(t *testing.T) {
	for _, least := range []uint32{0, 2} {
		st := terminal.NewStore()
		lit := func(s string) grammar.Symbol { return grammar.T(st.Literal(s)) }
		build := func(most uint32) *grammar.Grammar {
			g := grammar.New()
			root, b, item := g.NewRule("root"), g.NewRule("b"), g.NewRule("item")
			g.Start = root
			g.Add(root, grammar.N(b), lit("y"))
			g.Add(root, lit("z"))
			g.Add(b, grammar.N(root), lit("w"))
			g.Add(b, g.NewRepeat(least, most, grammar.N(item)), lit("!"))
			g.Add(b, g.NewRepeat(least, most, grammar.N(item)), grammar.N(root), lit("w"))
			g.Add(item, lit("z"), grammar.N(item), lit("y"))
			g.Add(item, lit("w"))
			return g
		}
		out, _, err := rewrite.Run(st, build(1000))
		require.NoError(t, err)
		require.Less(t, len(out.Rules), 30)

		g := build(3)
		out, _, err = rewrite.Run(st, g)
		require.NoError(t, err)
		before, after := oracle.New(st, g), oracle.New(st, out)
		accepted := 0
		for _, text := range testkit.Strings("wyz!", 5) {
			want := before.Accepts([]byte(text))
			require.Equal(t, want, after.Accepts([]byte(text)), "%q", text)
			if want {
				accepted++
			}
		}
		require.Greater(t, accepted, 4)
	}
}

// The rules that a repetition is expanded to count among the members of a component.
func TestExpandedRepeatsAreBounded(t *testing.T) {
	build := func(most uint32) error {
		st := terminal.NewStore()
		lit := func(s string) grammar.Symbol { return grammar.T(st.Literal(s)) }
		g := grammar.New()
		root, b := g.NewRule("root"), g.NewRule("b")
		g.Start = root
		g.Add(root, g.NewRepeat(0, most, grammar.N(b)), lit("y"))
		g.Add(root, lit("z"))
		g.Add(b, grammar.N(root), lit("w"))
		g.Add(b)
		g.Add(b, lit("v"))
		_, _, err := rewrite.Run(st, g)
		return err
	}
	require.NoError(t, build(100))
	var limit *diag.Error
	require.ErrorAs(t, build(256), &limit)
	require.Equal(t, diag.Limit, limit.Code)
	require.Contains(t, limit.Message, "rule root is in a left-recursive component of 25")
}
