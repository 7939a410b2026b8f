package mask

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
)

// TestBoundedRepetitionIsFollowedByWhatItRepeats compares masks with trying every token if tokens may exhaust a
// repetition and continue behind it.
func TestBoundedRepetitionIsFollowedByWhatItRepeats(t *testing.T) {
	tokens := vocabulary(rand.New(rand.NewSource(7)), 6000)
	for i := 1; i < 40; i++ {
		run := strings.Repeat("-", i)
		tokens = append(tokens, []byte(run), []byte(run+"!"), []byte("a"+run), []byte(strings.Repeat("a", i)))
	}
	st := terminal.NewStore()
	e := NewEngine(tokenset.NewTokens(tokenset.Config{Bytes: tokens, Words: (len(tokens) + 31) / 32}), st)
	set := st.Runes([]rune{'a', 'z', '0', '9', '-', '-', ' ', ' '}, terminal.UTF8)
	for _, last := range []terminal.Expr{st.Literal("-!"), st.Plus(st.Literal("-")), st.Concat(st.Plus(set),
		st.Literal("!"))} {
		for _, first := range []terminal.Expr{st.Repeat(set, 0, 20), st.Repeat(set, 0,
			60), st.Concat(st.Repeat(set, 0, 20), st.Repeat(st.Literal("a"), 0, 3))} {
			g := grammar.New()
			g.Start = g.NewRule("text")
			g.Add(g.Start, grammar.T(first), grammar.T(last))
			p, err := pushdown.NewProgram(st, g)
			require.NoError(t, err)
			m := NewMasks(e, pushdown.NewAutomaton(p), false)
			row := make([]uint32, e.Tokens().Words())
			for s, i := m.a.Start(), 0; i < 20 && s > pushdown.Over; i++ {
				m.Fill(s, row, nil)
				for id, b := range tokens {
					require.Equal(t, m.a.StepBytes(s, b) > pushdown.Over, row[id>>5]>>(id&31)&1 == 1, "%q after %d", b,
						i)
				}
				s = m.a.StepBytes(s, []byte("b"))
			}
		}
	}
}

// TestSharedClassCountsEveryRepetition takes masks of two terminals of one shape in turn. The second one has a smaller
// bound for a repetition that is not the shortest one of the first.
func TestSharedClassCountsEveryRepetition(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	tokens := vocabulary(r, 300)
	for i := 1; i < 40; i++ {
		tokens = append(tokens, []byte(strings.Repeat("a", i)))
	}
	for range 1000 { // tokens that leave three of the shorter repetition, and some that end before
		b := make([]byte, 17)
		for i := range b {
			b[i] = byte('b' + r.Intn(25))
		}
		tokens = append(tokens, b)
	}
	for name, shape := range map[string]func(st *terminal.Store, letter, other terminal.Expr,
		most uint32) terminal.Expr{
		"two bounds": func(st *terminal.Store, letter, other terminal.Expr, most uint32) terminal.Expr {
			return st.Or(st.Concat(st.Repeat(letter, 0, most), st.Literal("!")),
				st.Concat(st.Repeat(other, 0, 20), st.Literal("?")))
		},
		"no bound": func(st *terminal.Store, letter, other terminal.Expr, most uint32) terminal.Expr {
			if most > 20 {
				most = terminal.Unbounded
			}
			return st.Concat(st.Repeat(letter, 0, most), st.Literal("!"), st.Repeat(other, 0, 60), st.Literal("?"))
		},
	} {
		st := terminal.NewStore()
		e := NewEngine(tokenset.NewTokens(tokenset.Config{Bytes: tokens, Words: (len(tokens) + 31) / 32}), st)
		letter, other := st.Runes([]rune{'a', 'y', 'é', 'é'}, terminal.UTF8), st.Runes([]rune{'b', 'y', 'é', 'é'},
			terminal.UTF8)
		row := make([]uint32, e.Tokens().Words())
		for _, most := range []uint32{60, 20} {
			g := grammar.New()
			g.Start = g.NewRule("text")
			g.Add(g.Start, grammar.T(shape(st, letter, other, most)))
			p, err := pushdown.NewProgram(st, g)
			require.NoError(t, err)
			m := NewMasks(e, pushdown.NewAutomaton(p), false)
			m.Fill(m.a.Start(), row, nil)
			for id, b := range tokens {
				require.Equal(t, m.a.StepBytes(m.a.Start(), b) > pushdown.Over, row[id>>5]>>(id&31)&1 == 1,
					"%s: %q, at most %d", name, b, most)
			}
		}
	}
}

// A token that one item takes out of a class stays allowed if another item lets it through.
func TestTokensTakenOutComeBack(t *testing.T) {
	tokens := append(vocabulary(rand.New(rand.NewSource(7)), 6000), []byte(`tool"`), []byte(`tool"x`), []byte(`tool"y`))
	st := terminal.NewStore()
	e := NewEngine(tokenset.NewTokens(tokenset.Config{Bytes: tokens, Words: (len(tokens) + 31) / 32}), st)
	anyText, quote := st.Star(st.AnyRune(terminal.JSONString)), st.Literal(`"`)
	names := st.Texts([]string{"ab", "tool"}, terminal.JSONString, nil)
	g := grammar.New()
	g.Start = g.NewRule("text")
	g.Add(g.Start, grammar.T(st.Concat(st.And(anyText, st.Not(names)), quote)), grammar.T(st.Literal("x")))
	g.Add(g.Start, grammar.T(st.Literal(`tool"`)), grammar.T(st.Literal("y")))
	p, err := pushdown.NewProgram(st, g)
	require.NoError(t, err)
	m := NewMasks(e, pushdown.NewAutomaton(p), false)
	s := m.a.Start()
	require.Contains(t, forms(m, s), "difference")
	row := make([]uint32, e.Tokens().Words())
	m.Fill(s, row, nil)
	for id, b := range tokens {
		require.Equal(t, m.a.StepBytes(s, b) > pushdown.Over, row[id>>5]>>(id&31)&1 == 1, "%q", b)
	}
}
