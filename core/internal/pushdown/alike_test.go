package pushdown

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// words returns an automaton of words that may follow each other without a separator. Each may be followed by a sign of
// its own, so no item covers another.
func words(t *testing.T) *Automaton {
	st := terminal.NewStore()
	letters := st.Bytes(terminal.BytesOf("abcdefghijklmnopqrstuvwxyz"))
	g := grammar.New()
	g.Start = g.NewRule("s")
	word := func(e terminal.Expr, sign string) {
		g.Add(g.Start, grammar.T(e), g.NewRepeat(0, 1, grammar.T(st.Literal(sign))), grammar.N(g.Start))
	}
	word(st.Repeat(letters, 1, grammar.Unbounded), "!")
	for i, w := range []string{"as", "by", "do", "for", "from", "if", "in", "is", "not", "or", "to"} {
		word(st.Literal(w), string("0123456789#"[i]))
	}
	g.Add(g.Start, grammar.T(st.Literal(".")))
	return automaton(t, st, g)
}

// A transition that bytes share equals the one that each byte makes in a new automaton, and so does its cost.
func TestLikeBytesShareTransitions(t *testing.T) {
	type seen struct {
		alive         terminal.ByteSet
		accepts       bool
		items         int
		charge, again int // the price to a mask that meets it first, and again
		cost          int
	}
	look := func(a *Automaton, s StateID, b byte) (x seen) {
		to := a.Step(s, b)
		if to > Over {
			x.alive, x.accepts, x.items = *a.Alive(to), a.Accepts(to), a.Width(to)
			paid := map[Counted]bool{}
			first := func(x Counted) bool {
				known := paid[x]
				paid[x] = true
				return !known
			}
			x.charge = a.Charge(s, b, to, first)
			x.again = a.Charge(s, b, to, first)
			x.cost = a.Cost(s, b, to, func(Counted) bool { return true })
		}
		return x
	}
	used := words(t)
	shared := 0
	for _, text := range []string{"", "f", "fo", "for", "form", "notin", "notin!", "is.", "a#"} {
		s := used.StepBytes(used.Start(), []byte(text))
		for b := range 128 {
			before := used.Work()
			got := look(used, s, byte(b))
			if got.items > 0 && used.Work() == before && used.sharesBytes(s) {
				shared++
			}
			fresh := words(t)
			want := look(fresh, fresh.StepBytes(fresh.Start(), []byte(text)), byte(b))
			require.Equal(t, want, got, "%q after %q", b, text)
		}
	}
	require.Greater(t, shared, 50)
}

// A mask pays for a shared transition once, and for finding it each time.
func TestLikeBytesPayOnce(t *testing.T) {
	a := words(t)
	s := a.StepBytes(a.Start(), []byte("form"))
	paid := map[Counted]bool{}
	charge := func(b byte) int {
		return a.Charge(s, b, a.Step(s, b), func(x Counted) bool {
			known := paid[x]
			paid[x] = true
			return !known
		})
	}
	first, second, other := charge('x'), charge('y'), charge('f')
	require.Less(t, second, first/4)
	require.Greater(t, other, second)
}

// Bytes that are alike lead to one state; most others do not. A hash that two ways share must not make them alike.
func TestLikeBytesLeadToOneState(t *testing.T) {
	a := words(t)
	s := a.StepBytes(a.Start(), []byte("form"))
	alike, unlike := 0, 0
	for b := byte('!'); b < 0x7F; b++ {
		for c := b + 1; c < 0x7F; c++ {
			if x, y := a.Step(s, b), a.Step(s, c); a.areAlike(s, b, c) {
				require.Equal(t, x, y, "%q %q", b, c)
				alike++
			} else if x != y {
				unlike++
			}
		}
	}
	require.Greater(t, alike, 100)
	require.Greater(t, unlike, 100)
}
