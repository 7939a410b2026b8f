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

// TestCountedTextIsFollowedByItsOwnCharacters compares masks with trying every token if tokens may reach the end of a
// counted body at any byte and continue behind it.
func TestCountedTextIsFollowedByItsOwnCharacters(t *testing.T) {
	r := rand.New(rand.NewSource(11))
	tokens := vocabulary(r, 3000)
	for range 800 {
		b := make([]byte, 1+r.Intn(9))
		for i := range b {
			b[i] = "zab"[r.Intn(3)]
		}
		tokens = append(tokens, b)
	}
	st := terminal.NewStore()
	e := NewEngine(tokenset.NewTokens(tokenset.Config{Bytes: tokens, Words: (len(tokens) + 31) / 32}), st)
	set := st.Runes([]rune{'a', 'z', '0', '9', '-', '-', ' ', ' '}, terminal.UTF8)
	for _, low := range []uint32{0, 3} {
		g := grammar.New()
		g.Start = g.NewRule("text")
		g.Add(g.Start, grammar.T(st.Concat(st.Literal("<"), st.Counted(st.Star(set), terminal.UTF8, low, 6))),
			grammar.T(st.Literal("zz!")))
		p, err := pushdown.NewProgram(st, g)
		require.NoError(t, err)
		m := NewMasks(e, pushdown.NewAutomaton(p), false)
		row := make([]uint32, e.Tokens().Words())
		for s := m.a.StepBytes(m.a.Start(), []byte("<")); s > pushdown.Over; s = m.a.StepBytes(s, []byte("b")) {
			m.Fill(s, row, nil)
			for id, b := range tokens {
				require.Equal(t, m.a.StepBytes(s, b) > pushdown.Over, row[id>>5]>>(id&31)&1 == 1, "%q", b)
			}
		}
	}
}

// TestJoinedStatesKeepCountersApart walks tokens within which a terminal may end, or continue, after 1 to 9 characters:
// facts kept for one count are not used for another.
func TestJoinedStatesKeepCountersApart(t *testing.T) {
	var tokens [][]byte
	for n := range 9 {
		for more := range 9 {
			text := "<" + strings.Repeat("b", n) + "z" + strings.Repeat("b", more) + "z"
			tokens = append(tokens, []byte(text), []byte(text+"z!"), []byte(text+"zz!"))
		}
	}
	st := terminal.NewStore()
	e := NewEngine(tokenset.NewTokens(tokenset.Config{Bytes: tokens, Words: (len(tokens) + 31) / 32}), st)
	lines := st.Star(st.Concat(st.Star(st.Literal("b")), st.Literal("z")))
	g := grammar.New()
	g.Start = g.NewRule("text")
	g.Add(g.Start, grammar.T(st.Literal("<")), grammar.T(st.Counted(lines, terminal.UTF8, 0, 12)),
		grammar.T(st.Literal("zz!")))
	p, err := pushdown.NewProgram(st, g)
	require.NoError(t, err)
	m := NewMasks(e, pushdown.NewAutomaton(p), false)
	row := make([]uint32, e.Tokens().Words())
	m.Fill(m.a.Start(), row, nil)
	for id, b := range tokens {
		require.Equal(t, m.a.StepBytes(m.a.Start(), b) > pushdown.Over, row[id>>5]>>(id&31)&1 == 1, "%q", b)
	}
}
