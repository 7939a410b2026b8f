package pushdown

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

func automaton(t *testing.T, st *terminal.Store, g *grammar.Grammar) *Automaton {
	t.Helper()
	p, err := NewProgram(st, g)
	require.NoError(t, err)
	return NewAutomaton(p)
}

func accepts(a *Automaton, text string) bool {
	return a.Accepts(a.StepBytes(a.Start(), []byte(text)))
}

func check(t *testing.T, a *Automaton, yes, no string) {
	t.Helper()
	for _, y := range strings.Split(yes, "|") {
		require.True(t, accepts(a, y), "should accept %q", y)
	}
	for _, n := range strings.Split(no, "|") {
		require.False(t, accepts(a, n), "should reject %q", n)
	}
}

func TestRecursion(t *testing.T) {
	st := terminal.NewStore()
	lit := func(s string) grammar.Symbol { return grammar.T(st.Literal(s)) }
	t.Run("right", func(t *testing.T) {
		g := grammar.New()
		g.Start = g.NewRule("s")
		g.Add(g.Start, lit("a"), grammar.N(g.Start))
		g.Add(g.Start, lit("b"))
		a := automaton(t, st, g)
		check(t, a, "b|ab|aaab", "|a|ba|aba")
		n := a.Len()
		require.True(t, accepts(a, strings.Repeat("a", 5000)+"b"))
		require.Equal(t, n, a.Len(), "a tail call must not make states")
	})
	t.Run("left", func(t *testing.T) {
		g := grammar.New()
		g.Start = g.NewRule("e")
		g.Add(g.Start, grammar.N(g.Start), lit("+"), lit("x"))
		g.Add(g.Start, grammar.N(g.Start))
		g.Add(g.Start, lit("x"))
		check(t, automaton(t, st, g), "x|x+x|x+x+x", "|+|x+|xx|+x")
	})
	t.Run("hidden left with nullables", func(t *testing.T) {
		g := grammar.New()
		s, o := g.NewRule("s"), g.NewRule("o")
		g.Start = s
		g.Add(s, grammar.N(o), grammar.N(s), lit("c"))
		g.Add(s, lit("b"))
		g.Add(s)
		g.Add(o, lit("a"))
		g.Add(o)
		check(t, automaton(t, st, g), "|b|bc|abc|aabcc|abcc|c|ac|aacc", "a|ba|aab|ab|aabc")
	})
	t.Run("middle", func(t *testing.T) {
		g := grammar.New()
		g.Start = g.NewRule("s")
		g.Add(g.Start, lit("("), grammar.N(g.Start), lit(")"), grammar.N(g.Start))
		g.Add(g.Start)
		check(t, automaton(t, st, g), "|()|(())()|()(()())", "(|)|())")
	})
}

func TestRepeat(t *testing.T) {
	st := terminal.NewStore()
	lit := func(s string) grammar.Symbol { return grammar.T(st.Literal(s)) }
	g := grammar.New()
	g.Start = g.NewRule("s")
	g.Add(g.Start, lit("["), g.NewRepeat(2, 3, lit("a"), g.NewRepeat(0, grammar.Unbounded, lit("b"))),
		g.NewRepeat(1, grammar.Unbounded, lit("c")), lit("]"))
	a := automaton(t, st, g)
	check(t, a, "[aac]|[aaac]|[abbaccc]", "[aa]|[ac]|[aaaac]|[c]|[]")
}

func TestObject(t *testing.T) {
	st := terminal.NewStore()
	ws := st.Star(st.Literal(" "))
	mk := func(minM, maxM uint32, extra bool) *Automaton {
		g := grammar.New()
		o := grammar.Object{
			Keys: st.Keys([]string{"a", "b", "abc"}, terminal.JSONString, st.Literal(`"`)),
			Properties: []grammar.Property{
				{Value: grammar.T(st.Concat(ws, st.Literal("1")))},
				{Value: grammar.T(st.Concat(ws, st.Literal("2"))), Required: true},
				{Value: grammar.T(st.Concat(ws, st.Literal("3")))},
			},
			Open: st.Literal("{"), Close: st.Concat(ws, st.Literal("}")), Comma: st.Concat(ws, st.Literal(",")),
			Quote: st.Concat(ws, st.Literal(`"`)), Colon: st.Concat(ws,
				st.Literal(":")), MinMembers: minM, MaxMembers: maxM,
		}
		if extra {
			o.Extra = []grammar.Extra{{Key: st.Literal(`z"`), Value: grammar.T(st.Literal("9"))}}
		}
		g.Start = g.NewRule("s")
		g.Add(g.Start, g.NewObject(o))
		return automaton(t, st, g)
	}
	check(t, mk(0, grammar.Unbounded, false), `{"b":2}|{"a":1,"b":2}|{ "a" : 1 , "b": 2,"abc":3 }|{"\u0061":1,"b":2}`,
		`{}|{"a":1}|{"b":2,"a":1}|{"abc":3}|{"b":2,}|{"b":2,"b":2}|{"a":2,"b":2}|{"b":2,"z":9}`)
	check(t, mk(0, grammar.Unbounded, true), `{"b":2,"z":9,"z":9}|{"b":2,"abc":3,"z":9}`,
		`{"z":9}|{"b":2,"z":9,"abc":3}`)
	check(t, mk(2, 2, false), `{"a":1,"b":2}|{"b":2,"abc":3}`, `{"b":2}|{"a":1,"b":2,"abc":3}|{"abc":3}`)
	check(t, mk(3, 3, true), `{"a":1,"b":2,"z":9}|{"b":2,"z":9,"z":9}`, `{"b":2,"z":9}|{"a":1,"b":2}`)
}

func TestSwitchAndLazy(t *testing.T) {
	st := terminal.NewStore()
	lit := func(s string) grammar.Symbol { return grammar.T(st.Literal(s)) }
	g := grammar.New()
	g.Start = g.NewRule("text")
	calls := 0
	lazy := g.NewLazy("inner", func(st *terminal.Store) (*grammar.Grammar, error) {
		calls++
		h := grammar.New()
		h.Start = h.NewRule("n")
		h.Add(h.Start, lit("n"), grammar.N(h.Start))
		h.Add(h.Start, lit("m"))
		return h, nil
	})
	scan := st.Scan([]terminal.ScanPattern{{Text: "<t>", Tag: 5}}, false)
	g.Add(g.Start, g.NewSwitch(scan, grammar.Case{Tag: terminal.ScanEnd},
		grammar.Case{Tag: 5, Then: grammar.Sequence{grammar.N(lazy), lit("</t>"), grammar.N(g.Start)}}))
	a := automaton(t, st, g)
	check(t, a, "|hello < t|x<t>nnm</t>y|<t>m</t><t>m</t>", "<t>|<t>n</t>|<t>m</t><t>")
	require.Equal(t, 1, calls)
}
