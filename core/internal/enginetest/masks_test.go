package enginetest

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/mask"
	"github.com/sluice-engine/sluice/core/internal/oracle"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// checkMask compares the mask of a state with a trial of every token: bit i is set exactly when the bytes of token i
// lead to a live state, and end tokens exactly when the text may end.
func checkMask(
	t *testing.T, m *mask.Masks, s pushdown.StateID, v *testkit.SmallVocabulary, text bool, where func() string,
) {
	t.Helper()
	a := m.Automaton()
	row := make([]uint32, v.Words+1)
	for i := range row {
		row[i] = 0xDEADBEEF
	}
	some, inBudget := m.Fill(s, row, v.End)
	if !some || !inBudget {
		for _, w := range row {
			require.EqualValues(t, 0xDEADBEEF, w, "a row that is not filled is untouched; %s", where())
		}
		clear(row)
	}
	if !inBudget {
		return // an answer too, and no mask to compare
	}
	any := false
	for id := range v.Tokens {
		want, over := false, false
		switch {
		case v.IsEnd(uint32(id)):
			want = a.Accepts(s)
		default:
			for _, b := range v.Spellings(uint32(id), text) {
				to := a.StepBytes(s, b)
				want, over = want || to > pushdown.Over, over || to == pushdown.Over
			}
		}
		if over {
			return // accepting the token exceeds a budget
		}
		any = any || want
		if got := row[id>>5]>>(id&31)&1 == 1; got != want {
			require.Failf(t, "mask differs from accept", "token %d %q: mask %v, accept %v; %s", id, v.Tokens[id], got,
				want, where())
		}
	}
	for id := len(v.Tokens); id < len(row)*32; id++ {
		require.Zero(t, row[id>>5]>>(id&31)&1, "bit %d is beyond the vocabulary", id)
	}
	require.Equal(t, any, some, "Fill says whether any token is allowed; %s", where())
}

// Masks of random grammars over small vocabularies equal a trial of every token, cold and cached.
func TestMasksEqualAccept(t *testing.T) {
	for _, shape := range maskShapes() {
		t.Run(fmt.Sprintf("%+v", shape), func(t *testing.T) {
			r := testkit.Seeded(t, 6)
			vocabularies := testkit.SmallVocabularies(shape.Alphabet)
			for range testkit.Rounds(60, 10_000) {
				v := vocabularies[r.Intn(len(vocabularies))]
				checkWorld(t, r, v, shape)
			}
		})
	}
}

func maskShapes() []testkit.GrammarShape {
	return []testkit.GrammarShape{
		{Alphabet: "ab", Rules: 3},
		{Alphabet: "ab", Rules: 3, ExprDepth: 2, Boolean: true, Counted: true},
		{Alphabet: "ab", Rules: 2, ExprDepth: 1, Ambiguous: true},
		{Alphabet: "abc", Rules: 3, ExprDepth: 1, Counted: true, Nodes: true, Scans: true, Lazy: true, Ambiguous: true},
		{Alphabet: "abc", Rules: 3, Nodes: true, Scans: true, Lazy: true, ExprDepth: 2, Counted: true},
	}
}

// checkWorld walks a random grammar with a vocabulary and compares masks with accept at every step; small worlds also
// with the oracle.
func checkWorld(t *testing.T, r *rand.Rand, v *testkit.SmallVocabulary, shape testkit.GrammarShape) {
	t.Helper()
	st := terminal.NewStore()
	g := testkit.Grammar(r, st, shape)
	p, err := pushdown.NewProgram(st, g)
	if err != nil {
		return // refusing is another test's business
	}
	a := pushdown.NewAutomaton(p)
	engine := mask.NewEngine(v.MaskTokens(), st)
	text := r.Intn(2) == 0
	m := mask.NewMasks(engine, a, text)
	for range 3 {
		s, said := a.Start(), ""
		for range 6 {
			where := func() string { return fmt.Sprintf("after %q in\n%s", said, oracle.DescribeGrammar(st, g)) }
			if s > pushdown.Over {
				checkMask(t, m, s, v, text, where)
				checkMask(t, m, s, v, text, where) // memoised
			}
			b := shape.Alphabet[r.Intn(len(shape.Alphabet))]
			if next := a.Step(s, b); next > pushdown.Over {
				s, said = next, said+string([]byte{b})
			}
		}
	}
}
